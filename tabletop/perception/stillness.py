"""Whether the picture changes: a tray in which nothing happens need not be read again and again."""

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]

COARSE_PX = 80  # the longer side of what is compared; a die that moves by a twentieth of its edge changes it
LEAST_LEVELS, MOST_LEVELS = 3.0, 8.0  # grey levels: below the first it is noise, above the second never
NOISE_TIMES = 8.0  # what a spot may change by against the median of all spots, which is the sensor's noise
BLACK_BYTE, BLACK_PERCENTILE = 25, 99.0  # all but a hundredth of the pixels are darker; the reader gives up below 40
BLACK_STEP = 8  # every eighth row and column is looked at
WORD_BYTES = 8  # compared at once: four times as quick as byte by byte


class StillnessDetector:
    """Compares each frame with the last one that was read."""

    def __init__(self) -> None:
        self._coarse: NDArray[np.int16] | None = None
        self._since_s = float("inf")

    def update(self, picture: Picture, time_s: float, *, repeated: bool = False) -> float:
        """Return for how long the picture has not changed, in seconds; 0.0 if it has just changed.

        repeated: the picture equals the one before to the last byte, so it need not be compared.
        """
        if repeated:
            return time_s - self._since_s
        coarse = _coarse(picture)
        if self._coarse is None or self._coarse.shape != coarse.shape or _changed(self._coarse, coarse):
            self._coarse, self._since_s = coarse, time_s
        return time_s - self._since_s


def pixels_equal(one: Picture, other: Picture) -> bool:
    """Return whether two pictures are equal to the last byte; if not, the first row mostly shows it."""
    if one is other:
        return True
    if one.shape != other.shape or not np.array_equal(one[:1], other[:1]):
        return False
    if one.nbytes % WORD_BYTES or not (one.flags.c_contiguous and other.flags.c_contiguous):
        return bool(np.array_equal(one, other))
    return bool(np.array_equal(one.reshape(-1).view(np.uint64), other.reshape(-1).view(np.uint64)))


def is_black(picture: Picture) -> bool:
    """Return whether nothing can be seen in a picture: a lid, no light, or a camera that returns a single colour."""
    samples = picture[::BLACK_STEP, ::BLACK_STEP].reshape(-1, picture.shape[2]).max(axis=1)
    if not samples.size:
        return False
    return float(np.percentile(samples, BLACK_PERCENTILE)) < BLACK_BYTE or bool(samples.min() == samples.max())


def _coarse(picture: Picture) -> NDArray[np.int16]:
    height, width = picture.shape[:2]
    zoom = min(1.0, COARSE_PX / max(height, width))
    step = max(1, int(0.25 / zoom))  # one of sixteen pixels is enough where there are many
    size = max(1, round(width * zoom)), max(1, round(height * zoom))
    return np.asarray(cv2.resize(picture[::step, ::step], size, interpolation=cv2.INTER_AREA), np.int16)


def _changed(before: NDArray[np.int16], now: NDArray[np.int16]) -> bool:
    change = np.abs(now - before)
    noise = float(np.median(change))
    return bool(change.max() > min(max(LEAST_LEVELS, NOISE_TIMES * noise), MOST_LEVELS))
