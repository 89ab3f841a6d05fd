"""Devices that may be missing: the table starts without them and uses them once they are connected.

screen = Reconnecting(lambda: open_screen("ssd1306"), tell=print)  # returns at once, with or without a display
screen.show(pixels)                                                # shown once there is a display
"""

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabletop.core import errors, ports

FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 4.0  # between two attempts: short for people who have just plugged it in
USUAL_WIDTH, USUAL_HEIGHT = 128, 64  # px, the most common display; assumed until the real size is known


def next_wait_s(last_s: float) -> float:
    """Return how long to wait before the next attempt to open a device. last_s: the previous wait, 0.0 at first."""
    return min(max(2 * last_s, FIRST_WAIT_S), LONGEST_WAIT_S)


class WrappedCamera:
    """Base of cameras that wrap another camera: passes on its facts, light and end.

    camera: None while there is none.
    """

    def __init__(self, camera: Any = None) -> None:  # noqa: ANN401 - whatever it can besides the port `Camera`
        self.live: bool = getattr(camera, "live", True)
        self._device = camera

    @property
    def facts(self) -> Any:  # noqa: ANN401 - `CameraFacts`, which stand above this layer
        """The camera's description of itself; None if it is missing or has none."""
        return getattr(self._device, "facts", None)

    @property
    def fps(self) -> float:
        """The camera's frame rate in frames a second; 0.0 if it is missing or unknown."""
        fps: float = getattr(self._device, "fps", 0.0)
        return fps

    def relight(self) -> None:
        """Make the camera measure its exposure again, if it is there and can."""
        getattr(self._device, "relight", _nothing)()

    def interrupt(self) -> None:
        """Interrupt a blocked `read`, if the camera can."""
        getattr(self._device, "interrupt", _nothing)()

    def close(self) -> None:
        """Close the device, if there is one."""
        getattr(self._device, "close", _nothing)()


class Reconnecting(WrappedCamera):
    """A camera, buttons or a screen that is opened repeatedly, at growing intervals, until it succeeds.

    opening: opens the device, or raises DeviceError. tell: called with one line if the device is missing; a thread then
    keeps trying to open it. Without `tell` each `read` tries, as a camera needs. wait: sleeps for this many seconds, or
    less if interrupted.

    width, height: of a screen, in pixels; those of the most common display until it is open.
    """

    def __init__(
        self,
        opening: Callable[[], Any],
        tell: Callable[[str], None] | None = None,
        wait: Callable[[float], object] | None = None,
    ) -> None:
        super().__init__()
        self.width, self.height = USUAL_WIDTH, USUAL_HEIGHT
        self._opening, self._wait_s = opening, 0.0
        self._ended = threading.Event()
        self._wait = wait or self._ended.wait
        self._asked: dict[str, Any] = {}  # the newest arguments of `show`, `light` and `listen`
        if tell is not None:
            try:
                self._open()
            except errors.DeviceError as error:
                tell(str(error))
                threading.Thread(target=self._look_for_it, name="late device", daemon=True).start()

    def read(self) -> ports.Frame | None:
        """Return the camera's next frame, None after `interrupt`; raises DeviceError while there is no camera."""
        if self._device is None and self._wait_s:  # before an attempt, so that a failure shows at once
            self._wait(self._wait_s)
        self._open()
        frame: ports.Frame | None = None if self._ended.is_set() else self._device.read()
        return frame

    def edges(self) -> Sequence[ports.Edge]:
        """Return the buttons' edges since the last call; none while there are no buttons."""
        edges: Sequence[ports.Edge] = () if self._device is None else self._device.edges()
        return edges

    def listen(self, call: Callable[[], None]) -> None:
        """Call `call`, from any thread, whenever there is an edge to fetch."""
        self._ask("listen", call)

    def show(self, pixels: NDArray[np.bool_]) -> None:
        """Show a picture, (height, width) bool; ignored if the display has another size."""
        self._ask("show", pixels)

    def light(self, light: ports.Light) -> None:
        """Set the brightness."""
        self._ask("light", light)

    def interrupt(self) -> None:
        """Stop trying to open the device; interrupt a camera's blocked `read`."""
        self._ended.set()
        super().interrupt()

    def close(self) -> None:
        """Close the device and stop trying to open it."""
        self._ended.set()
        super().close()

    def _ask(self, name: str, value: Any) -> None:  # noqa: ANN401 - the argument of any of the three
        self._asked[name] = value
        self._pass(name, value)

    def _pass(self, name: str, value: Any) -> None:  # noqa: ANN401 - the same
        device = self._device
        if device is not None and (name != "show" or value.shape == (device.height, device.width)):
            getattr(device, name)(value)

    def _look_for_it(self) -> None:
        while self._device is None and not self._ended.is_set():
            self._wait(self._wait_s)
            with suppress(errors.DeviceError):
                self._open()

    def _open(self) -> None:
        """Try once, unless it is open or the end has come; only one thread calls this."""
        if self._device is not None or self._ended.is_set():
            return
        try:
            self._device = device = self._opening()
        except errors.DeviceError:
            self._wait_s = next_wait_s(self._wait_s)
            raise
        if self._ended.is_set():  # interrupted while waiting
            device.close()
            return
        self.width, self.height = getattr(device, "width", USUAL_WIDTH), getattr(device, "height", USUAL_HEIGHT)
        for name in sorted(self._asked):  # "light" before "show"
            self._pass(name, self._asked[name])


def _nothing() -> None:
    """Stand for what a device cannot do."""
