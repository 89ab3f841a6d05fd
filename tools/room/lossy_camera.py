"""A realistic camera: a noisy sensor, lost frames, and late time stamps."""

import itertools
from collections.abc import Callable
from copy import copy
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.core.ports import Frame
from tabletop.simulator.devices import TrayCamera

LATEST_FRAMES = 2.0  # a late frame's time is at most this many frame periods late
NOISE_PICTURES = 5  # sensor noise is drawn once and used in rotation
NOISE_SEED = 7
APART_S = 1e-3  # least time between frames, so that their times still rise


Show = Callable[[float], NDArray[np.uint8]]


def noisy(show: Show, levels: float) -> Show:
    """Add sensor noise. levels: its standard deviation in grey levels; 0 for none."""
    if not levels:
        return show
    grains, count = list[NDArray[np.int16]](), itertools.count()

    def shown(time_s: float) -> NDArray[np.uint8]:
        pixels = show(time_s)
        if not grains:
            chance = np.random.default_rng(NOISE_SEED)
            grains.extend(np.rint(chance.normal(0, levels, (NOISE_PICTURES, *pixels.shape))).astype(np.int16))
        grain = grains[next(count) % NOISE_PICTURES]
        return np.asarray(cv2.add(pixels, grain, dtype=cv2.CV_8U), np.uint8)

    return shown


def over(camera: TrayCamera, show: Show) -> TrayCamera:
    """Return a copy of this camera that shows something else."""
    other = copy(camera)
    other._show = show  # noqa: SLF001 - nothing else differs
    return other


class WorldCamera:
    """The tray's camera with its faults.

    drop: share of frames that never arrive. late: share of frames stamped with their arrival, up to two frames after
    their exposure; the frames behind them are delayed too, and then follow quickly one after another.
    """

    def __init__(self, camera: TrayCamera, drop: float, late: float, chance: Random) -> None:
        self.live = camera.live
        self._camera, self._drop, self._late, self._chance = camera, drop, late, chance
        self._last_time_s = float("-inf")

    def read(self) -> Frame | None:
        """Return the next frame that arrives, None once closed."""
        while (frame := self._camera.read()) is not None and self._chance.random() < self._drop:
            pass
        if frame is None or not self._late:
            return frame
        time_s = frame.time_s
        if self._chance.random() < self._late:
            time_s += self._chance.uniform(0.0, LATEST_FRAMES) * self._camera.frame_s
        self._last_time_s = max(time_s, self._last_time_s + APART_S)
        return Frame(frame.pixels, self._last_time_s)

    def close(self) -> None:
        """End the frames."""
        self._camera.close()
