"""The instructions for makers agree with the program."""

import re
from pathlib import Path

import pytest

from hardware.buttons import SETTINGS as PINS
from hardware.panel import RENEW_S, RETRY_S
from hardware.screens import SETTINGS as SCREENS
from tabletop.core.words import Setting, read_settings
from tools.bench.presses import byte_figures

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "docs" / "wiring.md").read_text()
PACKAGE_README = (ROOT / "hardware" / "README.md").read_text()
HEADER = {11: 17, 13: 27}  # header pin -> GPIO, from the Raspberry Pi's pin-out


def test_the_wiring_is_the_default() -> None:
    """The table's pins for the buttons are those that `gpio` opens."""
    wired = re.findall(r"^\| (BANK|HOLD) button \| one leg \| (\d+) \| GPIO(\d+) \|$", README, flags=re.MULTILINE)
    assert {name.lower(): int(gpio) for name, _, gpio in wired} == read_settings("", "", PINS)
    assert all(HEADER[int(pin)] == int(gpio) for _, pin, gpio in wired)


@pytest.mark.parametrize(("device", "settings"), [("gpio", PINS), ("ssd1306", SCREENS), ("sh1106", SCREENS)])
def test_every_word_is_understood(device: str, settings: dict[str, Setting]) -> None:
    """What is written after a device's colon can be given so."""
    for words in re.findall(rf"`[^`]*\b{device}:([\w=,]+)`", README):
        assert read_settings(device, words, settings)


def test_every_command_says_that_it_needs_a_pi() -> None:
    """None of them can be run by a test, and each says so."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL)
    lines = "".join(blocks).splitlines()
    assert lines
    assert all(line.endswith("  # needs a Raspberry Pi") for line in lines)


def test_the_times_are_the_programs() -> None:
    """How often a display is tried again, and sent again."""
    times = f"again every {RETRY_S:.0f} seconds and resends the whole picture every {RENEW_S:.0f} seconds"
    assert times in " ".join(README.split())


def test_the_bytes_are_those_that_are_sent() -> None:
    """What a change costs on the bus, at most and not far below, is what the drivers send."""
    rows = re.findall(r"^\| (.+?) \| up to (\d+) \| ([\d.]+) ms \|$", PACKAGE_README, flags=re.MULTILINE)
    assert len(rows) == 5
    figures = list(byte_figures())
    for name, most, most_ms in rows:
        costs = [int(figure.note.split()[0]) for figure in figures if figure.name.partition(": ")[2] == name]
        assert len(costs) == 2
        assert int(most) / 3 < max(costs) <= int(most)
        assert float(most_ms) == round(int(most) * 9 / 400, 1)
