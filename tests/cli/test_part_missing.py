"""A part of the appliance that is not there: left out and named, as long as something else can stand in for it."""

import argparse
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from tabletop.cli.wiring import devices
from tabletop.cli.wiring.devices import open_buttons, open_screens, open_views
from tabletop.core.errors import DeviceError

NOT_THERE = "expected a part, got none; push its plug in"


@pytest.fixture(autouse=True)
def nothing_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Open devices on a machine that has none."""

    def fails(_: str, word: str) -> None:
        raise DeviceError(f"{NOT_THERE} ({word})")

    monkeypatch.setattr(devices, "_open", fails)
    monkeypatch.setattr(devices, "entry_points", lambda *, group: [EntryPoint("buzzer", "hardware.buzzer:open", group)])


def options(tmp_path: Path, **given: object) -> argparse.Namespace:
    """Return what the configuration of an appliance comes to, with differences."""
    usual = {
        "buttons": "gpio",
        "screen": "ssd1306",
        "buttons_asked": False,
        "screen_asked": False,
        "listen": "lan",
        "views": [],
        "parts": (),
        "json": False,
        "store": tmp_path / "a.db",
    }
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
