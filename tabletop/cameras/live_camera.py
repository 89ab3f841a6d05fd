"""Keep the frames of one camera coming: open it, grab in a loop, detect problems, and reopen it.

    closed --opened--> measuring the light --a second--> locked --no frames, another mode--> closed --...

All faults are handled in one way: close the camera and reopen it after a second, then after growing waits until a frame
arrives. `CameraWorker.step` does one thing at a time, with clock and waiting as arguments; `LiveCamera` calls it in a
thread. `Source` is the port of a driver, `FrameTimes` determines when frames were exposed, `LightLock` when the
exposure is locked.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Literal, Protocol, runtime_checkable
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from tabletop.cameras import lines
from tabletop.core import errors, ports, reconnecting

Held = Literal["locked", "free", "absent"]  # does not change; may change automatically; the camera has none
Locks = Mapping[str, float]  # what was set for good, by name, in the camera's own units


@dataclass(frozen=True, slots=True)
class CameraFacts:
    """The description that an open camera gives of itself.

    model: its name. width, height (pixels), fps, format: the reported mode, which may differ from the requested one; 0
    if not reported. held: for exposure, gain, white and focus, whether they can still change. kept_share: the share of
    the measured light, above 0 to 1, less than 1 if the measured exposure was too long for the frame rate; None if the
    picture may differ from the measured one, such as with custom values. unfocused_mm: the distance for which the lens
    was set because autofocus failed; 0 if it succeeded, or if there is no movable lens.
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
    """A camera that describes itself."""

    @property
    def facts(self) -> CameraFacts | None:
        """The facts reported on opening, None before."""

    @property
    def fps(self) -> float:
        """The frame rate in frames a second, read or not; 0.0 before the first."""


@runtime_checkable
class Relit(Protocol):
    """A camera that can be asked to measure its exposure again."""

    def relight(self) -> None:
        """Measure exposure, gain, white balance and focus with the next frames, then lock them."""


class Source(Protocol):
    """One open camera. Only the thread that opened it may use it."""

    def grab(self) -> float | None:
        """Wait for the next frame, at most a second; return its exposure time, None without a frame.

        In seconds on the clock of `time.monotonic`; 0.0 if the camera does not report it.
        """

    def pixels(self) -> NDArray[np.uint8] | None:
        """Return the last grabbed frame, (height, width, 3) uint8 BGR; None if it is damaged."""

    def meter(self) -> None:
        """Enable automatic exposure, gain, white balance and focus."""

    def lock(self) -> Locks | None:
        """Lock the measured values and return them; None while the lens is still focusing."""

    def restore(self, locks: Locks) -> None:
        """Set these values: the result of `lock` before the camera was lost."""

    def facts(self) -> CameraFacts:
        """Return the camera's current description of itself."""

    def close(self) -> None:
        """Release the camera. Closing twice does nothing."""


OLD_S = 0.5  # older than this is a frame that waited in the driver's queue: after a pause the first four are
EARLY_S = 0.1  # a frame of the future by more than this comes from another clock
DOUBTS = 8  # so many frames in a row that seem old are none: the driver has four buffers, some have eight
APART_S = 1e-3  # least time between two frames, so that their times still rise


class FrameTimes:
    """The true exposure times of one camera's frames, increasing."""

    def __init__(self) -> None:
        self._strange = 0  # frames in a row whose time cannot be that of a fresh frame
        self._last_s = -inf

    def exposed_s(self, reported_s: float, arrived_s: float) -> float | None:
        """Return the exposure time of a frame, None if it is an old one that must be dropped.

        reported_s: by the driver; 0.0 if not reported. arrived_s: when it was grabbed, on the reference clock. If all
        frames of a driver seem old or from the future, it uses another clock: then their arrival counts.
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
DARK_LEVEL, BURNT_LEVEL = 12.0, 243.0  # mean grey level, 0 to 255: outside this range no pips are visible
PROOF_S = 0.5  # frames that were under way are gone by then, and what was set has come into force
JUMP = 1.5  # brighter or darker by this factor, and what was held is not what was measured; noise stays below 1.05
MOST_JUMPS = 2  # a hand that comes in just then changes the picture once
SAMPLE_STEP = 16  # every sixteenth row and column is looked at


class LightLock:
    """Decides from the brightness of frames when to measure the exposure again. It begins by measuring.

    measuring: whether the camera should measure now. free: whether it measures permanently, because locking failed.
    """

    def __init__(self, now_s: float, *, measuring: bool = True, free: bool = False) -> None:
        self.measuring = measuring
        self.free = free
        self._since_s = now_s  # since when the light is as it should be while measuring, or is not while locked
        self._measured: float | None = None  # how bright it was before it was locked, until that is compared
        self._locked_s, self._jumps = now_s, 0

    def kept(self, share: float | None) -> None:
        """Note the locked share of the measured light, above 0 to 1; None: the next frames cannot be compared."""
        self._measured = None if share is None or self._measured is None else self._measured * share

    def postpone(self, now_s: float) -> None:
        """Measure for another second, because the lens is still focusing."""
        self.measuring, self._since_s, self._measured = True, now_s, None

    def update(self, level: float, now_s: float) -> bool:
        """Handle the brightness of a frame, 0 to 255; return whether `measuring` has just changed.

        Measuring ends after a second of usable light. Values locked in other light may be useless: after two seconds
        without a picture, measuring starts again. If the brightness jumps on locking, the camera reported wrong values:
        then it measures again too, and after the second time permanently.
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


FAILURES = 10  # an unplugged camera fails at once for ever; a good one misses a frame now and then
MISSED_S = 0.02  # after a missed frame: less than the period of 30 frames a second
LOST_S = 1.0  # without a frame for so long the camera is opened again: people read why within two seconds
FROZEN_S = 10.0  # no sensor makes the same noise for so long
SLOW_FPS = 8.0  # a die tumbles for half a second: four frames of it are the least that tells it from one that lies
RATE_S = 1.5  # the frames of so long are counted
NOTICE_S = 6.0  # how long a camera that is only slow or small is talked about: people need the line for the game
READ_S = 1.5  # a read waits for a frame no longer: people read within two seconds that a driver hangs
JOIN_S = 1.0  # a driver that hangs is left behind at the end

Opening = Callable[[], Source]
"""Opens the camera, or raises DeviceError saying what to do."""


class FrozenPicture:
    """Detects a camera that repeats one picture. Featureless pictures, such as in the dark, may be equal."""

    def __init__(self) -> None:
        self._sum, self._since_s = -1, inf  # of the newest picture, and since when that has been the same

    def lasts_s(self, pixels: NDArray[np.uint8], now_s: float) -> float:
        """Return how long the pictures have been equal, including this one."""
        samples = pixels[::SAMPLE_STEP, ::SAMPLE_STEP]
        found = crc32(samples.tobytes())
        marked = np.ptp(samples) > DARK_LEVEL and DARK_LEVEL <= samples.mean() <= BURNT_LEVEL
        if found != self._sum or not marked:
            self._sum, self._since_s = found, now_s
        return now_s - self._since_s


class Stream:
    """The frames of a camera since it was opened at `now_s`: their arrival times, and how many were missed.

    times: when each frame was exposed. first: no frame has been used yet.
    """

    def __init__(self, source: Source, now_s: float) -> None:
        self.source, self.times, self.first = source, FrameTimes(), True
        self._opened_s = self._good_s = now_s
        self._misses, self._slow = 0, False
        self._arrivals = deque[float]()  # of the frames in the newest RATE_S

    @property
    def fps(self) -> float:
        """The frame rate over the newest `RATE_S`, in frames a second."""
        return len(self._arrivals) / RATE_S

    def becomes_slow(self, now_s: float) -> bool:
        """Count a frame; return whether the rate has just become too low."""
        self._arrivals.append(now_s)
        while self._arrivals[0] <= now_s - RATE_S:
            self._arrivals.popleft()
        before, self._slow = self._slow, now_s - self._opened_s >= RATE_S and self.fps < SLOW_FPS
        return self._slow and not before

    def good(self, now_s: float) -> None:
        """Note a usable frame."""
        self._good_s, self._misses = now_s, 0

    def is_lost(self, now_s: float) -> bool:
        """Note a missed frame; return whether the camera must be reopened."""
        self._misses += 1
        return self._misses >= FAILURES or now_s - self._good_s >= LOST_S


class CameraWorker:
    """Keeps one unreliable camera running.

    opening: opens the camera. name: its word, such as `usb:0`, for messages. size: the requested width and height, in
    pixels. clock: as `time.monotonic`. wait: sleeps for this many seconds, or less if the camera is closed in the
    meantime.

    trouble: why there are no frames now, empty if there are. facts: the camera's description at the first frame after
    opening, and after measuring its exposure; None before.
    """

    def __init__(
        self,
        opening: Opening,
        name: str,
        size: tuple[int, int],
        clock: Callable[[], float],
        wait: Callable[[float], object],
    ) -> None:
        self.trouble = ""
        self.facts: CameraFacts | None = None
        self._opening, self._name, self._clock, self._wait = opening, name, clock, wait
        self._stream: Stream | None = None
        self._frozen = FrozenPicture()
        self._size, self._played = size, False  # of the frames, and whether people have played with such
        self._light, self._locks, self._relight = LightLock(-inf), dict[str, float](), False
        self._wait_s = 0.0  # before it is opened again
        self._notice = "", -inf  # and until when people read it

    @property
    def fps(self) -> float:
        """The frame rate in frames a second; 0.0 while the camera is closed."""
        stream = self._stream
        return 0.0 if stream is None else stream.fps

    def open(self) -> None:
        """Open the camera now; raises DeviceError if that fails."""
        source = self._opening()
        now_s = self._clock()  # opening it may have taken a second, without a frame: that is not slowness
        self._stream = Stream(source, now_s)
        self._light = LightLock(now_s, measuring=not self._locks, free=self._light.free)
        if self._locks:
            source.restore(self._locks)
        else:
            source.meter()

    def relight(self) -> None:
        """Measure the exposure again and lock it, beginning with the next frame; thread-safe."""
        self._relight = True

    def step(self, *, wanted: bool = True) -> ports.Frame | None:
        """Open the camera, or grab and return one frame, or None. Blocks for about a second, or until the next attempt.

        wanted: whether a reader waits for a frame; others are not decoded.
        """
        try:
            if self._stream is not None:
                return self._frame(self._stream, wanted=wanted)
            self._wait(self._wait_s)
            self.open()
        except errors.DeviceError as error:
            self._drop(str(error))
        except Exception as error:  # noqa: BLE001 - a driver may raise anything, and the camera must come back
            self._drop(lines.failed(self._name, f"{type(error).__name__}: {error}"))
        return None

    def close(self) -> None:
        """Release the camera."""
        stream, self._stream = self._stream, None
        if stream is not None:
            stream.source.close()

    def _drop(self, why: str) -> None:
        """Close the camera, and open it again after a wait that grows until a frame comes."""
        self.trouble, self._wait_s = why, reconnecting.next_wait_s(self._wait_s)
        if why != lines.frozen(self._name):
            self._frozen = FrozenPicture()
        self.close()

    def _frame(self, stream: Stream, *, wanted: bool) -> ports.Frame | None:
        reported_s = stream.source.grab()
        now_s = self._clock()
        if reported_s is None:
            self._miss(stream, now_s)
            return None
        time_s = stream.times.exposed_s(reported_s, now_s)
        if stream.becomes_slow(now_s):
            self._tell(lines.slow(self._name, round(stream.fps)), now_s)
        if time_s is None or not wanted:
            stream.good(now_s)
            return None
        pixels = stream.source.pixels()
        if pixels is None:
            self._miss(stream, now_s)
            return None
        stream.good(now_s)
        fault = self._wrong_size(pixels, now_s)
        if not fault and self._frozen.lasts_s(pixels, now_s) >= FROZEN_S:
            fault = lines.frozen(self._name)
        if fault:
            self._drop(fault)
            return None
        if self._keep_light(stream.source, pixels, now_s) or stream.first:
            self.facts, stream.first = stream.source.facts(), False
        self.trouble, self._wait_s = "", 0.0
        notice, end_s = self._notice
        return ports.Frame(pixels, time_s, trouble=notice if now_s < end_s else "")

    def _miss(self, stream: Stream, now_s: float) -> None:
        if stream.is_lost(now_s):
            self._drop(lines.lost(self._name))
        else:
            self._wait(MISSED_S)

    def _wrong_size(self, pixels: NDArray[np.uint8], now_s: float) -> str:
        """Return what is wrong with the size; a camera that has not been played with is used with the size it sends."""
        size, wanted = (pixels.shape[1], pixels.shape[0]), self._size
        if size != wanted:
            why = lines.wrong_mode(self._name, "x".join(map(str, size)), "x".join(map(str, wanted)))
            if self._played:
                return why
            self._tell(why, now_s)
        self._size, self._played = size, True
        return ""

    def _tell(self, notice: str, now_s: float) -> None:
        self._notice = notice, now_s + NOTICE_S

    def _keep_light(self, source: Source, pixels: NDArray[np.uint8], now_s: float) -> bool:
        """Measure the light or hold it, as it has become; return whether that changed."""
        if self._relight:
            self._relight, self._light, self._locks = False, LightLock(now_s), {}
            source.meter()
            return True
        if not self._light.update(mean_level(pixels), now_s):
            return False
        if self._light.measuring:
            self._locks = {}
            source.meter()
            if self._light.free:
                self._tell(lines.not_held(self._name), now_s)
        else:
            locks = source.lock()
            if locks is None:
                self._light.postpone(now_s)
                return False
            self._locks = dict(locks)
            facts = source.facts()
            self._light.kept(facts.kept_share)
            if facts.unfocused_mm:
                self._tell(lines.unfocused(self._name, facts.unfocused_mm), now_s)
        return True


class LiveCamera:
    """The newest frame of a camera that recovers automatically. Arguments as for `CameraWorker`.

    facts, fps: as for `CameraWorker`.
    """

    live = True

    def __init__(
        self, opening: Opening, name: str, size: tuple[int, int], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._name = name
        self._closing, self._wanted, self._changed = threading.Event(), threading.Event(), threading.Condition()
        self._worker = CameraWorker(opening, name, size, clock, self._closing.wait)
        self._thread = threading.Thread(target=self._run, name=f"camera {name}", daemon=True)
        self._frame: ports.Frame | None = None

    @property
    def facts(self) -> CameraFacts | None:
        """The camera's description of itself, None before the first frame."""
        return self._worker.facts

    @property
    def fps(self) -> float:
        """The frame rate in frames a second, read or not; 0.0 before the first."""
        return self._worker.fps

    def relight(self) -> None:
        """Measure exposure, gain, white balance and focus with the next frames, then lock them."""
        self._worker.relight()

    def open(self) -> None:
        """Open the camera before the first `read`; raises DeviceError on failure."""
        self._worker.open()

    def read(self) -> ports.Frame:
        """Return the first frame grabbed from now on; raises DeviceError while there is none, and may succeed later."""
        if self._closing.is_set():
            raise errors.DeviceError(lines.lost(self._name))
        with self._changed:
            self._frame = None
            self._wanted.set()
            if not self._thread.is_alive():
                self._thread.start()
            self._changed.wait_for(self._answered, READ_S)
            frame = self._newest()
        if frame is None:
            raise errors.DeviceError(self._worker.trouble or lines.lost(self._name))
        return frame

    def _answered(self) -> bool:
        return self._frame is not None or bool(self._worker.trouble) or self._closing.is_set()

    def _newest(self) -> ports.Frame | None:
        return self._frame

    def _run(self) -> None:
        while not self._closing.is_set():
            frame = self._worker.step(wanted=self._wanted.is_set())
            with self._changed:
                if frame is not None:
                    self._frame = frame
                    self._wanted.clear()
                self._changed.notify_all()
        self._worker.close()

    def interrupt(self) -> None:
        """Make a blocked `read` raise at once; thread-safe."""
        self._closing.set()
        with self._changed:
            self._changed.notify_all()

    def close(self) -> None:
        """Release the camera; one that hangs is left to its thread."""
        self.interrupt()
        if self._thread.is_alive():
            self._thread.join(JOIN_S)
        elif not self._thread.ident:
            self._worker.close()
