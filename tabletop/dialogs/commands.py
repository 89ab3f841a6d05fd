"""Commands: what a person at the table wants, each with the question it answers. Any thread puts them in the inbox.

`Questions` numbers the questions that people see, so that a command can name the one it answers.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from math import inf
from queue import Empty, SimpleQueue
from typing import Literal, Protocol, runtime_checkable

from tabletop.core.errors import StaleError, TabletopError, TooFastError
from tabletop.core.ports import Press
from tabletop.dialogs.decisions import Decision, Dialog, ThrowDice
from tabletop.interpret.offers import ROLL_ON
from tabletop.views.snapshot import Snapshot

AskedInMatch = tuple[int, int]
"""What a match asks: its number, and how many entries its log has. It stays the same when the table starts again."""

Asked = int | AskedInMatch | None
"""The question that a command answers: a number of `Questions`, the moment it was asked, or None for no question."""


@dataclass(frozen=True, slots=True)
class TakeLine:
    """Take this line of the list that is shown: a menu, letters, the faces of a die. at: from 0."""

    at: int


Tap = Press | TakeLine
"""What people press without a button; whatever is asked answers it."""

Wanted = Tap | Decision


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a command. Nothing has changed unless it was accepted. message: why it was refused, may be empty.

    stale: its question is not open any more. busy: the same is still under way. refused: the game, the store or the
    table does not allow it.
    """

    status: Literal["accepted", "stale", "busy", "refused"]
    message: str = ""


ACCEPTED, STALE, BUSY, REFUSED = Result("accepted"), Result("stale"), Result("busy"), Result("refused")


def result_of(error: TabletopError) -> Result:
    """Return what became of a command that raised this, as it changed nothing."""
    if isinstance(error, StaleError | TooFastError):
        return STALE if isinstance(error, StaleError) else BUSY
    return Result("refused", str(error))


@dataclass(frozen=True, slots=True)
class Command:
    """What a person wants, who saw the question `asked`. time_s: on the clock of the frames."""

    wants: Wanted
    asked: Asked = None
    time_s: float = 0.0
    result: Future[Result] = field(default_factory=Future[Result], compare=False)


class Inbox:
    """Commands on their way to the thread that plays the match. clock: that of the frames, in seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._call: Callable[[], object] = lambda: None
        self._commands: SimpleQueue[Command] = SimpleQueue()

    def put(self, wants: Wanted, asked: Asked = None) -> Future[Result]:
        """Add a command; return what will become of it. Cancelled in time, it is never carried out."""
        command = Command(wants, asked, self._clock())
        self._commands.put(command)
        self._call()
        return command.result

    def take(self) -> Sequence[Command]:
        """Take out what waits, oldest first, without what was cancelled."""
        commands: list[Command] = []
        while True:
            try:
                command = self._commands.get_nowait()
            except Empty:
                return commands
            if command.result.set_running_or_notify_cancel():
                commands.append(command)

    def listen(self, call: Callable[[], None]) -> None:
        """Call this after each command, so that it is taken soon."""
        self._call = call


@runtime_checkable
class PutAside(Protocol):
    """A dialog that changed something of the table for as long as it is open."""

    def put_aside(self) -> None:
        """Set that right again; the dialog may come back later."""


def tapped(dialog: Dialog, tap: Tap) -> Dialog | Decision:
    """Return what a dialog asks after a tap, or what was decided."""
    return dialog.press(tap) if isinstance(tap, Press) else dialog.step_to(tap.at).press(Press("bank"))


def close_dialog(dialog: object, then: object) -> None:
    """Put a dialog aside when another one, or a match, takes its place: a command may do so without a press in it."""
    if dialog is not then and isinstance(dialog, PutAside):
        dialog.put_aside()


# The shortest time in which people react to what they see: a start within 0.1 s of the gun is a false start (World
# Athletics, Technical Rule 16.6), and the mean is 0.21 s (Woods et al., Frontiers in Human Neuroscience 9:131, 2015).
REACTION_S = 0.1
FACES_TO_ENTER = 7  # 0 for no die, then 1 to 6


class Questions:
    """Knows which question is open. first: its number, another one at each start of the table.

    BANK answers exactly what was shown. HOLD may name any number since it does what it does now: steps through a list
    are quick. A throw may name any number since the log of the match last grew.
    """

    def __init__(self, first: int = 0) -> None:
        self.number = self._hold_since = self._log_since = first
        self._changed_s = self._answered_s = -inf
        self._shown, self._asks = Snapshot(), _asks(Snapshot())
        self._hold, self._log = _hold(Snapshot()), _log(Snapshot())

    def numbered(self, shown: Snapshot) -> Snapshot:
        """Return a snapshot with the number of its question."""
        self._shown, asks, hold, log = shown, _asks(shown), _hold(shown), _log(shown)
        if asks != self._asks:
            self.number += 1
        if hold != self._hold:
            self._hold_since = self.number
        if log != self._log:
            self._log_since = self.number
        self._asks, self._hold, self._log = asks, hold, log
        return replace(shown, question_number=self.number)

    def judge(self, command: Command, in_match: AskedInMatch | None = None) -> Result | None:
        """Return why a command is not carried out, None if it is. in_match: what the match asks, None for nothing."""
        wants, asked = command.wants, command.asked
        if isinstance(asked, tuple) and asked != in_match:
            return STALE
        if isinstance(asked, int) and not self._is_open(asked, wants):
            return STALE
        return REFUSED if isinstance(wants, TakeLine) and not 0 <= wants.at < _length(self._shown) else None

    def _is_open(self, asked: int, wants: Wanted) -> bool:
        since = self.number
        if isinstance(wants, ThrowDice):
            since = self._log_since
        elif isinstance(wants, Press) and wants.button == "hold" and not wants.long:
            since = self._hold_since
        return since <= asked <= self.number

    def too_early(self, press: Press, now_s: float) -> bool:
        """Return whether a BANK went down before anybody could react to what it takes now.

        A key may be as quick as it likes, and answer each of two questions in the same moment.
        """
        since_s = self._changed_s if press.prompt else max(self._changed_s, self._answered_s)
        return press.down_s < since_s + (0.0 if press.prompt else REACTION_S) or now_s <= since_s

    def bank_changes(self, now_s: float) -> None:
        """Note that BANK takes something else than before, and that views show it from `now_s` on."""
        self._changed_s = now_s
        self.close()

    def answered(self, now_s: float) -> None:
        """Note that a press was an answer, and that views show the next question from `now_s` on."""
        self._answered_s = now_s

    def close(self, wants: Wanted | None = None) -> None:
        """Make commands for the open question stale. wants: what answered it; a HOLD that only steps closes nothing.

        What is shown may stay the same: of two people who press BANK at once, one has to look again.
        """
        if isinstance(wants, Press) and wants.button == "hold" and not wants.long and _steps(self._shown):
            return
        self.number += 1
        self._hold_since = self.number

    def log_grew(self) -> None:
        """Make throws for the question before stale as well."""
        self.close()
        self._log_since = self.number


def _asks(shown: Snapshot) -> Snapshot:
    """Return what BANK answers: equal snapshots ask the same question."""
    plain = replace(shown, reading=None, held=0.0, tray=None, question_number=0)
    return replace(plain, pressed=None, hint="", happened=(), thrower="", between=False, record=None)


def _hold(shown: Snapshot) -> object:
    """Return what HOLD does, wherever it has stepped to."""
    if shown.menu is not None:
        return shown.menu.title, shown.menu.items
    if shown.spelling is not None:
        return shown.spelling.title, shown.spelling.text, shown.spelling.letters
    if shown.entry is not None:
        return shown.entry.who, shown.entry.faces, shown.entry.due
    return _log(shown), shown.hold, shown.paused


def _length(shown: Snapshot) -> int:
    """Return how many lines HOLD steps through, 0 without a list."""
    if shown.menu is not None:
        return len(shown.menu.items)
    if shown.spelling is not None:
        return len(shown.spelling.letters)
    return FACES_TO_ENTER if shown.entry is not None else 0


def _steps(shown: Snapshot) -> bool:
    """Return whether HOLD only steps on, so that a second one does the same as the first."""
    asking = shown.asking
    chooses = asking is not None and not asking.due and all(option.option != ROLL_ON for option in asking.options)
    return chooses or _length(shown) > 0


def _log(shown: Snapshot) -> tuple[int, int]:
    """Return which match is shown, and how many entries its log has."""
    return shown.number, 0 if shown.record is None else shown.record.entries
