"""The camera's pose from printed markers, however far it was nudged, turned or raised.

The markers of the mat are searched when the picture is first learned, and then only if its fixed parts are lost or the
camera was found nudged: that takes 2 ms at 640x480 and 6 ms at 1640x1232.
"""

import cv2
import numpy as np

from tabletop.config.markers import Outlines, find_markers
from tabletop.perception.camera.transforms import IDENTITY, Floats, Homography, apply_to_points, from_affine
from tabletop.vision.registration import Picture

LEAST_MARKERS = 2  # one alone tells the turn of a picture to a few degrees only
FIT_SHARE = 0.06  # of a marker's side: corners that fit worse are not those that were seen at first
FLAT_MARKERS = 3  # so many tell how the camera is tilted and raised, two only how it is shifted and turned


class MarkerReference:
    """The markers of one mat in the reference picture. known: how many there are."""

    def __init__(self) -> None:
        self._first: Outlines = {}

    @property
    def known(self) -> int:
        """How many markers were seen."""
        return len(self._first)

    def learn(self, picture: Picture, stands: Homography) -> None:
        """Search for markers that are not known yet. stands: from this picture's pixels to those of the reference."""
        for name, outline in find_markers(picture).items():
            if name not in self._first:
                self._first[name] = apply_to_points(outline, stands)

    def estimate_pose(self, picture: Picture) -> Homography | None:
        """Return the homography from this picture's pixels to the reference; None if too few markers are in view."""
        if self.known < LEAST_MARKERS:
            return None
        seen = {name: outline for name, outline in find_markers(picture).items() if name in self._first}
        if len(seen) < LEAST_MARKERS:
            return None
        now = np.concatenate([seen[name] for name in sorted(seen)])
        first = np.concatenate([self._first[name] for name in sorted(seen)])
        way = _flat(now, first) if len(seen) >= FLAT_MARKERS else _rigid(now, first)
        side = float(np.hypot(*(first[1] - first[0])))
        return way if np.hypot(*(apply_to_points(now, way) - first).T).max() <= FIT_SHARE * side else None


def _flat(now: Floats, first: Floats) -> Homography:
    """Return the homography that maps these corners to those, seen from anywhere above."""
    found: object = cv2.findHomography(now, first)[0]
    return IDENTITY if found is None else np.asarray(found, np.float64)


def _rigid(now: Floats, first: Floats) -> Homography:
    """Return the shift, turn and scale that maps these corners to those."""
    found: object = cv2.estimateAffinePartial2D(now, first)[0]
    return IDENTITY if found is None else from_affine(np.asarray(found, np.float64))
