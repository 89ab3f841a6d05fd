"""Devices that come late: what was shown or asked before is made up for, and nothing is opened after the end."""

import threading
from collections.abc import Callable, Sequence
from queue import SimpleQueue

import numpy as np
from numpy.typing import NDArray

from tabletop.core.errors import DeviceError
from tabletop.core.ports import Edge, Light
from tabletop.service.late_devices import Device, LateButtons, LateScreen

WAIT_S = 30.0  # a test that waits so long has failed


class FlatScreen:
    """A screen of 32 rows that notes what it is asked to do."""

    def __init__(self) -> None:
        self.width, self.height = 128, 32
        self.done = SimpleQueue[tuple[str, object]]()

    def show(self, pixels: NDArray[np.bool_]) -> None:
        """Note the number of lit pixels."""
        self.done.put(("show", int(pixels.sum())))

    def light(self, light: Light) -> None:
        """Note the light."""
        self.done.put(("light", light))

    def close(self) -> None:
        """Note the end."""
        self.done.put(("close", None))


class OneEdge:
    """Buttons with one edge to fetch."""

    def __init__(self) -> None:
        self.called = threading.Event()

    def edges(self) -> Sequence[Edge]:
        """Return the edge."""
        return (Edge(1.0, "bank", down=True),)

    def listen(self, call: Callable[[], None]) -> None:
        """Call at once: there is an edge."""
        call()

    def close(self) -> None:
        """Do nothing."""


class Cable:
    """What is plugged in when the test says so; waits are over when the test lets them pass."""

    def __init__(self) -> None:
        self.plugged, self.asked = False, 0
        self.passes = SimpleQueue[bool]()

    def wait(self, closing: threading.Event, _seconds: float) -> bool:
        """Wait for the test; return whether the device was closed meanwhile."""
        self.passes.get(timeout=WAIT_S)
        return closing.is_set()

    def opening(self, device: Device) -> Callable[[], Device]:
        """Return what opens the device, or raises DeviceError while nothing is plugged in."""

        def opened() -> Device:
            self.asked += 1
            if not self.plugged:
                raise DeviceError("expected a device, got none")
            return device

        return opened


def test_a_late_screen_shows_what_was_shown_last() -> None:
    """With the light that was set; a picture for a display of another height is left out, and its own comes next."""
    cable, device, told = Cable(), FlatScreen(), list[str]()
    screen = LateScreen(cable.opening(device), told.append, cable.wait)
    assert told == ["expected a device, got none"]
    assert (screen.width, screen.height) == (128, 64)
    screen.show(np.ones((64, 128), bool))
    screen.light("dim")
    cable.passes.put(item=True)
    cable.plugged = True
    cable.passes.put(item=True)
    assert device.done.get(timeout=WAIT_S) == ("light", "dim")
    while screen.height != 32:
        pass
    screen.show(np.ones((32, 128), bool))
    assert device.done.get(timeout=WAIT_S) == ("show", 4096)
    screen.close()
    assert device.done.get(timeout=WAIT_S) == ("close", None)
    assert len(told) == 1


def test_late_buttons_wake_who_listened_before() -> None:
    """No edges while there are none; then the listener is called and the edges are there."""
    cable, device = Cable(), OneEdge()
    buttons = LateButtons(cable.opening(device), lambda _: None, cable.wait)
    buttons.listen(device.called.set)
    assert buttons.edges() == ()
    cable.plugged = True
    cable.passes.put(item=True)
    assert device.called.wait(WAIT_S)
    assert [edge.button for edge in buttons.edges()] == ["bank"]
    buttons.close()


def test_after_the_end_nothing_is_opened() -> None:
    """A device that comes after `close` is left alone."""
    cable, device = Cable(), FlatScreen()
    screen = LateScreen(cable.opening(device), lambda _: None, cable.wait)
    screen.close()
    cable.plugged = True
    cable.passes.put(item=True)
    assert cable.asked == 1
    assert device.done.empty()
