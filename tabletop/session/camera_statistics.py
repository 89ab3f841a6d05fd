"""What is known of a camera while its frames are read: figures for `tabletop doctor` and the table's own check."""

from collections import deque
from dataclasses import dataclass
from math import pi, sqrt
from statistics import median

import numpy as np
from numpy.typing import NDArray

from tabletop.core.ports import Frame
from tabletop.core.values import Reading

FRAMES = 90  # the newest: three seconds at 30 a second
SAMPLES = slice(None, None, 4)  # every fourth row and column is looked at
MOVING_LEVELS, MOVING_SHARE = 24, 0.004  # a die of 40 px in 1280x720 that moves changes more than that of the picture
NOISE_OF_CHANGE = sqrt(pi) / 2  # of two normal values with deviation s the mean distance is 2 s / sqrt(pi)


@dataclass(frozen=True, slots=True)
class CameraFigures:
    """What the newest frames show.

    width, height: pixels of a frame. age_s: how old a frame is when it has been read, the median. dice, unsure: how
    many were read in all these frames, those in which something moves left out. die_px: edge of a die, the median, 0.0
    without dice. noise: the standard deviation of a pixel while nothing moves, in grey levels; None for fewer than two
    frames. pixels: the newest frame, BGR.
    """

    width: int
    height: int
    age_s: float
    dice: int
    unsure: int
    die_px: float
    noise: float | None
    pixels: NDArray[np.uint8]


class CameraStatistics:
    """Counts over the newest frames. Any thread may ask; one adds."""

    def __init__(self) -> None:
        self._ages_s = deque[float](maxlen=FRAMES)
        self._seen: deque[tuple[int, int, float]] = deque(maxlen=FRAMES)
        self._noise: deque[float] = deque(maxlen=FRAMES)
        self._newest: NDArray[np.uint8] | None = None

    def add(self, frame: Frame, reading: Reading, now_s: float) -> None:
        """Note a frame, what was read in it (in its pixels), and when."""
        before, self._newest = self._newest, frame.pixels
        self._ages_s.append(now_s - frame.time_s)
        if before is None or before is frame.pixels or before.shape != frame.pixels.shape:
            return
        change = np.abs(frame.pixels[SAMPLES, SAMPLES].astype(np.int16) - before[SAMPLES, SAMPLES])
        if not change.size or (change > MOVING_LEVELS).mean() > MOVING_SHARE:
            return
        self._noise.append(float(change.mean()) * NOISE_OF_CHANGE)
        sizes = [die.size for die in reading.dice]
        self._seen.append((len(reading.dice), len(reading.unsure), median(sizes) if sizes else 0.0))

    def figures(self) -> CameraFigures | None:
        """Return what the newest frames show, None before the first."""
        ages_s, seen, noise, newest = list(self._ages_s), list(self._seen), list(self._noise), self._newest
        if not ages_s or newest is None:
            return None
        sizes = [size for *_, size in seen if size]
        return CameraFigures(
            newest.shape[1],
            newest.shape[0],
            median(ages_s),
            sum(dice for dice, _, _ in seen),
            sum(unsure for _, unsure, _ in seen),
            median(sizes) if sizes else 0.0,
            median(noise) if noise else None,
            newest,
        )
