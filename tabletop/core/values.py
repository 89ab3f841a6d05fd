"""The values that pass between the parts, as frozen facts: what one frame shows, a set-up, a time. Pure.

Places and lengths are in pixels of the frame, x to the right and y down; when a profile was given they are in
millimetres from the tray's first corner. `Reading.unit` says which. Distances between dice are in die edges, so that
near and far cameras, pixels and millimetres behave alike.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from math import hypot
from typing import Literal, Protocol


class UnsureReason(Enum):
    """Why something that is or may be a die has no sure face."""

    MAY_BE_NO_DIE = auto()  # the reader doubts that it is a die at all
    LEANS = auto()  # it does not lie flat
    PARTLY_HIDDEN = auto()  # something lies over a part of it
    OUTSIDE_PICTURE = auto()  # the picture's border cuts it
    TOO_DARK = auto()  # its top face is too dark to show pips
    GLARE = auto()  # light hides its pips
    TWO_FACES = auto()  # two faces are likely; `Unsure.faces` has them
    UNREADABLE = auto()  # no face is likely enough
    ON_EDGE = auto()  # it lies on the tray's wall


FACE_REASONS = frozenset({UnsureReason.TWO_FACES, UnsureReason.UNREADABLE, UnsureReason.LEANS})
"""The reasons that are about the die itself, not about a hand, the light or the picture's border."""


Where = Literal["tray", "rail", "outside"]
Unit = Literal["px", "mm"]

FACES = (1, 2, 3, 4, 5, 6)


@dataclass(frozen=True, slots=True)
class Die:
    """One die that the reader is sure of.

    face: 1 to 6. x, y: the centre of the top face. size: the edge. angle: degrees clockwise, 0 to 90. colour: a plain
    word for the body. confidence: 0 to 1. where: `tray` unless a profile knows better. up: where the middle of its top
    lies from its own middle, right and down in the frame, as long as the sine of the angle at which the top is seen.
    tilt: that sine alone, of the face that looks at the camera most; it is clear also where two faces are seen alike.
    whose: the player whose die it is, if its colour shows it, else empty. second: the face that is likeliest after
    `face`, offered first to people who say that it was misread; 0 if nobody knows. It makes no other die of a die.
    """

    face: int
    x: float
    y: float
    size: float
    angle: float
    colour: str
    confidence: float
    where: Where = "tray"
    up: tuple[float, float] = (0.0, 0.0)
    tilt: float = 0.0
    whose: str = ""
    second: int = field(default=0, compare=False)

    def unsure(self, reason: UnsureReason, faces: tuple[int, ...] = ()) -> "Unsure":
        """Return this die as an unsure one."""
        return Unsure(self.x, self.y, self.size, reason, self.where, faces)


@dataclass(frozen=True, slots=True)
class Unsure:
    """Something that is or may be a die, and why no face is given.

    x, y, size, where: as those of a die. faces: the two faces that it could show, the smaller one first, where the
    reason is `TWO_FACES`; else empty.
    """

    x: float
    y: float
    size: float
    reason: UnsureReason
    where: Where = "tray"
    faces: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """What vision sees in one frame.

    time_s: the frame's time. width, height: of the frame in pixels. dice and unsure never hold the same die twice; both
    may be empty. tray: in millimetres, width and height of the rolling area; None in pixels.
    """

    time_s: float
    width: int
    height: int
    dice: tuple[Die, ...] = ()
    unsure: tuple[Unsure, ...] = ()
    unit: Unit = "px"
    tray: tuple[float, float] | None = None

    @property
    def faces(self) -> tuple[int, ...]:
        """The faces in the tray, sorted, those on the rail and outside left out."""
        return tuple(sorted(die.face for die in self.dice if die.where == "tray"))

    def doubting(self, doubts: Mapping[Die, "Unsure"]) -> "Reading":
        """Return the reading with these of its dice replaced by what they are as unsure ones (`Die.unsure`)."""
        if not doubts:
            return self
        sure = tuple(die for die in self.dice if die not in doubts)
        return replace(self, dice=sure, unsure=(*self.unsure, *doubts.values()))


@dataclass(frozen=True, slots=True)
class Rest:
    """A reading that has come to rest, hands away.

    reading: joined from the frames of this rest, its time that of the last of them; only what lies still is in it.
    arrived_s, unsure_arrived_s: for each of `reading.dice` and `reading.unsure` the time at which it came to lie there;
    minus infinity for what lay there when the camera was switched on. A die covered for a while, or pushed a little,
    keeps its time; a die that was thrown has a new one. So after everything up to some time has been taken, what is new
    is known. passed_s: when a die was last seen that had come to lie and was gone before any rest could show it; minus
    infinity where there was none. slid_s: when all dice were last taken for only slid aside, by their faces. rolled_s:
    when dice came to lie last that were surely thrown: seen rolling, with no hand in view. bare: the newest places (x,
    y) of dice that nothing was at once they had been picked up, each with when that was seen. began_s: the time of the
    first reading; dice that lay there then have it as their time where that reading came in the middle of a throw.
    unwatched_s: from when to when there were no pictures last, as while a camera fails; nobody knows when the dice that
    are found at its end were thrown.
    """

    reading: Reading
    arrived_s: tuple[float, ...]
    unsure_arrived_s: tuple[float, ...] = ()
    passed_s: float = float("-inf")
    slid_s: float = float("-inf")
    rolled_s: float = float("-inf")
    bare: tuple[tuple[float, float, float], ...] = ()
    began_s: float = float("-inf")
    unwatched_s: tuple[float, float] = (float("-inf"), float("-inf"))

    @property
    def dated_dice(self) -> tuple[tuple[Die, float], ...]:
        """The dice, each with the time at which it came to lie there."""
        return tuple(zip(self.reading.dice, self.arrived_s, strict=True))

    @property
    def dated_unsure(self) -> tuple[tuple[Unsure, float], ...]:
        """What is unsure, each with the time at which it came to lie there."""
        return tuple(zip(self.reading.unsure, self.unsure_arrived_s, strict=True))

    def with_dated(self, dice: Sequence[tuple[Die, float]], unsure: Sequence[tuple[Unsure, float]]) -> "Rest":
        """Return the rest with these dice and unsure things, each with its time."""
        reading = replace(self.reading, dice=tuple(die for die, _ in dice), unsure=tuple(seen for seen, _ in unsure))
        arrived_s, unsure_arrived_s = (tuple(at_s for _, at_s in dated) for dated in (dice, unsure))
        return replace(self, reading=reading, arrived_s=arrived_s, unsure_arrived_s=unsure_arrived_s)


Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
Matrix = tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]


@dataclass(frozen=True, slots=True)
class Profile:
    """The calibrated facts of one set-up: where the tray lies in the picture and how large things are.

    width_px, height_px: of the frames it was made from. tray_px: the tray's corners in such a frame, clockwise; the
    first is the origin of the millimetres, x runs to the second, y to the fourth. tray_mm: width and height of the
    rolling area. homography: rows of the matrix that takes (x, y, 1) in pixels to millimetres on the tray's ground, up
    to scale; where the lens bends straight lines, of pixels that were unbent before. px_per_mm: in the middle of the
    tray. die_mm: the edge of the dice. rail_px: the rail's corners, likewise, or None where there is no rail.
    lens_bend: how much the lens bends, 0 for not at all; see `plane`. setup: what was seen when it was made, None
    if nobody looked.
    """

    width_px: int
    height_px: int
    tray_px: Quad
    tray_mm: tuple[float, float]
    homography: Matrix
    px_per_mm: float
    die_mm: float
    rail_px: Quad | None = None
    lens_bend: float = 0.0
    setup: "SetUp | None" = None

    @property
    def tray_shares(self) -> tuple[tuple[float, float], ...]:
        """The tray's corners in parts of the picture's width and height, in the order of `tray_px`."""
        return tuple((x / self.width_px, y / self.height_px) for x, y in self.tray_px)


@dataclass(frozen=True, slots=True)
class SetUp:
    """What a table looked like when its profile was made: what later pictures are compared with.

    light_level: mean grey of the tray's ground, 1 to 255. marker_error_mm: by how much the worst place of the tray may
    be off, by the markers; 0 without markers. dice: how many were thrown. unsure_share: of those, how many were unsure,
    0 to 1. die_colours: their colours, as readings have them. die_pips: for each of these whether its pips are "light"
    or "dark", "" if that was not seen.
    """

    light_level: float
    marker_error_mm: float = 0.0
    dice: int = 0
    unsure_share: float = 0.0
    die_colours: tuple[str, ...] = ()
    die_pips: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClockState:
    """What the machine's clocks were worth at a moment.

    boot: names the run of the machine, from switching it on to switching it off. monotonic_s: seconds since some time
    in this run; it never jumps, so two moments of one run are as far apart as their difference. trusted: whether the
    wall clock was known to be right.
    """

    boot: str
    monotonic_s: float
    trusted: bool


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment. time: ISO 8601, UTC. clock: None where the time is a film's or the simulation's own."""

    time: str
    clock: ClockState | None = None


@dataclass(frozen=True, slots=True)
class Sign:
    """name: what is looked at. figure: what was found. advice: what to change, empty if it is good."""

    name: str
    figure: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Signs:
    """What one picture says. markers: the outlines of those seen, four corners each in pixels. signs: in order."""

    markers: tuple[tuple[tuple[float, float], ...], ...]
    signs: tuple[Sign, ...]


SAME_DIE_EDGES = 0.5  # two dice cannot be nearer to each other: what is nearer is the same die
UNMOVED_EDGES = 0.2  # a die this near to where it lay has not moved; fingers over it shift its place by less
STEADY_EDGES = 0.15  # from frame to frame the reader's places of a still die differ by less
TINIEST = 1e-9  # keeps a thing without a size from dividing by zero


class Placed(Protocol):
    """Anything with a place and a size, in the same unit: a die, an unsure thing, a remembered place."""

    @property
    def x(self) -> float:
        """Right."""

    @property
    def y(self) -> float:
        """Down."""

    @property
    def size(self) -> float:
        """The edge."""


def distance_in_edges(thing: Placed, other: Placed) -> float:
    """Return how far apart the middles of two things are, in edges of the larger one."""
    return hypot(thing.x - other.x, thing.y - other.y) / max(thing.size, other.size, TINIEST)


def point_distance_in_edges(x: float, y: float, thing: Placed) -> float:
    """Return how far a point is from the middle of a thing, in edges of the thing."""
    return hypot(x - thing.x, y - thing.y) / max(thing.size, TINIEST)


def is_at_one_of(thing: Placed, others: Iterable[Placed]) -> bool:
    """Return whether a thing is where one of the others is: two dice cannot be that near."""
    return any(distance_in_edges(thing, other) <= SAME_DIE_EDGES for other in others)
