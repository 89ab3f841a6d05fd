"""A camera that recovers by itself, in simulated time: what `LiveCamera` does in a thread is done in `read` here."""

from collections.abc import Callable

from tabletop.cameras.live_camera import CameraWorker, Opening
from tabletop.core.errors import DeviceError
from tabletop.core.ports import Frame


class SteppedCamera:
    """The camera of a `CameraWorker`; arguments as there."""

    live = True

    def __init__(
        self,
        opening: Opening,
        name: str,
        size: tuple[int, int],
        clock: Callable[[], float],
        wait: Callable[[float], object],
    ) -> None:
        self.worker = CameraWorker(opening, name, size, clock, wait)

    def read(self) -> Frame:
        """Return the next frame, or raise why there is none."""
        while True:
            frame = self.worker.step()
            if frame is not None:
                return frame
            if self.worker.trouble:
                raise DeviceError(self.worker.trouble)

    def close(self) -> None:
        self.worker.close()
