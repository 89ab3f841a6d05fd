"""The camera that stands aside: its picture against OpenCV's own projection of points in space."""

from math import atan2, hypot

import cv2
import numpy as np
import pytest

from tabletop.simulator.scene import Viewpoint
from tabletop.simulator.tray import HEIGHT_PX, WIDTH_PX
from tools.room.oblique import view_of

MIDDLE = (WIDTH_PX / 2, HEIGHT_PX / 2)
POINTS = [(x, y, 0.0) for x in (0.0, 200.0, 640.0) for y in (0.0, 300.0, 480.0)]


@pytest.mark.parametrize(
    ("aside_px", "above_px", "scale"), [(0.0, 900.0, 1.0), (250.0, 900.0, 0.6), (800.0, 1100.0, 1.5)]
)
def test_points_of_the_ground_are_where_a_pinhole_shows_them(aside_px: float, above_px: float, scale: float) -> None:
    """Up to where the picture begins: it holds the whole tray, and the middle has the scale asked for."""
    view, (width, height) = view_of(Viewpoint(distance_px=above_px, x=MIDDLE[0], y=MIDDLE[1] + aside_px), scale)
    away_px = hypot(aside_px, above_px)
    turn = np.array([-atan2(aside_px, above_px), 0.0, 0.0])  # what is further down in the frame is nearer
    flip = np.diag([1.0, 1.0, -1.0])  # the tray's heights grow towards the camera
    rotation = cv2.Rodrigues(turn)[0]
    shift = np.array([0.0, 0.0, away_px]) - rotation @ np.array([*MIDDLE, 0.0])
    matrix = np.array([[scale * away_px, 0, 0], [0, scale * away_px, 0], [0, 0, 1.0]])
    points = np.array(POINTS) @ flip
    truth = cv2.projectPoints(points, cv2.Rodrigues(rotation)[0], shift, matrix, np.zeros(4))[0].reshape(-1, 2)
    seen = np.array([(u / w, v / w) for u, v, w in (np.array([x, y, 1.0]) @ view.T for x, y, _ in POINTS)])
    assert seen - seen[0] == pytest.approx(truth - truth[0], abs=1e-6)
    assert seen.min() == pytest.approx(0.0, abs=1e-6)
    assert (seen.max(axis=0) <= (width, height)).all()
    near = np.array([(MIDDLE[0] + step, MIDDLE[1], 1.0) for step in (-0.5, 0.5)]) @ view.T
    assert np.diff(near[:, 0] / near[:, 2]) == pytest.approx(scale, rel=1e-3)
