"""Two push buttons on the pins of a Raspberry Pi, and an optional third one, through gpiozero.

Wiring: one leg of each button to its pin, the other to ground; no resistor, the Pi pulls the pins up. By default BANK
is GPIO17 (pin 11 of the header) and HOLD is GPIO27 (pin 13); ground is on pins 9 and 14. `gpio:bank=5,hold=6` selects
other GPIO (BCM) numbers, and `gpio:menu=25` adds the third.
"""

import contextlib
import os
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any

from tabletop.core.errors import DeviceError, InputError
from tabletop.core.ports import CONTACT_NAMES, FREE_PINS, PINS, ContactName, Edge
from tabletop.core.words import number, read_settings

Clock = Callable[[], float]

_PIN = "a GPIO (BCM) number from 4 to 27, such as 17 for pin 11 of the header"
TOO_LATE_S = 1.0  # a time further away than this is of another clock, as old kernels give it
SEARCH_S, LOOK_S = 20.0, 0.02  # how long a pressed button is looked for, and how often: a press takes 0.1 s
LOST_S = 0.1  # a level that differs from the edges for this long is no edge under way, but one that was lost
SETTINGS = {
    "bank": number(PINS["bank"], FREE_PINS, _PIN),
    "hold": number(PINS["hold"], FREE_PINS, _PIN),
    "menu": number(None, FREE_PINS, _PIN),
}


class GpioButtons:
    """Buttons that close their pin to ground. Bouncing is passed on: `tabletop.input.presses` removes it.

    pins: BCM numbers by button. clock: seconds, that of the frames. Raises whatever gpiozero's pin library raises.
    """

    def __init__(self, pins: Mapping[ContactName, int], clock: Clock = time.monotonic) -> None:
        self._seen: SimpleQueue[tuple[float, ContactName, bool]] = SimpleQueue()
        self._clock = clock
        self._call: Callable[[], None] = lambda: None
        self._pins: dict[ContactName, _Pin] = {}
        try:
            for button, number in pins.items():
                self._open(button, number)
        except BaseException:
            self.close()
            raise

    def edges(self) -> Sequence[Edge]:
        """Return the edges since the last call, oldest first.

        A button held since before is reported as closed at minus infinity. If the system lost an edge, the pin's level
        reveals it a little later.
        """
        found = []
        with contextlib.suppress(Empty):
            while True:
                found.append(Edge(*self._seen.get_nowait()))
        found.sort(key=lambda edge: edge.time_s)
        for button, pin in self._pins.items():
            for edge in found:
                if edge.button == button:
                    pin.reported = edge.down
            if pin.lost_edge(self._clock()):
                found.append(Edge(self._clock(), button, pin.reported))
        return found

    def listen(self, call: Callable[[], None]) -> None:
        """Call `call`, in the pins' thread, at each edge; its exceptions are swallowed."""
        self._call = call

    def close(self) -> None:
        """Release the pins, and drop unread edges."""
        for pin in self._pins.values():
            pin.device.close()
        self._pins.clear()
        self.edges()

    def _open(self, button: ContactName, number: int) -> None:
        from gpiozero import DigitalInputDevice  # noqa: PLC0415 - slow; only a table with real buttons needs it

        device = DigitalInputDevice(number, pull_up=True, bounce_time=None)
        pin = self._pins[button] = _Pin(device, self._noting(button, device.pin_factory))
        device.pin.when_changed = pin.note
        if device.is_active:
            self._seen.put((float("-inf"), button, True))

    def _noting(self, button: ContactName, factory: Any) -> Callable[[float, int], None]:  # noqa: ANN401 - it has no types
        """Return what a pin's change calls, in the one thread of all pins: an error there would end them all.

        The kernel says when the pin changed, which may be a while ago where this thread had to wait for its turn. That
        is time of the world, and nothing to a clock that a test sets.
        """

        def note(ticks: float, level: int) -> None:
            with contextlib.suppress(Exception):
                late_s = factory.ticks_diff(factory.ticks(), ticks) if self._clock is time.monotonic else 0.0
                self._seen.put((self._clock() - (late_s if 0.0 < late_s < TOO_LATE_S else 0.0), button, not level))
                self._call()

        return note


@dataclass(slots=True)
class _Pin:
    """One open pin. note: what its changes call; gpiozero itself does not keep it. reported: its last level."""

    device: Any
    note: Callable[[float, int], None]
    reported: bool = False
    other_since_s: float | None = None

    def lost_edge(self, now_s: float) -> bool:
        """Return whether the pin's level has been another one than was reported for this long that an edge was lost."""
        with contextlib.suppress(Exception):  # a level that cannot be read says nothing
            if self.device.is_active == self.reported:
                self.other_since_s = None
            elif self.other_since_s is None:
                self.other_since_s = now_s
            elif now_s - self.other_since_s > LOST_S:
                self.reported, self.other_since_s = not self.reported, None
                return True
        return False


def open_gpio(words: str, clock: Clock = time.monotonic) -> GpioButtons:
    """Open the buttons of `--buttons gpio:WORDS`.

    words: `bank=17,hold=27,menu=25` in BCM numbers, or a part of it; without `menu` there are two buttons. Raises
    InputError if they are invalid, DeviceError if there are no pins or another program uses them.
    """
    given = read_settings("--buttons gpio", words, SETTINGS)
    pins = {button: given[button] for button in CONTACT_NAMES if button in given}
    for pin in pins.values():
        if list(pins.values()).count(pin) > 1:
            raise InputError(f"expected --buttons gpio: with a pin of its own for each button, got {pin} twice")
    try:
        with pin_library():
            return GpioButtons(pins, clock=clock)
    except Exception as error:  # every pin library behind gpiozero has errors of its own kind
        names = " and ".join(f"GPIO{pin}" for pin in pins.values())
        raise DeviceError(
            f"expected buttons on {names}, got: {_one_line(error)}; on a Raspberry "
            "Pi install python3-lgpio, let the virtual environment see it (--system-site-packages), be in the group "
            "gpio and end other programs that use these pins; elsewhere use --buttons keys or none"
        ) from error


def find_press(wait_s: float = SEARCH_S) -> int | None:
    """Return the GPIO (BCM) number of the first free pin that somebody closes to ground, None after this many seconds.

    Free are pins 4 to 27 that no program uses, the table included. One that is at ground from the beginning does not
    count. They are inputs meanwhile, pulled up.
    """
    with pin_library(), contextlib.ExitStack() as opened:
        from gpiozero import DigitalInputDevice  # noqa: PLC0415 - slow; only a table with real buttons needs it

        pins: dict[int, Any] = {}
        for number in FREE_PINS:
            with contextlib.suppress(Exception):  # in use; every pin library behind gpiozero has errors of its own kind
                pins[number] = opened.enter_context(DigitalInputDevice(number, pull_up=True))
        waiting = {number: pin for number, pin in pins.items() if not pin.is_active}
        ends_s = time.monotonic() + wait_s
        while waiting and time.monotonic() < ends_s:
            for number, pin in waiting.items():
                if pin.is_active:
                    return number
            time.sleep(LOOK_S)
        return None


@contextlib.contextmanager
def pin_library() -> Iterator[None]:
    """Let gpiozero choose its pin library, on opening the first device, without leftover files and warnings.

    It warns about each library that it did not find; our error has the essentials in one line.
    """
    with _own_folder(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


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


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
