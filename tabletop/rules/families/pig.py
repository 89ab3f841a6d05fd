"""Pig with one die and with two: the same race, with the ends of two texts."""

from tabletop.rules.families.race import Turn, race, replies_option
from tabletop.rules.game import Result
from tabletop.rules.options import Choice, Whole
from tabletop.rules.table import Table

TARGET = Whole("target", 100, "the goal of the race", at_least=1, at_most=10_000)
REACHED = Choice("reached", "at", "whether a score of exactly the target is enough", ("at", "over"))
REPLIES = replies_option()
OPTIONS = (TARGET, REACHED, REPLIES)


async def play_race(table: Table, turn: Turn) -> Result:
    """Play until a score has reached the target and the replies, if any, are over."""
    target, reached = table.option(TARGET), table.option(REACHED)
    return await race(
        table,
        turn,
        lambda score: score > target or (reached == "at" and score == target),
        table.option(REPLIES),
    )
