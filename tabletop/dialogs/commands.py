"""Commands: requests from people, each with the question it answers. Any thread may put them in the inbox.

A decision is the result of a dialog or the page, as data. `Questions` numbers the questions that people see, so that a
command can name the one it answers.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from math import inf
from queue import Empty, SimpleQueue
from typing import Literal, Protocol, runtime_checkable

from tabletop.core import errors, values
from tabletop.core.ports import Press
from tabletop.interpret.offers import ROLL_ON
from tabletop.rules import Answer
from tabletop.views.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class ShowCorners:
    """The tray's four corners, in any order, as fractions of the picture's width and height."""

    corners: tuple[values.Point, ...]


@runtime_checkable
class AsksForCorners(Protocol):
    """A dialog that may ask for the tray's position in the picture."""

    def take_corners(self, corners: Sequence[values.Point]) -> None:
        """Set the corners; raises StaleError if they are not asked for now, RefusedError if they cannot be a tray's."""


@dataclass(frozen=True, slots=True)
class NewMatch:
    """Begin a match of this game with these players. settings: options that differ from the defaults, `rules` first."""

    game: str
    players: tuple[str, ...] = ()
    settings: tuple[tuple[str, int | bool | str], ...] = ()


@dataclass(frozen=True, slots=True)
class Resume:
    """Resume a stored match."""

    number: int


class MenuAction(Enum):
    """An action of the table without arguments."""

    BACK = auto()  # close the dialog; dice moved in the meantime are not a throw
    STAY = auto()  # close the dialog as if it had never been opened
    UNDO = auto()  # ask what to undo
    CORRECT = auto()  # ask which answer was wrong
    REMATCH = auto()  # ask for a rematch
    JOIN = auto()  # ask who joins
    END_MATCH = auto()  # end this match for good
    START_MENU = auto()  # put this match aside and ask what to play
    CHECK = auto()  # show the checks of all parts of the table
    LANGUAGE = auto()  # ask which language to show
    CALIBRATE = auto()  # start the guided camera setup
    FIRST_STEPS = auto()  # the short form of it for the page: only tray and dice, saved without a report
    DEVICES = auto()  # ask which devices may press on the page
    SHOW_CODE = auto()  # show the pairing code for a phone
    SEND_AWAY = auto()  # revoke all paired devices
    HOTSPOT = auto()  # open a network of the table's own and show how to use it
    DISPLAY_TEST = auto()  # ask which test picture the display shows correctly
    TEST_PARTS = auto()  # show text on the display and every press, and change nothing
    TRY_SETTINGS = auto()  # ask whether the new settings stay
    KEEP_SETTINGS = auto()  # they stay
    OLD_SETTINGS = auto()  # the ones before come back, and the table starts again
    UPDATE = auto()  # install the newest version on a USB stick
    QUIT = auto()  # switch the table off


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Undo the newest entries in force and then give these answers, all or nothing."""

    entries: int
    answers: tuple[Answer, ...] = ()


@dataclass(frozen=True, slots=True)
class Correct:
    """Correct a throw, keep or choice. number: from 1, among those in force.

    was: the answer to be replaced; if another one is in force by then, nothing is corrected. None: any.
    """

    number: int
    answer: Answer
    was: Answer | None = None


@dataclass(frozen=True, slots=True)
class GiveAnswers:
    """Answer the current question, one answer after the other, as BANK would; all or nothing."""

    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class SetFace:
    """Set the face of an unreadable die in the tray.

    x, y: its place in the newest frame, in pixels. face: 1 to 6, or 0 if it is not a die.
    """

    x: float
    y: float
    face: int


@dataclass(frozen=True, slots=True)
class ThrowDice:
    """Throw the simulated dice that are due."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Remove this player from the current match."""

    name: str


@dataclass(frozen=True, slots=True)
class Join:
    """Add or readmit this player to the current match."""

    name: str


@dataclass(frozen=True, slots=True)
class KeepPreset:
    """Save the settings of a match under a name, replacing a preset of the same name."""

    name: str
    match: NewMatch


@dataclass(frozen=True, slots=True)
class RenamePreset:
    """Rename a preset."""

    name: str
    new: str


@dataclass(frozen=True, slots=True)
class ForgetPreset:
    """Delete a preset."""

    name: str


@dataclass(frozen=True, slots=True)
class MergeNames:
    """Merge a name into another one from now on; if both are equal, undo the merge."""

    name: str
    means: str


@dataclass(frozen=True, slots=True)
class SetLanguage:
    """Change the language of the table. language: its code, or its file."""

    language: str


@dataclass(frozen=True, slots=True)
class UseChip:
    """Drive the display as this chip from now on."""

    chip: str


@dataclass(frozen=True, slots=True)
class CloseHotspot:
    """Close the table's own network, or note that it was closed."""


Decision = (
    NewMatch | Resume | MenuAction | TakeBack | Correct | GiveAnswers | SetFace | ShowCorners | Leave | Join
    | KeepPreset | RenamePreset | ForgetPreset | MergeNames | SetLanguage | UseChip | ThrowDice
    | CloseHotspot
)  # fmt: skip

BEHIND = (
    KeepPreset,
    RenamePreset,
    ForgetPreset,
    MergeNames,
    ThrowDice,
    CloseHotspot,
)  # they close no dialog and begin no match


class Dialog(Protocol):
    """Anything that has the two buttons until it is answered: a menu, a name, faces being entered."""

    def step_to(self, at: int) -> "Dialog":
        """Return the dialog with this visible line of its list selected, from 0."""

    def press(self, press: Press) -> "Dialog | Decision":
        """Handle a press; return the next dialog, or the decision."""

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot of this dialog."""


AskedInMatch = tuple[int, int]
"""What a match asks: its number, and how many entries its log has. It stays the same when the table starts again."""

Asked = int | AskedInMatch | None
"""The question that a command answers: a number of `Questions`, the moment it was asked, or None for no question."""


@dataclass(frozen=True, slots=True)
class TakeLine:
    """Choose this line of the visible list: a menu, letters, the faces of a die. at: from 0."""

    at: int


Tap = Press | TakeLine
"""What people press without a button; whatever is asked answers it."""

Wanted = Tap | Decision


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a command. Nothing has changed unless it was accepted. message: why it was refused, may be empty.

    stale: its question is no longer open. busy: the same operation is in progress. refused: the game, the store or the
    table does not allow it.
    """

    status: Literal["accepted", "stale", "busy", "refused"]
    message: str = ""


ACCEPTED, STALE, BUSY, REFUSED = Result("accepted"), Result("stale"), Result("busy"), Result("refused")


def result_of(error: errors.TabletopError) -> Result:
    """Return the result of a command that raised this error and so changed nothing."""
    if isinstance(error, errors.StaleError | errors.TooFastError):
        return STALE if isinstance(error, errors.StaleError) else BUSY
    return Result("refused", str(error))


@dataclass(frozen=True, slots=True)
class Command:
    """A request by a person who saw the question `asked`. time_s: on the clock of the frames."""

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
        """Queue a command and return its future. A cancelled command is never carried out."""
        command = Command(wants, asked, self._clock())
        self._commands.put(command)
        self._call()
        return command.result

    def take(self) -> Sequence[Command]:
        """Remove and return the queued commands, oldest first, without cancelled ones."""
        commands: list[Command] = []
        while True:
            try:
                command = self._commands.get_nowait()
            except Empty:
                return commands
            if command.result.set_running_or_notify_cancel():
                commands.append(command)

    def listen(self, call: Callable[[], None]) -> None:
        """Call `call` after each command, so that it is handled soon."""
        self._call = call


@runtime_checkable
class PutAside(Protocol):
    """A dialog that changes the table while it is open."""

    def put_aside(self) -> None:
        """Undo that change; the dialog may be reopened later."""


def tapped(dialog: Dialog, tap: Tap) -> Dialog | Decision:
    """Handle a tap; return the next dialog, or the decision."""
    return dialog.press(tap) if isinstance(tap, Press) else dialog.step_to(tap.at).press(Press("bank"))


# The shortest human reaction time: a start within 0.1 s of the gun is a false start (World Athletics, Technical Rule
# 16.6), and the mean is 0.21 s (Woods et al., Frontiers in Human Neuroscience 9:131, 2015).
REACTION_S = 0.1
FACES_TO_ENTER = 7  # 0 for "not a die", then 1 to 6


class Questions:
    """Tracks which question is open. first: its number, different at each start of the table.

    BANK answers exactly what was shown. HOLD may name any number since it got its current meaning, because steps
    through a list are quick. A throw may name any number since the log of the match last grew.
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
        """Return why a command must not be carried out, None if it may.

        in_match: the match's question, None if none.
        """
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
        """Return whether a BANK went down before anybody could react to its current meaning.

        A key may be as quick as it likes, and answer two questions in the same moment.
        """
        since_s = self._changed_s if press.prompt else max(self._changed_s, self._answered_s)
        return press.down_s < since_s + (0.0 if press.prompt else REACTION_S) or now_s <= since_s

    def bank_changes(self, now_s: float) -> None:
        """Note that the meaning of BANK has changed, and that views show it from `now_s` on."""
        self._changed_s = now_s
        self.close()

    def answered(self, now_s: float) -> None:
        """Note that a press was an answer, and that views show the next question from `now_s` on."""
        self._answered_s = now_s

    def close(self, wants: Wanted | None = None) -> None:
        """Make commands for the open question stale.

        wants: the command that answered it; a mere step by HOLD is ignored.
        The screen may stay the same: if two people press BANK at once, the second press must not count.
        """
        if isinstance(wants, Press) and wants.button == "hold" and not wants.long and _steps(self._shown):
            return
        self.number += 1
        self._hold_since = self.number

    def log_grew(self) -> None:
        """Make throws for the previous question stale as well."""
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
