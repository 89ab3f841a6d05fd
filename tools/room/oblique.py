"""The picture of an oblique camera: the tray's ground plane, seen through a pinhole.

The renderer draws the view of an eye beyond the centre of the tray, projected onto the tray's ground; a pinhole camera
there, pointed at the centre, shows the same through a homography. So sides, tops and sizes are those of a real view.
"""

from dataclasses import replace
from math import hypot

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.core.ports import Camera, Frame
from tabletop.simulator.scene import Viewpoint
from tabletop.simulator.tray import HEIGHT_PX, WIDTH_PX

Matrix = NDArray[np.float64]

TABLE_BGR = (70, 74, 80)  # around the tray: a grey table


def view_of(eye: Viewpoint, scale: float) -> tuple[Matrix, tuple[int, int]]:
    """Return the homography from the tray's ground to the camera's picture, and the picture's width and height.

    eye: the camera's position, beyond the centre of the tray's frame. scale: pixels of the picture per pixel of the
    ground at the centre of the tray. The picture is just large enough for the whole frame of the tray.
    """
    aside_px, above_px = (eye.y or 0.0) - HEIGHT_PX / 2, eye.distance_px
    away_px = hypot(aside_px, above_px)
    ahead = np.array((0.0, -aside_px, -above_px)) / away_px  # from the eye to the middle
    right, down = np.array((1.0, 0.0, 0.0)), np.array((0.0, above_px, -aside_px)) / away_px
    position = np.array((WIDTH_PX / 2, eye.y or 0.0, above_px))
    rows = np.array((scale * away_px * right, scale * away_px * down, ahead))
    onto = np.column_stack((rows[:, 0], rows[:, 1], -rows @ position))  # of points (x, y, 0) on the ground
    frame = np.array([(0.0, 0.0, 1.0), (WIDTH_PX, 0.0, 1.0), (WIDTH_PX, HEIGHT_PX, 1.0), (0.0, HEIGHT_PX, 1.0)])
    seen = frame @ onto.T
    corners = seen[:, :2] / seen[:, 2:]
    low, high = corners.min(axis=0), corners.max(axis=0)
    shift = np.array(((1.0, 0.0, -low[0]), (0.0, 1.0, -low[1]), (0.0, 0.0, 1.0)))
    width, height = (int(np.ceil(side)) for side in high - low)
    return np.asarray(shift @ onto), (width, height)


class ObliqueCamera:
    """A camera whose frames are those of another one, which looks straight down, seen through a homography.

    view, size_px: as returned by `view_of`.
    """

    def __init__(self, camera: Camera, view: Matrix, size_px: tuple[int, int]) -> None:
        self.live = camera.live
        self._camera, self._view, self._size_px = camera, view, size_px
        self._behind: Frame | None = None  # the newest frame of the other camera
        self._shown: Frame | None = None

    def read(self) -> Frame | None:
        """Return the next frame; while nothing changes, its pixels are the same array."""
        frame = self._camera.read()
        if frame is None:
            return None
        before, self._behind = self._behind, frame
        if self._shown is not None and before is not None and frame.pixels is before.pixels:
            return replace(self._shown, time_s=frame.time_s)
        pixels = cv2.warpPerspective(
            frame.pixels, self._view, self._size_px, flags=cv2.INTER_AREA, borderValue=TABLE_BGR
        )
        self._shown = replace(frame, pixels=np.asarray(pixels, np.uint8))
        return self._shown

    def close(self) -> None:
        """Close the underlying camera."""
        self._camera.close()

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Return the pixel at which a point of the tray's ground is seen."""
        right, down, far = self._view @ np.array((x, y, 1.0))
        return float(right / far), float(down / far)
