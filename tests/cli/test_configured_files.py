"""Recording and profile of the configuration: a table that starts again goes on, mistakes are named."""

import json
import re
from argparse import Namespace
from pathlib import Path

import pytest

from tabletop.cli.main import main
from tabletop.cli.wiring.args import merge
from tabletop.config.file import load_configuration
from tabletop.config.profile import save_profile
from tabletop.core.values import Profile

PROFILE = Profile(
    *(640, 480, ((20.0, 40.0), (620.0, 40.0), (620.0, 440.0), (20.0, 440.0)), (300.0, 200.0)),
    *(((0.5, 0.0, -10.0), (0.0, 0.5, -20.0), (0.0, 0.0, 1.0)), 2.0, 16.0),
)
"""A tray of 600 x 400 px that is 300 x 200 mm: half a millimetre a pixel, its corner at (20, 40)."""


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep this machine's own configuration and matches out; return where set-ups are kept."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "setups"


def merged(file: Path, **typed: object) -> Namespace:
    usual = dict.fromkeys(("game", "players", "resume", "camera", "buttons", "screen", "profile", "record", "listen"))
    usual |= {"pictures": None, "mqtt": None}
    options = Namespace(**{**usual, "settings": [], **typed})
    merge(options, load_configuration(file))
    return options


def test_words_about_learning_dice_are_taken_and_have_no_effect(tmp_path: Path) -> None:
    """A table that is set up with an earlier version starts as before."""
    file = tmp_path / "tabletop.toml"
    file.write_text("")
    before = {**vars(merged(file)), "places": {}}
    for text in ("[dice]\nlearn = false\n", "dice.learn = true\n", "[dice]\n"):
        file.write_text(text)
        assert {**vars(merged(file)), "places": {}} == before


@pytest.mark.parametrize(("there", "name"), [((), "a.tar"), (("a.tar",), "a-2.tar"), (("a.tar", "a-2.tar"), "a-3.tar")])
def test_a_table_that_starts_again_records_into_a_new_file(tmp_path: Path, there: tuple[str, ...], name: str) -> None:
    """The unit starts the same line for years: a recording that is there neither stops it nor is written over."""
    file = tmp_path / "tabletop.toml"
    file.write_text('record = "a.tar"\n')
    for taken in there:
        (tmp_path / taken).touch()
    assert merged(file).record == tmp_path / name
    assert merged(file, record=tmp_path / "a.tar").record == tmp_path / "a.tar"  # typed: the person decides


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('record = "evening.aavi"', "line 1: expected --record FILE ending in .*; nearest: evening.avi"),
        (  # though no camera is there, nor looked for yet
            'listen = "local"\ncamera = "usb:0,fsp=15"',
            "line 2: expected usb:N,name=value.*got 'fsp=15'; nearest: fps=15",
        ),
        ('listen = "local"\ncamera = "pi:white=3200"', "line 2: expected pi:white= lock or auto"),
        (
            'listen = "local"\ncamera = "none"\nplayers = ["Ann"]\ngame = "liars-dice"',
            "line 3: expected 2 to .* players, got 1",
        ),
        ('screen = "none:3"', "line 1: expected screen to be none, with nothing behind it"),
        ('record = "no/where.tar"', "line 1: expected an existing folder for --record"),
        ('profile = "kitchen"', r"line 1: expected a profile's file or the name of a set-up \(none yet\), got kitchen"),
    ],
)
def test_what_cannot_be_obeyed_is_named_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, told: str
) -> None:
    """Status 2 and one line, with the file."""
    file = tmp_path / "tabletop.toml"
    file.write_text(f"{line}\n")
    asked = [] if "camera" in line else ["--camera", "none"]
    assert main(["play", "--config", str(file), *asked]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert str(file) in said
    assert re.search(told, said)


def test_doctor_looks_at_the_profile_that_the_table_would_use(
    tmp_path: Path, state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A set-up by its name, and the one that `calibrate` writes where nobody names any."""

    def profile(*words: str) -> tuple[bool | None, str]:
        assert main(["doctor", "--json", "--buttons", "none", "--screen", "none", *words]) in (0, 1)
        found, *_ = [check for check in json.loads(capsys.readouterr().out) if check["part"] == "profile"]
        return found["right"], found["figure"]

    assert profile("--camera", "usb:63") == (None, "not there")
    state.mkdir()
    save_profile(PROFILE, state / "kitchen.toml")
    save_profile(PROFILE, state / "table.toml")
    (tmp_path / "a.toml").write_text('profile = "kitchen"\n')
    assert profile("--camera", "usb:63") == (True, str(state / "table.toml"))
    assert profile("--camera", "none", "--config", str(tmp_path / "a.toml")) == (True, str(state / "kitchen.toml"))
    assert profile("--camera", "none", "--profile", "cellar") == (False, "cellar")
