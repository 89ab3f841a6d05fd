"""A printed mat on a table with dice: a camera's frames for calibration, with their ground truth.

Dice are in the hand for a moment, then they lie still; rolling is not shown. The camera is straight above. Time is
simulated: each frame is 1 / fps later.
"""

from itertools import product
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.config.mat import DICTIONARY, Box, Mat
from tabletop.core.ports import Frame
from tabletop.simulator import render, scene

Picture = NDArray[np.uint8]

PX_PER_MM = 2.5  # dice of 16 mm are 40 px wide, as under a camera of 1280 pixels half a metre above
BORDER_MM = 12.0  # of table around the sheet
HIGH_MM = 300.0  # of the camera above the mat
PAPER, INK, TABLE = 215, 28, (66, 92, 118)  # grey levels as a camera sees them, and the wood in BGR
HAND_S = 0.6  # dice are out of sight for this long when they are thrown
RED = scene.Look(body=(40, 40, 190), pip=(240, 240, 240))
IN_HAND = 9e9  # a time that never comes


class MatTray:
    """A mat with dice, and the camera over it, in simulated time. fps: frames a second."""

    live = False

    def __init__(self, mat: Mat, dice: int = 5, *, chance: Random, die_mm: float = 16.0, fps: float = 15.0) -> None:
        self.mat, self.faces = mat, list[int]()
        self._dice, self._chance, self._die_mm = dice, chance, die_mm
        self._ground = draw_mat(mat)
        self._still = self._ground
        self._lie_s = IN_HAND
        self.now_s, self._frame_s = 0.0, 1 / fps

    def throw(self) -> float:
        """Pick up the dice and place them elsewhere; returns when they will lie still."""
        self.faces = [self._chance.randint(1, 6) for _ in range(self._dice)]
        tray, size_mm = self.mat.tray, self._die_mm
        cells = list(product(range(4), range(3)))
        spots = self._chance.sample(cells, self._dice)
        wide, high = (tray.width - 4 * size_mm) / 4, (tray.height - 4 * size_mm) / 3
        places = [
            (
                2 * size_mm + (column + self._chance.uniform(0.35, 0.65)) * wide,
                2 * size_mm + (row + self._chance.uniform(0.35, 0.65)) * high,
                self._chance.uniform(0, 90),
            )
            for column, row in spots
        ]
        return self.lie(places)

    def lie(self, places: list[tuple[float, float, float]]) -> float:
        """Place the dice with `faces` there, in mm of the tray and rotated by degrees, after a moment in the hand."""
        self._lie_s = self.now_s + HAND_S
        tray, size_mm = self.mat.tray, self._die_mm
        height, width = self._ground.shape[:2]
        nearer = HIGH_MM / (HIGH_MM - size_mm / 2)  # the dice's middles than the mat, so larger and further out
        posed = [
            scene.PosedDie(
                width / 2 + ((BORDER_MM + tray.left + x) * PX_PER_MM - width / 2) * nearer,
                height / 2 + ((BORDER_MM + tray.top + y) * PX_PER_MM - height / 2) * nearer,
                size_mm * PX_PER_MM * nearer,
                scene.lying(face, turned, RED),
                RED,
            )
            for face, (x, y, turned) in zip(self.faces, places, strict=True)
        ]
        eye = scene.Viewpoint(distance_px=HIGH_MM * PX_PER_MM, x=width / 2, y=height / 2)
        self._still = render.compose(self._ground, posed, None, eye)
        return self._lie_s

    def show(self, time_s: float) -> Picture:
        """Return the picture at this time."""
        return self._still if time_s >= self._lie_s else self._ground

    def read(self) -> Frame:
        """Return the camera's next frame."""
        self.now_s += self._frame_s
        return Frame(self.show(self.now_s), self.now_s)

    def close(self) -> None:
        """Do nothing: there is no device."""


def draw_mat(mat: Mat) -> Picture:
    """Return the mat on a table, straight from above, at PX_PER_MM, without dice."""
    wide, high = (round((side + 2 * BORDER_MM) * PX_PER_MM) for side in (mat.width_mm, mat.height_mm))
    picture = np.full((high, wide, 3), TABLE, np.uint8)
    left, top, right, bottom = pixels(Box(0, 0, mat.width_mm, mat.height_mm))
    picture[top:bottom, left:right] = PAPER
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    for number, box in mat.markers.items():
        left, top, right, bottom = pixels(box)
        drawn = cv2.aruco.generateImageMarker(dictionary, number, 6 * 40)
        small = cv2.resize(drawn, (right - left, bottom - top), interpolation=cv2.INTER_AREA)
        picture[top:bottom, left:right] = np.clip(small, INK, PAPER)[:, :, None]
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.6), np.uint8)


def pixels(box: Box) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of a box on the sheet, in pixels."""
    sides = (box.left, box.top, box.right, box.bottom)
    left, top, right, bottom = (round((side + BORDER_MM) * PX_PER_MM) for side in sides)
    return left, top, right, bottom
