"""Two push buttons on the pins of a Raspberry Pi, through gpiozero.

Wiring: one leg of each button to its pin, the other to ground; no resistor, the Pi pulls the pins up. By default BANK
is GPIO17 (pin 11 of the header) and HOLD is GPIO27 (pin 13); ground is on pins 9 and 14. `gpio:bank=5,hold=6` names
others by their GPIO (BCM) numbers.

    buttons = open_gpio("")
    for edge in buttons.edges():
        print(edge)
"""

import contextlib
import os
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from queue import Empty, SimpleQueue
from typing import Any

from hardware.words import Setting, numbers
from tabletop.errors import DeviceError, InputError
from tabletop.ports import ButtonName, Edge

Clock = Callable[[], float]

BANK_PIN = 17  # BCM number; pin 11 of the header
HOLD_PIN = 27  # BCM number; pin 13 of the header
FREE_PINS = range(4, 28)  # the header's GPIOs but 0 to 3: those are the wires of the board's memory and of the screen
_PIN = "a GPIO (BCM) number from 4 to 27, such as 17 for pin 11 of the header"
SETTINGS = {"bank": Setting(BANK_PIN, FREE_PINS, _PIN), "hold": Setting(HOLD_PIN, FREE_PINS, _PIN)}


class GpioButtons:
    """Two buttons that close their pin to ground. Chatter is handed on as it comes: `tabletop.presses` knows it.

    bank, hold: BCM numbers. clock: seconds, that of the frames. Raises whatever gpiozero's pin library raises.
    """

    def __init__(self, bank: int, hold: int, clock: Clock = time.monotonic) -> None:
        self._seen: SimpleQueue[tuple[float, ButtonName, bool]] = SimpleQueue()
        self._clock = clock
        self._devices: list[Any] = []
        try:
            self._listen("bank", bank)
            self._listen("hold", hold)
        except BaseException:
            self.close()
            raise

    def edges(self) -> Sequence[Edge]:
        """Return the edges since the last call, oldest first. A button held since before gives its opening only."""
        found = []
        with contextlib.suppress(Empty):
            while True:
                found.append(Edge(*self._seen.get_nowait()))
        return sorted(found, key=lambda edge: edge.time_s)

    def close(self) -> None:
        """Let the pins go, and forget what was not asked for."""
        for device in self._devices:
            device.close()
        self._devices.clear()
        self.edges()

    def _listen(self, button: ButtonName, pin: int) -> None:
        from gpiozero import DigitalInputDevice  # noqa: PLC0415 - slow; only a table with real buttons needs it

        device = DigitalInputDevice(pin, pull_up=True, bounce_time=None)
        self._devices.append(device)
        device.when_activated = self._noting(button, down=True)
        device.when_deactivated = self._noting(button, down=False)

    def _noting(self, button: ButtonName, *, down: bool) -> Callable[[], None]:
        """Return what a pin's change calls, in the one thread of all pins: an error there would end them all."""

        def note() -> None:
            with contextlib.suppress(Exception):
                self._seen.put((self._clock(), button, down))

        return note


def open_gpio(words: str, clock: Clock = time.monotonic) -> GpioButtons:
    """Open the buttons of `--buttons gpio:WORDS`.

    words: `bank=17,hold=27` in BCM numbers, or a part of it. Raises InputError where they cannot be read, DeviceError
    where there are no pins or another program has them.
    """
    pins = numbers("--buttons gpio", words, SETTINGS)
    if pins["bank"] == pins["hold"]:
        raise InputError(f"expected --buttons gpio:bank=,hold= with two different pins, got {pins['bank']} twice")
    try:
        with _own_folder(), _no_warnings():
            return GpioButtons(**pins, clock=clock)
    except Exception as error:  # every pin library behind gpiozero has errors of its own kind
        raise DeviceError(
            f"expected buttons on GPIO{pins['bank']} and GPIO{pins['hold']}, got: {_one_line(error)}; on a Raspberry "
            "Pi install python3-lgpio, let the virtual environment see it (--system-site-packages), be in the group "
            "gpio and end other programs that use these pins; elsewhere use --buttons keys or none"
        ) from error


@contextlib.contextmanager
def _own_folder() -> Iterator[None]:
    """Import lgpio in a folder where it may write: it makes a pipe there, and moves to the folder that LG_WD names.

    The pipe stays open without its name, so that the folder goes again at once.
    """
    here, given = os.getcwd(), os.environ.get("LG_WD")  # noqa: PTH109 - a string is what chdir takes
    with tempfile.TemporaryDirectory(prefix="tabletop-gpio-") as folder:
        if given is None:
            os.environ["LG_WD"] = folder
        try:
            yield
        finally:
            os.chdir(here)
            if given is None:
                del os.environ["LG_WD"]


@contextlib.contextmanager
def _no_warnings() -> Iterator[None]:
    """Silence gpiozero's word about each pin library that it did not find: what counts is told in one line."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
