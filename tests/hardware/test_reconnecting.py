"""Devices that come late: what was asked before is made up for, and nothing is opened after the end."""

import threading
from collections.abc import Callable, Sequence
from queue import SimpleQueue

import numpy as np
import pytest
from numpy.typing import NDArray

from tabletop.core.errors import DeviceError
from tabletop.core.ports import Edge, Frame, Light
from tabletop.core.reconnecting import Reconnecting

WAIT_S = 30.0  # a test that waits so long has failed
MISSING = "expected a device, got none"


class Device:
    """A screen of 32 rows and a button, which note what they are asked to do."""

    def __init__(self) -> None:
        self.width, self.height = 128, 32
        self.done = SimpleQueue[tuple[str, object]]()

    def show(self, pixels: NDArray[np.bool_]) -> None:
        self.done.put(("show", int(pixels.sum())))

    def light(self, light: Light) -> None:
        self.done.put(("light", light))

    def edges(self) -> Sequence[Edge]:
        return (Edge(1.0, "bank", down=True),)

    def listen(self, call: Callable[[], None]) -> None:
        """Call at once: there is an edge."""
        call()

    def close(self) -> None:
        self.done.put(("close", None))


class Cable:
    """A device that comes after some tries. Waits last until `tries` says how many more are allowed."""

    def __init__(self) -> None:
        self.device, self.plugged, self.asked = Device(), False, 0
        self.tries = SimpleQueue[None]()
        self.told: list[str] = []

    def opened(self) -> Device:
        self.asked += 1
        if not self.plugged:
            raise DeviceError(MISSING)
        return self.device

    def reconnecting(self) -> Reconnecting:
        return Reconnecting(self.opened, self.told.append, lambda _: self.tries.get(timeout=WAIT_S))


def test_a_late_screen_shows_what_was_shown_last() -> None:
    """With the light that was set; pictures for a display of another height are left out."""
    cable = Cable()
    screen = cable.reconnecting()
    assert (cable.told, screen.width, screen.height) == ([MISSING], 128, 64)
    screen.show(np.ones((64, 128), bool))
    screen.light("dim")
    screen.show(np.ones((32, 128), bool))
    cable.tries.put(None)
    cable.plugged = True
    cable.tries.put(None)
    assert cable.device.done.get(timeout=WAIT_S) == ("light", "dim")
    assert cable.device.done.get(timeout=WAIT_S) == ("show", 4096)
    screen.show(np.ones((64, 128), bool))
    screen.close()
    assert cable.device.done.get(timeout=WAIT_S) == ("close", None)
    assert (screen.height, len(cable.told)) == (32, 1)


def test_late_buttons_wake_who_listened_before() -> None:
    """No edges while there are none; then the listener is called and the edges are there."""
    cable, called = Cable(), threading.Event()
    buttons = cable.reconnecting()
    buttons.listen(called.set)
    assert buttons.edges() == ()
    cable.plugged = True
    cable.tries.put(None)
    assert called.wait(WAIT_S)
    assert [edge.button for edge in buttons.edges()] == ["bank"]


def test_after_the_end_nothing_is_opened() -> None:
    """A device that comes after `close` is left alone."""
    cable = Cable()
    screen = cable.reconnecting()
    screen.close()
    cable.plugged = True
    cable.tries.put(None)
    assert cable.asked == 1
    assert cable.device.done.empty()


def test_a_camera_is_tried_with_growing_waits() -> None:
    """By each `read`: why it is missing first, then 1, 2, 4 and 4 seconds until it is there."""
    waits, tries = list[float](), list[int]()

    class Camera(Device):
        def read(self) -> Frame:
            return Frame(np.zeros((2, 2, 3), np.uint8), 1.0)

    def opening() -> Camera:
        tries.append(len(tries))
        if len(tries) <= 4:
            raise DeviceError(MISSING)
        return Camera()

    camera = Reconnecting(opening, wait=waits.append)
    for _ in range(4):
        with pytest.raises(DeviceError, match=MISSING):
            camera.read()
    assert camera.read() is not None
    assert waits == [1.0, 2.0, 4.0, 4.0]
    camera.interrupt()
    assert camera.read() is None
