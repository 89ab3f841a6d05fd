"""The view of a nudged camera: the picture swings, and stays slightly shifted and rotated."""

import math
from dataclasses import dataclass
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.tray import HEIGHT_PX, WIDTH_PX

Picture = NDArray[np.uint8]

BUMP_PX, BUMP_DEG = (4.0, 16.0), 1.2  # how far a nudged camera's picture moves and turns
SHAKE_S, SHAKE_PX, SHAKE_HZ = 0.35, 5.0, 9.0  # it swings for a while


@dataclass(slots=True)
class Aim:
    """The shift (pixels) and rotation (degrees) of the picture relative to an untouched camera."""

    bumped_s: float = -math.inf
    _now: tuple[float, float, float] = (0.0, 0.0, 0.0)
    _before: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def bump(self, time_s: float, chance: Random) -> None:
        """Nudge the camera."""
        away, angle = chance.uniform(*BUMP_PX), chance.uniform(0, 2 * math.pi)
        turn = chance.uniform(-BUMP_DEG, BUMP_DEG)
        self._before, self.bumped_s = self._now, time_s
        self._now = (away * math.cos(angle), away * math.sin(angle), turn)

    def steady(self, time_s: float) -> bool:
        """Return whether it no longer swings."""
        return time_s - self.bumped_s > SHAKE_S

    def seen(self, picture: Picture, time_s: float) -> Picture:
        """Return the camera's view of a picture; the same array if it was not touched."""
        aim = self._at(time_s)
        if not any(aim):
            return picture
        size = (WIDTH_PX, HEIGHT_PX)
        return np.asarray(cv2.warpAffine(picture, _turned(aim), size, borderMode=cv2.BORDER_REPLICATE), np.uint8)

    def point(self, x: float, y: float, time_s: float) -> tuple[float, float]:
        """Return the place at which the camera sees a point, in pixels."""
        seen_x, seen_y = _turned(self._at(time_s)) @ (x, y, 1.0)
        return float(seen_x), float(seen_y)

    def _at(self, time_s: float) -> tuple[float, float, float]:
        since_s = time_s - self.bumped_s
        if since_s > SHAKE_S:
            return self._now
        part = max(0.0, since_s) / SHAKE_S
        swing = SHAKE_PX * (1 - part) * math.sin(2 * math.pi * SHAKE_HZ * since_s)
        x, y, turn = (a + (b - a) * min(1.0, 3 * part) for a, b in zip(self._before, self._now, strict=True))
        return x + swing, y - 0.6 * swing, turn


def _turned(aim: tuple[float, float, float]) -> NDArray[np.float64]:
    matrix = np.asarray(cv2.getRotationMatrix2D((WIDTH_PX / 2, HEIGHT_PX / 2), aim[2], 1.0), np.float64)
    matrix[:, 2] += aim[:2]
    return matrix
