"""The appliance while people play: real drivers of buttons and display, a live tray, and a finger on a pin."""

import os
import signal
import threading
from dataclasses import replace
from pathlib import Path

import pytest
import smbus2
from display_chip import WAIT_S, Bus, Ssd1306
from gpiozero import Device

from tabletop.cli.main import main
from tabletop.session.table_events import HELD_STEPS
from tabletop.views.oled.screen import draw
from tabletop.views.snapshot import Snapshot

HOLD = "GPIO27"
WAITING = Snapshot("Pig", ("Ann", "Ben"), (0, 0), "Ann", "throw one die", hold="pause", bank="whose go?")
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
        """Do what is to be done when this is seen."""
        if self._next and self._bus.chip.glass().tobytes() in self._next[0][1]:
            what, _, do = self._next.pop(0)
            self.seen.append(what)
            do()


def switch_off() -> None:
    """End the table as systemd does."""
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
