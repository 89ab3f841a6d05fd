"""What moves while the shutter is open blurs along its motion."""

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.scene import Light, PosedDie
from tabletop.simulator.tray import Piece
from tabletop.simulator.tray_picture import COARSE, TrayPicture

MotionPx = tuple[float, float]

SEEN_EDGES = 1.2  # from the middle of a die to the far end of it and its shadow
LEAST_STREAK_PX, MOST_STREAK_PX = 1.5, 40.0  # shorter blur is not seen; longer ones cost too much


class BlurredTrayPicture(TrayPicture):
    """A tray's picture in which moving dice blur. motions_px: of the moving dice in turn, during the exposure."""

    motions_px: Sequence[MotionPx] = ()

    def _expose(self, change: NDArray[np.int16], moving: Sequence[PosedDie]) -> None:
        for die, motion_px in zip(moving, self.motions_px, strict=True):
            _blur(change, die, (motion_px[0] * COARSE, motion_px[1] * COARSE), self._light)


def motion_px(piece: Piece, time_s: float, seconds: float) -> MotionPx:
    """Return how far a moving die has come within this many seconds before a time, in pixels."""
    motion = piece.motions[0]
    now, then = motion.pose(time_s), motion.pose(time_s - seconds)
    return now.x - then.x, now.y - then.y


def _blur(change: NDArray[np.int16], die: PosedDie, motion_px: MotionPx, light: Light) -> None:
    """Blur what a moving die and its shadow change in the frame along its motion, in place."""
    kernel = streak(motion_px)
    if kernel is None:
        return
    reach = die.size_px * (SEEN_EDGES + 0.5 * die.lift_px / die.size_px) + math.hypot(*motion_px) / 2
    lamp_x, lamp_y, lamp_z = (float(value) for value in light.towards())
    shade_x, shade_y = (-lamp / max(lamp_z, 0.2) * die.lift_px for lamp in (lamp_x, lamp_y))
    height, width = change.shape[:2]
    rows = slice(
        max(0, round(die.y - reach + min(shade_y, 0.0))), min(height, round(die.y + reach + max(shade_y, 0.0)))
    )
    columns = slice(
        max(0, round(die.x - reach + min(shade_x, 0.0))), min(width, round(die.x + reach + max(shade_x, 0.0)))
    )
    if rows.start < rows.stop and columns.start < columns.stop:
        change[rows, columns] = cv2.filter2D(change[rows, columns], -1, kernel)


def streak(motion_px: MotionPx) -> NDArray[np.float32] | None:
    """Return the kernel that blurs along this motion, in pixels; None if it is too short to see."""
    far = math.hypot(*motion_px)
    if far < LEAST_STREAK_PX:
        return None
    short = min(1.0, MOST_STREAK_PX / far)
    half_x, half_y = motion_px[0] * short / 2, motion_px[1] * short / 2
    side = 2 * math.ceil(max(abs(half_x), abs(half_y))) + 3
    kernel = np.zeros((side, side), np.float32)
    fine, middle = 16, (side - 1) / 2  # cv2 takes sixteenths of a pixel with shift=4
    start, end = ((round((middle - sign * half_x) * fine), round((middle - sign * half_y) * fine)) for sign in (1, -1))
    cv2.line(kernel, start, end, (1.0,), 1, cv2.LINE_8, shift=4)
    return np.asarray(kernel / kernel.sum(), np.float32)
