"""Track the camera's pose relative to its first frame, so that a nudged or shaken camera does not move the dice.

All places are given in the reference frame, the first one. Homographies, (3, 3), map the pixels of one frame to those
of another. Fixed parts of the picture reveal small moves; the printed markers of the mat reveal any move, and are
searched for only if the fixed parts are lost or the camera was nudged (2 ms at 640x480, 6 ms at 1640x1232). On a bare
cloth, three or more dice whose distances stay constant to within a twentieth of an edge are taken to be at rest under a
swaying camera.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from math import atan2, cos, degrees, sin, sqrt
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.config.mat import MARKERS, Outlines, find_markers
from tabletop.core.values import SAME_DIE_EDGES, Die, Reading, Unsure
from tabletop.vision.registration import LONG_PX, FixedParts, fixed_parts, known, moved, shifted, small_and_even

Floats = NDArray[np.float64]
Homography = NDArray[np.float64]  # maps (x, y, 1) in one picture to (x, y, 1) in another, up to a factor

IDENTITY: Homography = np.eye(3)
QUARTER_TURN_DEG = 90.0

DieOrUnsure = TypeVar("DieOrUnsure", Die, Unsure)


def from_affine(matrix: Floats) -> Homography:
    """Return the homography of a shift, a rotation and a scale, given as (2, 3)."""
    return np.vstack([matrix, IDENTITY[2]])


def inverse(homography: Homography) -> Homography:
    """Return the inverse."""
    return IDENTITY if homography is IDENTITY else np.asarray(np.linalg.inv(homography), np.float64)


def compose(first: Homography, then: Homography) -> Homography:
    """Return the homography that applies `first`, then `then`."""
    return then if first is IDENTITY else then @ first


def apply_to_points(points: Floats, homography: Homography) -> Floats:
    """Return (N, 2) points, mapped by the homography."""
    x, y, w = homography @ np.column_stack([points, np.ones(len(points))]).T
    return np.column_stack([x / w, y / w])


def apply_to_reading(reading: Reading, homography: Homography) -> Reading:
    """Return the reading mapped by the homography; the same object if that is the identity."""
    if homography is IDENTITY:
        return reading
    dice = tuple(_turned(_mapped(die, homography), _local(die.x, die.y, homography)[0]) for die in reading.dice)
    return replace(reading, dice=dice, unsure=tuple(_mapped(unsure, homography) for unsure in reading.unsure))


def _mapped(die: DieOrUnsure, homography: Homography) -> DieOrUnsure:
    x, y, w = homography @ (die.x, die.y, 1.0)
    return replace(die, x=float(x / w), y=float(y / w), size=die.size * scale_at(homography, die.x, die.y))


def _turned(die: Die, turn: float) -> Die:
    up = (cos(turn) * die.up[0] - sin(turn) * die.up[1], sin(turn) * die.up[0] + cos(turn) * die.up[1])
    return replace(die, angle=(die.angle + degrees(turn)) % QUARTER_TURN_DEG, up=up)


def scale_at(homography: Homography, x: float, y: float) -> float:
    """Return the factor by which a small object at (x, y) is enlarged."""
    return _local(x, y, homography)[1]


def _local(at_x: float, at_y: float, homography: Homography) -> tuple[float, float]:
    """Return the angle, in radians, by which a small object at this place is turned, and the factor of its size."""
    x, y, w = homography @ (at_x, at_y, 1.0)
    (a, b), (c, d) = (homography[:2, :2] - np.outer((x / w, y / w), homography[2, :2])) / w
    return atan2(c - b, a + d), sqrt(abs(a * d - b * c))


LEAST_MARKERS = 2  # a single one gives the rotation of a picture only to within a few degrees
FIT_SHARE = 0.06  # of a marker's side: corners that fit worse are not from the reference picture
FLAT_MARKERS = 3  # this many markers reveal tilt and height; two reveal only shift and rotation


class MarkerReference:
    """The markers of one mat, as seen in the reference picture."""

    def __init__(self) -> None:
        self._first: Outlines = {}

    @property
    def known(self) -> int:
        """How many markers have been learned."""
        return len(self._first)

    def learn(self, picture: NDArray[np.uint8], pose: Homography) -> None:
        """Search for markers that are not known yet. pose: from this frame's pixels to the reference."""
        for name, outline in find_markers(picture).items():
            if name not in self._first:
                self._first[name] = apply_to_points(outline, pose)

    def estimate_pose(self, picture: NDArray[np.uint8]) -> Homography | None:
        """Return the homography from this picture's pixels to the reference; None if too few markers are in view."""
        if self.known < LEAST_MARKERS:
            return None
        seen = {name: outline for name, outline in find_markers(picture).items() if name in self._first}
        if len(seen) < LEAST_MARKERS:
            return None
        now = np.concatenate([seen[name] for name in sorted(seen)])
        first = np.concatenate([self._first[name] for name in sorted(seen)])
        pose = _fitted(now, first, tilted=len(seen) >= FLAT_MARKERS)
        side = float(np.hypot(*(first[1] - first[0])))
        return pose if np.hypot(*(apply_to_points(now, pose) - first).T).max() <= FIT_SHARE * side else None


def _fitted(now: Floats, first: Floats, *, tilted: bool) -> Homography:
    """Return what maps the corners `now` to `first`. tilted: by any camera move, else by a shift, turn and scale."""
    found: object = (cv2.findHomography if tilted else cv2.estimateAffinePartial2D)(now, first)[0]
    if found is None:
        return IDENTITY
    return np.asarray(found, np.float64) if tilted else from_affine(np.asarray(found, np.float64))


Picture = NDArray[np.uint8]

STILL_PX = 0.3  # small pixels, at the corners: less is measurement noise, and the camera has not moved
NOTICED_PX = 0.8  # small pixels: a camera that stays off by more than this was nudged
SWING_S = 0.5  # a nudged camera swings for a while; after this time it has come to rest
LOST_S = 1.5  # nothing recognized for this long in a still picture: the camera points at something else
RENEWED_S = 4.0  # light and cloth change: the fixed parts are learned again at this interval
THROW_CHANGES_EDGES = 1.1  # radius around a die in which a throw may change the picture
SAME_SCALE = 0.03  # share: smaller changes are measurement noise, and the size given to the reader stays the same
MARKER_SEARCH_S = 0.2  # interval of the marker search while the fixed parts are lost


@dataclass(frozen=True, slots=True)
class _KnownPicture:
    """A picture that can be recognized. pose: from its pixels to those of the reference."""

    parts: FixedParts
    pose: Homography


class CameraPoseTracker:
    """Follows the pose of one camera, frame by frame.

    pose: from the pixels of the newest frame to the reference. times_moved: how many times the camera was nudged and
    stayed there. times_elsewhere: how many times the view had to be relearned because nothing was recognized.
    lost_since_s: since when nothing has been recognized, None while something is.
    """

    def __init__(self) -> None:
        self.pose: Homography = IDENTITY
        self.times_moved = self.times_elsewhere = 0
        self.lost_since_s: float | None = None
        self._home: _KnownPicture | None = None
        self._newest: _KnownPicture | None = None
        self._from_newest: Homography = IDENTITY  # from the newest known picture to the frame
        self._corners = np.zeros((4, 2))
        self._reported_pose: Homography = IDENTITY
        self._same_since_s = self._renewed_s = self._markers_searched_s = float("-inf")
        self._markers = MarkerReference()

    def measure(self, picture: Picture, time_s: float) -> None:
        """Estimate the camera's pose in this frame."""
        if self._newest is None:
            return
        evened, _ = small_and_even(picture)
        pose = self._estimate_pose(evened)
        if pose is None:
            pose = self._by_markers(picture, time_s)
        if pose is None:
            self.lost_since_s = time_s if self.lost_since_s is None else self.lost_since_s
            self._same_since_s = time_s
            return
        self.lost_since_s = None
        if self._apart(pose, self.pose) > STILL_PX:
            self.pose, self._same_since_s = pose, time_s

    def update(self, picture: Picture, time_s: float, movable: Sequence[Die | Unsure], *, quiet_s: float) -> None:
        """Update the tracker after this frame was read, and find out whether the camera was nudged.

        movable: dice in view that may be gone in the next frame, in pixels of the frame. quiet_s: for how long the
        picture has not changed.
        """
        if self._newest is None or (quiet_s >= SWING_S and self._stale(time_s)):
            self._renew(picture, time_s, movable, quiet=quiet_s >= SWING_S)
        if (
            min(quiet_s, time_s - self._same_since_s) < SWING_S
            or self._apart(self.pose, self._reported_pose) <= NOTICED_PX
        ):
            return
        exact = self._markers.estimate_pose(picture)
        if exact is not None:  # more accurate than the fixed parts if the camera was raised or tilted
            self.pose, self._home = exact, None
            self._renew(picture, time_s, movable, quiet=True)
        self._reported_pose = self.pose
        self.times_moved += 1

    def looks_elsewhere(self, time_s: float, quiet_s: float) -> bool:
        """Return whether the camera was moved too far to recognize anything, so that a new reference is needed."""
        return self.lost_since_s is not None and quiet_s >= SWING_S and time_s - self.lost_since_s >= LOST_S

    def reset_reference(self, picture: Picture, time_s: float, movable: Sequence[Die | Unsure]) -> bool:
        """Use the current view as the reference from now on; return False if it has too few fixed parts."""
        if not self._renew(picture, time_s, movable, quiet=True):
            return False
        self.lost_since_s, self.times_moved = None, self.times_moved + 1
        self.times_elsewhere += 1
        return True

    def relearn_reference(self, picture: Picture, time_s: float, movable: Sequence[Die | Unsure]) -> None:
        """Relearn the fixed parts for a camera that has certainly not moved: the dice are where they were."""
        self.lost_since_s, self._home = None, None
        self._renew(picture, time_s, movable, quiet=True)

    def scale(self, width: int, height: int) -> float:
        """Return the scale of the reference relative to the newest frame, at its centre; exactly 1 if close to 1."""
        factor = scale_at(self.pose, width / 2, height / 2)
        return factor if abs(factor - 1) > SAME_SCALE else 1.0

    def to_reference(self, reading: Reading) -> Reading:
        """Return the reading with all places in the reference picture; the same object if the camera has not moved."""
        return apply_to_reading(reading, self.pose)

    def _estimate_pose(self, evened: Picture) -> Homography | None:
        for known_picture in (self._newest, self._home):
            homography = self._homography_from(known_picture, evened) if known_picture is not None else None
            if known_picture is not None and homography is not None:
                self._newest, self._from_newest = known_picture, homography
                return compose(inverse(homography), known_picture.pose)
        return None

    def _by_markers(self, picture: Picture, time_s: float) -> Homography | None:
        """Return the camera's pose from the printed markers, searched for every `MARKER_SEARCH_S` at most."""
        if self._markers.known < LEAST_MARKERS or time_s - self._markers_searched_s < MARKER_SEARCH_S:
            return None
        self._markers_searched_s = time_s
        pose = self._markers.estimate_pose(picture)
        if pose is not None:
            self._newest = self._home = None  # this frame becomes the known one
        return pose

    def _homography_from(self, known_picture: _KnownPicture, evened: Picture) -> Homography | None:
        """Return the homography from a known picture to this one: nearly the last one, or else any shift."""
        guess = self._from_newest if known_picture is self._newest else IDENTITY
        affine = moved(known_picture.parts, evened, guess[:2])
        if affine is None and (shift := shifted(known_picture.parts, evened)) is not None:
            affine = moved(known_picture.parts, evened, shift)
        return None if affine is None else from_affine(affine)

    def _stale(self, time_s: float) -> bool:
        after_s = RENEWED_S if self._home is not None else SWING_S
        return self.lost_since_s is None and time_s - self._renewed_s >= after_s

    def _renew(self, picture: Picture, time_s: float, movable: Sequence[Die | Unsure], *, quiet: bool) -> bool:
        """Recognize the camera's view by this frame from now on; return False if it has too few fixed parts."""
        parts = fixed_parts(picture, [(die.x, die.y, THROW_CHANGES_EDGES * die.size) for die in movable])
        self._renewed_s = time_s
        if not known(parts):
            return False
        if self._home is not None:  # measured from the first picture, to avoid accumulating errors
            affine = moved(self._home.parts, parts.evened, compose(self._home.pose, inverse(self.pose))[:2])
            if affine is not None:
                pose = compose(inverse(from_affine(affine)), self._home.pose)
                if self._apart(pose, self.pose) > STILL_PX:
                    self.pose = pose
        height, width = picture.shape[:2]
        self._corners = np.array([(x, y) for x in (0, width) for y in (0, height)], float)
        self._newest, self._from_newest = _KnownPicture(parts, self.pose), IDENTITY
        if quiet:  # otherwise a hand may be in it
            self._home = self._home or self._newest
            if self._markers.known < len(MARKERS):
                self._markers.learn(picture, self.pose)
        return True

    def _apart(self, first: Homography, second: Homography) -> float:
        """Return the distance between two poses at the picture's corners, in small pixels."""
        moved_px = apply_to_points(self._corners, first) - apply_to_points(self._corners, second)
        return float(np.abs(moved_px).max(initial=0.0)) * LONG_PX / max(float(self._corners.max(initial=0.0)), 1.0)


LEAST_DICE = 2  # that move alike; two reveal no rotation, since one may roll round another that lies still
LEAST_SHARE = 0.6  # of the known dice: this many must agree
STAYS_EDGES = 0.04  # the reader's own noise with a fixed camera
ALIKE_EDGES = 0.15  # before the rotation is known: half a degree shifts dice ten edges apart by about this much
FITS_EDGES = 0.06  # once the rotation is known
NO_TURN = 1 + 0j
DECAY_S = 2.0  # the correction decays slowly enough that no die seems to creep; finally places are as seen
NO_SWAY_PX = 0.3  # a correction that has decayed below this is dropped
FORGOTTEN_S = 0.5  # a die that is not seen for this long may have been picked up


@dataclass(frozen=True, slots=True)
class _KnownDie:
    """A die at rest. place: without the sway, in pixels, as a complex number x + iy."""

    face: int
    place: complex
    seen_s: float


class SwayCompensator:
    """Removes the sway of one camera from its readings, in pixels."""

    def __init__(self) -> None:
        self._known: list[_KnownDie] = []
        self._turn, self._shift = NO_TURN, 0j  # from a die's apparent place to its true place
        self._time_s = float("-inf")

    def apply(self, reading: Reading, held: Collection[Die] = ()) -> Reading:
        """Return the reading with all places as if the camera had not swayed; the same object if it did not.

        held: dice in fingers, which are not used: they move together because the hand moves.
        """
        self._known = [known for known in self._known if reading.time_s - known.seen_s <= FORGOTTEN_S]
        if not self._known:
            self._turn, self._shift = NO_TURN, 0j
        self._decay(reading.time_s)
        pairs = self._pairs([die for die in reading.dice if die not in held])
        self._follow([(die, known) for die, known in pairs if known is not None])
        still = {id(known): self._still(die, known) for die, known in pairs if known is not None}
        others = [known for known in self._known if id(known) not in still]
        now = [
            _KnownDie(die.face, known.place if known and still[id(known)] else self._place(die), reading.time_s)
            for die, known in pairs
        ]
        self._known = others + now
        return apply_to_reading(reading, self.homography)

    def _decay(self, time_s: float) -> None:
        """Let the correction decay a little, for the known dice as well."""
        left = max(0.0, 1 - (time_s - self._time_s) / DECAY_S)
        self._time_s = time_s
        if self.homography is IDENTITY:
            return
        turn, shift = self._turn, self._shift
        if all(abs(known.place - (known.place - shift) / turn) <= NO_SWAY_PX for known in self._known):
            left = 0.0
        self._turn = NO_TURN + left * (turn - NO_TURN)
        self._turn, self._shift = self._turn / abs(self._turn), left * shift
        self._known = [
            replace(known, place=self._turn * (known.place - shift) / turn + self._shift) for known in self._known
        ]

    def _pairs(self, dice: Sequence[Die]) -> list[tuple[Die, _KnownDie | None]]:
        """Return each die with the known die that it is, None for a new one."""
        unpaired, pairs = list(self._known), list[tuple[Die, _KnownDie | None]]()
        for die in dice:
            near = [
                known
                for known in unpaired
                if known.face == die.face and self._distance_in_edges(die, known) <= SAME_DIE_EDGES
            ]
            nearest = min(near, key=lambda known: self._distance_in_edges(die, known), default=None)
            if nearest is not None:
                unpaired.remove(nearest)
            pairs.append((die, nearest))
        return pairs

    def _follow(self, pairs: Sequence[tuple[Die, _KnownDie]]) -> None:
        """Estimate how the camera moved, if most dice agree."""
        if sum(self._still(die, known) for die, known in pairs) >= LEAST_SHARE * len(pairs):
            return
        offsets = [(known.place - self._place(die)) / die.size for die, known in pairs]
        alike = max(
            ([abs(offset - other) <= ALIKE_EDGES for other in offsets] for offset in offsets), key=sum, default=[]
        )
        if sum(alike) < max(LEAST_DICE, LEAST_SHARE * len(pairs)):
            return
        group = [pair for pair, belongs in zip(pairs, alike, strict=True) if belongs]
        seen = np.array([complex(die.x, die.y) for die, _ in group])
        rested = np.array([known.place for _, known in group])
        turn = complex(np.vdot(seen - seen.mean(), rested - rested.mean())) if len(group) > LEAST_DICE else 0j
        turn = turn / abs(turn) if turn else self._turn
        shift = complex(rested.mean() - turn * seen.mean())
        residuals_edges = np.abs(turn * seen + shift - rested) / np.array([die.size for die, _ in group])
        if residuals_edges.max() <= FITS_EDGES:
            self._turn, self._shift = turn, shift

    def _place(self, die: Die) -> complex:
        return self._turn * complex(die.x, die.y) + self._shift

    def _distance_in_edges(self, die: Die, known: _KnownDie) -> float:
        return abs(self._place(die) - known.place) / max(die.size, 1e-9)

    def _still(self, die: Die, known: _KnownDie) -> bool:
        return self._distance_in_edges(die, known) <= STAYS_EDGES

    @property
    def homography(self) -> Homography:
        """From a die's apparent place to its true place."""
        if self._turn == NO_TURN and not self._shift:
            return IDENTITY
        turn, shift = self._turn, self._shift
        return from_affine(np.array([[turn.real, -turn.imag, shift.real], [turn.imag, turn.real, shift.imag]]))
