"""Keeps the frames of one camera coming: opens it, grabs without pause, notices what is wrong, and opens it again.

    closed --opened--> measuring the light --a second--> locked --no frames, another mode--> closed --...

`CameraWorker.step` does one thing at a time, with clock and waiting as arguments, so that it can be tested without
either; `LiveCamera` calls it in a thread.
"""

import threading
import time
from collections import deque
from collections.abc import Callable
from math import inf
from typing import Protocol
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from tabletop.cameras import lines
from tabletop.cameras.driver import (
    BURNT_LEVEL,
    DARK_LEVEL,
    SAMPLE_STEP,
    CameraFacts,
    FrameTimes,
    LightLock,
    Locks,
    Source,
)
from tabletop.core.errors import BusyError, DeviceError
from tabletop.core.ports import Frame

FAILURES = 10  # an unplugged camera fails at once for ever; a good one misses a frame now and then
MISSED_S = 0.02  # after a missed frame: less than the period of 30 frames a second
LOST_S = 1.0  # without a frame for so long the camera is opened again: people are told within two seconds
RETRY_S, MOST_RETRY_S = 1.0, 10.0  # between two tries to open it; between those of one that another program has
FROZEN_S = 10.0  # no sensor makes the same noise for so long
SIZE_TRIES = 2  # a camera that keeps to another size than asked for has no other
SLOW_FPS = 8.0  # a die tumbles for half a second: four frames of it are the least that tells it from one that lies
RATE_S = 1.5  # the frames of so long are counted
NOTICE_S = 6.0  # how long a camera that is only slow or small is talked about: people need the line for the game


def retry_s(last_s: float, error: Exception) -> float:
    """Return how long to wait before the next try to open a camera. last_s: how long before this one, 0.0 at first."""
    return min(max(2 * last_s, RETRY_S), MOST_RETRY_S) if isinstance(error, BusyError) else RETRY_S


class Opening(Protocol):
    """Opens the camera, or raises DeviceError saying what to do."""

    def __call__(self) -> Source:
        """Return the open camera."""


class CameraWorker:
    """The frames of one camera that may fail in any way.

    opening: opens the camera. name: its word, such as `usb:0`, for what is said. size: width and height asked for, in
    pixels. clock: as `time.monotonic`. wait: waits for this many seconds, less when the camera is closed meanwhile.

    trouble: why there are no frames now, empty if there are. facts: what the camera said of itself with the first frame
    after it was opened, and when its light was measured; None before.
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
        self._source: Source | None = None
        self._times = FrameTimes()
        self._asked = size
        self._size: tuple[int, int] | None = None  # of the frames that people have played with
        self._size_tries = 0
        self._locks: Locks | None = None
        self._light = LightLock(-inf)
        self._relight = False
        self._retry_s, self._pause_s = -inf, 0.0  # when it may be opened again; how long it is left alone before
        self._opened_s = self._good_s = -inf
        self._misses = 0
        self._first = True  # no frame since it was opened
        self._arrivals = deque[float]()  # of the frames in the newest RATE_S
        self._slow = self._hastened = False
        self._notice, self._notice_end_s = "", -inf
        self._sum, self._sum_s = 0, -inf  # of the newest picture, and since when that has been the same

    @property
    def fps(self) -> float:
        """Frames a second, counted over the newest `RATE_S`."""
        return len(self._arrivals) / RATE_S

    def open(self) -> None:
        """Open the camera now; raises DeviceError if that fails."""
        source = self._opening()
        now_s = self._clock()  # opening it may have taken a second, without a frame: that is not slowness
        self._source, self._opened_s, self._good_s, self._misses = source, now_s, now_s, 0
        self._arrivals.clear()
        self._first = True
        self._light = LightLock(now_s, measuring=self._locks is None, free=self._light.free)
        if self._locks is None:
            source.meter()
        else:
            source.restore(self._locks)

    def relight(self) -> None:
        """Let the camera measure its light again, and hold that; any thread may call, the next frame begins it."""
        self._relight = True

    def step(self, *, wanted: bool = True) -> Frame | None:
        """Open the camera or grab one frame, and return it, or None. Waits for about a second at most.

        wanted: whether anybody waits for a frame; one that nobody waits for is not decoded.
        """
        try:
            if self._source is None:
                self._open_again()
                return None
            return self._frame(self._source, wanted=wanted)
        except DeviceError as error:
            self._pause_s = retry_s(self._pause_s, error)
            self._drop(str(error))
        except Exception as error:  # noqa: BLE001 - a driver may raise anything, and the camera must come back
            self._drop(lines.failed(self._name, f"{type(error).__name__}: {error}"))
        return None

    def close(self) -> None:
        """Let the camera go."""
        source, self._source = self._source, None
        if source is not None:
            source.close()

    def _open_again(self) -> None:
        pause_s = self._retry_s - self._clock()
        if pause_s > 0:
            self._wait(pause_s)
        self.open()

    def _drop(self, why: str) -> None:
        """Close the camera, and open it again soon."""
        if why != lines.frozen(self._name):
            self._sum = -1  # like no picture's
        self.trouble, self._retry_s = why, self._clock() + max(self._pause_s, RETRY_S)
        self.close()

    def _frame(self, source: Source, *, wanted: bool) -> Frame | None:
        reported_s = source.grab()
        now_s = self._clock()
        if reported_s is None:
            self._miss(now_s)
            return None
        time_s = self._times.exposed_s(reported_s, now_s)
        self._count(now_s)
        looked_at = time_s is not None and wanted
        pixels = source.pixels() if looked_at else None
        if looked_at and pixels is None:
            self._miss(now_s)
            return None
        self._good_s, self._misses = now_s, 0
        if time_s is None or pixels is None or not self._has_right_size(pixels, now_s):
            return None
        if self._is_frozen(pixels, now_s):
            self._drop(lines.frozen(self._name))
            return None
        self._pause_s = 0.0
        changed = self._keep_light(source, pixels, now_s)
        if changed or self._first:
            self.facts, self._first = source.facts(), False
        self.trouble = ""
        return Frame(pixels, time_s, trouble=self._notice if now_s < self._notice_end_s else "")

    def _miss(self, now_s: float) -> None:
        self._misses += 1
        if self._misses >= FAILURES or now_s - self._good_s >= LOST_S:
            self._drop(lines.lost(self._name))
        else:
            self._wait(MISSED_S)

    def _count(self, now_s: float) -> None:
        """Notice a camera that is slow; open it again once, for that helps where the port was busy."""
        self._arrivals.append(now_s)
        while self._arrivals[0] <= now_s - RATE_S:
            self._arrivals.popleft()
        if now_s - self._opened_s < RATE_S:
            return
        slow = self.fps < SLOW_FPS
        if slow and not self._slow:
            self._tell(lines.slow(self._name, round(self.fps)), now_s)
        self._slow = slow
        if not slow:
            self._hastened = False
        elif not self._hastened and now_s >= self._notice_end_s:
            self._hastened = True
            self._drop(lines.slow(self._name, round(self.fps)))

    def _has_right_size(self, pixels: NDArray[np.uint8], now_s: float) -> bool:
        """Notice another size than that played with. One that was never right is taken after some tries."""
        size, wanted = (pixels.shape[1], pixels.shape[0]), self._size or self._asked
        if size == wanted:
            self._size, self._size_tries = size, 0
            return True
        why = lines.wrong_mode(self._name, "x".join(map(str, size)), "x".join(map(str, wanted)))
        if self._size or self._size_tries < SIZE_TRIES:
            self._size_tries += 1
            self._drop(why)
            return False
        self._size = size
        self._tell(why, now_s)
        return True

    def _is_frozen(self, pixels: NDArray[np.uint8], now_s: float) -> bool:
        """Return whether the pictures have long been the same. Those without a mark, such as in the dark, may be."""
        samples = pixels[::SAMPLE_STEP, ::SAMPLE_STEP]
        found = crc32(samples.tobytes())
        marked = np.ptp(samples) > DARK_LEVEL and DARK_LEVEL <= samples.mean() <= BURNT_LEVEL
        if found != self._sum or not marked:
            self._sum, self._sum_s = found, now_s
        return now_s - self._sum_s >= FROZEN_S

    def _tell(self, notice: str, now_s: float) -> None:
        self._notice, self._notice_end_s = notice, now_s + NOTICE_S

    def _keep_light(self, source: Source, pixels: NDArray[np.uint8], now_s: float) -> bool:
        """Measure the light or hold it, as it has become; return whether that changed."""
        if self._relight:
            self._relight, self._light, self._locks = False, LightLock(now_s), None
            source.meter()
            return True
        if not self._light.update(source.level(pixels), now_s):
            return False
        if self._light.measuring:
            self._locks = None
            source.meter()
            if self._light.free:
                self._tell(lines.not_held(self._name), now_s)
        else:
            self._locks = source.lock()
            if self._locks is None:
                self._light.postpone(now_s)
                return False
            facts = source.facts()
            self._light.kept(facts.kept_share)
            if facts.unfocused_mm:
                self._tell(lines.unfocused(self._name, facts.unfocused_mm), now_s)
        return True


READ_S = 1.5  # a read waits for a frame no longer: a driver that hangs is then said within two seconds
JOIN_S = 1.0  # a driver that hangs is left behind at the end


class LiveCamera:
    """The newest frame of a camera that comes back by itself. Arguments as of `CameraWorker`.

    facts, fps: as of `CameraWorker`.
    """

    live = True

    def __init__(
        self, opening: Opening, name: str, size: tuple[int, int], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._name = name
        self._closing, self._wanted, self._changed = threading.Event(), threading.Event(), threading.Condition()
        self._worker = CameraWorker(opening, name, size, clock, self._closing.wait)
        self._thread = threading.Thread(target=self._run, name=f"camera {name}", daemon=True)
        self._frame: Frame | None = None

    @property
    def facts(self) -> CameraFacts | None:
        """What the camera said of itself, None before the first frame."""
        return self._worker.facts

    @property
    def fps(self) -> float:
        """Frames a second that the camera gives, whether anybody reads them or not; 0 before the first."""
        return self._worker.fps

    def relight(self) -> None:
        """Let the camera measure exposure, gain, white balance and focus again, and hold that, with the next frames."""
        self._worker.relight()

    def open(self) -> None:
        """Open it before the first `read`; raises DeviceError if that fails."""
        self._worker.open()

    def read(self) -> Frame:
        """Return the first frame grabbed from now on; raises DeviceError while none comes, and a later call may."""
        if self._closing.is_set():
            raise DeviceError(lines.lost(self._name))
        with self._changed:
            self._frame = None
            self._wanted.set()
            if not self._thread.is_alive():
                self._thread.start()
            self._changed.wait_for(self._answered, READ_S)
            frame = self._newest()
        if frame is None:
            raise DeviceError(self._worker.trouble or lines.lost(self._name))
        return frame

    def _answered(self) -> bool:
        return self._frame is not None or bool(self._worker.trouble) or self._closing.is_set()

    def _newest(self) -> Frame | None:
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
        """Let a `read` that waits raise at once; no frame is wanted any more. Any thread may call."""
        self._closing.set()
        with self._changed:
            self._changed.notify_all()

    def close(self) -> None:
        """Let the camera go; one that hangs is left to its thread."""
        self.interrupt()
        if self._thread.is_alive():
            self._thread.join(JOIN_S)
        elif not self._thread.ident:
            self._worker.close()
