"""What devices that were let in may do: press BANK and HOLD, take a line of a list, throw simulated dice, answer.

A line is taken as fingers would take it: HOLD, look, HOLD, look, BANK. So nothing is possible here that is not possible
with two buttons, and if the list changes on the way, nothing is taken. An answer goes as a wish to the thread that
plays the match, and names its question: once the log of the match has grown, something else is asked.
"""

from concurrent.futures import Future
from dataclasses import dataclass
from enum import Enum
from threading import Lock
from typing import Any

from tabletop.core.ports import ButtonName
from tabletop.core.values import FACES
from tabletop.dialogs.decisions import BEHIND, Decision, GiveAnswers, SetFace
from tabletop.dialogs.wishes import Fate, Moment, WishBox
from tabletop.interpret.offers import ROLL_ON
from tabletop.views.snapshot import Snapshot
from tabletop.web.answering import answers_of, moment_of
from tabletop.web.lookback import Lookback, die_of
from tabletop.web.page_buttons import PageButtons
from tabletop.web.payload import decision_of

ENTERED_FACES = 7  # 0 for no die after all, then 1 to 6
MOST_STEPS = 64  # no list is longer
SETTLES_S = 1.5  # simulated dice that came to rest are read by then, or cannot be read


class Outcome(Enum):
    """What became of a wish."""

    DONE = "done"
    LATE = "late"  # something else is asked by now: look again
    FLOOD = "flood"  # too many presses wait, or dice that were thrown
    UNKNOWN = "unknown"  # nothing of this kind can be done here


@dataclass(slots=True)
class _Goal:
    """The line of a list that HOLD steps to. what: the list, as in `_list_of`. steps: HOLD presses that are left."""

    what: object
    at: int
    steps: int


class Actions:
    """Carries out what devices wish. buttons: those of the page. simulated: whether there are simulated dice.

    asks: numbers what is asked, from here on. Another number at each start, so that what a device answers that has not
    noticed a restart is nobody's question. HOLD may name any number since it does what it does now: steps through the
    same list are quick. A throw may name any since the log of the match grew: what else changes meanwhile is no answer.

    `see` is called by the thread that plays the match, everything else by that of the server.
    """

    def __init__(self, buttons: PageButtons, *, simulated: bool = False, asks: int = 0) -> None:
        self.buttons, self.simulated = buttons, simulated
        self.wishes = WishBox(buttons.wake)
        self._wished: tuple[Moment | None, Future[Fate]] = None, Future()
        self.asks = asks
        self._lock = Lock()
        self._snapshot, self._decision = Snapshot(), Snapshot()
        self._spent = False
        self._goal: _Goal | None = None
        self._hold: tuple[object, int] = None, asks  # what HOLD does, and the number from which on
        self._log: tuple[Moment, int] = (0, 0), asks  # what stands in the log, and the number from which on
        self._held = self._throws = self._rolls = False
        self._now_s = 0.0
        self._thrown: tuple[Moment | None, float] = None, 0.0  # what was thrown for, and until when those dice count

    def see(self, snapshot: Snapshot, now_s: float) -> None:
        """Note what is shown now, and go one step further to the line that somebody wants."""
        with self._lock:
            if snapshot != self._snapshot:
                self._snapshot, decision = snapshot, decision_of(snapshot)
                if decision != self._decision:
                    self.asks, self._decision, self._spent, self._held = self.asks + 1, decision, False, False
                self._see_since(snapshot)
                if not self._rolls:  # something is said about dice that lie still: throw again, perhaps
                    self._thrown = self._thrown[0], now_s
            pressing = self.buttons.pressing(now_s)
            self._spent, self._held, self._now_s = self._spent and pressing, self._held and pressing, now_s
            self._step(now_s)

    def _see_since(self, snapshot: Snapshot) -> None:
        hold, log = _held_of(snapshot), _log_of(snapshot)
        if hold != self._hold[0]:
            self._hold = hold, self.asks
        if log != self._log[0]:
            self._log = log, self.asks

    def press(self, button: ButtonName, asks: int, *, long: bool = False) -> Outcome:
        """Press a button. asks: what was asked when somebody decided to; BANK and long presses answer only that.

        Of two devices that press BANK for the same question one wins; so it is with HOLD, unless it steps on.
        """
        with self._lock:
            if button == "bank" or long:
                if asks != self.asks or self._spent or self._goal is not None:
                    return Outcome.LATE
                self._spent = True
            elif not self._hold[1] <= asks <= self.asks or self._held or self._goal is not None:
                return Outcome.LATE
            else:
                self._held = not _steps(self._snapshot)
            return Outcome.DONE if self.buttons.press(button, long=long) else Outcome.FLOOD

    def take(self, at: int, asks: int) -> Outcome:
        """Take a line of the list that is shown: of a menu, of letters, of the faces of a die."""
        with self._lock:
            shown = _list_of(self._snapshot)
            if shown is None or not 0 <= at < shown[2]:
                return Outcome.UNKNOWN
            if asks != self.asks or self._spent or self._goal is not None:
                return Outcome.LATE
            self._goal = _Goal(shown[0], at, min(shown[2], MOST_STEPS))
        return Outcome.DONE

    def answer(self, wish: dict[str, Any]) -> Outcome | Future[Fate]:
        """Answer what is asked: a part that is kept, an option, or a throw that is entered; see `answers_of`.

        Of several devices that answer the same question one wins, and so does a press of BANK before them.
        """
        with self._lock:
            asking, moment = self._snapshot.asking, moment_of(wish)
            before, fate = self._wished
            answered = before == moment and not (fate.cancelled() or (fate.done() and fate.result() is Fate.REFUSED))
            if asking is None or moment != asking.moment or self._spent or self._goal is not None or answered:
                return Outcome.LATE
            answers = answers_of(asking, wish)
            if not answers:
                return Outcome.UNKNOWN
            self._wished = moment, self.wishes.put(GiveAnswers(answers), moment)
            return self._wished[1]

    @property
    def snapshot(self) -> Snapshot:
        """What is shown now."""
        return self._snapshot

    def correct(self, wish: dict[str, Any]) -> Outcome | Future[Fate]:
        """Set a die right: the face that it shows instead of the one that was read; see `die_of`.

        It names the face that it replaces, so of two devices that correct the same throw the second is told.
        """
        die, face = die_of(wish), wish.get("face")
        if die is None or type(face) is not int or face not in FACES or face == die.face:
            return Outcome.UNKNOWN
        correction = Lookback(self.snapshot).correction(die, face)
        return Outcome.LATE if correction is None else self.wishes.put(correction)

    def set_face(self, wish: dict[str, Any]) -> Outcome | Future[Fate]:
        """Say what a die is that cannot be read: `face`, 0 for no die, of what lies `at` this place of the frame."""
        at, face = wish.get("at"), wish.get("face")
        if type(face) is not int or not 0 <= face < ENTERED_FACES:
            return Outcome.UNKNOWN
        match at:
            case [int(x), int(y)]:
                return self.wishes.put(SetFace(x, y, face)) if self._snapshot.menu is None else Outcome.LATE
        return Outcome.UNKNOWN

    def decide(self, decision: Decision, match: object) -> Outcome | Future[Fate]:
        """Carry out what the form decides. match: the number of the one that was shown when somebody decided to."""
        with self._lock:
            fits = match == self._snapshot.number or isinstance(decision, BEHIND)
            return self.wishes.put(decision) if fits else Outcome.LATE

    def throw(self, asks: int) -> Outcome:
        """Throw the simulated dice that are due. asks: what was asked when somebody decided to.

        Dice that were thrown for the same and are not read yet count: a second throw would roll on unasked.
        """
        if not self.simulated:
            return Outcome.UNKNOWN
        with self._lock:
            log, since = self._log
            if not since <= asks <= self.asks or self._spent or self._goal is not None:
                return Outcome.LATE
            if self._throws or (self._thrown[0] == log and (self._rolls or self._now_s < self._thrown[1])):
                return Outcome.FLOOD
            self._throws, self._thrown = True, (log, self._now_s + SETTLES_S)
        return Outcome.DONE

    def thrown(self, *, rolls: bool = False) -> bool:
        """Return whether somebody wished to throw since the last call. rolls: the simulated dice are on their way."""
        with self._lock:
            wished, self._throws = self._throws, False
            self._rolls = rolls or wished
            if self._rolls:
                self._thrown = self._thrown[0], self._now_s + SETTLES_S
        return wished

    def _step(self, now_s: float) -> None:
        goal = self._goal
        if goal is None or self.buttons.pressing(now_s):
            return
        shown = _list_of(self._snapshot)
        if shown is None or shown[0] != goal.what:
            self._goal = None
        elif shown[1] == goal.at:
            self._goal, self._spent = None, True
            self.buttons.press("bank")
        elif not goal.steps:
            self._goal = None
        else:
            goal.steps -= 1
            self.buttons.press("hold")


def _list_of(snapshot: Snapshot) -> tuple[object, int, int] | None:
    """Return the list that HOLD steps through: what it is, the index stepped to, how long it is; None without one."""
    if snapshot.menu is not None:
        return (snapshot.menu.title, snapshot.menu.items), snapshot.menu.at, len(snapshot.menu.items)
    if snapshot.spelling is not None:
        spelling = snapshot.spelling
        return (spelling.title, spelling.text, spelling.letters), spelling.at, len(spelling.letters)
    if snapshot.entry is not None:
        entry = snapshot.entry
        return (entry.who, entry.faces, entry.due), entry.face, ENTERED_FACES
    return None


def _held_of(snapshot: Snapshot) -> object:
    """Return what HOLD does, wherever it has stepped to."""
    shown = _list_of(snapshot)
    return (_log_of(snapshot), snapshot.hold, snapshot.paused) if shown is None else shown[0]


def _steps(snapshot: Snapshot) -> bool:
    """Return whether HOLD only steps on, so that a second one does nothing else than the first."""
    asking = snapshot.asking
    chooses = asking is not None and not asking.due and all(option.option != ROLL_ON for option in asking.options)
    return chooses or _list_of(snapshot) is not None


def _log_of(snapshot: Snapshot) -> Moment:
    """Return which match is shown, and how much stands in its log."""
    return snapshot.number, 0 if snapshot.record is None else snapshot.record.entries
