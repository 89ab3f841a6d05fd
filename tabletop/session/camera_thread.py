"""The thread that reads the camera in a loop, so that the table loop never waits for it.

It also keeps statistics of the newest frames, for `tabletop doctor` and the table's self-check.
"""

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from math import inf, pi, sqrt
from statistics import median
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tabletop.core import DeviceError, Reading, Rest, TabletopError, say
from tabletop.core.ports import Camera, Frame, Interruptible
from tabletop.interpret.hints import CAMERA_ELSEWHERE, CAMERA_LOST, CAMERA_MOVED
from tabletop.perception.pipeline import FrameResult, PerceptionPipeline

if TYPE_CHECKING:
    from tabletop.session.observer import RecordSink


FRAMES = 90  # the window: three seconds at 30 a second
SAMPLES = slice(None, None, 4)  # every fourth row and column is compared
MOVING_LEVELS, MOVING_SHARE = 24, 0.004  # a moving die of 40 px in 1280x720 changes more of the picture than this
NOISE_OF_CHANGE = sqrt(pi) / 2  # for two normal values with deviation s the mean distance is 2 s / sqrt(pi)


@dataclass(frozen=True, slots=True)
class CameraFigures:
    """Statistics of the newest frames.

    width, height: pixels of a frame. age_s: median age of a frame when it has been read. dice, unsure: how many were
    read in all these frames, not counting frames with movement. die_px: median edge of a die, 0.0 without dice. noise:
    standard deviation of a pixel while nothing moves, in grey levels; None for fewer than two frames. pixels: the
    newest frame, BGR.
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
    """Collects statistics of the newest frames. Any thread may read; one thread adds."""

    def __init__(self) -> None:
        self._ages_s = deque[float](maxlen=FRAMES)
        self._seen: deque[tuple[int, int, float]] = deque(maxlen=FRAMES)
        self._noise: deque[float] = deque(maxlen=FRAMES)
        self._newest: NDArray[np.uint8] | None = None

    def add(self, frame: Frame, reading: Reading, now_s: float) -> None:
        """Add a frame, its reading (in pixels) and the time at which it was read."""
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
        """Return the statistics of the newest frames, None before the first."""
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


JOIN_S = 2.0  # seconds after which a camera whose `read` does not return is abandoned
STALL_S = 0.2  # seconds to wait after a camera error before the next read
SILENT_S = 2.0  # a slow camera in the dark takes half a second for a frame
RESTS_KEPT = 600  # ten seconds at 60 frames a second: no SD card keeps the loop busy for longer
AT_REST_KEPT, AT_REST_S = 4, 0.5  # the loop takes a rest up to four frames after it, and dice fly for longer than this
NO_PICTURES = say("no pictures: check the camera's cable")


class CameraMoves:
    """Reports once that the camera was moved, or that the table no longer matches its profile."""

    def __init__(self) -> None:
        self._told = (0, 0)  # how often it was moved, and moved far, as last reported
        self._drift = ""  # how the table differs from its profile, as last reported

    def news(self, seen: FrameResult) -> str:
        """Return what has not been reported yet, empty if nothing."""
        before, self._drift = self._drift, seen.drift
        known, now = self._told, (seen.nudged, seen.elsewhere)
        self._told = now
        if now == known or now[0] < known[0]:  # fewer: counting started over when the table was calibrated
            return seen.drift if seen.drift != before else ""
        if now[1] == known[1]:
            return CAMERA_MOVED
        return CAMERA_LOST if seen.reading.unit == "mm" else CAMERA_ELSEWHERE  # a calibrated table's places are wrong


class CameraThread(threading.Thread):
    """Reads frames, and keeps the newest result and the rests that the loop has not fetched yet.

    expect: how many dice should be in view, None if unknown; set by the loop. notes: the recording, None if off.
    statistics: of the newest frames. moves: reports camera movement. newest: the newest result, None before the first.
    trouble: why there is no result now; empty if all is well. clock: the clock of the frames, to detect a stalled
    camera.
    """

    def __init__(self, camera: Camera, watch: PerceptionPipeline, clock: Callable[[], float] | None = None) -> None:
        super().__init__(name="camera", daemon=True)
        self.expect: int | None = None
        self.notes: RecordSink | None = None
        self.newest: FrameResult | None = None
        self.trouble = ""
        self.statistics, self.moves = CameraStatistics(), CameraMoves()
        self._camera, self._watch, self._clock = camera, watch, clock
        self._rests: deque[tuple[float, Rest | None]] = deque(maxlen=RESTS_KEPT)
        self._at_rest = deque[FrameResult](maxlen=AT_REST_KEPT)
        self._asked_s: float | None = None
        self._frameless = False  # the last read returned no frame
        self._stop_asked = threading.Event()

    def run(self) -> None:
        """Read frames until `stop` is called or the camera ends."""
        while not self._stop_asked.is_set() and self.step():
            if self._frameless:
                self._stop_asked.wait(STALL_S)

    def step(self) -> bool:
        """Process one frame; return False at the end of the camera.

        Blocks for a frame, so only this thread may call it.
        """
        self._asked_s, self._frameless = self._clock() if self._clock else None, True
        try:
            frame = self._camera.read()
            self._asked_s = None
            seen = self._watch.process(frame, self.expect) if frame is not None else None
        except DeviceError as error:
            self.trouble = str(error)
            return True
        except TabletopError as error:  # such as a profile that does not fit the camera's pictures
            self.trouble = str(error)
            return self._camera.live  # after reconnecting it may have the right mode
        except Exception as error:  # noqa: BLE001 - a fault of ours in one frame, or a driver's: people must be told
            self._asked_s = None
            self.trouble = say("reading pictures failed: {text}", text=f"{type(error).__name__}: {error}")
            return True
        if frame is None or seen is None:
            self.trouble = NO_PICTURES if self.newest else ""  # the camera ended during the match, or there is none
            return self.newest is not None
        if self.notes is not None:  # before the result can cause any action
            self.notes.add_frame(frame, seen.pixel_reading)
        self.publish(seen)
        return True

    def publish(self, seen: FrameResult) -> None:
        """Make this the newest result."""
        self._frameless = False
        self.statistics.add(seen.frame, seen.pixel_reading, self._clock() if self._clock else seen.frame.time_s)
        self._rests.append((seen.frame.time_s, seen.rest))
        rest = seen.held_back.rest if seen.held_back else seen.rest
        if rest is not None and rest.reading.time_s == seen.reading.time_s:  # not a rest from before a hand came
            self._at_rest.append(seen)
        self.newest, self.trouble = seen, seen.trouble or seen.frame.trouble

    def rests(self, seen: FrameResult, now_s: float) -> list[tuple[float, Rest | None]]:
        """Return the rests up to this result that were not returned before, with their frames' times.

        If there are none, the newest rest still holds, at `now_s`; it is None once the camera has been silent for so
        long that people may have thrown in the meantime.
        """
        passed = list[tuple[float, Rest | None]]()
        while self._rests and self._rests[0][0] <= seen.frame.time_s:
            passed.append(self._rests.popleft())
        return passed or [(now_s, None if self.is_outdated(seen, now_s) else seen.rest)]

    def seen_near(self, time_s: float = inf) -> tuple[FrameResult, ...]:
        """Return the newest results with dice at rest, oldest first: those of this time, by default all."""
        seen = tuple(self._at_rest.copy())
        return seen if time_s == inf else tuple(one for one in seen if abs(one.frame.time_s - time_s) <= AT_REST_S)

    def is_outdated(self, seen: FrameResult, now_s: float) -> bool:
        """Return whether a live camera has sent nothing for too long since this result."""
        return self._clock is not None and not seen.frame.at_rest and now_s - seen.frame.time_s > SILENT_S

    def trouble_now(self, now_s: float) -> str:
        """Return why there are no usable frames, empty if there are."""
        asked_s = self._asked_s
        silent = asked_s is not None and now_s - asked_s > SILENT_S
        return self.trouble or (NO_PICTURES if silent else "")

    def stop(self) -> None:
        """Stop the thread and close the camera."""
        self._stop_asked.set()
        camera: object = self._camera
        if isinstance(camera, Interruptible):
            camera.interrupt()
        if self.is_alive():
            self.join(JOIN_S)
        self._camera.close()
