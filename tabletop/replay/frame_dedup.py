"""Which frames need a picture of their own: not those that show what an earlier one shows."""

from collections import Counter

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.core.geometry import distance_in_edges
from tabletop.core.ports import Frame
from tabletop.core.values import Reading

SMALL_PX = (80, 60)  # each of its pixels is the mean of a block: the sensor's noise is gone, a moved die is not
SAME_GREY = 5.0  # grey levels of such a mean; 64 pixels with noise of 8 levels stay within 4 of each other
DEDUP_EDGES = 0.05  # of a die's edge: the reader's own noise over a still tray


class FrameDeduplicator:
    """Compares every frame with the last new one."""

    def __init__(self) -> None:
        self._pixels: NDArray[np.uint8] | None = None
        self._small: NDArray[np.float32] | None = None
        self._reading: Reading | None = None

    def same(self, frame: Frame, reading: Reading) -> bool:
        """Return whether the frame shows the very same picture as the last new one."""
        if self._pixels is None or self._reading is None or not _alike(reading, self._reading):
            return False
        return frame.pixels is self._pixels or np.array_equal(frame.pixels, self._pixels)

    def still(self, frame: Frame, reading: Reading) -> bool:
        """Return whether the frame shows the same as the last new one but for noise; if not, it becomes the new one."""
        small = _small(frame.pixels)
        if (
            self._small is not None
            and self._reading is not None
            and float(np.abs(small - self._small).max()) <= SAME_GREY
            and _alike(reading, self._reading)
        ):
            return True
        self._pixels, self._small, self._reading = frame.pixels, small, reading
        return False


def _small(pixels: NDArray[np.uint8]) -> NDArray[np.float32]:
    small = cv2.resize(pixels, SMALL_PX, interpolation=cv2.INTER_AREA)
    return np.asarray(np.asarray(small, np.float32).mean(axis=2), np.float32)


def _alike(reading: Reading, other: Reading) -> bool:
    """Return whether two readings have the same dice in the same places, unsure ones included."""
    if Counter(die.face for die in reading.dice) != Counter(die.face for die in other.dice):
        return False
    if len(reading.unsure) != len(other.unsure):
        return False
    return all(
        any(die.face == there.face and distance_in_edges(die, there) <= DEDUP_EDGES for there in other.dice)
        for die in reading.dice
    )
