"""Pig with one die and with two: the same race, with the ends of two texts and one of many tables."""

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
    """Whether nothing but exactly the target will do. least: the fewest points that any throw scores.

    A target that no throw can make is reached by more, too.
    """
    return table.option(REACHED) == "exact" and table.option(TARGET) >= least


def misses(table: Table, player: int, least: int) -> bool:
    """Whether the stake leads beyond a target that must be reached exactly, so that the turn scores nothing; say so."""
    beyond = exact(table, least) and table.scores[player] + table.at_stake > table.option(TARGET)
    if beyond:
        say_missed(table, player)
    return beyond


def may_bank(table: Table, player: int, least: int) -> bool:
    """Whether what is left to an exact target after banking is nothing, or can still be thrown."""
    left = table.option(TARGET) - table.scores[player] - table.at_stake
    return not exact(table, least) or left == 0 or left >= least


def say_missed(table: Table, player: int) -> None:
    """Say that a turn scores nothing since the target must be reached exactly."""
    table.say("{name} needs exactly {n} and scores nothing", name=table.names[player], n=table.option(TARGET))


async def roll_or_bank(table: Table, player: int, least: int) -> str:
    """Let the player roll on or bank the stake, or only roll where what was left could not be thrown any more."""
    if not may_bank(table, player, least):
        return await table.choose(player, "roll")
    return await table.choose(player, "roll", "bank", gives={"bank": table.at_stake})
