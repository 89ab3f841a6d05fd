"""Where the camera stands, compared with its first place: a nudged or shaken camera must not move the dice.

Every place is given in the reference picture, the first one. So everything that remembers places (dice in the tray,
kept dice, how flat dice look, the profile) stays valid when the camera is nudged, and nobody has to press anything.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tabletop.config.markers import MARKERS
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

STILL_PX = 0.3  # small pixels, at the corners: less is the measurement's noise, and the camera stands as before
NOTICED_PX = 0.8  # small pixels: a camera that stays moved by more was nudged
SWING_S = 0.5  # a nudged camera swings for a while; where it is after this it stays
LOST_S = 1.5  # nothing known again for this long, in a picture that keeps still: the camera looks at something else
RENEWED_S = 4.0  # light and cloth change: the fixed parts are looked at again this often
AROUND_EDGES = 1.1  # so far around the middle of a die the picture may change when it is thrown
SAME_SIZE = 0.03  # a size that is told to the reader shall not change with the measurement's noise
MARKERS_AGAIN_S = 0.2  # where all is lost markers are looked for this often


@dataclass(frozen=True, slots=True)
class _Known:
    """A picture that is recognized. stood: from its pixels to those of the reference."""

    parts: FixedParts
    stood: Homography


class CameraPoseTracker:
    """Follows the pose of one camera, frame by frame.

    stands: from the pixels of the newest frame to those of the reference. times_moved: how often the camera was nudged
    and stayed there. times_elsewhere: how often so far nothing was recognized. lost_since_s: since when nothing is
    recognized, None while something is.
    """

    def __init__(self) -> None:
        self.pose: Homography = IDENTITY
        self.times_moved = self.times_elsewhere = 0
        self.lost_since_s: float | None = None
        self._home: _Known | None = None
        self._newest: _Known | None = None
        self._way: Homography = IDENTITY  # from the newest known picture to the frame
        self._corners = np.zeros((4, 2))
        self._told: Homography = IDENTITY
        self._same_since_s = self._renewed_s = self._marked_s = float("-inf")
        self._marked = MarkerReference()

    def measure(self, picture: Picture, time_s: float) -> None:
        """Estimate the camera's pose in this frame."""
        if self._newest is None:
            return
        evened, _ = small_and_even(picture)
        stands = self._stands(evened)
        if stands is None:
            stands = self._by_markers(picture, time_s)
        if stands is None:
            self.lost_since_s = time_s if self.lost_since_s is None else self.lost_since_s
            self._same_since_s = time_s
            return
        self.lost_since_s = None
        if self._apart(stands, self.pose) > STILL_PX:
            self.pose, self._same_since_s = stands, time_s

    def update(self, picture: Picture, time_s: float, movable: Sequence[Die | Unsure], *, quiet_s: float) -> bool:
        """Take the same frame after it was read; return whether the camera was just found nudged.

        movable: what is in view and may be gone in the next frame, in pixels of the frame. quiet_s: for how long the
        picture has not changed.
        """
        if self._newest is None or (quiet_s >= SWING_S and self._stale(time_s)):
            self._renew(picture, time_s, movable, quiet=quiet_s >= SWING_S)
        if min(quiet_s, time_s - self._same_since_s) < SWING_S or self._apart(self.pose, self._told) <= NOTICED_PX:
            return False
        exact = self._marked.estimate_pose(picture)
        if exact is not None:  # of a camera that was raised or tilted the fixed parts tell less
            self.pose, self._home = exact, None
            self._renew(picture, time_s, movable, quiet=True)
        self._told = self.pose
        self.times_moved += 1
        return True

    def looks_elsewhere(self, time_s: float, quiet_s: float) -> bool:
        """Return whether the camera was moved so far that nothing is recognized; its view is then the reference."""
        return self.lost_since_s is not None and quiet_s >= SWING_S and time_s - self.lost_since_s >= LOST_S

    def reset_reference(self, picture: Picture, time_s: float, movable: Sequence[Die | Unsure]) -> bool:
        """Assume that the camera is where it was, whatever it sees; return False if there is nothing to see."""
        if not self._renew(picture, time_s, movable, quiet=True):
            return False
        self.lost_since_s, self.times_moved = None, self.times_moved + 1
        self.times_elsewhere += 1
        return True

    def relearn_reference(self, picture: Picture, time_s: float, movable: Sequence[Die | Unsure]) -> None:
        """Learn the fixed parts again from a camera that surely has not moved: the dice are where they were."""
        self.lost_since_s, self._home = None, None
        self._renew(picture, time_s, movable, quiet=True)

    def scale(self, width: int, height: int) -> float:
        """Return how much larger the middle of the reference is than that of the newest frame; 1 for about 1."""
        times = scale_at(self.pose, width / 2, height / 2)
        return times if abs(times - 1) > SAME_SIZE else 1.0

    def to_reference(self, reading: Reading) -> Reading:
        """Return the reading with all places in the reference picture; the same object if the camera has not moved."""
        return apply_to_reading(reading, self.pose)

    def _stands(self, evened: Picture) -> Homography | None:
        for one in (self._newest, self._home):
            way = self._way_from(one, evened) if one is not None else None
            if one is not None and way is not None:
                self._newest, self._way = one, way
                return compose(inverse(way), one.stood)
        return None

    def _by_markers(self, picture: Picture, time_s: float) -> Homography | None:
        """Return the camera's pose from the printed markers, which are searched now and then."""
        if self._marked.known < LEAST_MARKERS or time_s - self._marked_s < MARKERS_AGAIN_S:
            return None
        self._marked_s = time_s
        stands = self._marked.estimate_pose(picture)
        if stands is not None:
            self._newest = self._home = None  # this frame is known from now on
        return stands

    def _way_from(self, one: _Known, evened: Picture) -> Homography | None:
        """Return the homography from a known picture to this one: about as before, or else shifted by anything."""
        way = moved(one.parts, evened, (self._way if one is self._newest else IDENTITY)[:2])
        if way is None and (guess := shifted(one.parts, evened)) is not None:
            way = moved(one.parts, evened, guess)
        return None if way is None else from_affine(way)

    def _stale(self, time_s: float) -> bool:
        after_s = RENEWED_S if self._home is not None else SWING_S
        return self.lost_since_s is None and time_s - self._renewed_s >= after_s

    def _renew(self, picture: Picture, time_s: float, movable: Sequence[Die | Unsure], *, quiet: bool) -> bool:
        """Recognize the view of the camera by this frame from now on, if there is enough in it."""
        parts = fixed_parts(picture, [(one.x, one.y, AROUND_EDGES * one.size) for one in movable])
        self._renewed_s = time_s
        if not known(parts):
            return False
        if self._home is not None:  # what was measured from the very first picture is no sum of small errors
            way = moved(self._home.parts, parts.evened, compose(self._home.stood, inverse(self.pose))[:2])
            if way is not None:
                stands = compose(inverse(from_affine(way)), self._home.stood)
                if self._apart(stands, self.pose) > STILL_PX:
                    self.pose = stands
        height, width = picture.shape[:2]
        self._corners = np.array([(x, y) for x in (0, width) for y in (0, height)], float)
        self._newest, self._way = _Known(parts, self.pose), IDENTITY
        if quiet:  # else a hand may be in it
            self._home = self._home or self._newest
            if self._marked.known < len(MARKERS):
                self._marked.learn(picture, self.pose)
        return True

    def _apart(self, one: Homography, other: Homography) -> float:
        """Return how far apart two poses are at the picture's corners, in small pixels."""
        far = float(
            np.abs(apply_to_points(self._corners, one) - apply_to_points(self._corners, other)).max(initial=0.0)
        )
        return far * LONG_PX / max(float(self._corners.max(initial=0.0)), 1.0)
