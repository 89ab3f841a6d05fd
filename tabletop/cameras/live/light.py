"""When a camera measures the light, and when it holds what it measured. Pure."""

from math import inf

import numpy as np
from numpy.typing import NDArray

METER_S = 1.0  # a camera's own measuring has settled after so long
RELIGHT_S = 2.0  # a hand in front of the lens is gone by then; a lamp that was switched on stays
DARK_LEVEL, BURNT_LEVEL = 12.0, 243.0  # mean grey level, 0 to 255: less, or more, and no pip can be told
SAMPLE_STEP = 16  # every sixteenth row and column is looked at


class LightLock:
    """Decides from the brightness of frames when to measure the light again. It begins by measuring.

    measuring: whether the camera should be measuring by itself now.
    """

    def __init__(self, now_s: float, *, measuring: bool = True) -> None:
        self.measuring = measuring
        self._since_s = now_s  # since when the light is as it should be while measuring, or is not while locked

    def update(self, level: float, now_s: float) -> bool:
        """Note how bright a frame is, 0 to 255; return whether `measuring` has just changed.

        Measuring ends after a second of light that can be used. What was held in other light is of no use in this one:
        after two seconds without any picture it is measured again.
        """
        usable = DARK_LEVEL <= level <= BURNT_LEVEL
        if usable != self.measuring:
            self._since_s = inf
        elif self._since_s == inf:
            self._since_s = now_s
        if now_s - self._since_s < (METER_S if self.measuring else RELIGHT_S):
            return False
        self.measuring, self._since_s = not self.measuring, inf
        return True


def mean_level(pixels: NDArray[np.uint8]) -> float:
    """Return the mean grey level of a picture, (height, width, channels) uint8, 0 to 255; 0 if it is empty."""
    samples = pixels[::SAMPLE_STEP, ::SAMPLE_STEP]
    return float(samples.mean()) if samples.size else 0.0
