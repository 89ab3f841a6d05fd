"""The picture of the simulated tray: what lies still is drawn once and kept, what moves is drawn anew each frame.

Moving dice are drawn at half the frame's resolution and laid over the rest: a quarter of the work, and about as soft as
a moving die is in a real frame.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.still import Camera, Light, PosedDie, compose

Picture = NDArray[np.uint8]

CAMERA_DISTANCE_PX = 2400.0  # a camera 69 cm above dice of 16 mm seen 56 px wide
COARSE = 0.5  # resolution at which moving dice are drawn


class TrayPicture:
    """Draws dice over the empty tray. ground: (H, W, 3) uint8 BGR."""

    def __init__(self, ground: Picture, light: Light | None = None) -> None:
        self._ground = ground
        self._light = light or Light()
        height, width = ground.shape[:2]
        self.camera = Camera(distance_px=CAMERA_DISTANCE_PX, x=width / 2, y=height / 2)
        self._coarse_camera = Camera(
            distance_px=CAMERA_DISTANCE_PX * COARSE, x=width / 2 * COARSE, y=height / 2 * COARSE
        )
        self._coarse_size = (round(width * COARSE), round(height * COARSE))
        self._lying: tuple[PosedDie, ...] = ()
        self._whole = True  # whether `_still` was drawn in one go, so that each shadow lies under all dice
        self._still = _frozen(ground.copy())
        self._coarse: Picture | None = None

    def draw(self, lying: Sequence[PosedDie], moving: Sequence[PosedDie]) -> Picture:
        """Return the frame, read-only. While nothing changes it is the very same array."""
        self._lay(tuple(lying), hurried=bool(moving))
        if not moving:
            return self._still
        if self._coarse is None:
            self._coarse = np.asarray(
                cv2.resize(self._still, self._coarse_size, interpolation=cv2.INTER_AREA), np.uint8
            )
        drawn = compose(self._coarse, [_smaller(die) for die in moving], self._light, self._coarse_camera)
        change = cv2.subtract(drawn, self._coarse, dtype=cv2.CV_16S)
        height, width = self._still.shape[:2]
        larger = cv2.resize(change, (width, height), interpolation=cv2.INTER_LINEAR)
        return _frozen(np.asarray(cv2.add(self._still, larger, dtype=cv2.CV_8U), np.uint8))

    def _lay(self, lying: tuple[PosedDie, ...], *, hurried: bool) -> None:
        """Bring the kept picture up to date; hurried: only add what is new where that is possible."""
        if lying == self._lying and (self._whole or hurried):
            return
        gone = [die for die in self._lying if die not in lying]
        new = [die for die in lying if die not in self._lying]
        self._whole = not (hurried and not gone and self._lying)
        if self._whole:
            self._still = compose(self._ground, lying, self._light, self.camera)
        else:
            self._still = compose(self._still, new, self._light, self.camera)
        self._still = _frozen(self._still)
        self._lying = lying
        self._coarse = None


def _smaller(die: PosedDie) -> PosedDie:
    return PosedDie(
        # Pixel centres: the middle of the first coarse pixel is the corner of four fine ones.
        x=(die.x + 0.5) * COARSE - 0.5,
        y=(die.y + 0.5) * COARSE - 0.5,
        size_px=die.size_px * COARSE,
        rotation=die.rotation,
        look=die.look,
        lift_px=die.lift_px * COARSE,
    )


def _frozen(picture: Picture) -> Picture:
    picture.flags.writeable = False
    return picture
