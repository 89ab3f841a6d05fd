"""Reads the frames of a recording again, and notes where a reading differs from the one in the recording."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tabletop.core.ports import Frame
from tabletop.core.values import Reading
from tabletop.perception.frame_reader import ReadFrame
from tabletop.perception.pipeline import FrameResult
from tabletop.replay.recording import Shot

READ_NEAR_S = 1.5  # a reading that differs this shortly before a different decision may be its reason


class ReplayReader:
    """Reads the pictures of a recording; for frames whose picture was not kept it returns what was read then.

    read: reads a frame, as in `PerceptionPipeline`.
    """

    def __init__(self, read: ReadFrame) -> None:
        self._read = read
        self._shot: Shot | None = None
        self._otherwise: tuple[float, str, str] | None = None

    def frames(self, shots: Sequence[Shot]) -> Iterator[Frame]:
        """Yield the frames of these shots, one by one; for a shot without a picture, a frame that is like no other."""
        for shot in shots:
            self._shot, pixels, reading = shot, shot.pixels, shot.reading
            if pixels is None:
                pixels = np.zeros((reading.height, reading.width, 3), np.uint8)
                pixels += np.arange(reading.width, dtype=np.uint8)[None, :, None]  # a black one would not be looked at
                pixels[0, 0] = [shot.number >> bits & 0xFF for bits in (16, 8, 0)]
            yield Frame(pixels, shot.time_s, shot.at_rest)

    def __call__(
        self, frame: NDArray[np.uint8], *, time_s: float, die_px: float | None, expect: int | None, fixed_size: bool
    ) -> Reading:
        """Return the reading of the frame that is looked at now."""
        if self._shot is not None and self._shot.pixels is None:
            return replace(self._shot.reading, time_s=time_s)
        return self._read(frame, time_s=time_s, die_px=die_px, expect=expect, fixed_size=fixed_size)

    def compare(self, shots: Sequence[Shot], seen: Sequence[FrameResult]) -> None:
        """Note the newest frame that is read differently now."""
        for shot, result in zip(shots, seen, strict=False):
            then, now = _faces(shot.reading), _faces(result.pixel_reading)
            if then != now:
                self._otherwise = shot.time_s, then, now

    def otherwise(self, time_s: float) -> tuple[str, str] | None:
        """Return what was read then and is read now, if that differs shortly before this time."""
        if self._otherwise is None or self._otherwise[0] < time_s - READ_NEAR_S:
            return None
        return self._otherwise[1:]


def _faces(reading: Reading) -> str:
    return " ".join([*map(str, sorted(die.face for die in reading.dice)), *["?"] * len(reading.unsure)]) or "nothing"
