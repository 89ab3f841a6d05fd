"""Draw the simulated tray: dice at rest are drawn once and cached, moving dice are drawn for each frame.

Moving dice are drawn at half the frame's resolution: a quarter of the work, and about as soft as a moving die in a real
frame.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.render import compose
from tabletop.simulator.scene import Light, PosedDie, Viewpoint

Picture = NDArray[np.uint8]
MotionPx = tuple[float, float]

CAMERA_PX = 2400.0  # above the felt: a camera 69 cm above dice of 16 mm seen 56 px wide, which sees 15 degrees
COARSE = 0.5  # resolution at which moving dice are drawn
SEEN_EDGES = 1.2  # from the middle of a die to the far end of it and its shadow
LEAST_STREAK_PX, MOST_STREAK_PX = 1.5, 40.0  # shorter blur is not seen; longer ones cost too much


class TrayPicture:
    """Draws dice over the empty tray.

    ground: (H, W, 3) uint8 BGR. camera: its position, CAMERA_PX above the centre by default.
    """

    def __init__(self, ground: Picture, light: Light | None = None, camera: Viewpoint | None = None) -> None:
        self._ground = ground
        self._light = light or Light()
        height, width = ground.shape[:2]
        self.camera = camera = camera or Viewpoint(distance_px=CAMERA_PX, x=width / 2, y=height / 2)
        self._coarse_camera = Viewpoint(
            distance_px=camera.distance_px * COARSE, x=(camera.x or 0.0) * COARSE, y=(camera.y or 0.0) * COARSE
        )
        self._coarse_size = (round(width * COARSE), round(height * COARSE))
        self._lying: tuple[PosedDie, ...] = ()
        self._whole = True  # whether `_still` was drawn at once, so that each shadow lies under all dice
        self._still = _frozen(ground.copy())
        self._coarse: Picture | None = None

    def draw(self, lying: Sequence[PosedDie], moving: Sequence[tuple[PosedDie, MotionPx]]) -> Picture:
        """Return the frame, read-only. While nothing changes, it is the same array.

        moving: each with its movement during the frame's exposure, in pixels, which blurs it.
        """
        self._lay(tuple(lying), hurried=bool(moving))
        if not moving:
            return self._still
        if self._coarse is None:
            self._coarse = np.asarray(
                cv2.resize(self._still, self._coarse_size, interpolation=cv2.INTER_AREA), np.uint8
            )
        drawn = compose(self._coarse, [_smaller(die) for die, _ in moving], self._light, self._coarse_camera)
        change = np.asarray(cv2.subtract(drawn, self._coarse, dtype=cv2.CV_16S), np.int16)
        for die, motion_px in moving:
            _blur(change, _smaller(die), (motion_px[0] * COARSE, motion_px[1] * COARSE), self._light)
        height, width = self._still.shape[:2]
        larger = cv2.resize(change, (width, height), interpolation=cv2.INTER_LINEAR)
        return _frozen(np.asarray(cv2.add(self._still, larger, dtype=cv2.CV_8U), np.uint8))

    def _lay(self, lying: tuple[PosedDie, ...], *, hurried: bool) -> None:
        """Bring the kept picture up to date; hurried: only add what is new if that is possible."""
        if lying == self._lying and (self._whole or hurried):
            return
        gone = [die for die in self._lying if die not in lying]
        new = [die for die in lying if die not in self._lying]
        self._whole = not (hurried and not gone and self._lying)
        if self._whole:
            self._still = self._composed(self._ground, lying)
        else:
            self._still = self._composed(self._still, new)
        self._still = _frozen(self._still)
        self._lying = lying
        self._coarse = None

    def _composed(self, ground: Picture, dice: Sequence[PosedDie]) -> Picture:
        """Return the dice on the ground, and those that lie on others with their shadows on those."""
        frame = compose(ground, [die for die in dice if not die.lift_px], self._light, self.camera)
        above = [replace(die, lift_px=0.0) for die in dice if die.lift_px]
        return compose(frame, above, self._light, self.camera) if above else frame


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
    """Return the kernel for motion blur, in pixels; None if the motion is too short to see."""
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


def _smaller(die: PosedDie) -> PosedDie:
    return replace(
        die,
        # Pixel centres: the middle of the first coarse pixel is the corner of four fine ones.
        x=(die.x + 0.5) * COARSE - 0.5,
        y=(die.y + 0.5) * COARSE - 0.5,
        size_px=die.size_px * COARSE,
        lift_px=die.lift_px * COARSE,
    )


def _frozen(picture: Picture) -> Picture:
    picture.flags.writeable = False
    return picture
