"""The effects of the two buttons and of a throw in each situation, and the labels of the buttons.

This is the table of the design, row by row: `rests` and `pressing` follow it, and the bottom line of every screen is
taken from it. In every situation, long BANK asks what to undo and long HOLD opens the menu; the loop handles these two.
A button that is still held after its long press does nothing here, only in the lists of the menu.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from tabletop.core.message import say

Situation = Literal[
    "roll", "dice unread", "hide", "claim", "paused", "keep", "keep and stop", "die by die", "roll or stop",
    "asked again", "choose", "group", "back", "over",
]  # fmt: skip
Deed = Literal[
    "pause", "go on", "say it is paused", "say whose throw", "take unread dice", "walk on", "walk in", "answer",
    "ask again", "roll on", "left to the loop",
]  # fmt: skip
ThrowDeed = Literal["is it", "keeps, rolls on", "rolls on", "waits", "nothing"]

STOP = "STOP"  # placeholder for the word with which the game ends a turn, "bank" or "stop"
LONGEST_LABEL = 9  # letters: both labels share the bottom line of the smallest screen


@dataclass(frozen=True, slots=True)
class Does:
    """The effect of a button. label: shown at the bottom of the screen, empty if it does nothing."""

    deed: Deed
    label: str = ""


@dataclass(frozen=True, slots=True)
class ButtonRow:
    """A row of the table."""

    hold: Does
    bank: Does


NEXT = Does("walk on", say("next"))
WHOSE_GO, REALLY_ROLL = say("whose go?"), say("roll?")

PRESS_TABLE: Mapping[Situation, ButtonRow] = {
    "roll": ButtonRow(hold=Does("pause", say("pause")), bank=Does("say whose throw", WHOSE_GO)),
    "dice unread": ButtonRow(hold=Does("pause", say("pause")), bank=Does("take unread dice", say("take"))),
    "paused": ButtonRow(hold=Does("go on", say("go on")), bank=Does("say it is paused")),
    "keep": ButtonRow(hold=NEXT, bank=Does("answer", say("keep"))),
    "keep and stop": ButtonRow(hold=NEXT, bank=Does("answer", STOP)),  # the label leaves out that the dice are kept
    "die by die": ButtonRow(hold=Does("walk on", say("leave")), bank=Does("walk in", say("keep"))),
    "roll or stop": ButtonRow(hold=Does("ask again", REALLY_ROLL), bank=Does("answer", STOP)),
    "asked again": ButtonRow(hold=Does("roll on", say("roll")), bank=Does("answer", STOP)),
    "choose": ButtonRow(hold=NEXT, bank=Does("answer", say("take"))),
    "group": ButtonRow(hold=NEXT, bank=Does("walk in", say("open"))),
    "back": ButtonRow(hold=NEXT, bank=Does("walk in", say("back"))),
    "hide": ButtonRow(hold=Does("pause", say("pause")), bank=Does("answer", say("done"))),
    "claim": ButtonRow(hold=NEXT, bank=Does("answer", say("claim"))),
    "over": ButtonRow(hold=Does("left to the loop", say("new game")), bank=Does("left to the loop", say("again"))),
}

THROW_TABLE: Mapping[Situation, ThrowDeed] = {
    "roll": "is it",
    "hide": "nothing",  # dice seen now are being looked at by their player, not shown to all
    "claim": "nothing",
    "paused": "nothing",
    "keep": "keeps, rolls on",
    "roll or stop": "rolls on",
    "choose": "waits",
    "over": "nothing",
}
