"""What HOLD walks through: answers in a row, behind some of them groups, or questions die by die. Pure.

A row is a tuple of stops. HOLD goes on to the next one; after the last comes the first again, in a group first "back".
BANK takes an answer, opens a group, goes back, or keeps the die that is asked about. Where HOLD and BANK have led so
far is a path: the place in the row, then inside a group the place in its row, or for each die whether it is kept.
"""

from dataclasses import dataclass

from tabletop.rules import Choose, Keep

Faces = tuple[int, ...]
Path = tuple[int, ...]

START: Path = (0,)
LEAVE, KEEP = 0, 1  # what a path says of a die


@dataclass(frozen=True, slots=True)
class Take:
    """An answer. label: for people, "keep 3 3" or "full house 25"; name: the same in a range, "full house"."""

    label: str
    answer: Keep | Choose
    name: str


@dataclass(frozen=True, slots=True)
class Group:
    """Answers that stand together. label: for people, "ones to fours"."""

    label: str
    row: "Row"

    @property
    def name(self) -> str:
        """What it is called in a range of groups."""
        return self.label


@dataclass(frozen=True, slots=True)
class Back:
    """The way out of a group, behind its last answer."""


@dataclass(frozen=True, slots=True)
class AskedDie:
    """The question whether one die is kept. kept: what is by now, sorted. leave, keep: where HOLD and BANK lead."""

    face: int
    kept: Faces
    leave: "AskedDie | Take"
    keep: "AskedDie | Take"


Stop = Take | Group | Back | AskedDie
Row = tuple[Take | Group | AskedDie, ...]


def stop_at(row: Row, path: Path) -> Stop:
    """Return where a path leads."""
    at, *deeper = path
    if at == len(row):
        return Back()
    stop: Stop = row[at]
    if isinstance(stop, Group):
        return stop_at(stop.row, tuple(deeper)) if deeper else stop
    for kept in deeper:
        if isinstance(stop, AskedDie):
            stop = stop.keep if kept else stop.leave
    return stop


def after_hold(row: Row, path: Path, *, inside: bool = False) -> Path:
    """Return the path after HOLD. inside: the row is a group's, so that "back" follows its last answer."""
    at, *deeper = path
    stop = row[at] if at < len(row) else Back()
    if isinstance(stop, Group) and deeper:
        return (at, *after_hold(stop.row, tuple(deeper), inside=True))
    if isinstance(stop_at(row, path), AskedDie):
        return (*path, LEAVE)
    return ((at + 1) % (len(row) + inside),)


def after_bank(row: Row, path: Path) -> Path:
    """Return the path after BANK, the same one where it takes an answer."""
    match stop_at(row, path):
        case Group():
            return (*path, *START)
        case Back():
            return path[:-1]
        case AskedDie():
            return (*path, KEEP)
        case Take():
            return path
