"""From the display that says "Ready" to the first scored throw, on a phone in a real Chromium, in at most 12 taps."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event

import numpy as np
import pytest
import zxingcpp
from browser import PHONE, Browser

from tabletop.config.mat import mat_of
from tabletop.config.profile import load_profile
from tabletop.simulator.mat_tray import BORDER_MM, PX_PER_MM
from tabletop.store import Store

pytestmark = pytest.mark.slow

SUPPORT = Path(__file__).resolve().parents[1] / "support"
PATIENCE_S, LOOK_S, PIXEL_PX = 60.0, 0.1, 4
MOST_TAPS = 12
LAPTOP = (1280, 800)
MAT = mat_of("A4", "left")
SCRIPT = Path(__file__).resolve().parents[2] / "build" / "others" / "axe_playwright_python" / "axe.min.js"
FAULTS = """
const done = arguments[0];
axe.run(document, { resultTypes: ["violations"], preload: false }).then((found) => done(found.violations.map((fault) =>
  `${fault.id}: ${fault.nodes[0].html.slice(0, 160)}`)));
"""


@dataclass(frozen=True, slots=True)
class Table:
    """A running table. glass: the file with what its display shows. program: itself."""

    glass: Path
    program: subprocess.Popen[str]

    def act(self, *lines: str) -> None:
        """Have people do something at the table: see `shown_table.py`."""
        assert self.program.stdin is not None
        for line in lines:
            self.program.stdin.write(f"{line}\n")
        self.program.stdin.flush()


@contextmanager
def table(folder: Path, *words: str) -> Iterator[Table]:
    """Play with these words on a table with a display of 64 rows."""
    places = {"XDG_STATE_HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "PYTHONPATH": os.pathsep.join(sys.path)}
    program = [sys.executable, str(SUPPORT / "shown_table.py"), str(folder / "glass"), "64", "play", *words]
    rest = ["--buttons", "none", "--screen", "ssd1306", "--listen", "lan", "--port", "0"]
    with (
        (folder / "said").open("w") as said,
        subprocess.Popen(
            [*program, *rest, "--store", str(folder / "a.db")],
            env=os.environ | places,
            stdin=subprocess.PIPE,
            stderr=said,
            text=True,
        ) as playing,
    ):
        try:
            yield Table(folder / "glass", playing)
        finally:
            playing.terminate()
    assert playing.returncode == 0, (folder / "said").read_text()


def scanned(table: Table, *, longest_s: float = PATIENCE_S) -> str:
    """Return what a phone reads on the display, as soon as there is something."""
    glass = table.glass
    end_s, waiting = time.monotonic() + longest_s, Event()
    while time.monotonic() < end_s:
        if glass.exists():
            pixels = np.frombuffer(glass.read_bytes(), np.bool_).reshape(64, 128)
            picture = (pixels * 255).astype(np.uint8).repeat(PIXEL_PX, axis=0).repeat(PIXEL_PX, axis=1)
            if found := zxingcpp.read_barcodes(picture):
                return str(found[0].text)
        waiting.wait(LOOK_S)
    return ""


class Finger:
    """Taps on a phone, and counts."""

    def __init__(self, phone: Browser) -> None:
        self.taps = 0
        self._phone = phone

    def tap(self, selector: str) -> None:
        self._phone.until_seen(selector)
        self._phone.tap(selector)
        self.taps += 1

    def touch(self, x: int, y: int) -> None:
        """Tap a place of the screen."""
        point = {"x": x, "y": y, "button": "left", "clickCount": 1}
        for kind in ("mousePressed", "mouseReleased"):
            self._phone.cdp("Input.dispatchMouseEvent", {"type": kind, **point})
        self.taps += 1


def step(phone: Browser, name: str) -> None:
    """Wait for a step; a wait that the way to another page cut off begins again there."""
    try:
        phone.until(f"document.body.dataset.step === '{name}'")
    except AssertionError as error:
        if "aborted by navigation" not in str(error):
            raise
        phone.until(f"document.body.dataset.step === '{name}'")


def shown(phone: Browser, dice: int) -> None:
    """Wait until the table asks whether it has read these dice right."""
    asked = f"document.querySelectorAll('#asked .die').length === {dice} && document.querySelector('#buttons .main')"
    phone.until(asked)


def choose_pig(finger: Finger, phone: Browser) -> None:
    """Take the quick game that is offered, type two names, and begin."""
    finger.tap("#buttons .main")
    phone.until_seen("#new-name")
    for name in ("Ann", "Ben"):
        phone.write("#new-name", f"{name}\ue007")
    finger.tap("#setup-start")
    phone.until_seen("#undo")


def thrown(folder: Path) -> list[list[int]]:
    with Store(folder / "a.db", looking=True) as store:
        return [event.body["faces"] for event in store.events(1) if event.body["kind"] == "throw"]


def test_from_ready_to_the_first_throw_with_few_taps(phone: Browser, tmp_path: Path) -> None:
    """The display's code is scanned; camera, tray, three throws, names and a match follow on the phone alone.

    No text is typed but two names. The throw is in the store.
    """
    finger = Finger(phone)
    with table(tmp_path, "--camera", "sim", "--seed", "5") as at:
        phone.open(scanned(at))
        step(phone, "camera")
        phone.until("document.querySelectorAll('#signs li').length === 4")
        finger.tap("#buttons .main")
        step(phone, "tray")
        phone.until_seen("#view.tapped")
        finger.tap("#buttons .main")  # it is known
        step(phone, "dice")
        for _ in range(3):
            finger.tap("#buttons button:not(.main)")
            shown(phone, 5)
            finger.tap("#buttons .main")
        step(phone, "match")
        choose_pig(finger, phone)
        finger.tap("[data-throw]")
        phone.until("document.body.dataset.moment.endsWith(',1')")
        assert scanned(at, longest_s=0.0) == ""
    assert [len(faces) for faces in thrown(tmp_path)] == [1]
    assert finger.taps <= MOST_TAPS


def corners_of_the_tray(phone: Browser) -> Sequence[tuple[int, int]]:
    """Return where on the screen the four corners are, of which the mat's sheet says where the camera sees them."""
    sharp = (np.array(MAT.tray.corners) + BORDER_MM) * PX_PER_MM
    size = (np.array((MAT.width_mm, MAT.height_mm)) + 2 * BORDER_MM) * PX_PER_MM
    box = "const box = document.querySelector('#view').getBoundingClientRect();"
    left, top, wide, high = phone.run(f"{box} return [box.left, box.top, box.width, box.height];")
    return [(round(left + x * wide), round(top + y * high)) for x, y in sharp / size]


@pytest.mark.parametrize("way", ["mat", "corners"])
def test_a_camera_over_a_tray_is_set_up_by_the_phone(phone: Browser, tmp_path: Path, way: str) -> None:
    """By the mat, or by four taps with a die as the ruler: as large as A4's mat, and the dice of 16 mm as such.

    On the way the camera is unplugged, and the page says so; a throw called wrong is left out; the phone reloads.
    """
    finger, mat = Finger(phone), way == "mat"
    with table(tmp_path, "--camera", "usb:0") as at:
        phone.open(scanned(at))
        step(phone, "camera")
        phone.until("document.querySelector('#found .wrong')")  # no display
        at.act(*(() if mat else ("cover", "throw")))
        finger.tap("#buttons .main")
        step(phone, "tray")
        phone.until_seen("#view.tapped")
        if not mat:
            phone.until("document.querySelector('#signs .figure').textContent.startsWith('0')")
            for x, y in corners_of_the_tray(phone):
                finger.touch(x, y)
        finger.tap("#buttons .main")
        step(phone, "dice")
        for throw in range(3):
            at.act("throw")
            shown(phone, 3)
            if throw == 1 and mat:
                at.act("unplug")
                phone.until_seen("#trouble")
                at.act("plug in")
                phone.until_seen("#trouble", gone=True)
                phone.tap("#buttons button:not(.main)")  # no
                phone.until("!document.querySelector('#buttons .main')")
                phone.open(str(phone.value("location.href")))
                shown(phone, 3)
                phone.tap("#buttons .main")
                phone.until("!document.querySelector('#buttons .main')")
                at.act("throw")
                shown(phone, 3)
            finger.tap("#buttons .main")
        step(phone, "match")
        choose_pig(finger, phone)
    assert finger.taps <= MOST_TAPS
    (file,) = tmp_path.rglob("table.toml")
    profile = load_profile(file)
    assert profile.tray_mm == pytest.approx((MAT.tray.width, MAT.tray.height), rel=0.001 if mat else 0.05)
    assert profile.die_mm == pytest.approx(16.0, abs=0.5 if mat else 1.0)
    assert profile.setup is not None
    assert (profile.setup.dice, profile.setup.die_colours) == (9, ("red",))


def test_a_table_without_a_camera_needs_one_tap(phone: Browser, tmp_path: Path) -> None:
    """Then any game can be chosen, and names are asked; the steps are there again under "More"."""
    with table(tmp_path, "--camera", "none") as at:
        phone.open(scanned(at))
        step(phone, "camera")
        phone.tap("#buttons .main")
        step(phone, "match")
        phone.tap("#buttons button:not(.main)")
        phone.until_seen("#game-pig")
        phone.tap("#device-open")
        phone.until_seen("#start-link")
        phone.tap("#start-link")
        step(phone, "match")


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_everybody_can_use_them(phone: Browser, tmp_path: Path, language: str, size: tuple[int, int]) -> None:
    """Axe finds nothing in any step, and nothing is wider than the screen."""
    assert SCRIPT.is_file(), "expected axe: `make others` puts it there"
    phone.resize(*size)
    with table(tmp_path, "--camera", "sim", "--seed", "5", "--language", language) as at:
        phone.open(scanned(at))
        for name in ("camera", "tray", "dice", "match"):
            step(phone, name)
            phone.until("document.querySelector('#buttons button')")
            phone.cdp("Runtime.evaluate", {"expression": SCRIPT.read_text()})
            assert phone.run(FAULTS, waits=True) == [], name
            assert phone.value("document.documentElement.scrollWidth") == size[0]
            if name != "match":
                phone.tap("#buttons button:last-child")
