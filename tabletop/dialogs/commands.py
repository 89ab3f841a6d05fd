"""Commands: what a person at the table wants, each with the question it answers. Any thread puts them in the inbox."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Literal, Protocol, runtime_checkable

from tabletop.core.errors import StaleError, TabletopError, TooFastError
from tabletop.core.ports import Press
from tabletop.dialogs.decisions import Decision, Dialog

Moment = tuple[int, int]
"""The number of a match, and how many entries its log has. It stays the same when the table starts again."""

Asked = int | Moment | None
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
