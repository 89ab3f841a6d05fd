"""What lies below the ports of a table: hardware that comes loose, for the program `tabletop play` itself.

Nothing of ours is replaced. Stand-ins are V4L2 as OpenCV shows it, gpiozero's own mock pins, a display's chip behind
its bus as smbus2 offers it, and a card (a tmpfs) that gets full. Time is simulated, so that a match of hours takes
seconds: this is imported before `tabletop`.
"""

import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from random import Random
from typing import ClassVar

import cv2
import numpy as np
import smbus2
import virtual_time  # noqa: F401 - replaces the clock
from display_chip import Bus, Ssd1306
from gpiozero import Device
from numpy.typing import NDArray
from v4l2_camera import Plugged, VideoCapture

WIDTH, HEIGHT, DIE_PX, FPS = 320, 240, 32.0, 10.0
PLACES = tuple((x, y) for y in (45, 120, 195) for x in (40, 100, 160, 220, 280))  # px, where a die may come to lie
AROUND_PX = 30  # a die and its shadow reach no farther
BANK_PIN, HOLD_PIN = 17, 27  # as in docs/wiring.md
Scene = tuple[tuple[int, int], ...]  # face and place of each die, in the order of their places
CHATTER_S, PRESS_S, LONG_PRESS_S, BOTH_S = 0.004, 0.1, 0.8, 4.5
FAULT_S = (0.5, 7.0)  # how long a fault lasts
EVERY_S = 30.0  # each part fails once in so long, on average
STEP_S = 0.1  # between two looks at what fails
LARGEST_CARD = 64 << 20  # bytes
CARD_LEFT = 300_000  # bytes that a full card has left: fewer than the table asks for, more than nothing
PACKAGE = {
    "METADATA": "Metadata-Version: 2.1\nName: people\nVersion: 1\n",
    "entry_points.txt": "[tabletop.views]\npeople = fault_players:open_eyes\n",
}
CONFIGURED = f"""\
camera = "usb:0,size={WIDTH}x{HEIGHT}"
buttons = "gpio"
screen = "ssd1306"
both_buttons = "switch off"
"""


@cache
def _drawn(face: int, place: int) -> NDArray[np.uint8]:
    from tabletop.simulator.render import compose  # noqa: PLC0415
    from tabletop.simulator.scene import Light, Look, PosedDie, Viewpoint, lying  # noqa: PLC0415
    from tools.room.chance import felt  # noqa: PLC0415

    look, (x, y) = Look(), PLACES[place]
    dice = [PosedDie(float(x), float(y), DIE_PX, lying(face, 20.0 * place, look), look)] if face else []
    view = Viewpoint(0.0, 0.0, 25 * DIE_PX, WIDTH / 2, HEIGHT / 2)
    drawn = compose(felt(HEIGHT, WIDTH, (52, 96, 44), np.random.default_rng(0)), dice, Light(), view)
    return np.asarray(cv2.GaussianBlur(np.asarray(drawn, np.uint8), (0, 0), 0.7), np.uint8)


@lru_cache(maxsize=4)
def picture(scene: Scene) -> NDArray[np.uint8]:
    """Draw the tray as the camera sees it, (HEIGHT, WIDTH, 3) BGR."""
    pixels = _drawn(0, 0).copy()
    for face, place in scene:
        x, y = PLACES[place]
        around = np.s_[max(0, y - AROUND_PX) : y + AROUND_PX, max(0, x - AROUND_PX) : x + AROUND_PX]
        pixels[around] = _drawn(face, place)[around]
    pixels.flags.writeable = False
    return pixels


def draw_all() -> None:
    for place in range(len(PLACES)):
        for face in range(7):
            _drawn(face, place)


def offer_view(folder: Path) -> None:
    """Offer the view `people`, as a package that is installed would."""
    facts = folder / "people-1.dist-info"
    facts.mkdir()
    for name, text in PACKAGE.items():
        (facts / name).write_text(text, encoding="utf-8")
    sys.path.append(str(folder))


class Ports(Plugged):
    """The ports of the machine, with a camera over a tray. scene: what lies in it."""

    scene: Scene = ()

    def clock(self) -> float:
        return time.monotonic()

    def wait(self, seconds: float) -> None:
        time.sleep(seconds)
        self.measure()


class _Capture(VideoCapture):
    """What OpenCV opens there."""

    def retrieve(self) -> tuple[bool, NDArray[np.uint8] | None]:
        """Decode the tray; black where the light is off."""
        good, _ = super().retrieve()
        world = self._world
        assert isinstance(world, Ports)
        return good, picture(world.scene) if world.lux else np.zeros((HEIGHT, WIDTH, 3), np.uint8)


class Machine:
    """The machine that a table runs on, one a process, as it is switched on.

    folder: for its files. card: where the store is. loose: whether the ground wire of both buttons is off. on: the one
    of this process.
    """

    on: "ClassVar[Machine]"

    def __init__(self, folder: Path, card: Path) -> None:
        self.world, self.bus, self.card = Ports(folder, fps=FPS, modes=((WIDTH, HEIGHT),)), Bus(Ssd1306()), card
        self.loose = False
        self._folder = folder
        os.environ |= {
            "GPIOZERO_PIN_FACTORY": "mock",
            "STATE_DIRECTORY": str(card),
            "XDG_CONFIG_HOME": str(folder),
            "NOTIFY_SOCKET": str(folder / "notify"),
        }
        Machine.on = self

    def play(self, configured: str, *words: str) -> int:
        """Run `tabletop play` as the unit does until it ends; return its status. configured: lines of tabletop.toml."""
        from tabletop.cli.main import main  # noqa: PLC0415 - after what is replaced below it

        file = self._folder / "tabletop.toml"
        file.write_text(CONFIGURED + configured)
        return main(["play", "--config", str(file), *words])

    def press(self, *pins: int, seconds: float = PRESS_S) -> None:
        """Press buttons for so long, with chatter; nothing comes of it while the wire is loose."""
        if Device.pin_factory is None:  # the table has not looked at its buttons yet
            return
        buttons = [Device.pin_factory.pin(pin) for pin in pins]
        for level in ("drive_low", "drive_high", "drive_low"):
            for button in buttons if not self.loose else ():
                getattr(button, level)()
            time.sleep(CHATTER_S)
        time.sleep(seconds)
        for button in buttons:
            button.drive_high()
            button.clear_states()  # else gpiozero's stand-in remembers every one for ever


cv2.VideoCapture = lambda number, _: _Capture(Machine.on.world, number)  # type: ignore[assignment, misc]
smbus2.SMBus = lambda _: Machine.on.bus  # type: ignore[assignment, misc]


class Faults:
    """What fails and returns, each part on its own, at random moments. told: is given the name of each that fails."""

    def __init__(self, machine: Machine, chance: Random, told: Callable[[str], None]) -> None:
        self._machine, self._chance, self._told = machine, chance, told
        self._parts = {"camera": self._camera, "display": self._display, "buttons": self._buttons, "store": self._store}
        self._returns: dict[str, tuple[float, Callable[[], None]]] = {}
        self._refuses = False
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    def begin(self) -> None:
        """Let parts fail from now on, in a thread."""
        threading.Thread(target=self._run, name="faults", daemon=True).start()

    def _run(self) -> None:
        while True:
            time.sleep(STEP_S)
            self._step(time.monotonic())

    def _step(self, now_s: float) -> None:
        self._limit(resource.RLIM_INFINITY)  # what stands in for the machine writes files of its own
        for part, (until_s, mend) in list(self._returns.items()):
            if now_s >= until_s:
                mend()
                del self._returns[part]
        for part, fail in self._parts.items():
            if part not in self._returns and self._chance.random() < STEP_S / EVERY_S:
                self._returns[part] = now_s + self._chance.uniform(*FAULT_S), fail()
                self._told(part)
        if self._refuses:
            self._limit(0)

    def _limit(self, size: int) -> None:
        """Let no file of this process grow beyond so many bytes: writes are then refused though there is room."""
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    def _camera(self) -> Callable[[], None]:
        world, kind = self._machine.world, self._chance.choice(("unplugged", "stalled", "breaks", "dark"))
        if kind == "unplugged":
            world.unplug()
            return world.plug_in
        name, bad, good = ("lux", 0.0, 1.0) if kind == "dark" else (kind, True, False)
        setattr(world, name, bad)
        return lambda: setattr(world, name, good)

    def _display(self) -> Callable[[], None]:
        bus = self._machine.bus
        bus.budget = self._chance.randint(0, 40)  # the wire comes off in the middle of a message

        def back() -> None:
            bus.chip.power_up()
            bus.budget = None

        return back

    def _buttons(self) -> Callable[[], None]:
        self._machine.loose = True
        return lambda: setattr(self._machine, "loose", False)

    def _store(self) -> Callable[[], None]:
        if self._chance.random() < 0.5:  # a write that is refused though there is room: a quota, a card that breaks
            self._refuses = True
            return lambda: setattr(self, "_refuses", False)
        fill(self._machine.card)
        return lambda: make_room(self._machine.card)


def fill(card: Path) -> None:
    """Leave next to no room on a card; raise RuntimeError for a whole disk, which others use."""
    free = os.statvfs(card)
    if free.f_blocks * free.f_frsize > LARGEST_CARD:
        raise RuntimeError(f"expected a small tmpfs at {card}, got a disk: it is not filled")
    size = free.f_bavail * free.f_frsize - CARD_LEFT
    if size > 0:
        with (card / "photographs").open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, size)


def make_room(card: Path) -> None:
    (card / "photographs").unlink(missing_ok=True)
