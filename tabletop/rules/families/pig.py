"""Pig with one die and with two: the same race, with variants of its end from two rule texts and from house rules."""

from tabletop.rules import Choice, Result, Table, Whole
from tabletop.rules.families.race import Turn, race, replies_option

TARGET = Whole("target", 100, "the goal of the race", at_least=1, at_most=10_000)
REACHED = Choice(
    "reached",
    "at",
    "what ends the race: the target or more (at), more than the target (over), or exactly the target (exact)",
    ("at", "over", "exact"),
)
REPLIES = replies_option()
OPTIONS = (TARGET, REACHED, REPLIES)


async def play_race(table: Table, turn: Turn, least: int) -> Result:
    """Play until a score has reached the target and the replies, if any, are over. least: as in `exact`."""
    target, reached = table.option(TARGET), table.option(REACHED)

    def is_reached(score: int) -> bool:
        if exact(table, least):
            return score == target
        return score > target or (reached != "over" and score == target)

    return await race(table, turn, is_reached, table.option(REPLIES))


def exact(table: Table, least: int) -> bool:
    """Whether exactly the target is required. least: the fewest points that any throw scores.

    A target too small for any throw may be exceeded as well.
    """
    return table.option(REACHED) == "exact" and table.option(TARGET) >= least


def misses(table: Table, player: int, least: int) -> bool:
    """Return whether the stake exceeds a target that must be hit exactly, and announce that the turn scores nothing."""
    beyond = exact(table, least) and table.scores[player] + table.at_stake > table.option(TARGET)
    if beyond:
        say_missed(table, player)
    return beyond


def may_bank(table: Table, player: int, least: int) -> bool:
    """Whether banking would hit an exact target or leave a distance that can still be thrown."""
    left = table.option(TARGET) - table.scores[player] - table.at_stake
    return not exact(table, least) or left == 0 or left >= least


def say_missed(table: Table, player: int) -> None:
    """Announce that a turn scores nothing because the target must be hit exactly."""
    table.say("{name} needs exactly {n} and scores nothing", name=table.names[player], n=table.option(TARGET))


async def roll_or_bank(table: Table, player: int, least: int) -> str:
    """Let the player roll or bank the stake, or only roll if banking would leave a distance that cannot be thrown."""
    if not may_bank(table, player, least):
        return await table.choose(player, "roll")
    return await table.choose(player, "roll", "bank", gives={"bank": table.at_stake})
