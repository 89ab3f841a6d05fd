"""A whole table in one process, on devices that come loose: the real drivers, over a camera, pins and a chip that fail.

Below our ports everything stands in for hardware only: V4L2 as OpenCV shows it, gpiozero's mock pins, a display's chip
behind its bus, and a card (a tmpfs) that gets full. Time is simulated, so that a match of hours takes seconds.
"""

import os
import resource
import signal
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

import cv2
import numpy as np
from display_chip import Bus, Ssd1306
from gpiozero import Device
from gpiozero.pins.mock import MockFactory
from numpy.typing import NDArray
from stepped_camera import SteppedCamera
from v4l2_camera import Plugged, VideoCapture

from hardware.buttons import BANK_PIN, open_gpio
from hardware.screens import open_ssd1306
from tabletop.cameras.usb import UsbOpening
from tabletop.cameras.usb_nodes import UsbNodes
from tabletop.cameras.words import CameraWords
from tabletop.cli.wiring.presenter import Views
from tabletop.perception.pipeline import PerceptionPipeline
from tabletop.session.camera_thread import CameraThread
from tabletop.session.match.match_session import MatchSession
from tabletop.session.match_library import MatchLibrary
from tabletop.session.table_loop import TableLoop
from tabletop.simulator.render.compose import Light, Look, PosedDie, Viewpoint, compose, lying
from tabletop.simulator.render.grounds import felt
from tabletop.store import Store
from tabletop.store.clock import SystemClock
from tabletop.views.i18n.catalogue import load_language
from tabletop.views.snapshot import Snapshot
from tabletop.vision.reader import read

WIDTH, HEIGHT, DIE_PX, FPS = 320, 240, 32.0, 10.0
PLACES = ((85, 75), (215, 90), (120, 170), (240, 175))  # px, where a die may come to lie
Scene = tuple[tuple[int, ...], int] | None  # faces, and the place of the first die; None for an empty tray
PRESS_S = 0.1
FAULT_S = (0.5, 7.0)  # how long a fault lasts
EVERY_S = 20.0  # each part fails once in so long, on average
CARD_LEFT = 300_000  # bytes that a full card has left: fewer than the table asks for, more than nothing


@cache
def picture(scene: Scene) -> NDArray[np.uint8]:
    """Draw the tray as the camera sees it."""
    rng = np.random.default_rng(0)
    dice = []
    if scene is not None:
        faces, first = scene
        look = Look()
        for number, face in enumerate(faces):
            place = (first + number) % len(PLACES)
            x, y = PLACES[place]
            dice.append(PosedDie(float(x), float(y), DIE_PX, lying(face, 20.0 * place, look), look))
    view = Viewpoint(0.0, 0.0, 25 * DIE_PX, WIDTH / 2, HEIGHT / 2)
    drawn = compose(felt(HEIGHT, WIDTH, (52, 96, 44), rng), dice, Light(), view)
    pixels = np.asarray(cv2.GaussianBlur(np.asarray(drawn, np.uint8), (0, 0), 0.7), np.uint8)
    pixels.flags.writeable = False
    return pixels


class Tray(Plugged):
    """The ports of the machine, with a camera over a tray. scene: what lies in it."""

    scene: Scene = None

    def make(self, number: int, _: int) -> VideoCapture:
        """Open the camera at a node."""
        return _Capture(self, number)


class _Capture(VideoCapture):
    """What OpenCV opens there."""

    def retrieve(self) -> tuple[bool, NDArray[np.uint8] | None]:
        """Decode the tray; black where the light is off."""
        good, _ = super().retrieve()
        world = self._world
        assert isinstance(world, Tray)
        return good, picture(world.scene) if world.lux else np.zeros((HEIGHT, WIDTH, 3), np.uint8)


class FaultTable:
    """The table and what is under it.

    folder: for the machine's files. card: where the store is. chance: draws what fails, and when. told: is told the
    name of each part when it fails; without it, nothing fails.
    """

    def __init__(self, folder: Path, card: Path, chance: Random, told: Callable[[str], None] | None = None) -> None:
        Device.pin_factory = MockFactory()
        self.world, self.chance = Tray(folder, fps=FPS, modes=((WIDTH, HEIGHT),)), chance
        self.bus, self.card = Bus(Ssd1306()), card
        self.loose = False  # the ground wire of both buttons
        self.store = Store(card / "tabletop.db")
        clock = SystemClock(monotonic=self.world.clock)
        self.matches = MatchLibrary(self.store, clock, lambda _: None)
        opening = UsbOpening(
            CameraWords(width=WIDTH, height=HEIGHT),
            self.world.make,
            UsbNodes(folder / "dev", folder / "sys", folder / "proc"),
        )
        camera = SteppedCamera(opening, "usb:0", (WIDTH, HEIGHT), self.world.clock, self.world.wait)
        self.camera_thread = CameraThread(camera, PerceptionPipeline(read), self.world.clock)
        self.buttons = open_gpio("", clock=self.world.clock)
        self.screen = open_ssd1306("", bus=self.bus, clock=self.world.clock)
        self.views = Views((self.screen,), None, load_language("en"))
        self.table = TableLoop(
            self.camera_thread,
            [self.buttons],
            {**self.matches.handlers},
            self.matches.menu,
            store_trouble=lambda: self.store.trouble,
        )
        self.shown = Snapshot()
        self.faults = Faults(self, told) if told is not None else None

    def begin(self, session: MatchSession) -> None:
        """Play this match."""
        self.table.begin(session)

    @property
    def session(self) -> MatchSession:
        """The match that is played."""
        assert self.table.session is not None
        return self.table.session

    def run(self, seconds: float, until: Callable[[], bool] = lambda: False) -> bool:
        """Let time pass, until something is so; return whether it is."""
        end_s = self.world.now_s + seconds
        while not until():
            if self.world.now_s >= end_s:
                return False
            if self.faults is not None:
                self.faults.step(self.world.now_s)
            self.camera_thread.step()
            self.tick()
        return True

    def tick(self) -> None:
        """Turn the loop once, and show what it gives."""
        self.shown = self.table.tick(self.world.now_s)
        self.views.show(self.shown, self.camera_thread.newest, self.world.now_s)

    def press(self, number: int = BANK_PIN) -> None:
        """Press a button for a tenth of a second, with chatter; nothing comes of it while the wire is loose.

        The camera has a thread of its own in the program: while a finger is down, it holds nothing up here either.
        """
        pin = Device.pin_factory.pin(number)
        for level in (pin.drive_low, pin.drive_high, pin.drive_low):
            if not self.loose:
                level()
            self.world.wait(0.004)
        self.tick()
        self.world.wait(PRESS_S)
        pin.drive_high()


class Faults:
    """What fails and returns, each part by itself, at random moments."""

    def __init__(self, table: FaultTable, told: Callable[[str], None]) -> None:
        self._table, self._chance, self._told = table, table.chance, told
        self._parts = {
            "camera": self._camera,
            "display": self._display,
            "buttons": self._buttons,
            "store": self._store,
        }
        self._returns: dict[str, tuple[float, Callable[[], None]]] = {}
        self._looked_s = table.world.now_s
        self._refuses = False
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    def step(self, now_s: float) -> None:
        """Let parts fail and return."""
        self._limit(resource.RLIM_INFINITY)  # what stands in for the machine writes files of its own
        passed_s, self._looked_s = now_s - self._looked_s, now_s
        for part, (until_s, mend) in list(self._returns.items()):
            if now_s >= until_s:
                mend()
                del self._returns[part]
        for part, fail in self._parts.items():
            if part not in self._returns and self._chance.random() < passed_s / EVERY_S:
                self._returns[part] = now_s + self._chance.uniform(*FAULT_S), fail()
                self._told(part)
        if self._refuses:
            self._limit(0)

    def _limit(self, size: int) -> None:
        """Let no file of this process grow beyond so many bytes: writes are then refused though there is room."""
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    def _camera(self) -> Callable[[], None]:
        world, kind = self._table.world, self._chance.choice(("unplugged", "stalled", "breaks", "dark"))
        if kind == "unplugged":
            world.unplug()
            return world.plug_in
        name, bad, good = ("lux", 0.0, 1.0) if kind == "dark" else (kind, True, False)
        setattr(world, name, bad)
        return lambda: setattr(world, name, good)

    def _display(self) -> Callable[[], None]:
        bus = self._table.bus
        bus.budget = self._chance.randint(0, 40)  # the wire comes off in the middle of a message

        def back() -> None:
            bus.chip.power_up()
            bus.budget = None

        return back

    def _buttons(self) -> Callable[[], None]:
        self._table.loose = True
        return lambda: setattr(self._table, "loose", False)

    def _store(self) -> Callable[[], None]:
        if self._chance.random() < 0.5:  # a write that is refused though there is room: a quota, a card that breaks
            self._refuses = True
            return lambda: setattr(self, "_refuses", False)
        fill(self._table.card)
        return lambda: make_room(self._table.card)


def fill(card: Path) -> None:
    """Leave next to no room on a card."""
    free = os.statvfs(card)
    size = free.f_bavail * free.f_frsize - CARD_LEFT
    if size > 0:
        with (card / "photographs").open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, size)


def make_room(card: Path) -> None:
    """Delete what filled it."""
    (card / "photographs").unlink(missing_ok=True)
