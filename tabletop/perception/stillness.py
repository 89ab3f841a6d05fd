"""Whether the picture changes: a tray in which nothing happens need not be read over and over."""

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]

COARSE_PX = 80  # the longer side of the pictures compared; a die that moves by a twentieth of its edge changes them
LEAST_LEVELS, MOST_LEVELS = 3.0, 8.0  # grey levels: a change below the first is noise, one above the second never is
NOISE_FACTOR = 8.0  # noise at a spot is at most this times the median change, which is the sensor's noise
BLACK_BYTE, BLACK_PERCENTILE = 25, 99.0  # 99 % of the pixels are darker than this; the reader gives up below 40
BLACK_STEP = 8  # every eighth row and column is checked
WORD_BYTES = 8  # compared at once: four times as fast as byte by byte


class StillnessDetector:
    """Compares each frame with the last one that was read."""

    def __init__(self) -> None:
        self._coarse: NDArray[np.int16] | None = None
        self._since_s = float("inf")

    def update(self, picture: Picture, time_s: float, *, repeated: bool = False) -> float:
        """Return for how long the picture has not changed, in seconds; 0.0 if it has just changed.

        repeated: the picture equals the one before byte for byte, so it need not be compared.
        """
        if repeated:
            return time_s - self._since_s
        coarse = _coarse(picture)
        if self._coarse is None or self._coarse.shape != coarse.shape or _changed(self._coarse, coarse):
            self._coarse, self._since_s = coarse, time_s
        return time_s - self._since_s


def pixels_equal(first: Picture, second: Picture) -> bool:
    """Return whether two pictures are equal byte for byte; if not, their first rows usually differ."""
    if first is second:
        return True
    if first.shape != second.shape or not np.array_equal(first[:1], second[:1]):
        return False
    if first.nbytes % WORD_BYTES or not (first.flags.c_contiguous and second.flags.c_contiguous):
        return bool(np.array_equal(first, second))
    return bool(np.array_equal(first.reshape(-1).view(np.uint64), second.reshape(-1).view(np.uint64)))


def is_black(picture: Picture) -> bool:
    """Return whether a picture shows nothing: a lid, no light, or a camera that returns a single colour."""
    samples = picture[::BLACK_STEP, ::BLACK_STEP].reshape(-1, picture.shape[2]).max(axis=1)
    if not samples.size:
        return False
    return float(np.percentile(samples, BLACK_PERCENTILE)) < BLACK_BYTE or bool(samples.min() == samples.max())


def _coarse(picture: Picture) -> NDArray[np.int16]:
    height, width = picture.shape[:2]
    zoom = min(1.0, COARSE_PX / max(height, width))
    step = max(1, int(0.25 / zoom))  # one in sixteen pixels is enough if there are many
    size = max(1, round(width * zoom)), max(1, round(height * zoom))
    return np.asarray(cv2.resize(picture[::step, ::step], size, interpolation=cv2.INTER_AREA), np.int16)


def _changed(before: NDArray[np.int16], now: NDArray[np.int16]) -> bool:
    change = np.abs(now - before)
    noise = float(np.median(change))
    return bool(change.max() > min(max(LEAST_LEVELS, NOISE_FACTOR * noise), MOST_LEVELS))
