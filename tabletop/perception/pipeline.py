"""From frames to readings and rests: the eye, the size of the dice, the profile, and settling in one place."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import hypot
from statistics import median
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tabletop.config.profile import die_px, place
from tabletop.core.ports import Frame
from tabletop.core.reasons import UnsureReason
from tabletop.core.values import Die, Profile, Reading, Rest, Unsure
from tabletop.perception.camera.pose import CameraPoseTracker
from tabletop.perception.camera.sway import SwayCompensator
from tabletop.perception.camera.transforms import IDENTITY, apply_to_reading, inverse
from tabletop.perception.filters.confidence import ConfidenceBaseline
from tabletop.perception.filters.flatness import FlatnessFilter
from tabletop.perception.filters.hysteresis import DoubtHysteresis
from tabletop.perception.filters.rescale_check import RescaleCheck
from tabletop.perception.filters.tray_bounds import clip_to_tray
from tabletop.perception.hands.occlusion import HandDetector
from tabletop.perception.settling import VOTES_S, Settler
from tabletop.perception.stillness import StillnessDetector, pixels_equal
from tabletop.vision.decide import tilt

SIZES_KEPT = 25  # sizes of the dice last seen; their median is what the next frame is told
SIZES_TRUSTED = 10  # so many sizes, and the median is good enough for one pass a frame
BLIND_AGAIN_S = 1.0  # without a sure die for so long, the told size may be wrong: look once without it
BLIND_EVERY_S = 0.09  # a look for all sizes costs five to twenty of one: not every frame of an empty tray is worth it
BLACK = "the picture is black: is there light?"
BLACK_BYTE, BLACK_SHARE = 25, 99.0  # so dark are all but a hundredth of the pixels; the eye itself gives up below 40
BLACK_STEP = 8  # of these rows and columns every eighth is looked at
READ_AGAIN_S = 1.0  # in a still tray the last reading counts for so long
SAME_PLACE_EDGES = 0.2  # a die that is off by less, and shows the same face, lies where it lay
JUST_BEFORE_S = 1e-3  # what a photograph shows came to lie just before it was taken


class ReadFrame(Protocol):
    """What reads one frame; `tabletop.vision.reader.read` is the real one."""

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
    """What tells how dice are tipped; `TiltNetwork.tipped` is the real one."""

    def __call__(self, picture: NDArray[np.uint8], dice: Sequence[Die]) -> tuple[Die, ...]:
        """Return the dice of (H, W, 3) uint8 BGR pixels with their `up` and `tilt`."""


@dataclass(frozen=True, slots=True)
class FrameResult:
    """One frame and what was made of it.

    pixel_reading: in pixels of the frame, for views; reading: in mm with a profile, else in pixels as the camera stood
    at first. rest: None while something moves. nudged: how often the camera was found moved so far; elsewhere: how
    often so far that nothing was known again.
    """

    frame: Frame
    pixel_reading: Reading
    reading: Reading
    rest: Rest | None
    trouble: str = ""
    nudged: int = 0
    elsewhere: int = 0


@dataclass(frozen=True, slots=True)
class _Last:
    """The frame that was read last, what was expected in it, and what was seen."""

    pixels: NDArray[np.uint8]
    read_s: float
    expect: int | None
    reading: Reading


class PerceptionPipeline:
    """Watches the tray of one camera.

    read: reads one frame. profile: the calibrated facts of the set-up, None where there are none; then the size of the
    dice is estimated from the first readings. tipped: tells how dice are tipped, None for the network that comes along.
    """

    def __init__(self, read: ReadFrame, profile: Profile | None = None, tipped: MeasureTilt | None = None) -> None:
        self._read_frame, self._profile = read, profile
        self._tipped = tipped or tilt.shipped().tipped
        self._settle, self._upright, self._usual = Settler(), FlatnessFilter(), ConfidenceBaseline()
        self._quiet, self._standing, self._fingers = (
            StillnessDetector(),
            CameraPoseTracker(),
            HandDetector(self._placed),
        )
        self._steady, self._twice, self._doubted = SwayCompensator(), RescaleCheck(), DoubtHysteresis()
        self._lay: tuple[Die, ...] = ()  # the dice of the last rest while something was known, in pixels at first
        self._learned_s = float("-inf")
        self._sizes: deque[float] = deque(maxlen=SIZES_KEPT)
        self._sure_at_s: float | None = None
        self._blind_at_s = -BLIND_EVERY_S
        self._last: _Last | None = None
        self._newest: NDArray[np.uint8] | None = None  # the frame looked at before this one, and whether it was black
        self._black = False

    def process(self, frame: Frame, expect: int | None = None) -> FrameResult:
        """Return what is seen in this frame. expect: how many dice should be in view, a hint; None where unknown."""
        if frame.at_rest:
            pixel_reading = self._read(frame, expect, 0.0)
            reading = self._placed(pixel_reading)
            return FrameResult(frame, pixel_reading, reading, _rest_of_photograph(reading))
        as_before = self._newest is not None and pixels_equal(self._newest, frame.pixels)
        if self._newest is not None and as_before:
            frame = replace(frame, pixels=self._newest)  # what follows knows it again without a look at its pixels
        else:
            self._newest, self._black = frame.pixels, _black(frame.pixels)
        if self._black:  # nothing is looked for, so nothing is missed either
            height, width = frame.pixels.shape[:2]
            nothing = Reading(frame.time_s, width, height)
            moved, elsewhere = self._standing.times_moved, self._standing.times_elsewhere
            return FrameResult(frame, nothing, nothing, None, BLACK, moved, elsewhere)
        quiet_s = self._quiet.repeat(frame.time_s) if as_before else self._quiet.update(frame.pixels, frame.time_s)
        lost = self._standing.lost_since_s is not None  # perhaps by a hand, which leaves a picture that keeps still
        if lost or not (quiet_s or as_before):
            self._standing.look(frame.pixels, frame.time_s)
        raw = self._read(frame, expect, quiet_s)
        self._update_camera_pose(frame, raw, quiet_s)
        seen = self._usual.apply(self._upright.apply(self._standing.to_reference(raw)))
        seen = self._doubted.apply(seen, self._usual.level, self._fingers.is_covered)
        stands = self._standing.pose
        besides, seen = self._fingers.update(frame.pixels, seen, None if stands is IDENTITY else stands, quiet_s)
        reading = self._placed(self._steady.compensate(seen, self._fingers.held))
        rest = self._settle.feed(reading, besides)
        if rest is not None:
            self._fingers.note_rest(seen, rest, expect)
            self._lay = self._lay if self._standing.lost_since_s is not None else seen.dice
            self._learn(seen, rest)
        nudged, elsewhere = self._standing.times_moved, self._standing.times_elsewhere
        return FrameResult(
            frame, apply_to_reading(seen, inverse(stands)), reading, rest, nudged=nudged, elsewhere=elsewhere
        )

    def _update_camera_pose(self, frame: Frame, raw: Reading, quiet_s: float) -> None:
        """Follow how the camera stands; where it looks at something else, what lies there was not thrown."""
        movable: list[Die | Unsure] = [*raw.dice, *raw.unsure]
        self._standing.update(frame.pixels, frame.time_s, movable, quiet_s=quiet_s)
        if not self._standing.looks_elsewhere(frame.time_s, quiet_s):
            return
        if self._as_they_lay(raw):
            self._standing.relearn_reference(frame.pixels, frame.time_s, movable)
        elif self._standing.reset_reference(frame.pixels, frame.time_s, movable):
            self._settle, self._upright, self._usual, self._doubted = (
                Settler(),
                FlatnessFilter(),
                ConfidenceBaseline(),
                DoubtHysteresis(),
            )
            self._fingers = HandDetector(self._placed)

    def _as_they_lay(self, raw: Reading) -> bool:
        """Tell whether all dice of the last rest lie where they lay: then the camera stands where it stood."""
        now = self._standing.to_reference(raw).dice
        return bool(self._lay) and all(any(_is_same_die(one, die) for one in now) for die in self._lay)

    def _placed(self, pixel_reading: Reading) -> Reading:
        """Return the reading in millimetres where there is a profile, without what lies outside of the tray."""
        if self._profile is None:
            return pixel_reading
        return clip_to_tray(place(pixel_reading, self._profile), self._profile)

    def _read(self, frame: Frame, expect: int | None, quiet_s: float) -> Reading:
        """Read the frame, or where nothing has changed for a while take what was read last."""
        if self._last is not None and self._last.expect == expect:
            same = quiet_s >= VOTES_S and frame.time_s - self._last.read_s < READ_AGAIN_S
            if same or pixels_equal(self._last.pixels, frame.pixels):
                return replace(self._last.reading, time_s=frame.time_s)
        told = self._die_px(frame)
        if told is None and not frame.at_rest:
            if frame.time_s - self._blind_at_s < BLIND_EVERY_S:
                height, width = frame.pixels.shape[:2]
                return Reading(frame.time_s, width, height)
            self._blind_at_s = frame.time_s
        known = len(self._sizes) >= SIZES_TRUSTED and told is not None

        def look(share: float) -> Reading:
            size = told * share if told is not None else None
            return self._read_frame(frame.pixels, time_s=frame.time_s, die_px=size, expect=expect, fixed_size=known)

        reading = look(1.0)
        if known and not frame.at_rest:
            reading = self._twice.apply(reading, look)
        self._learn_size(reading)
        if not frame.at_rest:
            reading = replace(reading, dice=self._tipped(frame.pixels, reading.dice))
        self._last = _Last(frame.pixels, frame.time_s, expect, reading)
        return reading

    def _die_px(self, frame: Frame) -> float | None:
        if self._profile is not None:
            height, width = frame.pixels.shape[:2]
            return die_px(self._profile, width, height) / self._standing.scale(width, height)
        if frame.at_rest or self._sure_at_s is None or not self._sizes:
            return None  # one photograph tells nothing of the next one's scale
        if frame.time_s - self._sure_at_s > BLIND_AGAIN_S:
            self._sure_at_s = frame.time_s  # one blind look, then a while with the size told
            return None
        return float(median(self._sizes)) / self._standing.scale(*frame.pixels.shape[1::-1])

    def _learn(self, pixel_reading: Reading, rest: Rest) -> None:
        """Learn from a rest with new dice how flat ones are seen, and how surely."""
        newest_s = max(rest.arrived_s, default=self._learned_s)
        if newest_s > self._learned_s:
            self._upright.learn(pixel_reading.dice)
            self._learned_s = newest_s
        self._usual.learn(max((newest_s, *rest.unsure_arrived_s)))
        for one, at_s in zip(rest.reading.unsure, rest.unsure_arrived_s, strict=True):
            if one.reason is UnsureReason.LEANS:
                self._upright.note_leaning(at_s)

    def _learn_size(self, reading: Reading) -> None:
        if reading.dice:
            larger = self._standing.scale(reading.width, reading.height)
            self._sizes.extend(die.size * larger for die in reading.dice)
            self._sure_at_s = reading.time_s


def _is_same_die(one: Die, die: Die) -> bool:
    return one.face == die.face and hypot(one.x - die.x, one.y - die.y) < SAME_PLACE_EDGES * die.size


def _black(pixels: NDArray[np.uint8]) -> bool:
    """Tell whether nothing can be told in a frame: a lid, no light, or a camera that gives one colour only."""
    few = pixels[::BLACK_STEP, ::BLACK_STEP].reshape(-1, pixels.shape[2]).max(axis=1)
    return bool(few.size) and (float(np.percentile(few, BLACK_SHARE)) < BLACK_BYTE or few.min() == few.max())


def _rest_of_photograph(reading: Reading) -> Rest:
    """Return the rest that a photograph shows: all of it came to lie there just before."""
    arrived_s = reading.time_s - JUST_BEFORE_S
    return Rest(reading, (arrived_s,) * len(reading.dice), (arrived_s,) * len(reading.unsure))
