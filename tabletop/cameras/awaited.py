"""A camera that may not be there yet: an appliance starts before its devices do, and goes on without them."""

import threading
from collections.abc import Callable

from tabletop.cameras.driver import CameraFacts, Described, Relit
from tabletop.cameras.live_camera import retry_s
from tabletop.core.errors import DeviceError
from tabletop.core.ports import Camera, Frame, Interruptible


class Awaited:
    """Opens its camera at the first `read`, and again and again until it is there.

    opening: opens the camera or raises DeviceError, which `read` then passes on. wait: waits for this many seconds;
    without it until `interrupt`, if that comes earlier.
    """

    live = True

    def __init__(self, opening: Callable[[], Camera], wait: Callable[[float], object] | None = None) -> None:
        self._unwanted = threading.Event()
        self._opening, self._wait = opening, wait or self._unwanted.wait
        self._camera: Camera | None = None
        self._pause_s = 0.0  # before the next try: udev opens /dev/video0 to its group some seconds after boot

    def read(self) -> Frame | None:
        """Return the camera's next frame, None after `interrupt`; raises DeviceError while there is no camera."""
        if self._camera is None:
            if self._pause_s:  # before the next try, not after this one: people are told at once
                self._wait(self._pause_s)
            if self._unwanted.is_set():
                return None
            try:
                self._camera = self._opening()
            except DeviceError as error:
                self._pause_s = retry_s(self._pause_s, error)
                raise
            if self._unwanted.is_set():  # meanwhile
                return None
        return self._camera.read()

    @property
    def facts(self) -> CameraFacts | None:
        """What the camera says of itself, None if it is not there or says nothing."""
        camera: object = self._camera
        return camera.facts if isinstance(camera, Described) else None

    @property
    def fps(self) -> float:
        """Frames a second that the camera gives, 0.0 if it is not there or does not say."""
        camera: object = self._camera
        return camera.fps if isinstance(camera, Described) else 0.0

    def relight(self) -> None:
        """Let the camera measure its light again, if it is there and can."""
        camera: object = self._camera
        if isinstance(camera, Relit):
            camera.relight()

    def interrupt(self) -> None:
        """Look for the camera no more, nor wait for its frame: a table that stops need not wait for either."""
        self._unwanted.set()
        camera: object = self._camera
        if isinstance(camera, Interruptible):
            camera.interrupt()

    def close(self) -> None:
        """Let the camera go, if there was one."""
        if self._camera is not None:
            self._camera.close()
