"""The first picture on the display: a greeting before anything slow, or the mistake that stops the table."""

import os
import signal
import subprocess
import sys
import threading
from argparse import Namespace
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
import smbus2
from display_chip import WAIT_S, Bus, Ssd1306
from notify_listener import NotifyListener
from oled_reading import stands

from tabletop.cli.main import main
from tabletop.cli.wiring.devices import MISTAKE_S, show_mistake
from tabletop.core.errors import InputError
from tabletop.service.service_manager import ServiceManager
from tabletop.views.i18n.catalogue import load_language
from tabletop.views.i18n.translate import translated
from tabletop.views.oled.screen import draw, page_at, pages
from tabletop.views.snapshot import Snapshot

# luma calls a method that Pillow 14 takes away; pyproject.toml holds Pillow below it
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")
Step = tuple[Callable[[], bool], Callable[[], object]]  # what is awaited, and what is done then
SLOW = ("cv2", "tabletop.cli.wiring.attended", "tabletop.vision", "starlette")


@pytest.fixture
def bus(monkeypatch: pytest.MonkeyPatch) -> Bus:
    """Return a bus with a display on it where the Pi's would be."""
    bus = Bus(Ssd1306())
    monkeypatch.setattr(smbus2, "SMBus", lambda _number: bus)
    return bus


def test_it_greets_before_it_looks_for_anything_else(
    tmp_path: Path, bus: Bus, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the language of the table, though the table then cannot start; and what cannot start leaves no light on."""
    glasses = set[bytes]()
    bus.after = lambda: glasses.add(bus.chip.glass().tobytes())
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "a.db").write_text("no store at all, but a shopping list")
    words = ["play", "--camera", "none", "--buttons", "none", "--listen", "local", "--screen", "ssd1306", "--port", "0"]
    assert main([*words, "--language", "de", "--store", str(tmp_path / "a.db")]) == 2
    assert "is not a database" in capsys.readouterr().err
    assert draw(translated(Snapshot(), load_language("de"))).tobytes() in glasses
    assert not bus.chip.glass().any()


def test_the_greeting_waits_for_nothing_slow() -> None:
    """What is imported for it: neither the camera's library nor the table itself."""
    code = "import sys, tabletop.cli.wiring.devices, hardware.panel, luma.oled.device; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {name for name in SLOW if name in done.stdout.split()}


@pytest.mark.parametrize(("named", "word"), [('screen = "ssd1306"', "gane"), ('screen = "ssd1305"', "screen")])
def test_a_mistake_is_shown_page_by_page_until_the_file_changes(
    tmp_path: Path, bus: Bus, monkeypatch: pytest.MonkeyPatch, named: str, word: str
) -> None:
    """Every page of it, on the display that the file names, or on the one that is there; not longer than is allowed."""
    monkeypatch.setattr("tabletop.cli.wiring.devices.I2C_DEVICE", tmp_path)
    file = tmp_path / "tabletop.toml"
    file.write_text(f'{named}\ngane = "pig"\n')
    error = InputError(f"{file}, line 2: expected what is long enough for two pages of a small display. " + word * 40)
    shown = Snapshot(hint=str(error).replace(str(file), "tabletop.toml"))
    seen, count = set[int](), pages(shown)

    def wait(_seconds: float) -> None:
        """Wait until the page that is due is on the glass; when all have been there, mend the file."""
        due = page_at(float(len(turns)), count)
        turns.append(due)
        assert bus.wait_until(lambda: bool((bus.chip.glass() == draw(shown, page=due)).all()))
        seen.add(due)
        if len(seen) == count:
            file.write_text("")

    turns = list[int]()
    show_mistake(error, Namespace(config=file, screen=None, store=tmp_path / "a.db"), ServiceManager(), wait)
    assert seen == set(range(count)) != {0}
    assert len(turns) < MISTAKE_S
    assert not bus.chip.glass().any()


def stop() -> None:
    os.kill(os.getpid(), signal.SIGTERM)


@pytest.mark.slow  # it reads the glass after each byte on the bus: 17 s
def test_a_store_that_takes_nothing_is_on_the_display_until_it_does(
    tmp_path: Path, bus: Bus, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The service waits for it with the reason on the glass, plays on that very display when it is mended, and ends."""
    store = tmp_path / "a.db"
    store.write_text("no store at all, but a shopping list")
    steps: list[Step] = [
        (lambda: stands(bus.chip.glass(), "damaged"), store.unlink),
        (lambda: stands(bus.chip.glass(), "Throw"), stop),
    ]

    def look() -> None:
        if steps and steps[0][0]():
            steps.pop(0)[1]()

    bus.after = look
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    words = ["play", "pig", "--camera", "none", "--buttons", "none", "--listen", "local", "--screen", "ssd1306"]
    at_a_loss = threading.Timer(WAIT_S, stop)
    with closing(NotifyListener(str(tmp_path / "notify")).socket):
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        at_a_loss.start()
        assert main([*words, "--port", "0", "--store", str(store)]) == 0
        at_a_loss.cancel()
    assert not steps
    assert f"the store {store} is damaged" in capsys.readouterr().err
    assert not bus.chip.glass().any()
