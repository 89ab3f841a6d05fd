"""Read frames efficiently: the known die size is reused, and the last reading is repeated while nothing changes.

The size comes from the profile, or from recent readings. A still tray is not read again.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.config.profile import die_px
from tabletop.core.message import say
from tabletop.core.ports import Frame
from tabletop.core.values import Die, Profile, Reading, UnsureReason
from tabletop.perception.camera_pose import apply_to_reading
from tabletop.perception.filters import RescaleCheck
from tabletop.perception.tracks import VOTES_S

Picture = NDArray[np.uint8]

# Edge in pixels below which dice are called small; `doctor`, the guided calibration and play report it. In downscaled
# photographs, misreadings of difficult dice increase from there on: docs/building.md, docs/accuracy.md.
LEAST_DIE_PX = 25.0
# Median edge of a reading's dice below which none of them is sure: of 421 white dice of 10 px 11 were misread, of 1,200
# rendered ones of 12 px none; docs/accuracy.md.
SMALLEST_DIE_PX = 12.0
ENOUGH_SHARE = 1.1  # of LEAST_DIE_PX, above which dice are no longer called small: sizes differ between throws
SMALL = say("dice look too small: lower the camera")

SIZES_KEPT = 25  # sizes of the most recently read dice; the estimate is their median
SIZES_TRUSTED = 10  # from this many sizes on, the median suffices for one pass per frame
BLIND_AFTER_S = 1.0  # without a sure die for this long, the estimate may be wrong: search once for dice of all sizes
# Until enough dice were read, and while the profile's size finds none, the interval of searches for dice of all sizes.
# Not later, since such a search takes a second on a small computer, during which a throw would be missed.
DOUBTED_EVERY_S = 8.0
CONFIRMED_S = 1.0  # interval after such a search has found dice
# Of the profile's size: dice beyond these limits are of another kind. Simulated dice of 8, 12, 16 and 25 mm, 20 each:
# at 1.5 times the size 77 of 80 are sure, at 1.6 times 63, at 1.7 times 28, at 1.85 times none; at 0.59 times the size
# 73, at half the size one. None of them is misread.
MUCH_SMALLER, MUCH_LARGER = 0.59, 1.55
BLIND_EVERY_S = 0.09  # a search for all sizes costs five to twenty passes: not in every frame of an empty tray


class DieSizeEstimator:
    """Estimates the edge length of the dice, in pixels of the frame to be read.

    profile: the table's calibration; if None, the size is estimated. `scale` is, at each call, the scale of the
    reference frame relative to the frame (`CameraPoseTracker.scale`).
    """

    def __init__(self, profile: Profile | None) -> None:
        self._profile = profile
        self._sizes: deque[float] = deque(maxlen=SIZES_KEPT)  # in the reference picture
        self._sure_at_s: float | None = None
        self._small = False
        self._blind_at_s = -BLIND_EVERY_S
        self._doubted_s = -DOUBTED_EVERY_S
        self._other = ""  # the warning about dice of a size other than the profile's

    @property
    def is_trusted(self) -> bool:
        """Whether enough dice have been read for a single pass at the estimated size."""
        return len(self._sizes) >= SIZES_TRUSTED

    @property
    def fault(self) -> str:
        """A warning about the size of the dice, empty if there is none or it is not yet known."""
        return self._other or (SMALL if self._small else "")

    def estimate_px(self, width: int, height: int, time_s: float, scale: float) -> float | None:
        """Return the edge in pixels of a frame of this size, None to search for dice of all sizes."""
        if self._profile is not None:
            return die_px(self._profile, width, height) / scale
        if self._sure_at_s is None or not self._sizes:
            return None
        if time_s - self._sure_at_s > BLIND_AFTER_S:
            self._sure_at_s = time_s  # one blind search, then the estimate again for a while
            return None
        return float(median(self._sizes)) / scale

    def photograph_px(self, width: int, height: int) -> float | None:
        """Return the edge in pixels of a photograph; None without a profile: photographs may differ in scale."""
        return None if self._profile is None else die_px(self._profile, width, height)

    def allows_blind_look(self, time_s: float) -> bool:
        """Return whether a search for dice of all sizes is due; if so, note that it happens now."""
        if time_s - self._blind_at_s < BLIND_EVERY_S:
            return False
        self._blind_at_s = time_s
        return True

    def doubts_profile(self, reading: Reading) -> bool:
        """Return whether a search for dice of all sizes is due because the profile's size found none; if so, note it.

        reading: at the profile's size. Only until enough dice were read.
        """
        if self._profile is None or self.is_trusted or reading.dice or reading.unsure:
            return False
        every_s = CONFIRMED_S if self._sizes else DOUBTED_EVERY_S
        if reading.time_s - self._doubted_s < every_s:
            return False
        self._doubted_s = reading.time_s
        return True

    def learn(self, reading: Reading, scale: float) -> None:
        """Learn from the sizes of the dice of a reading."""
        if reading.dice:
            self._sizes.extend(die.size * scale for die in reading.dice)
            self._sure_at_s = reading.time_s
        if self.is_trusted:
            least_px = LEAST_DIE_PX * (ENOUGH_SHARE if self._small else 1.0)
            self._small = median(self._sizes) / scale < least_px
            self._other = self._compared(median(self._sizes) / scale, reading.width, reading.height)

    def _compared(self, size_px: float, width: int, height: int) -> str:
        """Return the warning about dice of another size than the profile's, empty if there is none to give."""
        profile = self._profile
        if profile is None:
            return ""
        share = size_px / die_px(profile, width, height)
        if MUCH_SMALLER < share < MUCH_LARGER:
            return ""
        set_up_mm = round(profile.die_mm)
        return say("dice look {n} mm, set up for {n2}: calibrate", n=round(profile.die_mm * share), n2=set_up_mm)


def without_tiny(reading: Reading) -> Reading:
    """Return the reading, in pixels of its frame, with no sure dice if they are smaller than SMALLEST_DIE_PX."""
    if not reading.dice or median(die.size for die in reading.dice) >= SMALLEST_DIE_PX:
        return reading
    return reading.doubting({die: die.unsure(UnsureReason.UNREADABLE) for die in reading.dice})


COARSE_PX = 80  # the longer side of the pictures compared; a die that moves by a twentieth of its edge changes them
LEAST_LEVELS, MOST_LEVELS = 3.0, 8.0  # grey levels: a change below the first is noise, one above the second never is
NOISE_FACTOR = 8.0  # noise at a spot is at most this times the median change, which is the sensor's noise
BLACK_BYTE, BLACK_PERCENTILE = 25, 99.0  # 99 % of the pixels are darker than this; the reader needs at least 40
BLACK_STEP = 8  # every eighth row and column is checked
WORD_BYTES = 8  # compared at once: four times as fast as byte by byte


class StillnessDetector:
    """Compares each frame with the previous one, and with the last one read. is_black: whether the newest is black."""

    def __init__(self) -> None:
        self.is_black = False
        self._newest: Picture | None = None
        self._coarse: NDArray[np.int16] | None = None
        self._since_s = float("inf")

    def recognize(self, frame: Frame) -> tuple[Frame, bool]:
        """Return the frame and whether it repeats the previous one; if so, with the same array, which compares fast."""
        if self._newest is not None and pixels_equal(self._newest, frame.pixels):
            return replace(frame, pixels=self._newest), True
        self._newest, self.is_black = frame.pixels, is_black(frame.pixels)
        return frame, False

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


READ_AGAIN_S = 1.0  # in a still tray the last reading is used for this long
# Of a scale's difference from 1, for dice smaller than LEAST_DIE_PX. The reader never enlarges a picture, so that to it
# small dice are the same at any scale: the picture itself is made 12 % smaller and larger. See docs/accuracy.md.
SMALL_STRETCH = 3.0
# Edge of the profile's dice in the picture searched for other sizes: dice half as large are still read without a given
# size (18 px: docs/calibration.md).
SOUGHT_DIE_PX = 40.0


class ReadFrame(Protocol):
    """Reads one frame; `tabletop.vision.reader.read` is the real implementation."""

    def __call__(
        self, frame: Picture, *, time_s: float, die_px: float | None, expect: int | None, fixed_size: bool
    ) -> Reading:
        """Return the reading of (H, W, 3) uint8 BGR pixels."""


class MeasureTilt(Protocol):
    """Measures the tilt of dice; `TiltNetwork.tipped` is the real implementation."""

    def __call__(self, picture: Picture, dice: Sequence[Die]) -> tuple[Die, ...]:
        """Return the dice of (H, W, 3) uint8 BGR pixels with their `up` and `tilt`."""


@dataclass(frozen=True, slots=True)
class _ReadFrame:
    """The frame that was read last, how many dice were expected in it, and the reading."""

    pixels: Picture
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
        """A warning about how dice can be read better, empty if there is none."""
        return self._sizes.fault

    def read(self, frame: Frame, expect: int | None, quiet_s: float, scale: float) -> Reading:
        """Return the reading of a frame, in its pixels; the last one again if nothing has changed for a while.

        quiet_s: for how long the picture has been still. scale: as in `DieSizeEstimator`.
        """
        if (repeated := self._repeated(frame, expect, quiet_s)) is not None:
            return repeated
        height, width = frame.pixels.shape[:2]
        size_px = self._sizes.estimate_px(width, height, frame.time_s, scale)
        if size_px is None and not self._sizes.allows_blind_look(frame.time_s):
            return Reading(frame.time_s, width, height)
        trusted = self._sizes.is_trusted and size_px is not None

        def read_at(share: float, *, closely: bool = False) -> Reading:
            zoom = 1.0
            if size_px is not None and size_px < LEAST_DIE_PX and share != 1.0:
                zoom = share = 1 + SMALL_STRETCH * (share - 1)
            die_px = size_px * share if size_px is not None else None
            return self._read_zoomed(frame, zoom, die_px, expect, fixed_size=trusted and not closely)

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
        zoom = min(1.0, SOUGHT_DIE_PX / size_px) if size_px else 1.0
        return self._read_zoomed(frame, zoom, None, expect, fixed_size=False)

    def _read_zoomed(
        self, frame: Frame, zoom: float, die_px: float | None, expect: int | None, *, fixed_size: bool
    ) -> Reading:
        """Return the reading of a frame made larger or smaller, in pixels of the frame. die_px: in the zoomed one."""
        pixels, (height, width) = frame.pixels, frame.pixels.shape[:2]
        if zoom != 1.0:
            kind = cv2.INTER_AREA if zoom < 1 else cv2.INTER_CUBIC
            pixels = np.asarray(cv2.resize(pixels, None, fx=zoom, fy=zoom, interpolation=kind), np.uint8)
        seen = self._read(pixels, time_s=frame.time_s, die_px=die_px, expect=expect, fixed_size=fixed_size)
        if zoom == 1.0:
            return seen
        return replace(apply_to_reading(seen, np.diag([1 / zoom, 1 / zoom, 1.0])), width=width, height=height)

    def _repeated(self, frame: Frame, expect: int | None, quiet_s: float) -> Reading | None:
        """Return the last reading with the time of this frame, None if the frame has to be read."""
        last = self._last
        if last is None or last.expect != expect:
            return None
        is_quiet = quiet_s >= VOTES_S and frame.time_s - last.read_s < READ_AGAIN_S
        return (
            replace(last.reading, time_s=frame.time_s) if is_quiet or pixels_equal(last.pixels, frame.pixels) else None
        )
