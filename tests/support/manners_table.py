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
        "waits; nudged flat it counts, or its face is set with BANK", "die at the left leans: nudge it"
    ),
    "a die lies on the tray's edge": Manner("waits until it is in", "die at the left is on the edge: push it in"),
    "a die is turned by hand afterwards": Manner("the throw stands as it was taken", hints.TURNED),
    "picked up before it was read": Manner("nothing was taken; the next throw is", hints.AGAIN),
    "thrown while a choice is open": Manner(
        "rolls on where that can be chosen, else waits and counts after the choice", hints.CHOOSE_FIRST
    ),
    "thrown by the wrong player": Manner(
        "a die known by its colour waits for its player; else who is asked has thrown, and long BANK takes it back",
        "that is Ben's die: Ann throws",
    ),
    "thrown twice": Manner("the second throw is the next answer: it rolls on, or waits; long BANK takes it back"),
    "two throws quickly after one another": Manner("both are taken, in their order"),
    "children fiddle with the dice": Manner(
        "pushed about they are no throw; HOLD pauses, then nothing is", hints.PAUSED
    ),
    "nothing happens for ten minutes": Manner("waits on, and says for whom", "still there? Ann throws"),
    "other dice are put in": Manner("dice of another colour or size count as those before them"),
    "more dice are due than lie there": Manner(
        "each player owns five, and seven are due: the throw is taken in parts", hints.part_lies(7, 5)
    ),
}
