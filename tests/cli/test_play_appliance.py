"""The appliance end to end: a film of dice, the real drivers of buttons and display, chips that are not ours below."""

import os
import signal
import threading
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
import smbus2
from display_chip import WAIT_S, Bus, Ssd1306
from gpiozero import Device

from tabletop.cameras.files import FilmRecorder
from tabletop.cli.main import main
from tabletop.core.message import say
from tabletop.interpret.press_table import REALLY_ROLL, WHOSE_GO
from tabletop.session.snapshotting import ROLL_OR_BANK, THROW_ONE
from tabletop.session.table_events import HELD_STEPS
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
    table = Snapshot("Pig", ("Ann", "Ben"), (0, 0), "Ann", THROW_ONE, hold=say("pause"), bank=WHOSE_GO, awaited=1)
    after = replace(table, ask=ROLL_OR_BANK, at_stake=5, thrown=(5,), kept=(False,), hold=REALLY_ROLL, bank=say("bank"))
    english = load_language("en")
    assert draw(translated(table, english)).tobytes() in glasses
    assert draw(translated(after, english)).tobytes() in glasses
    assert not bus.chip.glass().any()


HOLD = "GPIO27"
WAITING = Snapshot("Pig", ("Ann", "Ben"), (0, 0), "Ann", THROW_ONE, hold="pause", bank=WHOSE_GO, awaited=1)
PRESSED = [replace(WAITING, pressed="hold", held=step / HELD_STEPS) for step in range(HELD_STEPS)]
PAUSED = replace(WAITING, hold="go on", bank="", paused=True)


class Player:
    """Looks at the glass after every message to it, and does the next thing; then the table is switched off."""

    def __init__(self, bus: Bus) -> None:
        self.seen = list[str]()
        self._bus = bus
        self._next = [
            ("the match", {draw(WAITING).tobytes()}, Device.pin_factory.pin(HOLD).drive_low),
            ("the press", {draw(snapshot).tobytes() for snapshot in PRESSED}, Device.pin_factory.pin(HOLD).drive_high),
            ("its outcome", {draw(PAUSED).tobytes()}, switch_off),
        ]
        bus.after = self.look

    def look(self) -> None:
        if self._next and self._bus.chip.glass().tobytes() in self._next[0][1]:
            what, _, do = self._next.pop(0)
            self.seen.append(what)
            do()


def switch_off() -> None:
    os.kill(os.getpid(), signal.SIGTERM)


@pytest.mark.usefixtures("_pins")
def test_a_press_is_seen_on_the_glass_before_it_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From `tabletop play` to the pixels: the match, the label turned round, the pause; then it ends in order."""
    bus = Bus(Ssd1306())
    monkeypatch.setattr(smbus2, "SMBus", lambda _number: bus)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    player = Player(bus)
    words = ["play", "pig", "--players", "Ann,Ben", "--camera", "sim", "--buttons", "gpio", "--screen", "ssd1306"]
    at_a_loss = threading.Timer(WAIT_S, switch_off)
    at_a_loss.start()
    try:
        assert main([*words, "--store", str(tmp_path / "a.db")]) == 0
    finally:
        at_a_loss.cancel()
    assert player.seen == ["the match", "the press", "its outcome"]
    assert not bus.chip.glass().any()
