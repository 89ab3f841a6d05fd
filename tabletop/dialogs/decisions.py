"""What a dialog or the page decides, as data, and the protocols that dialogs follow."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol, TypeVar, runtime_checkable

from tabletop.core.errors import StaleError
from tabletop.core.ports import Press
from tabletop.core.values import Point
from tabletop.rules import Answer
from tabletop.views.snapshot import Snapshot

D = TypeVar("D")  # any dialog


@dataclass(frozen=True, slots=True)
class ShowCorners:
    """These are the tray's four corners, in any order, in parts of the picture's width and height."""

    corners: tuple[Point, ...]


@runtime_checkable
class AsksForCorners(Protocol):
    """A dialog that may ask where the tray lies in the picture."""

    def take_corners(self, corners: Sequence[Point]) -> None:
        """Take them; raises StaleError if they are not asked for now, RefusedError if they can be no tray's."""


def with_corners(dialog: D | None, decision: ShowCorners) -> D:
    """Return the dialog that is open after it took the corners; raises StaleError if it asks for none."""
    if dialog is None or not isinstance(dialog, AsksForCorners):
        raise StaleError("expected the table to be set up now, and to ask for the tray's corners")
    dialog.take_corners(decision.corners)
    return dialog


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
    """Take back this many of the newest entries of this match that are in force."""

    entries: int


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
    NewMatch
    | Resume
    | MenuAction
    | TakeBack
    | Correct
    | GiveAnswers
    | SetFace
    | ShowCorners
    | Leave
    | Join
    | KeepPreset
    | RenamePreset
    | ForgetPreset
    | MergeNames
    | SetLanguage
    | UseChip
    | ThrowDice
)

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
