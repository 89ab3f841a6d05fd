"""Time from a press to the display, over imitated wires: `python -m tools.bench.presses`.

From the edge of a mock pin to the last byte of the acknowledgement, through all parts in between in a match: gpiozero,
presses, the loop, drawing, the display's thread, and a bus as slow as I2C at 400 kHz. Meanwhile the reader reads a
simulated tray in its thread. It does not show how much slower the Pi's processor is.
"""

import random
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from gpiozero import Device
from gpiozero.pins.mock import MockFactory
from luma.oled import device

from hardware.buttons import GpioButtons, open_gpio
from hardware.panel import MESSAGE_BYTES, Panel
from hardware.screens import WIDTH, Oled
from tabletop.cli.wiring.keyboard import HandsAtKeys
from tabletop.cli.wiring.main_loop import Front, play_live
from tabletop.cli.wiring.presenter import Views
from tabletop.core.errors import DeviceError
from tabletop.core.ports import PINS, Camera, Frame
from tabletop.core.values import Moment
from tabletop.perception.pipeline import PerceptionPipeline
from tabletop.rules import Match
from tabletop.session.camera_thread import CameraThread
from tabletop.session.match_library import MatchLibrary
from tabletop.session.table_loop import TableLoop
from tabletop.simulator.devices import TrayButtons
from tabletop.simulator.tray import Tray, profile_of
from tabletop.store import Store
from tabletop.views.i18n.catalogue import Language
from tabletop.views.oled.screen import draw
from tabletop.views.snapshot import Snapshot
from tools.bench.figure import MS_PER_S, Figure
from tools.room.lossy_camera import noisy, over

BUS_HZ, BITS = 400_000, 9  # eight bits and the acknowledgement a byte
HEIGHT = 64
PRESSES = 60
NOISE = 2.0  # grey levels: no frame is like the one before, so that the reader has to read each
HELD_S, APART_S = 0.12, (0.35, 0.6)
COMING_UP_S = 2.5  # until the die lies and the first picture is there
PATIENCE_S = 5.0
WORST = 0.95
PHASE_S = 2.5  # long enough for the table to say that there are no pictures
PHASES = ("works", "black", "fails", "stalls")
CHIPS = (device.ssd1306, device.sh1106)
BEFORE = Snapshot(
    *("Pig", ("Ann", "Ben"), (43, 61), "Ann", "roll or bank?", 21), thrown=(5,), kept=(False,), hold="roll", bank="bank"
)
AFTER = replace(BEFORE, scores=(64, 61), asked="Ben", ask="throw one die", at_stake=0, hold="pause", bank="")


class ImitatedBus:
    """Accepts a display driver's output, taking as long as a real bus. sleep: whether time passes."""

    def __init__(self, *, sleep: bool) -> None:
        self.bytes_sent = 0
        self.sent = threading.Condition()
        self._sleep = sleep

    def command(self, *cmd: int) -> None:
        """Accept command bytes."""
        self._take(len(cmd))

    def data(self, data: list[int]) -> None:
        """Accept bytes of a picture, and notify waiting threads."""
        self._take(len(data))
        with self.sent:
            self.sent.notify_all()

    def cleanup(self) -> None:
        """Do nothing."""

    def _take(self, count: int) -> None:
        self.bytes_sent += MESSAGE_BYTES + count
        if self._sleep:
            time.sleep((MESSAGE_BYTES + count) * BITS / BUS_HZ)


def byte_figures() -> Iterator[Figure]:
    """Yield the cost of single changes on the bus."""
    changes: dict[str, tuple[Snapshot | None, Snapshot]] = {
        "a whole picture, with the chip's settings": (None, BEFORE),
        "a press acknowledged: its label turned light for dark": (BEFORE, replace(BEFORE, pressed="bank")),
        "a long press, one of twelve steps further": (
            replace(BEFORE, pressed="bank", held=0.5),
            replace(BEFORE, pressed="bank", held=0.58),
        ),
        "banked: nearly all of the picture": (BEFORE, AFTER),
        "a score of two digits": (BEFORE, replace(BEFORE, scores=(64, 61))),
    }
    for chip in CHIPS:
        for name, (before, after) in changes.items():
            bus = ImitatedBus(sleep=False)
            panel = _panel(chip, bus)
            if before is not None:
                panel.refresh(draw(before), 0.0)
            already = bus.bytes_sent
            panel.refresh(draw(after), 1.0)
            count = bus.bytes_sent - already
            bus_ms = count * BITS / BUS_HZ * MS_PER_S
            yield Figure(f"{chip.__name__}: {name}", bus_ms, "ms", 1, f"{count} bytes, {BITS} bits each at 400 kHz")


class FailingCamera:
    """A camera that works, is black, fails and stalls in turn, for some seconds each."""

    live = True

    def __init__(self, camera: Camera) -> None:
        self._camera = camera

    def read(self) -> Frame | None:
        """Return the next frame, or fail."""
        phase = PHASES[int(time.monotonic() / PHASE_S) % len(PHASES)]
        if phase == "stalls":
            time.sleep(PHASE_S)
        frame = self._camera.read()
        if phase == "fails":
            raise DeviceError("the camera stopped answering")
        return Frame(np.zeros_like(frame.pixels), frame.time_s) if frame is not None and phase == "black" else frame

    def close(self) -> None:
        """Close the camera."""
        self._camera.close()


def press_figures(presses: int = PRESSES, *, failing: bool = False) -> Iterator[Figure]:
    """Yield the time until presses are acknowledged during a match. failing: with a failing camera."""
    Device.pin_factory = MockFactory()
    bus = ImitatedBus(sleep=True)
    screen = Oled(lambda chip: _panel(getattr(device, chip), bus), "ssd1306")
    buttons = open_gpio("")
    keys = HandsAtKeys(None, None, TrayButtons(time.monotonic, random.Random(1)))
    chance = random.Random(1)
    tray = Tray(1, chance=chance, clock=time.monotonic, wait=time.sleep)
    seen = over(tray.camera, noisy(tray.show, NOISE))
    tray.throw()
    times: list[float] = []
    finger = threading.Thread(target=_press, args=(bus, keys, times, presses), daemon=True)
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "bench.db") as store:
        matches = MatchLibrary(store, lambda: Moment("1970-01-01T00:00:00Z"), lambda _: None)
        session = matches.begin(Match("pig", ["Ann", "Ben"]))
        finger.start()
        camera = FailingCamera(seen) if failing else seen
        front = Front(keys, Views((screen,), None, Language()))
        play_live(_table(camera, tray, matches, buttons), session, front, (buttons,))
    screen.close()
    buttons.close()
    worst = sorted(times)[int(WORST * (len(times) - 1))]
    name = f"edge to the acknowledgement on the glass{', while the camera fails' if failing else ''}"
    yield Figure(name, statistics.median(times), "ms", len(times), "median")
    yield Figure("the same", worst, "ms", len(times), f"{WORST:.0%} are faster")
    yield Figure("the same", max(times), "ms", len(times), "the slowest")


def _panel(chip: Callable[..., object], bus: ImitatedBus) -> Panel:
    return Panel(chip, lambda: bus, width=WIDTH, height=HEIGHT)


def _table(camera: Camera, tray: Tray, matches: MatchLibrary, buttons: GpioButtons) -> TableLoop:
    from tabletop.vision.reader import read  # noqa: PLC0415 - slow, and the bytes can be counted without

    return TableLoop(
        CameraThread(camera, PerceptionPipeline(read, profile_of(tray)), time.monotonic),
        (buttons,),
        {},  # no menu is opened here
        matches.menu,
    )


def _press(bus: ImitatedBus, keys: HandsAtKeys, times: list[float], presses: int) -> None:
    """Press BANK now and then, and note after how many milliseconds the next bytes had arrived."""
    chance = random.Random(2)
    pin = Device.pin_factory.pin(f"GPIO{PINS['bank']}")
    time.sleep(COMING_UP_S)
    for _ in range(presses):
        time.sleep(chance.uniform(*APART_S))
        with bus.sent:
            begun = time.monotonic()
            pin.drive_low()
            arrived = bus.sent.wait(PATIENCE_S)
        if arrived:
            times.append((time.monotonic() - begun) * MS_PER_S)
        time.sleep(HELD_S)
        pin.drive_high()
    keys.quit = True


def main(figures: Sequence[Iterator[Figure]] = ()) -> int:
    """Measure, and print a line for each figure."""
    for part in figures or (byte_figures(), press_figures(), press_figures(failing=True)):
        for figure in part:
            sys.stdout.write(f"{figure.value:>10.1f} {figure.unit:<4} {figure.name}  ({figure.note})\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
