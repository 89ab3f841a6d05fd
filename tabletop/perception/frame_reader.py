"""Reads frames using what is already known: the size of the dice, and the last reading while nothing changes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.core.ports import Frame
from tabletop.core.values import Die, Reading
from tabletop.perception.camera.transforms import apply_to_reading
from tabletop.perception.die_size import LEAST_DIE_PX, DieSizeEstimator, without_tiny
from tabletop.perception.filters.rescale_check import RescaleCheck
from tabletop.perception.settling import VOTES_S
from tabletop.perception.stillness import pixels_equal

READ_AGAIN_S = 1.0  # in a still tray the last reading is used for this long
# Of a scale's difference from 1, for dice smaller than LEAST_DIE_PX. The reader never enlarges a picture, so that to it
# small dice are the same at any scale: the picture itself is made 12 % smaller and larger. See docs/vision-record.md.
SMALL_STRETCH = 3.0
# Edge of the profile's dice in the picture in which those of other sizes are looked for: half as large they are still
# read without a size (18 px: docs/calibration.md).
SOUGHT_DIE_PX = 40.0


class ReadFrame(Protocol):
    """Reads one frame; `tabletop.vision.reader.read` is the real one."""

    def __call__(
        self,
        frame: NDArray[np.uint8],
        *,
        time_s: float,
        die_px: float | None,
        expect: int | None,
        fixed_size: bool,
    ) -> Reading:
        """Return the reading of (H, W, 3) uint8 BGR pixels."""


class MeasureTilt(Protocol):
    """Measures how dice are tipped; `TiltNetwork.tipped` is the real one."""

    def __call__(self, picture: NDArray[np.uint8], dice: Sequence[Die]) -> tuple[Die, ...]:
        """Return the dice of (H, W, 3) uint8 BGR pixels with their `up` and `tilt`."""


@dataclass(frozen=True, slots=True)
class _ReadFrame:
    """The frame that was read last, how many dice were expected in it, and the reading."""

    pixels: NDArray[np.uint8]
    read_s: float
    expect: int | None
    reading: Reading


class FrameReader:
    """Reads the frames of one camera. read, measure_tilt: the networks. sizes: the size of the dice."""

    def __init__(self, read: ReadFrame, measure_tilt: MeasureTilt, sizes: DieSizeEstimator) -> None:
        self._read, self._measure_tilt, self._sizes = read, measure_tilt, sizes
        self._rescale_check = RescaleCheck()
        self._last: _ReadFrame | None = None

    @property
    def fault(self) -> str:
        """What people should change so that dice are read better, empty if nothing."""
        return self._sizes.fault

    def read(self, frame: Frame, expect: int | None, quiet_s: float, scale: float) -> Reading:
        """Return the reading of a frame, in its pixels; the last one again if nothing has changed for a while.

        quiet_s: for how long the picture has kept still. scale: as in `DieSizeEstimator`.
        """
        if (repeated := self._repeated(frame, expect, quiet_s)) is not None:
            return repeated
        height, width = frame.pixels.shape[:2]
        size_px = self._sizes.estimate_px(width, height, frame.time_s, scale)
        if size_px is None and not self._sizes.allows_blind_look(frame.time_s):
            return Reading(frame.time_s, width, height)
        trusted = self._sizes.is_trusted and size_px is not None

        def read_at(share: float, *, closely: bool = False) -> Reading:
            pixels, zoom = frame.pixels, 1.0
            if size_px is not None and size_px < LEAST_DIE_PX and share != 1.0:
                zoom = 1 + SMALL_STRETCH * (share - 1)
                pixels, share = _zoomed(pixels, zoom), zoom
            die_px = size_px * share if size_px is not None else None
            known = trusted and not closely
            seen = self._read(pixels, time_s=frame.time_s, die_px=die_px, expect=expect, fixed_size=known)
            return seen if zoom == 1.0 else _unzoomed(seen, zoom, width, height)

        reading = read_at(1.0)
        if quiet_s >= VOTES_S and self._sizes.doubts_profile(reading):
            self._sizes.learn(self._read_all_sizes(frame, expect, size_px), scale)
        if trusted:
            reading = self._rescale_check.apply(reading, read_at)
        self._sizes.learn(reading, scale)
        reading = without_tiny(reading)
        reading = replace(reading, dice=self._measure_tilt(frame.pixels, reading.dice))
        self._last = _ReadFrame(frame.pixels, frame.time_s, expect, reading)
        return reading

    def read_photograph(self, frame: Frame, expect: int | None) -> Reading:
        """Return the reading of a photograph, which says nothing about the next one."""
        if (repeated := self._repeated(frame, expect, 0.0)) is not None:
            return repeated
        height, width = frame.pixels.shape[:2]
        size_px = self._sizes.photograph_px(width, height)
        trusted = self._sizes.is_trusted and size_px is not None
        reading = self._read(frame.pixels, time_s=frame.time_s, die_px=size_px, expect=expect, fixed_size=trusted)
        self._sizes.learn(reading, scale=1.0)
        reading = without_tiny(reading)
        self._last = _ReadFrame(frame.pixels, frame.time_s, expect, reading)
        return reading

    def _read_all_sizes(self, frame: Frame, expect: int | None, size_px: float | None) -> Reading:
        """Return the reading of dice of all sizes, in a picture in which those of size_px would have SOUGHT_DIE_PX.

        None: in the frame as it is. In one of 1640 pixels such a look takes five times as long.
        """
        height, width = frame.pixels.shape[:2]
        zoom = min(1.0, SOUGHT_DIE_PX / size_px) if size_px else 1.0
        pixels = _zoomed(frame.pixels, zoom) if zoom < 1 else frame.pixels
        seen = self._read(pixels, time_s=frame.time_s, die_px=None, expect=expect, fixed_size=False)
        return seen if zoom == 1.0 else _unzoomed(seen, zoom, width, height)

    def _repeated(self, frame: Frame, expect: int | None, quiet_s: float) -> Reading | None:
        """Return the last reading with the time of this frame, None if the frame has to be read."""
        last = self._last
        if last is None or last.expect != expect:
            return None
        is_quiet = quiet_s >= VOTES_S and frame.time_s - last.read_s < READ_AGAIN_S
        return (
            replace(last.reading, time_s=frame.time_s) if is_quiet or pixels_equal(last.pixels, frame.pixels) else None
        )


def _zoomed(pixels: NDArray[np.uint8], zoom: float) -> NDArray[np.uint8]:
    """Return the picture so many times as large."""
    kind = cv2.INTER_AREA if zoom < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(pixels, None, fx=zoom, fy=zoom, interpolation=kind), np.uint8)


def _unzoomed(reading: Reading, zoom: float, width: int, height: int) -> Reading:
    """Return the reading of a zoomed picture in pixels of the picture that was zoomed."""
    return replace(apply_to_reading(reading, np.diag([1 / zoom, 1 / zoom, 1.0])), width=width, height=height)
