"""The picture of the simulated tray: dice at rest are drawn once and kept, moving dice are drawn again for each frame.

Moving dice are drawn at half the frame's resolution and laid over the rest: a quarter of the work, and about as soft as
a moving die is in a real frame.
"""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.render import compose
from tabletop.simulator.scene import Light, PosedDie, Viewpoint

Picture = NDArray[np.uint8]

CAMERA_PX = 2400.0  # above the felt: a camera 69 cm above dice of 16 mm seen 56 px wide, which sees 15 degrees
COARSE = 0.5  # resolution at which moving dice are drawn


class TrayPicture:
    """Draws dice over the empty tray.

    ground: (H, W, 3) uint8 BGR. camera: where it stands, CAMERA_PX above the middle if it is not given.
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

    def draw(self, lying: Sequence[PosedDie], moving: Sequence[PosedDie]) -> Picture:
        """Return the frame, read-only. While nothing changes, it is the same array."""
        self._lay(tuple(lying), hurried=bool(moving))
        if not moving:
            return self._still
        if self._coarse is None:
            self._coarse = np.asarray(
                cv2.resize(self._still, self._coarse_size, interpolation=cv2.INTER_AREA), np.uint8
            )
        small = [_smaller(die) for die in moving]
        drawn = compose(self._coarse, small, self._light, self._coarse_camera)
        change = np.asarray(cv2.subtract(drawn, self._coarse, dtype=cv2.CV_16S), np.int16)
        self._expose(change, small)
        height, width = self._still.shape[:2]
        larger = cv2.resize(change, (width, height), interpolation=cv2.INTER_LINEAR)
        return _frozen(np.asarray(cv2.add(self._still, larger, dtype=cv2.CV_8U), np.uint8))

    def _expose(self, change: NDArray[np.int16], moving: Sequence[PosedDie]) -> None:
        """Blur what moving dice change in the frame, in place; this camera's shutter is fast."""

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
