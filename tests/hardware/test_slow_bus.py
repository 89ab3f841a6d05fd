"""A bus that hangs: the table does not wait for it, not even when it ends."""

import threading
from collections.abc import Iterator

import numpy as np
import pytest
from display_chip import Bus, Ssd1306
from panels import random_picture

from hardware import screens
from hardware.screens import Oled, open_ssd1306

pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")

WAIT_S = 10.0  # a hundred turns of the table's loop take five; these calls take a hundredth of that


class HangingBus(Bus):
    """A bus whose messages hang while `free` is not set, as with a wire that holds the clock down."""

    def __init__(self) -> None:
        super().__init__(Ssd1306())
        self.free, self.hanging = threading.Event(), threading.Event()
        self.free.set()
        self.after = self._hang

    def _hang(self) -> None:
        if not self.free.is_set():
            self.hanging.set()
            self.changed.release()  # others may look at the chip meanwhile
            self.free.wait()
            self.changed.acquire()


@pytest.fixture
def hanging() -> Iterator[tuple[HangingBus, Oled]]:
    """Hang the drawing thread of a display in the middle of a picture."""
    bus = HangingBus()
    screen = open_ssd1306("", bus)
    screen.show(random_picture(0))
    assert bus.wait_until(lambda: np.array_equal(bus.chip.glass(), random_picture(0)))
    bus.free.clear()
    screen.show(random_picture(1))
    assert bus.hanging.wait(30.0)
    yield bus, screen
    bus.free.set()
    screen.close()


def test_nobody_waits_for_a_hanging_bus(hanging: tuple[HangingBus, Oled]) -> None:
    """A hundred pictures, lights and chips are taken meanwhile; the newest is shown when it is free."""
    bus, screen = hanging

    def turns() -> None:
        for seed in range(100):
            screen.show(random_picture(seed))
            screen.light("dim" if seed % 2 else "full")
            screen.use_chip("sh1106" if seed % 2 else "ssd1306")

    table = threading.Thread(target=turns, daemon=True)
    table.start()
    table.join(WAIT_S)
    assert not table.is_alive()
    screen.use_chip("ssd1306")
    bus.free.set()
    assert bus.wait_until(lambda: np.array_equal(bus.chip.glass(), random_picture(99)))


def test_the_end_does_not_wait_for_a_hanging_bus(
    hanging: tuple[HangingBus, Oled], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is given up after a while that leaves room in the two seconds of a clean stop."""
    assert screens.CLOSE_S < 2.0
    monkeypatch.setattr(screens, "CLOSE_S", 0.01)
    _, screen = hanging
    screen.close()
    assert screen._thread.is_alive()  # noqa: SLF001 - it is a daemon, which ends with the program
    assert screen._thread.daemon  # noqa: SLF001
