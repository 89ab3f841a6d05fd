"""The contracts of the ports: one suite over real buttons on mock pins and simulated ones, one over every screen."""

from collections.abc import Iterator
from random import Random
from typing import Protocol

import numpy as np
import pytest
from display_chip import Bus, DisplayChip, Sh1106, Ssd1306
from gpiozero import Device
from gpiozero.pins.mock import MockFactory
from numpy.typing import NDArray

from hardware.buttons import open_gpio
from hardware.screens import open_sh1106, open_ssd1306
from tabletop.core.ports import BUTTON_NAMES, ButtonName, Buttons, Edge, Press, Screen
from tabletop.input.presses import Presses
from tabletop.simulator.devices import TrayButtons

LOOK_S = 0.01  # how often a table looks for presses


class Hand(Protocol):
    """Somebody who presses a pair of buttons, in a world with its own time."""

    buttons: Buttons
    now_s: float

    def press(self, button: ButtonName, *, long: bool = False) -> None:
        """Begin a press now."""

    def advance(self, seconds: float) -> None:
        """Let time go on, and contacts change in it."""


class HandOnPins:
    """Real buttons: the contacts are mock pins, the finger is ours."""

    def __init__(self) -> None:
        self.now_s, self._chance = 50.0, Random(1)
        self._changes: list[tuple[float, str, bool]] = []
        self.buttons: Buttons = open_gpio("bank=17,hold=27", lambda: self.now_s)

    def press(self, button: ButtonName, *, long: bool = False) -> None:
        """Close and open a contact; it bounces four times, for up to 12 ms."""
        pin = {"bank": "GPIO17", "hold": "GPIO27"}[button]
        for start_s, down in ((self.now_s, True), (self.now_s + (0.9 if long else 0.1), False)):
            times = [0.0, *sorted(self._chance.uniform(0.0, 0.012) for _ in range(8))]
            self._changes += [(start_s + after_s, pin, down == (count % 2 == 0)) for count, after_s in enumerate(times)]
        self._changes.sort()

    def advance(self, seconds: float) -> None:
        end_s = self.now_s + seconds
        while self._changes and self._changes[0][0] <= end_s:
            self.now_s, name, down = self._changes.pop(0)
            pin = Device.pin_factory.pin(name)
            pin.drive_low() if down else pin.drive_high()
        self.now_s = end_s


class HandAtTray:
    """Simulated buttons: they press themselves."""

    def __init__(self) -> None:
        self.now_s = 50.0
        self._tray = TrayButtons(lambda: self.now_s, Random(1))
        self.buttons: Buttons = self._tray

    def press(self, button: ButtonName, *, long: bool = False) -> None:
        self._tray.press(button, long=long)

    def advance(self, seconds: float) -> None:
        self.now_s += seconds


@pytest.fixture(params=["pins", "tray"])
def hand(request: pytest.FixtureRequest) -> Iterator[Hand]:
    before, Device.pin_factory = Device.pin_factory, MockFactory()
    sitting: Hand = HandOnPins() if request.param == "pins" else HandAtTray()
    try:
        yield sitting
    finally:
        sitting.buttons.close()
        Device.pin_factory.reset()
        Device.pin_factory = before


def watch(hand: Hand, seconds: float) -> list[Edge]:
    """Let time go on and look often; return all edges."""
    found: list[Edge] = []
    for _ in range(round(seconds / LOOK_S)):
        hand.advance(LOOK_S)
        found += hand.buttons.edges()
    return found


def test_late_looks_lose_nothing(hand: Hand) -> None:
    """A table that was busy gets all edges later, with the times at which they happened."""
    start_s = hand.now_s
    hand.press("hold")
    hand.advance(5.0)
    edges = list(hand.buttons.edges())
    assert edges[0] == Edge(start_s, "hold", down=True)
    assert not edges[-1].down
    assert edges[-1].time_s < start_s + 1.0
    assert list(hand.buttons.edges()) == []


def test_presses_come_out_as_they_were_meant(hand: Hand) -> None:
    """Short and long presses of both buttons, one after the other."""
    presses, found = Presses(), list[Press]()
    meant = [Press("bank"), Press("hold", long=True), Press("hold"), Press("bank", long=True), Press("bank")]
    for press in meant:
        hand.press(press.button, long=press.long)
        for _ in range(200):
            hand.advance(LOOK_S)
            found += presses.feed(hand.buttons.edges(), hand.now_s)
    assert [press for press in found if not press.repeat] == meant


@pytest.mark.parametrize("button", BUTTON_NAMES)
def test_who_listens_is_called(hand: Hand, button: ButtonName) -> None:
    """At the beginning of a press at the latest when its first edge can be fetched, and not before anything happens."""
    calls = list[float]()
    hand.buttons.listen(lambda: calls.append(hand.now_s))
    watch(hand, 0.5)
    assert calls == []
    hand.press(button)
    hand.advance(0.0)
    assert calls
    assert hand.buttons.edges()


def test_closing_ends_it(hand: Hand) -> None:
    """What was not asked for is forgotten; closing twice does nothing."""
    hand.press("bank")
    hand.advance(0.05)
    hand.buttons.close()
    hand.buttons.close()
    hand.advance(2.0)
    assert list(hand.buttons.edges()) == []


class Onlooker:
    """Somebody who looks at a screen: at the glass of a chip behind a bus, with a clock of our own."""

    def __init__(self, chip: DisplayChip) -> None:
        self.bus, self.now_s = Bus(chip), 50.0
        words = "" if chip.rows == 64 else f"height={chip.rows}"
        opener = open_sh1106 if isinstance(chip, Sh1106) else open_ssd1306
        self.screen: Screen = opener(words, self.bus, lambda: self.now_s)

    def sees(self, picture: NDArray[np.bool_]) -> bool:
        return self.bus.wait_until(lambda: np.array_equal(self.bus.chip.glass(), picture))

    def picture(self, seed: int) -> NDArray[np.bool_]:
        return np.random.default_rng(seed).random((self.screen.height, self.screen.width)) < 0.5


@pytest.fixture(params=["ssd1306", "sh1106", "ssd1306 of 32 rows"])
def onlooker(request: pytest.FixtureRequest) -> Iterator[Onlooker]:
    flat = request.param == "ssd1306 of 32 rows"
    chip: DisplayChip = Sh1106() if request.param == "sh1106" else Ssd1306()
    looking = Onlooker(Ssd1306(rows=32, com_pins=0x02) if flat else chip)
    yield looking
    looking.bus.budget = None
    looking.screen.close()


def test_what_is_shown_is_seen(onlooker: Onlooker) -> None:
    """Every pixel of one picture after the other; the array belongs to who gave it and may change afterwards."""
    pixels = onlooker.picture(0)
    for seed in range(3):
        pixels[:] = onlooker.picture(seed)
        onlooker.screen.show(pixels)
        pixels[:] = False
        assert onlooker.sees(onlooker.picture(seed))
    pixels[:] = onlooker.picture(2)
    pixels[5, 7] ^= True
    onlooker.screen.show(pixels)
    assert onlooker.sees(pixels)


def test_equal_pictures_cost_nothing(onlooker: Onlooker) -> None:
    """Shown a hundred times, sent once: the next byte on the bus is of the next picture."""
    onlooker.screen.show(onlooker.picture(1))
    assert onlooker.sees(onlooker.picture(1))
    sent = onlooker.bus.bytes_sent
    for _ in range(100):
        onlooker.screen.show(onlooker.picture(1))
        onlooker.screen.light("full")
    dot = onlooker.picture(1)
    dot[0, 0] ^= True
    onlooker.screen.show(dot)
    assert onlooker.sees(dot)
    assert onlooker.bus.bytes_sent - sent < 10


def test_light_is_set_and_kept(onlooker: Onlooker) -> None:
    """Dim shows the same picture; off shows nothing, whatever is shown meanwhile; then the newest is there at once."""
    chip = onlooker.bus.chip
    onlooker.screen.show(onlooker.picture(1))
    assert onlooker.sees(onlooker.picture(1))
    full = chip.contrast
    onlooker.screen.light("dim")
    assert onlooker.bus.wait_until(lambda: chip.contrast < full)
    assert onlooker.sees(onlooker.picture(1))
    onlooker.screen.light("off")
    assert onlooker.bus.wait_until(lambda: not chip.on)
    onlooker.screen.show(onlooker.picture(2))
    onlooker.screen.light("full")
    assert onlooker.sees(onlooker.picture(2))
    assert chip.contrast == full


def test_a_dead_screen_raises_nothing(onlooker: Onlooker) -> None:
    """Pictures and light are taken as before; when the display is back, both are what was wanted last."""
    chip = onlooker.bus.chip
    onlooker.screen.show(onlooker.picture(1))
    assert onlooker.sees(onlooker.picture(1))
    full = chip.contrast
    onlooker.bus.budget = 3
    for seed in range(5):
        onlooker.screen.show(onlooker.picture(seed))
        onlooker.screen.light("off" if seed % 2 else "dim")
    assert onlooker.bus.wait_until(lambda: onlooker.bus.budget == 0)
    chip.power_up()
    onlooker.bus.budget = None
    onlooker.now_s += 60.0
    onlooker.screen.show(onlooker.picture(6))
    assert onlooker.sees(onlooker.picture(6))
    assert 0 < chip.contrast < full


def test_a_closed_screen_is_dark(onlooker: Onlooker) -> None:
    """Closing twice, and pictures and light afterwards, do nothing."""
    onlooker.screen.show(onlooker.picture(1))
    assert onlooker.sees(onlooker.picture(1))
    onlooker.screen.close()
    assert not onlooker.bus.chip.glass().any()
    sent = onlooker.bus.bytes_sent
    onlooker.screen.show(onlooker.picture(2))
    onlooker.screen.light("full")
    onlooker.screen.close()
    assert onlooker.bus.bytes_sent == sent
