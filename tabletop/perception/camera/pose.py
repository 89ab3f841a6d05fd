"""The camera's pose relative to its first one: a nudged or shaken camera must not move the dice.

Every place is given in the reference picture, the first one. Everything that remembers places (dice in the tray,
kept dice, how flat dice look, the profile) therefore stays valid when the camera is nudged, and nobody has to press
a button.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tabletop.config.mat import MARKERS
from tabletop.core.values import Die, Reading, Unsure
from tabletop.perception.camera.markers import LEAST_MARKERS, MarkerReference
from tabletop.perception.camera.transforms import (
    IDENTITY,
    Homography,
    apply_to_points,
    apply_to_reading,
    compose,
    from_affine,
    inverse,
    scale_at,
)
from tabletop.vision.registration import LONG_PX, FixedParts, fixed_parts, known, moved, shifted, small_and_even

Picture = NDArray[np.uint8]

STILL_PX = 0.3  # small pixels, at the corners: less is measurement noise, and the camera has not moved
NOTICED_PX = 0.8  # small pixels: a camera that stays off by more than this was nudged
SWING_S = 0.5  # a nudged camera swings for a while; after this time it has come to rest
LOST_S = 1.5  # nothing recognized for this long in a still picture: the camera points at something else
RENEWED_S = 4.0  # light and cloth change: the fixed parts are learned again this often
THROW_CHANGES_EDGES = 1.1  # radius around a die in which a throw may change the picture
SAME_SCALE = 0.03  # share: smaller changes are measurement noise, and the size given to the reader stays the same
MARKER_SEARCH_S = 0.2  # while the fixed parts are lost, markers are searched for this often


@dataclass(frozen=True, slots=True)
class _KnownPicture:
    """A picture that can be recognized. pose: from its pixels to those of the reference."""

    parts: FixedParts
    pose: Homography


class CameraPoseTracker:
    """Follows the pose of one camera, frame by frame.

    pose: from the pixels of the newest frame to those of the reference. times_moved: how many times the camera was
    nudged and stayed there. times_elsewhere: how many times the view had to be learned afresh because nothing was
    recognized. lost_since_s: since when nothing has been recognized, None while something is.
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

    def update(self, picture: Picture, time_s: float, movable: Sequence[Die | Unsure], *, quiet_s: float) -> bool:
        """Process the same frame after it was read; return whether the camera was just found nudged.

        movable: what is in view and may be gone in the next frame, in pixels of the frame. quiet_s: for how long the
        picture has not changed.
        """
        if self._newest is None or (quiet_s >= SWING_S and self._stale(time_s)):
            self._renew(picture, time_s, movable, quiet=quiet_s >= SWING_S)
        if (
            min(quiet_s, time_s - self._same_since_s) < SWING_S
            or self._apart(self.pose, self._reported_pose) <= NOTICED_PX
        ):
            return False
        exact = self._markers.estimate_pose(picture)
        if exact is not None:  # more accurate than the fixed parts if the camera was raised or tilted
            self.pose, self._home = exact, None
            self._renew(picture, time_s, movable, quiet=True)
        self._reported_pose = self.pose
        self.times_moved += 1
        return True

    def looks_elsewhere(self, time_s: float, quiet_s: float) -> bool:
        """Return whether the camera was moved too far for anything to be recognized; a new reference is due then."""
        return self.lost_since_s is not None and quiet_s >= SWING_S and time_s - self.lost_since_s >= LOST_S

    def reset_reference(self, picture: Picture, time_s: float, movable: Sequence[Die | Unsure]) -> bool:
        """Take the current view as the reference from now on; return False if it has too few fixed parts."""
        if not self._renew(picture, time_s, movable, quiet=True):
            return False
        self.lost_since_s, self.times_moved = None, self.times_moved + 1
        self.times_elsewhere += 1
        return True

    def relearn_reference(self, picture: Picture, time_s: float, movable: Sequence[Die | Unsure]) -> None:
        """Learn the fixed parts again, of a camera that has certainly not moved: the dice are where they were."""
        self.lost_since_s, self._home = None, None
        self._renew(picture, time_s, movable, quiet=True)

    def scale(self, width: int, height: int) -> float:
        """Return the scale of the reference relative to the newest frame, in its middle; exactly 1 if about 1."""
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
        if self._home is not None:  # measured from the first picture, so that small errors do not add up
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
        distance_px = float(
            np.abs(apply_to_points(self._corners, first) - apply_to_points(self._corners, second)).max(initial=0.0)
        )
        return distance_px * LONG_PX / max(float(self._corners.max(initial=0.0)), 1.0)
