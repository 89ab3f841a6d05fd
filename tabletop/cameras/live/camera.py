"""A camera whose frames are grabbed by a thread of its own, so that the newest is always at hand."""

import threading
import time
from collections.abc import Callable

from tabletop.cameras.driver import CameraFacts
from tabletop.cameras.live import lines
from tabletop.cameras.live.worker import CameraWorker, Opening
from tabletop.core.errors import DeviceError
from tabletop.core.ports import Frame

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
