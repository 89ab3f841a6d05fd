"""Commands: what a person at the table wants, each with the question it answers. Any thread puts them in the inbox.

A decision says as data what a dialog or the page has come to. `Questions` numbers the questions that people see, so
that a command can name the one it answers.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from math import inf
from queue import Empty, SimpleQueue
from typing import Literal, Protocol, runtime_checkable

from tabletop.core.errors import StaleError, TabletopError, TooFastError
from tabletop.core.ports import Press
from tabletop.core.values import Point
from tabletop.interpret.offers import ROLL_ON
from tabletop.rules import Answer
from tabletop.views.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class ShowCorners:
    """These are the tray's four corners, in any order, in parts of the picture's width and height."""

    corners: tuple[Point, ...]


@runtime_checkable
class AsksForCorners(Protocol):
    """A dialog that may ask where the tray lies in the picture."""

    def take_corners(self, corners: Sequence[Point]) -> None:
        """Take them; raises StaleError if they are not asked for now, RefusedError if they can be no tray's."""


@dataclass(frozen=True, slots=True)
class NewMatch:
    """Play this game with these players. settings: the options that are not as usual, `rules` first."""

    game: str
    players: tuple[str, ...] = ()
    settings: tuple[tuple[str, int | bool | str], ...] = ()


@dataclass(frozen=True, slots=True)
class Resume:
    """Go on with a match of the store."""

    number: int


class MenuAction(Enum):
    """Something the table does that needs no argument."""

    BACK = auto()  # close the dialog; dice that were moved meanwhile are no throw
    STAY = auto()  # close the dialog as if it had not been opened
    UNDO = auto()  # ask what to take back
    CORRECT = auto()  # ask which answer was wrong
    REMATCH = auto()  # ask for a rematch
    JOIN = auto()  # ask who sits down
    END_MATCH = auto()  # end this match for good
    START_MENU = auto()  # put this match aside and ask what to play
    CHECK = auto()  # show whether every part of the table is right
    LANGUAGE = auto()  # ask which language to show
    CALIBRATE = auto()  # guide through setting the camera up
    DEVICES = auto()  # ask who may press on the page
    SHOW_CODE = auto()  # show the digits that let a phone in
    SEND_AWAY = auto()  # let nobody press any more who was let in
    DISPLAY_TEST = auto()  # ask which picture the display shows clean
    QUIT = auto()  # switch the table off


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take back the newest entries of this match that are in force, then give these answers, all of it at once."""

    entries: int
    answers: tuple[Answer, ...] = ()


@dataclass(frozen=True, slots=True)
class Correct:
    """Correct a throw, keep or choice of this match. number: from 1, among those that stand.

    was: the answer that is replaced; if another one stands by then, nothing is corrected. None: whichever stands.
    """

    number: int
    answer: Answer
    was: Answer | None = None


@dataclass(frozen=True, slots=True)
class GiveAnswers:
    """Answer what is asked now, one answer after the other, as BANK would; all of it or nothing."""

    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class SetFace:
    """Take people's word for a die in the tray that cannot be read.

    x, y: where it lies in the newest frame, in pixels. face: 1 to 6, or 0 if it is no die.
    """

    x: float
    y: float
    face: int


@dataclass(frozen=True, slots=True)
class ThrowDice:
    """Throw the simulated dice that are due."""


@dataclass(frozen=True, slots=True)
class Leave:
    """This player leaves the match that is played."""

    name: str


@dataclass(frozen=True, slots=True)
class Join:
    """This player comes back, or sits down, at the match that is played."""

    name: str


@dataclass(frozen=True, slots=True)
class KeepPreset:
    """Keep what this match is begun with under a name of people's own, in place of the one that had it."""

    name: str
    match: NewMatch


@dataclass(frozen=True, slots=True)
class RenamePreset:
    """Give what was kept another name."""

    name: str
    new: str


@dataclass(frozen=True, slots=True)
class ForgetPreset:
    """Delete what was kept under this name."""

    name: str


@dataclass(frozen=True, slots=True)
class MergeNames:
    """Offer and count a name as another one from now on; equal ones part them again."""

    name: str
    means: str


@dataclass(frozen=True, slots=True)
class SetLanguage:
    """Show everything in this language from now on. language: its code, or its file."""

    language: str


@dataclass(frozen=True, slots=True)
class UseChip:
    """Drive the display as this chip from now on."""

    chip: str


Decision = (
    NewMatch | Resume | MenuAction | TakeBack | Correct | GiveAnswers | SetFace | ShowCorners | Leave | Join
    | KeepPreset | RenamePreset | ForgetPreset | MergeNames | SetLanguage | UseChip | ThrowDice
)  # fmt: skip

BEHIND = (KeepPreset, RenamePreset, ForgetPreset, MergeNames, ThrowDice)  # they close no dialog and begin no match


class Dialog(Protocol):
    """Anything that has the two buttons to itself until it is answered: a menu, a name, faces being entered."""

    def step_to(self, at: int) -> "Dialog":
        """Return it with this line of its list stepped to, one that its snapshot shows, from 0."""

    def press(self, press: Press) -> "Dialog | Decision":
        """Return what is asked after this press, or what was decided."""

    @property
    def snapshot(self) -> Snapshot:
        """What views draw of it."""


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
