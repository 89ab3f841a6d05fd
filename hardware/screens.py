"""A small OLED on the I2C bus of a Raspberry Pi, through luma.oled: SSD1306 or SH1106, 128x64 or 128x32.

Wiring: VCC to pin 1 of the header (3.3 V), GND to pin 6, SDA to pin 3, SCL to pin 5. The two chips look alike, and one
driven as the other shows garbage: then use the other word. `ssd1306:address=0x3d,bus=1,height=32` changes the defaults:
address 0x3c, bus 1 and 64 rows; `rotate=180` turns the picture of a display that is mounted upside down.
"""

import threading
import time
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from tabletop.core import errors, ports
from tabletop.core.words import number, read_settings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hardware.panel import Panel

Clock = Callable[[], float]

CHIPS = ("ssd1306", "sh1106")  # they look alike, and are sometimes sold as one another
WIDTH = 128  # px, of every display that is meant here
CLOSE_S = 1.5  # a bus that does not answer is given up after this: a clean stop takes two seconds at most
ADDRESSES = range(0x3C, 0x3E)  # of these chips on the I2C bus
SETTINGS = {
    "address": number(0x3C, ADDRESSES, "0x3c or 0x3d (boards print the double: 0x78 is 0x3c, 0x7a is 0x3d)"),
    "bus": number(1, range(64), "the number N of a /dev/i2c-N, such as 1"),
    "offset": number(2, range(5), "0 to 4, the first column that an SH1106 shows: 2 on nearly all, 0 on a few boards"),
    "height": number(64, range(32, 65, 32), "64 or 32 rows"),
    "rotate": number(0, range(0, 181, 180), "0, or 180 for a display that is mounted upside down"),
}


class _Wanted(NamedTuple):
    """What the display should show. pixels: None before the first picture."""

    pixels: "NDArray[np.bool_] | None"
    light: ports.Light
    chip: str


class Oled:
    """A screen that draws in a separate thread: only the newest picture counts, and a lost chip is retried.

    panels: makes the panel of each possible chip, used by that thread alone. named: the configured chip. clock:
    seconds, monotonic.
    """

    chips = CHIPS

    def __init__(self, panels: "Callable[[str], Panel]", named: str, clock: Clock = time.monotonic) -> None:
        self.named = self.chip = named
        self._panels, self._clock = cache(panels), clock  # a panel stays in memory until the program ends
        self._panel = self._panels(named)
        self.width, self.height = self._panel.width, self._panel.height
        self._changed = threading.Condition()
        self._wanted = self._drawn = _Wanted(None, "full", named)
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="oled", daemon=True)
        self._thread.start()

    @property
    def trouble(self) -> str:
        """Why the display was not reached the last time; empty while all is well."""
        return self._panel.trouble

    def show(self, pixels: "NDArray[np.bool_]") -> None:
        """Show a picture, (height, width) bool, True is lit; it is copied. Returns at once; does nothing after `close`.

        Raises ValueError for another shape or dtype.
        """
        if pixels.shape != (self.height, self.width) or pixels.dtype != bool:
            raise ValueError(
                f"expected {self.height} rows of {self.width} bool, got {pixels.shape} {pixels.dtype}: draw for it"
            )
        before = self._wanted.pixels
        if before is None or (before != pixels).any():
            self._want(pixels=pixels.copy())

    def light(self, light: ports.Light) -> None:
        """Set the brightness, also for a display that is lost and found. Returns at once."""
        if light != self._wanted.light:
            self._want(light=light)

    def use_chip(self, chip: str) -> None:
        """Drive the display as this one of `CHIPS` from now on.

        Returns at once; does nothing if it is already in use.
        """
        if chip != self.chip:
            self.chip = chip
            self._want(chip=chip)

    def close(self) -> None:
        """Switch the display off and release the bus."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join(CLOSE_S)

    def _want(self, **changes: Any) -> None:  # noqa: ANN401 - the fields of `_Wanted`
        with self._changed:
            self._wanted = self._wanted._replace(**changes)
            self._changed.notify()

    def _run(self) -> None:
        due_s: float | None = None
        while True:
            with self._changed:
                left_s = None if due_s is None else max(0.0, due_s - self._clock())
                self._changed.wait_for(lambda: self._closing or self._wanted is not self._drawn, left_s)
                before, self._drawn = self._drawn, self._wanted
                pixels, light, chip = self._drawn
                if self._closing:
                    break
            if chip != before.chip:  # the bus goes to a panel that knows nothing of what the display holds
                self._panel.hand_over()
                self._panel = self._panels(chip)
                self._panel.forget()
            if pixels is not None:
                due_s = self._panel.refresh(pixels, self._clock(), light)
        self._panel.off()


def open_ssd1306(words: str, bus: object = None, clock: Clock = time.monotonic) -> Oled:
    """Open the screen of `--screen ssd1306:WORDS` (mostly 0.96 inch displays).

    words: `address=0x3d,bus=1,height=32`, or a part of it. bus: an open SMBus instead of /dev/i2c-N. Raises InputError
    for invalid settings, DeviceError if there is no bus; a missing display is waited for.
    """
    return _open("ssd1306", words, bus, clock)


def open_sh1106(words: str, bus: object = None, clock: Clock = time.monotonic) -> Oled:
    """Open the screen of `--screen sh1106:WORDS` (mostly 1.3 inch displays); otherwise like `open_ssd1306`."""
    return _open("sh1106", words, bus, clock)


def _open(chip: str, words: str, bus: object, clock: Clock) -> Oled:
    settings = read_settings(f"--screen {chip}", words, SETTINGS)
    from luma.core.interface.serial import i2c  # noqa: PLC0415 - slow; only a table with a real screen needs them
    from luma.oled import device  # noqa: PLC0415

    from hardware.panel import LOST, Panel  # noqa: PLC0415

    def connect() -> Any:  # noqa: ANN401 - luma ships no types
        return i2c(bus=bus, port=settings["bus"], address=settings["address"])

    try:
        connect().cleanup()
    except LOST as error:
        raise errors.DeviceError(
            f"expected a screen on the bus /dev/i2c-{settings['bus']}, got: {' '.join(str(error).split())}; on a "
            "Raspberry Pi enable I2C (sudo raspi-config nonint do_i2c 0), restart it and be in the group i2c; "
            "elsewhere use --screen terminal or none"
        ) from error

    def panel(chip: str) -> Panel:
        turned = settings["rotate"] > 0
        height, left = settings["height"], settings["offset"]
        return Panel(getattr(device, chip), connect, width=WIDTH, height=height, left=left, turned=turned)

    return Oled(panel, chip, clock)
