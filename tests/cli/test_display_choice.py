"""Parts of the appliance: the chip that people choose for a display, and a part that is missing left out and named."""

import argparse
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest
from display_chip import Bus, Sh1106
from people import People

from hardware.screens import Oled, open_sh1106, open_ssd1306
from tabletop.cli.wiring import devices
from tabletop.cli.wiring.attended import display_handlers
from tabletop.cli.wiring.devices import open_buttons, open_screens, open_views, use_chosen_chip
from tabletop.cli.wiring.presenter import Views
from tabletop.core.errors import DeviceError
from tabletop.core.ports import Edge
from tabletop.dialogs.menu import DisplayTest
from tabletop.rules import Match
from tabletop.session.table_loop import TableLoop
from tabletop.store import Store
from tabletop.views.i18n.catalogue import load_language
from tabletop.views.oled.screen import draw

pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")


class Hands:
    """A pair of buttons: HOLD is down when the table starts; then what a test presses."""

    def __init__(self) -> None:
        self.waiting = [Edge(float("-inf"), "hold", True), Edge(10.5, "hold", False)]

    def edges(self) -> list[Edge]:
        given, self.waiting = self.waiting, []
        return given

    def listen(self, call: object) -> None:
        """Call nobody."""

    def close(self) -> None:
        """Nothing to close."""


def test_hold_at_the_start_and_two_presses_mend_the_display(tmp_path: Path) -> None:
    """An SH1106 that is called SSD1306: blind, HOLD shows the other picture, BANK keeps it, and the match is clear."""
    bus, hands = Bus(Sh1106()), Hands()
    screen = open_ssd1306("", bus, lambda: 0.0)
    with Store(tmp_path / "a.db") as store:
        people = People(store)
        views = Views((screen,), None, load_language("en"))
        handlers = {**people.matches.handlers, **display_handlers((screen,), store.path)}
        table = TableLoop(people.camera_thread, [hands], handlers, people.start)
        table.begin(people.matches.begin(Match("pig", ["Ann", "Ben"])))

        def turn(now_s: float, *edges: Edge) -> None:
            hands.waiting += edges
            views.show(table.tick(now_s), None, now_s)

        turn(10.0)
        assert isinstance(table.menu, DisplayTest)
        turn(11.0)
        turn(12.0, Edge(11.5, "hold", True), Edge(11.6, "hold", False))
        assert screen.chip == "sh1106"
        turn(13.0, Edge(12.5, "bank", True), Edge(12.6, "bank", False))
        turn(14.0)
        picture = draw(table.tick(14.0))
        assert bus.wait_until(lambda: np.array_equal(bus.chip.glass(), picture))
    screen.close()
    assert (tmp_path / "display").read_text() == "sh1106 ssd1306\n"


def opened_with(word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, asked: bool) -> str:
    """Return as which chip the display of this word is driven. asked: the command line names it."""
    openers = {"ssd1306": open_ssd1306, "sh1106": open_sh1106}

    def opener(_: str, name: str) -> Oled:
        return openers[name]("", Bus(Sh1106()))

    monkeypatch.setattr(devices, "_open", opener)
    (screen,) = devices.open_screens(argparse.Namespace(screen=word, screen_asked=asked, store=tmp_path / "a.db"))
    screen.close()
    assert isinstance(screen, Oled)
    return screen.chip


def test_the_next_start_uses_the_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless the command line names a chip, or the configuration names another one than it did then."""
    assert opened_with("ssd1306", tmp_path, monkeypatch, asked=False) == "ssd1306"
    (tmp_path / "display").write_text("sh1106 ssd1306\n")
    assert opened_with("ssd1306", tmp_path, monkeypatch, asked=False) == "sh1106"
    assert opened_with("ssd1306", tmp_path, monkeypatch, asked=True) == "ssd1306"
    (tmp_path / "display").write_text("ssd1306 ssd1306\n")
    assert opened_with("sh1106", tmp_path, monkeypatch, asked=False) == "sh1106"


@pytest.mark.parametrize("text", [b"", b"sh1106", b"sh1106 ssd1306 more", b"ssd1309 ssd1306", b"\xff\xfe"])
def test_a_broken_answer_is_none(tmp_path: Path, text: bytes) -> None:
    """The display is driven as the configuration says."""
    (tmp_path / "display").write_bytes(text)
    screen = open_ssd1306("", Bus(Sh1106()))
    use_chosen_chip(screen, tmp_path / "a.db")
    screen.close()
    assert screen.chip == "ssd1306"


def test_a_screen_that_is_what_it_is_has_no_test(tmp_path: Path) -> None:
    """Without such a display nobody is asked, in the menu or at the start."""
    assert display_handlers((), tmp_path / "a.db") == {}


NOT_THERE = "expected a part, got none; push its plug in"


@pytest.fixture(autouse=True)
def nothing_is_there(monkeypatch: pytest.MonkeyPatch) -> None:

    def fails(_: str, word: str) -> None:
        raise DeviceError(f"{NOT_THERE} ({word})")

    monkeypatch.setattr(devices, "_open", fails)
    monkeypatch.setattr(devices, "entry_points", lambda *, group: [EntryPoint("buzzer", "hardware.buzzer:open", group)])


def options(tmp_path: Path, **given: object) -> argparse.Namespace:
    """Return what the configuration of an appliance comes to, with differences."""
    usual = {
        "buttons": "gpio", "screen": "ssd1306", "listen": "lan", "views": [], "parts": (), "store": tmp_path / "a.db",
    }  # fmt: skip
    usual |= dict.fromkeys(("buttons_asked", "screen_asked", "json"), False)
    return argparse.Namespace(**(usual | given))


@pytest.mark.parametrize("opener", [open_buttons, open_screens])
def test_the_page_stands_in(
    opener: Callable[[argparse.Namespace], tuple[object, ...]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The part is named in one line, with what to do, and the table starts."""
    assert opener(options(tmp_path)) == ()
    (line,) = capsys.readouterr().err.splitlines()
    assert NOT_THERE in line
    assert line.endswith("the table plays on without it")


@pytest.mark.parametrize("opener", [open_buttons, open_screens])
@pytest.mark.parametrize("given", [{"listen": None}, {"buttons_asked": True, "screen_asked": True}])
def test_nothing_stands_in(
    opener: Callable[[argparse.Namespace], tuple[object, ...]], given: dict[str, object], tmp_path: Path
) -> None:
    """Without a page, or where somebody has just typed it, it is an error."""
    with pytest.raises(DeviceError, match="push its plug in"):
        opener(options(tmp_path, **given))


def test_a_buzzer_that_is_missing_is_only_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The configuration has one, the board has none: one line, and no sound."""
    assert open_views(options(tmp_path, parts=("buzzer:pin=12",), listen=None)) == ()
    (line,) = capsys.readouterr().err.splitlines()
    assert "(buzzer:pin=12); the table plays on without it" in line
