"""What the table does about everything that goes wrong in a tray, case by case, and what it says: one short line.

This is the table of `tabletop/interpret/README.md`, row by row; a test compares them, and each row has its own test.
N and M stand for numbers, Ann and Ben for names.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from tabletop.interpret import hints


@dataclass(frozen=True, slots=True)
class Manner:
    """A row of the table. does: what the table does. says: the hint, empty where nothing needs to be said."""

    does: str
    says: str = ""


MANNERS: Mapping[str, Manner] = {
    "a die is missing": Manner("waits; the die thrown after them completes the throw", hints.count(2, 1)),
    "one die too many": Manner("waits until one is taken away", hints.count(1, 2)),
    "a die leans or lies on another": Manner(
        "waits until it is nudged flat, or its face is set with BANK", "die at the left leans: nudge it"
    ),
    "a die lies on the tray's edge": Manner("waits until it is in", "die at the left is on the edge: push it in"),
    "a die is turned by hand afterwards": Manner("the throw counts as it was taken", hints.TURNED),
    "picked up before it was read": Manner("nothing was taken; the next throw counts", hints.AGAIN),
    "thrown while a choice is open": Manner(
        "rolls on if that is an option, otherwise waits and counts after the choice", hints.CHOOSE_FIRST
    ),
    "thrown by the wrong player": Manner(
        "a die known by its colour waits for its player; otherwise it counts for the player due; long BANK undoes it",
        "that is Ben's die: Ann throws",
    ),
    "thrown twice": Manner("the second throw is the next answer: it rolls on, or waits; long BANK undoes it"),
    "two throws quickly after one another": Manner("both are taken, in order"),
    "children fiddle with the dice": Manner("pushed dice do not count as thrown; HOLD pauses the table", hints.PAUSED),
    "nothing happens for ten minutes": Manner("keeps waiting, and says for whom", "still there? Ann throws"),
    "other dice are put in": Manner("dice of another colour or size count like the earlier ones"),
    "more dice are due than lie there": Manner(
        "each player owns five, and seven are due: the throw is taken in parts", hints.part_lies(7, 5)
    ),
}
