"""Screens with their own thread, on chips that are fakes to the byte: opened, lost and found, hanging, closed."""

import errno
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import numpy as np
import pytest
import smbus2
from display_chip import Bus, Sh1106, Ssd1306
from gpiozero import Device
from panels import CHIPS, random_picture

from hardware import screens
from hardware.panel import RETRY_S
from hardware.screens import Oled, open_sh1106, open_ssd1306
from tabletop.core.errors import DeviceError, InputError
from tools.bench.presses import press_figures

# luma calls a method that Pillow 14 takes away; pyproject.toml holds Pillow below it
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")

OPENERS = {"ssd1306": open_ssd1306, "sh1106": open_sh1106}


@contextmanager
def opened(name: str, bus: Bus, clock: Callable[[], float] = lambda: 0.0) -> Iterator[Oled]:
    words = "" if bus.chip.rows == 64 else f"height={bus.chip.rows}"
    screen = OPENERS[name.split(maxsplit=1)[0]](words, bus, clock)
    try:
        yield screen
    finally:
        screen.close()


def test_an_sh1106_whose_glass_begins_at_the_first_column() -> None:
    """Some boards show columns 0 to 127 of 132: `offset=0` puts the picture there."""
    chip = Sh1106()
    chip.left = 0
    bus = Bus(chip)
    screen = open_sh1106("offset=0", bus)
    screen.show(random_picture(7))
    assert bus.wait_until(lambda: np.array_equal(chip.glass(), random_picture(7)))
    screen.close()


def upside_down(bus: Bus, seed: int) -> bool:
    return np.array_equal(np.rot90(bus.chip.glass(), 2), random_picture(seed))


@pytest.mark.parametrize("name", OPENERS)
def test_a_display_that_is_mounted_upside_down(name: str) -> None:
    """`rotate=180`: turned by hand, the glass shows the picture, and the next one."""
    bus = Bus(CHIPS[name]())
    screen = OPENERS[name]("rotate=180", bus)
    for seed in (7, 8):
        screen.show(random_picture(seed))
        assert bus.wait_until(partial(upside_down, bus, seed))
    screen.close()


def test_a_picture_of_another_size_is_a_mistake() -> None:
    """Shape and kind are said, and the screen still works."""
    bus = Bus(Ssd1306())
    with opened("ssd1306", bus) as screen:
        with pytest.raises(ValueError, match=r"64 rows of 128 bool.*\(128, 64\)"):
            screen.show(np.zeros((128, 64), bool))
        with pytest.raises(ValueError, match="uint8"):
            screen.show(np.zeros((64, 128), np.uint8))
        screen.show(random_picture(1))
        assert bus.wait_until(lambda: np.array_equal(bus.chip.glass(), random_picture(1)))


def test_the_bus_of_a_pi(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a bus given luma opens /dev/i2c-N and sends a picture in one message; a lost wire leaves no bus open."""
    bus, numbers, now_s = Bus(Sh1106(), address=0x3D), list[int](), [0.0]

    def smbus(number: int) -> Bus:
        numbers.append(number)
        return bus

    monkeypatch.setattr(smbus2, "SMBus", smbus)
    screen = open_sh1106("bus=3, address=0x3d", clock=lambda: now_s[0])
    screen.show(random_picture(1))
    assert bus.wait_until(lambda: np.array_equal(bus.chip.glass(), random_picture(1)))
    bus.budget = 10
    screen.show(random_picture(2))
    assert bus.wait_until(lambda: screen.trouble != "")
    bus.budget, now_s[0] = None, RETRY_S
    screen.show(random_picture(3))
    assert bus.wait_until(lambda: np.array_equal(bus.chip.glass(), random_picture(3)))
    screen.close()
    assert numbers == [3, 3, 3]  # looked for, used, found again
    assert bus.closed == len(numbers)


@pytest.mark.parametrize("number", [errno.ENOENT, errno.EACCES, errno.EBUSY])
def test_no_bus_says_what_to_do(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """No device file, no right to it, or anything else: one line with the way out."""

    def smbus(bus: int) -> Bus:
        raise OSError(number, "as the kernel says", f"/dev/i2c-{bus}")

    monkeypatch.setattr(smbus2, "SMBus", smbus)
    with pytest.raises(DeviceError, match=r"/dev/i2c-1.*enable I2C.*--screen terminal") as caught:
        open_ssd1306("")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("address=0x78", "0x78 is 0x3c"),
        ("height=48", "64 or 32 rows"),
        ("heigth=32", "got 'heigth=32'; nearest: height=32"),
        ("bus=70", "/dev/i2c-N"),
        ("width=128", "address=, bus=, offset=, height="),
        ("bus=1,bus=1", "at most once"),
    ],
)
def test_wrong_words_are_said(words: str, said: str) -> None:
    """Each mistake gives one line with what was expected and what was got."""
    with pytest.raises(InputError, match=said) as caught:
        open_ssd1306(words)
    assert "got" in str(caught.value)
    assert "\n" not in str(caught.value)


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


@pytest.mark.slow  # it waits for a table to come up and then for real presses
def test_the_measurement_of_presses_measures() -> None:
    """Two presses of a mock pin reach the bus through the real loop and the display's thread."""
    before = Device.pin_factory
    try:
        figures = list(press_figures(presses=2))
    finally:
        Device.pin_factory = before
    assert [figure.runs for figure in figures] == [2, 2, 2]
    assert all(figure.value is not None and figure.value > 1.0 for figure in figures)  # the bus alone takes as long
