"""From frames to readings and rests: the eye, the size of the dice, the profile, and settling in one place."""

from collections import deque
from dataclasses import dataclass, replace
from statistics import median
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tabletop.config.profile import die_px, place
from tabletop.dice import Profile, Reading, Rest
from tabletop.loop.edge import in_tray
from tabletop.loop.upright import REASON, Upright
from tabletop.ports import Frame
from tabletop.settle import Settle

SIZES_KEPT = 25  # sizes of the dice last seen; their median is what the next frame is told
SIZES_TRUSTED = 10  # so many sizes, and the median is good enough for one pass a frame
BLIND_AGAIN_S = 1.0  # without a sure die for so long, the told size may be wrong: look once without it
BLIND_EVERY_S = 0.09  # a look for all sizes costs five to twenty of one: not every frame of an empty tray is worth it
BLACK = "the picture is black: is there light?"
BLACK_BYTE, BLACK_SHARE = 25, 99.0  # so dark are all but a hundredth of the pixels; the eye itself gives up below 40
BLACK_STEP = 8  # of these rows and columns every eighth is looked at
JUST_BEFORE_S = 1e-3  # what a photograph shows came to lie just before it was taken


class ReadFrame(Protocol):
    """What reads one frame; `tabletop.vision.eye.read` is the real one."""

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


@dataclass(frozen=True, slots=True)
class Seen:
    """One frame and what was made of it.

    pixel_reading: in pixels of the frame, for views; reading: in mm with a profile. rest: None while something moves.
    """

    frame: Frame
    pixel_reading: Reading
    reading: Reading
    rest: Rest | None
    trouble: str = ""


class Watch:
    """Watches the tray of one camera.

    read: reads one frame. profile: the calibrated facts of the set-up, None where there are none; then the size of the
    dice is estimated from the first readings.
    """

    def __init__(self, read: ReadFrame, profile: Profile | None = None) -> None:
        self._read_frame, self._profile = read, profile
        self._settle, self._upright = Settle(), Upright()
        self._learned_s = float("-inf")
        self._sizes: deque[float] = deque(maxlen=SIZES_KEPT)
        self._sure_at_s: float | None = None
        self._blind_at_s = -BLIND_EVERY_S
        self._last: tuple[NDArray[np.uint8], int | None, Reading] | None = None

    def look(self, frame: Frame, expect: int | None = None) -> Seen:
        """Return what is seen in this frame. expect: how many dice should be in view, a hint; None where unknown."""
        if not frame.at_rest and _black(frame.pixels):  # nothing is looked for, so nothing is missed either
            height, width = frame.pixels.shape[:2]
            nothing = Reading(frame.time_s, width, height)
            return Seen(frame, nothing, nothing, None, BLACK)
        pixel_reading = self._read(frame, expect)
        if not frame.at_rest:
            pixel_reading = self._upright.checked(pixel_reading)
        reading = pixel_reading
        if self._profile is not None:
            reading = in_tray(place(pixel_reading, self._profile), self._profile)
        rest = self._at_rest(frame, reading)
        if rest is not None and not frame.at_rest:
            self._learn_upright(pixel_reading, rest)
        return Seen(frame, pixel_reading, reading, rest)

    def _at_rest(self, frame: Frame, reading: Reading) -> Rest | None:
        if not frame.at_rest:
            return self._settle.feed(reading)
        arrived_s = frame.time_s - JUST_BEFORE_S
        return Rest(reading, (arrived_s,) * len(reading.dice), (arrived_s,) * len(reading.unsure))

    def _read(self, frame: Frame, expect: int | None) -> Reading:
        if self._last is not None and self._last[1] == expect and np.array_equal(self._last[0], frame.pixels):
            return replace(self._last[2], time_s=frame.time_s)
        told = self._die_px(frame)
        if told is None and not frame.at_rest:
            if frame.time_s - self._blind_at_s < BLIND_EVERY_S:
                height, width = frame.pixels.shape[:2]
                return Reading(frame.time_s, width, height)
            self._blind_at_s = frame.time_s
        known = len(self._sizes) >= SIZES_TRUSTED and told is not None
        reading = self._read_frame(frame.pixels, time_s=frame.time_s, die_px=told, expect=expect, fixed_size=known)
        self._learn_size(reading)
        self._last = (frame.pixels, expect, reading)
        return reading

    def _die_px(self, frame: Frame) -> float | None:
        if self._profile is not None:
            height, width = frame.pixels.shape[:2]
            return die_px(self._profile, width, height)
        if frame.at_rest or self._sure_at_s is None or not self._sizes:
            return None  # one photograph tells nothing of the next one's scale
        if frame.time_s - self._sure_at_s > BLIND_AGAIN_S:
            self._sure_at_s = frame.time_s  # one blind look, then a while with the size told
            return None
        return float(median(self._sizes))

    def _learn_upright(self, pixel_reading: Reading, rest: Rest) -> None:
        """Learn from a rest with new dice how flat ones are seen."""
        newest_s = max(rest.arrived_s, default=self._learned_s)
        if newest_s > self._learned_s:
            self._upright.learn(pixel_reading.dice)
            self._learned_s = newest_s
        for one, at_s in zip(rest.reading.unsure, rest.unsure_arrived_s, strict=True):
            if one.reason == REASON:
                self._upright.leant(at_s)

    def _learn_size(self, reading: Reading) -> None:
        if reading.dice:
            self._sizes.extend(die.size for die in reading.dice)
            self._sure_at_s = reading.time_s


def _black(pixels: NDArray[np.uint8]) -> bool:
    """Tell whether nothing can be told in a frame: a lid, no light, or a camera that gives one colour only."""
    few = pixels[::BLACK_STEP, ::BLACK_STEP].reshape(-1, pixels.shape[2]).max(axis=1)
    return bool(few.size) and (float(np.percentile(few, BLACK_SHARE)) < BLACK_BYTE or few.min() == few.max())
