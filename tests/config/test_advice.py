"""Whoever follows what is said of a garbled configuration, word by word, soon has one that is right."""

import re
from pathlib import Path

import pytest

from tabletop.config.file import Configuration, load_configuration
from tabletop.core.errors import InputError

WHOLE = """\
game = "pig"
players = ["Ann", "Ben"]
camera = "usb:0"
buttons = "gpio"
screen = "ssd1306"
both_buttons = "switch off"
language = "de"
listen = "local"
profile = "tray.toml"
record = "evening.avi"
[set]
target = 50
[dice]
learn = false
[pins]
bank = 17
hold = 27
menu = 25
buzzer = 12
"""
MOST_ROUNDS = 4
RIGHT = re.compile(r", line (?P<line>\d+): .*; nearest: (?P<right>.*)")
MEANT = re.compile(r", line (?P<line>\d+): expected .* got (?P<got>[\w-]+); did you mean (?P<right>\w+)\?")


def followed(file: Path) -> Configuration:
    """Do what each complaint says until there is none. An advice that leads nowhere is an error."""
    for _ in range(MOST_ROUNDS):
        try:
            return load_configuration(file)
        except InputError as error:
            lines = file.read_text().split("\n")
            if right := RIGHT.search(str(error)):
                lines[int(right["line"]) - 1] = right["right"]
            elif meant := MEANT.search(str(error)):
                number = int(meant["line"]) - 1
                lines[number] = lines[number].replace(meant["got"], meant["right"])
            else:
                raise
            file.write_text("\n".join(lines))
    return load_configuration(file)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return where the configuration lies, beside a profile."""
    (tmp_path / "tray.toml").touch()
    return tmp_path / "tabletop.toml"


MEANT_THE_SAME = [
    ('game = "pig"', 'game = "pig" // ours'),
    ('game = "pig"', 'gmae = "pig"'),
    ('players = ["Ann", "Ben"]', 'players = ["Ann", \'Ben"]'),
    ('players = ["Ann", "Ben"]', 'players = ["Ann", "Ben"'),
    ('players = ["Ann", "Ben"]', "players = = [Ann, Ben]"),
    ('camera = "usb:0"', 'CAMERA = "USB:0"'),
    ('camera = "usb:0"', 'camera = "usb:0" "usb:0"'),
    ('camera = "usb:0"', 'camera = ["usb:0"]'),
    ('camera = "usb:0"', "camera = 0"),
    ('camera = "usb:0"', 'camera;"usb:0"'),
    ('screen = "ssd1306"', 'screen = ("ssd1306")'),
    ('both_buttons = "switch off"', 'both_buttons = = "switch off"'),
    ('language = "de"', 'language = "de",'),
    ('language = "de"', 'language = d"e"'),
    ('profile = "tray.toml"', 'profile = "tray.toMl"'),
    ('profile = "tray.toml"', 'profile = "TRAY.TOML"'),
    ('profile = "tray.toml"', 'profile"tray.toml"'),
    ('profile = "tray.toml"', "profile = 3"),
    ('record = "evening.avi"', 'record = {"evening.avi"'),
    ('record = "evening.avi"', "record = true"),
    ("[set]", "[set] of Pig"),
    ("[set]", "[SET]"),
    ("[set]", "set]"),
    ("target = 50", "target = [50"),
    ("target = 50", "target = [50]"),
    ("target = 50", "target = 50 mm"),
    ("target = 50", "target.points = 50"),
    ("learn = false", "learn = False"),
    ("learn = false", "learn = f\x7false"),
    ("bank = 17", "\U0001f3b2bank = 17"),
    ("bank = 17", 'bank = "BANK"'),
    ("hold = 27", "hold = 27 ; pin 13"),
    ("menu = 25", "menu = true"),
    ("buzzer = 12", "buzzer = 12 // passive"),
    ("buzzer = 12", "buzzer = 12\x15"),
]


@pytest.mark.parametrize(("right", "wrong"), MEANT_THE_SAME)
def test_it_leads_back_to_what_was_meant(file: Path, right: str, wrong: str) -> None:
    """The configuration is the same as that of the file before it was garbled."""
    file.write_text(WHOLE)
    whole = load_configuration(file)
    file.write_text(WHOLE.replace(f"{right}\n", f"{wrong}\n"))
    assert wrong in file.read_text()
    with pytest.raises(InputError, match=r"tabletop\.toml, line \d+: "):
        load_configuration(file)
    assert followed(file) == whole


@pytest.mark.parametrize(
    ("right", "wrong", "line"),
    [
        ('profile = "tray.toml"', "profil", 9),
        ('language = "de"', "language =", 7),
        ('listen = "local"', '; listen = "local"', 8),
        ("learn = false", "learn", 14),
    ],
)
def test_what_nobody_can_tell_is_left_out(file: Path, right: str, wrong: str, line: int) -> None:
    """Every line may be left out: a # before it does that."""
    file.write_text(WHOLE.replace(f"{right}\n", ""))
    without = load_configuration(file)
    file.write_text(WHOLE.replace(f"{right}\n", f"{wrong}\n"))
    with pytest.raises(InputError, match=rf"line {line}: .*; nearest: # ") as caught:
        load_configuration(file)
    assert "\n" not in str(caught.value)
    assert followed(file) == without


def test_a_line_that_is_too_long_to_repeat(file: Path) -> None:
    """It says what to do all the same."""
    file.write_text(f"{WHOLE}{'[' * 300}\n")
    with pytest.raises(InputError, match=r"line 20: .*; a # before that line leaves it out"):
        load_configuration(file)
