"""Buttons and screens that may not be there yet: an appliance starts without them, and takes them up when they come.

    screen = LateScreen(lambda: open_screen("ssd1306"), told=print)     # returns at once, whatever is connected
    screen.show(pixels)                                                 # shown as soon as there is a display

What opens a device raises DeviceError while it is missing. A thread tries again every few seconds.
"""

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from tabletop.core.errors import DeviceError
from tabletop.core.ports import Buttons, Edge, Light, Screen

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RETRY_S = 3.0  # between two looks for a device: soon enough for whoever has just pushed a plug in
USUAL_WIDTH, USUAL_HEIGHT = 128, 64  # px, of the display that most people have; until it is known
Device = TypeVar("Device", Buttons, Screen)


class Awaiting(Generic[Device]):
    """Opens a device as soon as it is there, in a thread.

    opening: opens it, or raises DeviceError. told: is told in one line what is missing, once. found: is given the
    device, in that thread. wait: waits for this many seconds, or until the flag is set; returns whether it is.
    """

    def __init__(
        self,
        opening: Callable[[], Device],
        told: Callable[[str], None],
        found: Callable[[Device], None],
        wait: Callable[[threading.Event, float], bool] = threading.Event.wait,
    ) -> None:
        self.device: Device | None = None
        self._opening: Callable[[], Device] = opening
        self._found: Callable[[Device], None] = found
        self._told, self._wait = told, wait
        self._closing, self._lock = threading.Event(), threading.Lock()
        if not self._opened(silent=False):
            threading.Thread(target=self._run, name="late device", daemon=True).start()

    def close(self) -> None:
        """Close the device, and look for it no more."""
        with self._lock:
            self._closing.set()
            if self.device is not None:
                self.device.close()

    def _run(self) -> None:
        while not self._wait(self._closing, RETRY_S):
            if self._opened(silent=True):
                return

    def _opened(self, *, silent: bool) -> bool:
        """Try once; with the lock, so that nothing is opened after it was closed."""
        with self._lock:
            if self._closing.is_set():
                return True
            try:
                self.device = self._opening()
            except DeviceError as error:
                if not silent:
                    self._told(str(error))
                return False
            self._found(self.device)
            return True


class LateScreen:
    """A screen that shows the newest picture once it is there. The arguments are those of `Awaiting`.

    width, height: in pixels; those of the usual display until it is there.
    """

    def __init__(
        self,
        opening: Callable[[], Screen],
        told: Callable[[str], None],
        wait: Callable[[threading.Event, float], bool] = threading.Event.wait,
    ) -> None:
        self.width, self.height = USUAL_WIDTH, USUAL_HEIGHT
        self._pixels: NDArray[np.bool_] | None = None
        self._light: Light = "full"
        self._awaiting = Awaiting(opening, told, self._catch_up, wait)

    def show(self, pixels: "NDArray[np.bool_]") -> None:
        """Show a picture, (height, width) bool; one for a display of another height is left out."""
        self._pixels, device = pixels, self._awaiting.device
        if device is not None and pixels.shape == (device.height, device.width):
            device.show(pixels)

    def light(self, light: Light) -> None:
        """Set how bright the picture is."""
        self._light, device = light, self._awaiting.device
        if device is not None:
            device.light(light)

    def close(self) -> None:
        """Switch the display off."""
        self._awaiting.close()

    def _catch_up(self, device: Screen) -> None:
        self.width, self.height = device.width, device.height
        device.light(self._light)
        if self._pixels is not None and self._pixels.shape == (device.height, device.width):
            device.show(self._pixels)


class LateButtons:
    """Buttons that press once they are there. The arguments are those of `Awaiting`."""

    def __init__(
        self,
        opening: Callable[[], Buttons],
        told: Callable[[str], None],
        wait: Callable[[threading.Event, float], bool] = threading.Event.wait,
    ) -> None:
        self._call: Callable[[], None] | None = None
        self._awaiting = Awaiting(opening, told, self._catch_up, wait)

    def edges(self) -> Sequence[Edge]:
        """Return the edges since the last call; none while there are no buttons."""
        device = self._awaiting.device
        return () if device is None else device.edges()

    def listen(self, call: Callable[[], None]) -> None:
        """Call this, in any thread, when there is an edge to fetch."""
        self._call, device = call, self._awaiting.device
        if device is not None:
            device.listen(call)

    def close(self) -> None:
        """Let the pins go."""
        self._awaiting.close()

    def _catch_up(self, device: Buttons) -> None:
        if self._call is not None:
            device.listen(self._call)
