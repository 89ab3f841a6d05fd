"""From the display that says "Ready" to the first scored throw, on a phone in a real Chromium, in at most 12 taps."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import numpy as np
import pytest
import zxingcpp
from browser import Browser

from tabletop.store import Store

pytestmark = pytest.mark.slow

SUPPORT = Path(__file__).resolve().parents[1] / "support"
PATIENCE_S, LOOK_S, PIXEL_PX = 60.0, 0.1, 4
MOST_TAPS = 12


@contextmanager
def table(folder: Path, *words: str) -> Iterator[Path]:
    """Play with these words on a table with a display of 64 rows; yield the file with what it shows."""
    places = {"XDG_STATE_HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "PYTHONPATH": os.pathsep.join(sys.path)}
    program = [sys.executable, str(SUPPORT / "shown_table.py"), str(folder / "glass"), "64", "play", *words]
    rest = ["--buttons", "none", "--screen", "ssd1306", "--listen", "lan", "--port", "0"]
    with (
        (folder / "said").open("w") as said,
        subprocess.Popen(
            [*program, *rest, "--store", str(folder / "a.db")],
            env=os.environ | places,
            stdin=subprocess.DEVNULL,
            stderr=said,
        ) as playing,
    ):
        try:
            yield folder / "glass"
        finally:
            playing.terminate()
    assert playing.returncode == 0, (folder / "said").read_text()


def scanned(glass: Path, *, longest_s: float = PATIENCE_S) -> str:
    """Return what a phone reads on the display, as soon as there is something."""
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


def step(phone: Browser, name: str) -> None:
    """Wait for a step; a wait that the way to another page cut off begins again there."""
    try:
        phone.until(f"document.body.dataset.step === '{name}'")
    except AssertionError as error:
        if "aborted by navigation" not in str(error):
            raise
        phone.until(f"document.body.dataset.step === '{name}'")


def roll(phone: Browser, finger: Finger) -> None:
    """Throw the simulated dice, and wait until the table asks whether it read them right."""
    finger.tap("#buttons button:not(.main)")
    phone.until("document.querySelectorAll('#asked .die').length === 5 && document.querySelector('#buttons .main')")


def play_pig(phone: Browser, finger: Finger) -> None:
    """Choose Pig, type two names, begin, and throw."""
    finger.tap("#buttons .main")
    finger.tap("#game-pig")
    phone.until_seen("#new-name")
    for name in ("Ann", "Ben"):
        phone.write("#new-name", f"{name}\ue007")
    finger.tap("#setup-start")
    finger.tap("[data-throw]")
    phone.until("document.body.dataset.moment.endsWith(',1')")


def test_from_ready_to_the_first_throw_with_few_taps(phone: Browser, tmp_path: Path) -> None:
    """The display's code is scanned; camera, tray, three throws, names and a match follow on the phone alone.

    No text is typed but two names. The throw is in the store.
    """
    finger = Finger(phone)
    with table(tmp_path, "--camera", "sim", "--seed", "5") as glass:
        phone.open(scanned(glass))
        step(phone, "camera")
        phone.until("document.querySelectorAll('#signs li').length === 4")
        finger.tap("#buttons .main")
        step(phone, "tray")
        phone.until_seen("#view.tapped")
        finger.tap("#buttons button:last-child")
        step(phone, "dice")
        for _ in range(3):
            roll(phone, finger)
            finger.tap("#buttons .main")
        step(phone, "match")
        play_pig(phone, finger)
        assert scanned(glass, longest_s=0.0) == ""
    with Store(tmp_path / "a.db", looking=True) as store:
        (thrown,) = [event.body for event in store.events(1)]
    assert (thrown["kind"], len(thrown["faces"])) == ("throw", 1)
    assert finger.taps <= MOST_TAPS
