"""The port of a camera's driver, when its frames were exposed, and when it measures the light or holds it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Held = Literal["locked", "free", "absent"]  # does not change; may change automatically; the camera has none
Locks = Mapping[str, float]  # what was set for good, by name, in the camera's own units


@dataclass(frozen=True, slots=True)
class CameraFacts:
    """What an open camera says about itself.

    model: its name. width, height (pixels), fps, format: the mode that it reports, which need not be the one asked
    for; 0 where it does not say. held: of exposure, gain, white and focus, whether they can still change. kept_share:
    of the light that it measured, above 0 to 1, less than 1 where its exposure was too long for its frames; None where
    the picture may differ from the measured one, such as with values of one's own. unfocused_mm: the distance for which
    the lens was set, as it found nothing to focus on; 0 where it did, or there is none that moves.
    """

    model: str
    width: int = 0
    height: int = 0
    fps: float = 0.0
    format: str = ""
    held: Mapping[str, Held] = field(default_factory=dict)
    kept_share: float | None = None
    unfocused_mm: int = 0


@runtime_checkable
class Described(Protocol):
    """A camera that says what it is."""

    @property
    def facts(self) -> CameraFacts | None:
        """What it said when it was opened, None before."""

    @property
    def fps(self) -> float:
        """Frames a second that it gives, read or not; 0.0 before the first."""


@runtime_checkable
class Relit(Protocol):
    """A camera that measures its light again when it is asked to."""

    def relight(self) -> None:
        """Let it measure exposure, gain, white balance and focus, and hold that, with the next frames."""


class Source(Protocol):
    """One open camera. Only the thread that opened it may call it."""

    def grab(self) -> float | None:
        """Wait for the next frame, a second at most, and return when it was exposed, None without a frame.

        In seconds on the clock of `time.monotonic`; 0.0 if the camera does not say.
        """

    def pixels(self) -> NDArray[np.uint8] | None:
        """Return the frame grabbed last, (height, width, 3) uint8 BGR; None if it is damaged."""

    def meter(self) -> None:
        """Let the camera measure exposure, gain, white balance and focus."""

    def lock(self) -> Locks | None:
        """Hold what was measured, and return it; None while the lens still looks for its distance."""

    def restore(self, locks: Locks) -> None:
        """Hold these values: what `lock` returned before the camera was lost."""

    def facts(self) -> CameraFacts:
        """Return what the camera says about itself now."""

    def close(self) -> None:
        """Let the camera go. Closing twice does nothing."""


OLD_S = 0.5  # older than this is a frame that waited in the driver's queue: after a pause the first four are
EARLY_S = 0.1  # a frame of the future by more than this comes from another clock
DOUBTS = 8  # so many frames in a row that seem old are none: the driver has four buffers, some have eight
APART_S = 1e-3  # least time between two frames, so that their times still rise


class FrameTimes:
    """The true times of the frames of one camera, rising."""

    def __init__(self) -> None:
        self._strange = 0  # frames in a row whose time cannot be that of a fresh frame
        self._last_s = -inf

    def exposed_s(self, reported_s: float, arrived_s: float) -> float | None:
        """Return when a frame was exposed, None if it is an old one that should be dropped.

        reported_s: by the driver; 0.0 if it does not say. arrived_s: when it was grabbed, on the clock that counts.
        A driver whose frames all seem old or of the future has another clock: then they count when they arrive.
        """
        age_s = arrived_s - reported_s
        fresh = -EARLY_S <= age_s <= OLD_S
        self._strange = 0 if fresh else self._strange + 1
        if not fresh and reported_s > 0.0 and age_s > OLD_S and self._strange < DOUBTS:
            return None
        time_s = min(reported_s, arrived_s) if fresh else arrived_s
        self._last_s = max(time_s, self._last_s + APART_S)
        return self._last_s


METER_S = 1.0  # a camera's own measuring has settled after so long
RELIGHT_S = 2.0  # a hand in front of the lens is gone by then; a lamp that was switched on stays
DARK_LEVEL, BURNT_LEVEL = 12.0, 243.0  # mean grey level, 0 to 255: less, or more, and no pip can be told
PROOF_S = 0.5  # frames that were under way are gone by then, and what was set has come into force
JUMP = 1.5  # brighter or darker by this factor, and what was held is not what was measured; noise stays below 1.05
MOST_JUMPS = 2  # a hand that comes in just then changes the picture once
SAMPLE_STEP = 16  # every sixteenth row and column is looked at


class LightLock:
    """Decides from the brightness of frames when to measure the light again. It begins by measuring.

    measuring: whether the camera should be measuring now. free: whether it measures for good, as it does
    not hold what it measured.
    """

    def __init__(self, now_s: float, *, measuring: bool = True, free: bool = False) -> None:
        self.measuring = measuring
        self.free = free
        self._since_s = now_s  # since when the light is as it should be while measuring, or is not while locked
        self._measured: float | None = None  # how bright it was before it was locked, until that is compared
        self._locked_s, self._jumps = now_s, 0

    def kept(self, share: float | None) -> None:
        """Note that this share of the measured light is held, above 0 to 1; None: what comes says nothing."""
        self._measured = None if share is None or self._measured is None else self._measured * share

    def postpone(self, now_s: float) -> None:
        """Go on measuring for another second: the lens still looks for its distance."""
        self.measuring, self._since_s, self._measured = True, now_s, None

    def update(self, level: float, now_s: float) -> bool:
        """Note how bright a frame is, 0 to 255; return whether `measuring` has just changed.

        Measuring ends after a second of light that can be used. What was held in other light is of no use in this one:
        after two seconds without any picture it is measured again. Where the picture jumps as it is locked, the camera
        named another value than it had: then it is measured again too, and after the second time for good.
        """
        if self.free:
            return False
        if self._measured is not None:
            return self._compare(level, now_s)
        usable = DARK_LEVEL <= level <= BURNT_LEVEL
        if usable != self.measuring:
            self._since_s = inf
        elif self._since_s == inf:
            self._since_s = now_s
        if now_s - self._since_s < (METER_S if self.measuring else RELIGHT_S):
            return False
        self._measured, self._locked_s = (level if self.measuring else None), now_s
        self.measuring, self._since_s = not self.measuring, inf
        return True

    def _compare(self, level: float, now_s: float) -> bool:
        """Compare what is locked with what was measured, once; return whether `measuring` has just changed."""
        if self._measured is None or now_s - self._locked_s < PROOF_S:
            return False
        before, self._measured = self._measured, None
        if before / JUMP <= level <= before * JUMP:
            return False
        self._jumps += 1
        self.measuring, self.free = True, self._jumps >= MOST_JUMPS
        return True


def mean_level(pixels: NDArray[np.uint8]) -> float:
    """Return the mean grey level of a picture, (height, width, channels) uint8, 0 to 255; 0 if it is empty."""
    samples = pixels[::SAMPLE_STEP, ::SAMPLE_STEP]
    return float(samples.mean()) if samples.size else 0.0
