"""A small passive buzzer on a pin of a Raspberry Pi: a short sound for a throw, a bank, and a die in question.

Wiring: + to GPIO12 (pin 32 of the header), - to ground (pin 30); no resistor for a piezo disc. It is a view, selected
by name: `tabletop play --view buzzer`, or the line `buzzer = 12` under [pins] in the configuration.
`buzzer:pin=13,volume=3` sets another pin and the volume, 1 to 5.
"""

import contextlib
import threading
from collections.abc import Callable
from queue import Full, Queue
from typing import Any

from hardware.buttons import pin_library
from tabletop.core import errors, ports
from tabletop.core.words import number, read_settings
from tabletop.views.snapshot import Snapshot

Tune = tuple[tuple[float, float], ...]  # notes: Hz, and seconds

THROW: Tune = ((1760.0, 0.03),)  # a tick: it happens all the time
BANK: Tune = ((1319.0, 0.06), (1760.0, 0.1))  # upwards
HELP: Tune = ((494.0, 0.1), (370.0, 0.16))  # downwards: look at the display
DUTIES = {1: 0.01, 2: 0.03, 3: 0.08, 4: 0.2, 5: 0.5}  # by volume: the share of each swing that the pin is up
MOST_WAITING = 2  # tunes: a later one would no longer match the screen
CLOSE_S = 1.0  # a pin that does not answer is given up after this when the program ends
SETTINGS = {
    "pin": number(ports.PINS["buzzer"], ports.FREE_PINS, "a GPIO (BCM) number from 4 to 27, such as 12 for pin 32"),
    "volume": number(2, range(1, 6), "1 (hardly heard) to 5 (as loud as it can)"),
}


class BuzzerView:
    """A view that makes sounds. play: plays a tune, and returns at once. close: releases the pin."""

    def __init__(self, play: Callable[[Tune], None], close: Callable[[], None] = lambda: None) -> None:
        self._play, self.close = play, close
        self._before = Snapshot()

    def show(self, snapshot: Snapshot, frame: ports.Frame | None, now_s: float) -> None:
        """Play the sound for changes since the last snapshot; silent in a menu, and for another match."""
        _ = frame, now_s
        if snapshot.menu is not None:
            return
        before, self._before = self._before, snapshot
        if (before.game, before.players) == (snapshot.game, snapshot.players):
            tune = tune_between(before, snapshot)
            if tune:
                self._play(tune)


def tune_between(before: Snapshot, now: Snapshot) -> Tune:
    """Return the tune for the change between two snapshots of one match, empty if there is none.

    A die in question is more important than points, points more than the throw.
    """
    if _asked_about(now) and not _asked_about(before):
        return HELP
    if any(score > was for score, was in zip(now.scores, before.scores, strict=False)):
        return BANK
    thrown = (now.thrower, now.thrown)
    return THROW if now.thrower and thrown != (before.thrower, before.thrown) else ()


def _asked_about(snapshot: Snapshot) -> bool:
    return snapshot.tray is not None and any(die.asked for die in snapshot.tray.dice)


class Sounder:
    """Plays tunes on a pin, in a separate thread. pin: BCM number. duty: 0.0 to 0.5.

    Raises whatever gpiozero's pin library raises.
    """

    def __init__(self, pin: int, duty: float) -> None:
        from gpiozero import PWMOutputDevice  # noqa: PLC0415 - slow; only a table with a buzzer needs it

        self._device: Any = PWMOutputDevice(pin, initial_value=0.0)
        self._duty = duty
        self._waiting: Queue[Tune | None] = Queue(MOST_WAITING + 1)
        self._pause = threading.Event()  # never set: it only waits
        self._thread = threading.Thread(target=self._run, name="buzzer", daemon=True)
        self._thread.start()

    def play(self, tune: Tune) -> None:
        """Queue a tune; does nothing if the queue is full. Returns at once."""
        if self._waiting.qsize() < MOST_WAITING:
            with contextlib.suppress(Full):
                self._waiting.put_nowait(tune)

    def close(self) -> None:
        """Play the queued tunes, then release the pin. Closing twice does nothing."""
        if self._thread.is_alive():
            self._waiting.put(None)
            self._thread.join(CLOSE_S)
        self._device.close()

    def _run(self) -> None:
        while tune := self._waiting.get():
            with contextlib.suppress(Exception):  # a pin that fails is silent, and nothing else
                for hertz, seconds in tune:
                    self._device.frequency = hertz
                    self._device.value = self._duty
                    self._pause.wait(seconds)
            with contextlib.suppress(Exception):
                self._device.value = 0.0


def open_buzzer(words: str) -> BuzzerView:
    """Open the view `--view buzzer:WORDS`.

    words: `pin=12,volume=2`, or a part of it. Raises InputError if they are invalid, DeviceError if there is no such
    pin or another program uses it.
    """
    given = read_settings("--view buzzer", words, SETTINGS)
    try:
        with pin_library():
            sounder = Sounder(given["pin"], DUTIES[given["volume"]])
    except Exception as error:  # every pin library behind gpiozero has errors of its own kind
        line = " ".join(str(error).split()) or type(error).__name__
        raise errors.DeviceError(
            f"expected a buzzer on GPIO{given['pin']}, got: {line}; it needs a Raspberry Pi, python3-lgpio and the "
            "group gpio, like the buttons; without one leave it out"
        ) from error
    return BuzzerView(sounder.play, sounder.close)
