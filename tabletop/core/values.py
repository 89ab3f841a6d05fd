"""The values that pass between packages, all frozen: readings, rests, profiles, times. Pure.

Places and lengths are in pixels of the frame, x to the right and y down; with a profile they are in millimetres from
the tray's first corner. `Reading.unit` says which. Distances between dice are in die edges, so that they do not depend
on the camera's distance or the unit.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from math import hypot
from typing import Literal, Protocol


class UnsureReason(Enum):
    """Why a die, or a possible die, has no certain face."""

    MAY_BE_NO_DIE = auto()  # the reader doubts that this is a die at all
    LEANS = auto()  # it does not lie flat
    PARTLY_HIDDEN = auto()  # something covers part of it
    OUTSIDE_PICTURE = auto()  # it is cut off at the border of the picture
    TOO_DARK = auto()  # its top face is too dark to show pips
    GLARE = auto()  # a reflection hides its pips
    TWO_FACES = auto()  # two faces are likely, see `Unsure.faces`
    UNREADABLE = auto()  # no face is likely enough
    ON_EDGE = auto()  # it leans on the tray's wall


FACE_REASONS = frozenset({UnsureReason.TWO_FACES, UnsureReason.UNREADABLE, UnsureReason.LEANS})
"""The reasons that are about the die itself, not about a hand, the light or the picture's border."""


Where = Literal["tray", "rail", "outside"]
Unit = Literal["px", "mm"]

FACES = (1, 2, 3, 4, 5, 6)


@dataclass(frozen=True, slots=True)
class Die:
    """One die with a certain face.

    face: 1 to 6. x, y: the centre of the top face. size: the edge length. angle: degrees clockwise, 0 to 90. colour:
    the colour word of the body. confidence: 0 to 1. where: `tray` unless a profile says otherwise. up: the direction
    from the die's centre to the centre of its top face, right and down in the frame; its length is the sine of the
    angle between the top face's normal and the camera. tilt: that sine for the face that points at the camera most;
    certain even if two faces are seen alike. whose: the player who owns the die, if its colour shows it, else empty.
    second: the second likeliest face, offered first for corrections; 0 if unknown; ignored by equality.
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
    """A die or possible die without a certain face, and the reason.

    x, y, size, where: as in `Die`. faces: the two possible faces, the smaller first, if the reason is `TWO_FACES`; else
    empty.
    """

    x: float
    y: float
    size: float
    reason: UnsureReason
    where: Where = "tray"
    faces: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """The dice read in one frame.

    time_s: the frame's time. width, height: of the frame in pixels. dice and unsure never contain the same die twice;
    both may be empty. tray: width and height of the rolling area in millimetres; None if the unit is pixels.
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
        """The faces in the tray, sorted, without dice on the rail or outside."""
        return tuple(sorted(die.face for die in self.dice if die.where == "tray"))

    def doubting(self, doubts: Mapping[Die, "Unsure"]) -> "Reading":
        """Return the reading with some dice replaced by their unsure versions (`Die.unsure`)."""
        if not doubts:
            return self
        sure = tuple(die for die in self.dice if die not in doubts)
        return replace(self, dice=sure, unsure=(*self.unsure, *doubts.values()))


@dataclass(frozen=True, slots=True)
class Rest:
    """A reading in which everything lies still and no hand is in view.

    reading: merged from the frames of this rest; its time is that of the last one; it contains only what lies still.
    arrived_s, unsure_arrived_s: for each of `reading.dice` and `reading.unsure` the time at which it came to rest
    there; minus infinity if it lay there when the camera was switched on. A die that is covered for a while or nudged
    keeps its time; a thrown die gets a new one. So once everything up to some time has been taken, the new dice are
    known. passed_s: when a die was last seen at rest that was gone before any rest could include it; minus infinity if
    never. slid_s: when all dice were last judged, by their faces, to have only slid aside. rolled_s: when dice last
    came to rest that were certainly thrown: seen rolling with no hand in view. bare: the places (x, y) of the dice most
    recently picked up that were empty right afterwards, each with the time. began_s: the time of the first reading;
    dice that lay there then have it as their time if that reading came in the middle of a throw. unwatched_s: start and
    end of the last gap without frames, such as a camera failure; dice found at its end were thrown at an unknown time.
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
        """The dice, each with the time at which it came to rest."""
        return tuple(zip(self.reading.dice, self.arrived_s, strict=True))

    @property
    def dated_unsure(self) -> tuple[tuple[Unsure, float], ...]:
        """The unsure things, each with the time at which they came to rest."""
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
    """The calibration of one table: where the tray lies in the frame and how large things are.

    width_px, height_px: of the frames it was made from. tray_px: the tray's corners in such a frame, clockwise; the
    first is the origin in millimetres, x runs to the second, y to the fourth. tray_mm: width and height of the rolling
    area. homography: rows of the matrix that maps (x, y, 1) in pixels to millimetres on the tray's ground, up to scale;
    if the lens distorts, of undistorted pixels. px_per_mm: in the middle of the tray. die_mm: the edge length of the
    dice. rail_px: the rail's corners, likewise, or None without a rail. lens_bend: the lens distortion, 0 for none; see
    `plane`. setup: the table's condition at calibration, None if not recorded.
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
        """The tray's corners as fractions of the frame's width and height, in the order of `tray_px`."""
        return tuple((x / self.width_px, y / self.height_px) for x, y in self.tray_px)


@dataclass(frozen=True, slots=True)
class SetUp:
    """The table's condition when its profile was made, for comparison with later frames.

    light_level: mean grey of the tray's ground, 1 to 255. marker_error_mm: the largest position error in the tray,
    estimated from the markers; 0 without markers. dice: how many were thrown. unsure_share: the share of these that
    were unsure, 0 to 1. die_colours: their colours, as in readings. die_pips: for each of these colours whether the
    pips are "light" or "dark", "" if not seen.
    """

    light_level: float
    marker_error_mm: float = 0.0
    dice: int = 0
    unsure_share: float = 0.0
    die_colours: tuple[str, ...] = ()
    die_pips: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClockState:
    """The state of the machine's clocks at a moment.

    boot: identifies the period from switching the machine on to switching it off. monotonic_s: seconds since some
    moment of this period; it never jumps, so differences within one period are exact. trusted: whether the wall clock
    was known to be right.
    """

    boot: str
    monotonic_s: float
    trusted: bool


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment. time: ISO 8601, UTC. clock: None if the time comes from a film or the simulation."""

    time: str
    clock: ClockState | None = None


@dataclass(frozen=True, slots=True)
class Sign:
    """One figure about a picture. name: what was measured. figure: the result.

    advice: what to change, empty if good.
    """

    name: str
    figure: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Signs:
    """The figures of one picture. markers: the outlines of visible markers, four corners each, in pixels.

    signs: in order.
    """

    markers: tuple[tuple[tuple[float, float], ...], ...]
    signs: tuple[Sign, ...]


SAME_DIE_EDGES = 0.5  # two dice cannot be nearer than this: it is the same die
UNMOVED_EDGES = 0.2  # a die this near to its last place has not moved; covering it shifts the place by less
STEADY_EDGES = 0.15  # the measured place of a still die varies by less from frame to frame
TINIEST = 1e-9  # avoids division by zero for a size of 0


class Placed(Protocol):
    """Anything with a place and a size in one unit: a die, an unsure thing, a remembered place."""

    @property
    def x(self) -> float:
        """The distance to the right."""

    @property
    def y(self) -> float:
        """The distance down."""

    @property
    def size(self) -> float:
        """The edge length."""


def distance_in_edges(thing: Placed, other: Placed) -> float:
    """Return the distance between the centres of two things, in edges of the larger one."""
    return hypot(thing.x - other.x, thing.y - other.y) / max(thing.size, other.size, TINIEST)


def point_distance_in_edges(x: float, y: float, thing: Placed) -> float:
    """Return the distance of a point from the centre of a thing, in edges of the thing."""
    return hypot(x - thing.x, y - thing.y) / max(thing.size, TINIEST)


def is_at_one_of(thing: Placed, others: Iterable[Placed]) -> bool:
    """Return whether a thing is at the place of one of the others: two dice cannot be that near."""
    return any(distance_in_edges(thing, other) <= SAME_DIE_EDGES for other in others)
