"""The appliance end to end: a film of dice, the real drivers of buttons and display, chips that are not ours below."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
import smbus2
from display_chip import Bus, Ssd1306

from tabletop.cameras.files import FilmRecorder
from tabletop.cli.main import main
from tabletop.core.message import say
from tabletop.simulator.tray import BRISK, Tray
from tabletop.store import Store
from tabletop.views.i18n.catalogue import load_language
from tabletop.views.i18n.translate import translated
from tabletop.views.oled.screen import draw
from tabletop.views.snapshot import Snapshot

SECONDS = 3.0  # a throw of the brisk tray lies after two


def _film_of_a_throw(path: Path, face: int) -> Path:
    tray = Tray(1, chance=Random(3), pace=BRISK)
    recording = FilmRecorder(tray.camera, path)
    tray.throw(faces=(face,))
    while tray.now_s < SECONDS:
        recording.read()
    recording.close()
    return path


@pytest.mark.usefixtures("_pins")
def test_a_film_is_refereed_and_shown_on_the_display(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One throw of a film goes through the reader to the store, and the chip's glass shows what stands then."""
    bus, glasses = Bus(Ssd1306()), set[bytes]()
    bus.after = lambda: glasses.add(bus.chip.glass().tobytes())
    monkeypatch.setattr(smbus2, "SMBus", lambda _number: bus)
    film = _film_of_a_throw(tmp_path / "throw.avi", face=5)
    words = ["play", "pig", "--players", "Ann,Ben", "--camera", str(film), "--buttons", "gpio", "--screen", "ssd1306"]
    assert main([*words, "--store", str(tmp_path / "a.db")]) == 0
    with Store(tmp_path / "a.db", looking=True) as store:
        assert [event.body["faces"] for event in store.events(1)] == [[5]]
    table = Snapshot(
        "Pig", ("Ann", "Ben"), (0, 0), "Ann", say("throw one die"), hold=say("pause"), bank=say("whose go?")
    )
    after = replace(
        table, ask=say("roll or bank?"), at_stake=5, thrown=(5,), kept=(False,), hold=say("roll?"), bank=say("bank")
    )
    english = load_language("en")
    assert draw(translated(table, english)).tobytes() in glasses
    assert draw(translated(after, english)).tobytes() in glasses
    assert not bus.chip.glass().any()
