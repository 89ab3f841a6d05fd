"""Roll, look, press: the table shows what it read, BANK says that it is right, HOLD walks to what is not. Pure.

    watch     the next roll is waited for; dice that lie there unread are asked about when BANK says so
    question  what was read: BANK confirms it, HOLD corrects it, long BANK leaves the roll out
    die       which die is not right, or that one was missed: HOLD steps, BANK takes
    face      what it shows: HOLD steps, BANK takes; a die that was unsure comes here by itself
    stop      HOLD while a roll is waited for: measure on, or stop here and go on another day
    done      all rolls are measured

Long BANK goes back, and where nothing is asked it asks about the roll before once more. Time is an argument.
"""

from dataclasses import dataclass, replace
from typing import Literal

from tabletop.core.message import say
from tabletop.core.ports import Press
from tabletop.core.values import FACES
from tabletop.dialogs.scoring.roll import LEANS, NO_DIE, Roll

Step = Literal["watch", "question", "die", "face", "stop", "done"]

SETTLED_S = 0.7  # dice that arrive one by one are one roll: as long as the table itself waits with hints
DOUBT_S = 2.0  # what is unsure may become sure in the next frames: as long as the table waits before it says so
MISSED = -1  # in place of the index of a die: one of which nothing was reported
LEFT_OUT = say("left out: it is not counted")
MOVED = say("the dice moved: read again")
NOTHING_LIES = say("no dice are seen: throw them")
NOTHING_BEFORE = say("nothing to undo")


@dataclass(frozen=True, slots=True)
class Scoring:
    """What is being asked, and the rolls so far.

    goal: how many rolls are to be measured. dice: how many dice are thrown, None if that is not known. rolls: those
    confirmed, oldest first. left_out: how many rolls were not counted since the start: taken out by long BANK, or moved
    before they were confirmed. asked: the roll that is asked about, None for none. at: the line that HOLD has stepped
    to. which: the thing in `asked.seen` whose face is asked, `MISSED` for a die that is not there. lying: what lies in
    the tray now, None while something moves. newest_s: when the newest of it came to lie. spent_s: until when dice came
    to lie that have been asked about. touched: somebody has begun to correct the roll, so that it is kept, whatever
    happens in the tray. note: a line about what happened last. over: somebody has stopped.
    """

    goal: int
    dice: int | None = None
    rolls: tuple[Roll, ...] = ()
    left_out: int = 0
    asked: Roll | None = None
    step: Step = "watch"
    at: int = 0
    which: int = 0
    lying: Roll | None = None
    newest_s: float = float("-inf")
    spent_s: float = float("-inf")
    touched: bool = False
    note: str = ""
    over: bool = False

    @staticmethod
    def resumed(goal: int, rolls: tuple[Roll, ...], dice: int | None = None) -> "Scoring":
        """Return the state after these rolls."""
        return _onward(Scoring(goal, dice, rolls))

    # What the camera sees

    def see(self, lying: Roll | None, newest_s: float, now_s: float) -> "Scoring":
        """Return the state once this lies in the tray; an empty tray, and None while something moves, change nothing.

        newest_s: when the newest of it came to lie, minus infinity for what lay there from the start.
        """
        if lying is None or not lying.seen:
            return self if self.lying is None else replace(self, lying=None)
        here = replace(self, lying=lying, newest_s=newest_s)
        if newest_s <= self.spent_s or now_s - newest_s < (DOUBT_S if lying.doubtful else SETTLED_S):
            return here
        if self.step == "watch":
            return _asking(here, lying)
        if self.asked is not None and not self.touched:  # picked up, or nudged, before anybody said anything
            return replace(_asking(here, lying), left_out=self.left_out + 1, note=MOVED)
        return here

    # What people press

    def press(self, press: Press) -> "Scoring":
        """Return the state after this press."""
        if press.button == "hold":
            return self._step_on(press)
        if press.repeat:
            return self
        return self._back() if press.long else self._taken()

    def _step_on(self, press: Press) -> "Scoring":
        if self.step in ("die", "face", "stop"):
            return replace(self, at=(self.at + 1) % self.lines, touched=self.asked is not None)
        if press.repeat or self.step == "done":
            return self
        if self.step == "watch":
            return replace(self, step="stop", at=0, note="")
        return replace(self, step="die", at=0, touched=True, note="")

    @property
    def lines(self) -> int:
        """How many lines there are to step through."""
        if self.asked is None:
            return 2
        if self.step == "die":
            return len(self.asked.seen) + len(self.asked.missed) + 1
        return len(self.face_choices)

    @property
    def face_choices(self) -> tuple[int, ...]:
        """The faces that are offered for the die in question, then `LEANS` and `NO_DIE`."""
        if self.asked is None or self.which == MISSED:
            return FACES
        said = self.asked.true[self.which]
        return tuple(face for face in (*FACES, LEANS, NO_DIE) if face != said)

    def _taken(self) -> "Scoring":
        if self.step == "watch":
            return replace(self, note=NOTHING_LIES) if self.lying is None else _asking(self, self.lying)
        if self.step == "done":
            return replace(self, over=True)
        if self.asked is None:
            return replace(self, step="watch", over=self.at == 1)
        if self.step == "question":
            return _onward(replace(self, rolls=(*self.rolls, self.asked), note=""))
        if self.step == "die":
            return self._die_taken(self.asked)
        face = self.face_choices[self.at]
        said = self.asked.missing(face) if self.which == MISSED else self.asked.saying(self.which, face)
        return _at_question(replace(self, touched=True, note=""), said)

    def _die_taken(self, asked: Roll) -> "Scoring":
        missed = self.at - len(asked.seen)
        if missed in range(len(asked.missed)):  # it was not missed after all
            return _at_question(self, asked.without_missed(missed))
        return replace(self, step="face", which=self.at if missed < 0 else MISSED, at=0)

    def _back(self) -> "Scoring":
        if self.step == "stop":
            return replace(self, step="watch", at=0)
        if self.asked is None:
            return self._reopened()
        if self.step == "question" or self.asked.unsaid is not None:
            return _onward(replace(self, left_out=self.left_out + 1, note=LEFT_OUT))
        return replace(self, step="question" if self.step == "die" else "die", at=0)

    def _reopened(self) -> "Scoring":
        """Return the state that asks about the newest roll once more; it does not count until it is confirmed."""
        if not self.rolls:
            return replace(self, note=NOTHING_BEFORE)
        *before, newest = self.rolls
        spent_s = max(self.spent_s, self.newest_s if self.lying and self.lying.same_places(newest) else self.spent_s)
        return _at_question(replace(self, rolls=tuple(before), touched=True, spent_s=spent_s, note=""), newest)


def _asking(state: Scoring, roll: Roll) -> Scoring:
    return _at_question(replace(state, spent_s=state.newest_s, touched=False, note=""), roll)


def _at_question(state: Scoring, roll: Roll) -> Scoring:
    """Return the state that asks for what nobody has said about this roll yet, else whether all is right."""
    if roll.unsaid is None:
        return replace(state, asked=roll, step="question", at=0)
    return replace(state, asked=roll, step="face", which=roll.unsaid, at=0)


def _onward(state: Scoring) -> Scoring:
    """Return the state that waits for the next roll, if there is another to come."""
    done = len(state.rolls) >= state.goal
    return replace(state, asked=None, step="done" if done else "watch", at=0, touched=False)
