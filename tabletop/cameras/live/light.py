"""When a camera measures the light, and when it holds what it measured. Pure."""

from math import inf

import numpy as np
from numpy.typing import NDArray

METER_S = 1.0  # a camera's own measuring has settled after so long
RELIGHT_S = 2.0  # a hand in front of the lens is gone by then; a lamp that was switched on stays
DARK_LEVEL, BURNT_LEVEL = 12.0, 243.0  # mean grey level, 0 to 255: less, or more, and no pip can be told
PROOF_S = 0.5  # frames that were under way are gone by then, and what was set has come into force
JUMP = 1.5  # brighter or darker by this factor, and what was held is not what was measured; noise stays below 1.05
MOST_JUMPS = 2  # a hand that comes in just then changes the picture once
SAMPLE_STEP = 16  # every sixteenth row and column is looked at


class LightLock:
    """Decides from the brightness of frames when to measure the light again. It begins by measuring.

    measuring: whether the camera should be measuring by itself now. free: whether it measures for good, as it does
    not hold what it measured.
    """

    def __init__(self, now_s: float, *, measuring: bool = True, free: bool = False) -> None:
        self.measuring = measuring
        self.free = free
        self._since_s = now_s  # since when the light is as it should be while measuring, or is not while locked
        self._measured: float | None = None  # how bright it was before it was locked, until that is compared
        self._locked_s, self._jumps = now_s, 0

    def kept(self, share: float | None) -> None:
        """Note that this share of the measured light is held, above 0 to 1; None: what comes says nothing."""
        self._measured = None if share is None or self._measured is None else self._measured * share

    def postpone(self, now_s: float) -> None:
        """Go on measuring for another second: the lens still looks for its distance."""
        self.measuring, self._since_s, self._measured = True, now_s, None

    def update(self, level: float, now_s: float) -> bool:
        """Note how bright a frame is, 0 to 255; return whether `measuring` has just changed.

        Measuring ends after a second of light that can be used. What was held in other light is of no use in this one:
        after two seconds without any picture it is measured again. Where the picture jumps as it is locked, the camera
        named another value than it had: then it is measured again too, and after the second time for good.
        """
        if self.free:
            return False
        if self._measured is not None:
            return self._compare(level, now_s)
        usable = DARK_LEVEL <= level <= BURNT_LEVEL
        if usable != self.measuring:
            self._since_s = inf
        elif self._since_s == inf:
            self._since_s = now_s
        if now_s - self._since_s < (METER_S if self.measuring else RELIGHT_S):
            return False
        self._measured, self._locked_s = (level if self.measuring else None), now_s
        self.measuring, self._since_s = not self.measuring, inf
        return True

    def _compare(self, level: float, now_s: float) -> bool:
        """Compare what is locked with what was measured, once; return whether `measuring` has just changed."""
        if self._measured is None or now_s - self._locked_s < PROOF_S:
            return False
        before, self._measured = self._measured, None
        if before / JUMP <= level <= before * JUMP:
            return False
        self._jumps += 1
        self.measuring, self.free = True, self._jumps >= MOST_JUMPS
        return True


def mean_level(pixels: NDArray[np.uint8]) -> float:
    """Return the mean grey level of a picture, (height, width, channels) uint8, 0 to 255; 0 if it is empty."""
    samples = pixels[::SAMPLE_STEP, ::SAMPLE_STEP]
    return float(samples.mean()) if samples.size else 0.0
