"""The values of the eye: what one frame shows, as frozen facts.

Places and lengths are in pixels of the frame, x to the right and y down; when a profile was given they are in
millimetres from the tray's first corner. `Reading.unit` says which. Nothing in here does any work.
"""

from dataclasses import dataclass
from typing import Literal

Where = Literal["tray", "rail", "outside"]
Unit = Literal["px", "mm"]

FACES = (1, 2, 3, 4, 5, 6)


@dataclass(frozen=True, slots=True)
class Die:
    """One die that the reader is sure of.

    face: 1 to 6. x, y: the centre of the top face. size: the edge. angle: degrees clockwise, 0 to 90. colour: a plain
    word for the body. confidence: 0 to 1. where: `tray` unless a profile knows better.
    """

    face: int
    x: float
    y: float
    size: float
    angle: float
    colour: str
    confidence: float
    where: Where = "tray"


@dataclass(frozen=True, slots=True)
class Unsure:
    """Something that is or may be a die, with the reason (for people) why no face is given."""

    x: float
    y: float
    size: float
    reason: str
    where: Where = "tray"


@dataclass(frozen=True, slots=True)
class Reading:
    """What vision sees in one frame.

    time_s: the frame's time. width, height: of the frame in pixels. dice and unsure never hold the same die twice; both
    may be empty.
    """

    time_s: float
    width: int
    height: int
    dice: tuple[Die, ...] = ()
    unsure: tuple[Unsure, ...] = ()
    unit: Unit = "px"

    @property
    def faces(self) -> tuple[int, ...]:
        """The faces in the tray, sorted, those on the rail and outside left out."""
        return tuple(sorted(die.face for die in self.dice if die.where == "tray"))


@dataclass(frozen=True, slots=True)
class Rest:
    """A reading that has come to rest, hands away.

    reading: joined from the frames of this rest. since_s: the time of the first of them. fresh: for each die of
    `reading.dice`, whether it was seen moving, or gone and come, since the rest before; a rest in which nothing is
    fresh cannot hold a throw.
    """

    reading: Reading
    since_s: float
    fresh: tuple[bool, ...]
