"""One table, one match: a second table is refused at once."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from emulated_terminal import Terminal
from english import english

from tabletop.cli.main import main
from tabletop.rules import Match
from tabletop.session.snapshotting import ROLL_OR_BANK, THROW_ONE
from tabletop.store import Store

LINE_COLUMNS = 80  # of the terminals that people have


def _opened(folder: Path) -> Terminal:
    """Play a throw of match 1."""
    terminal = Terminal("pig", "--players", "Ann,Ben", "--seed", "8", home=folder)
    assert terminal.shows(f"Ann: {english(THROW_ONE)}")
    terminal.type("t")
    assert terminal.shows(f"Ann: {english(ROLL_OR_BANK)}")
    return terminal


@pytest.mark.parametrize("resume", [pytest.param(("--resume", "1"), marks=pytest.mark.slow), ("--resume",)])
def test_a_second_table_is_refused_by_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], resume: tuple[str, ...]
) -> None:
    """It says which match, and who plays it, in a line that fits; afterwards the match can be resumed."""
    first = _opened(tmp_path)
    assert main(["play", *resume, "--store", str(tmp_path / "a.db")]) == 2
    said = capsys.readouterr().err
    assert "match 1 (Ann, Ben)" in said
    assert said.count("\n") == 1
    assert len(said) <= LINE_COLUMNS
    second = Terminal(*resume, home=tmp_path)
    assert second.end() == 2
    first.type("q")
    assert first.end() == 0
    third = Terminal(*resume, home=tmp_path)
    assert third.shows(f"Ann: {english(ROLL_OR_BANK)}")
    third.type("q")
    assert third.end() == 0


@pytest.mark.slow
def test_two_tables_play_two_matches_in_one_store(tmp_path: Path) -> None:
    """Only the match is one table's, not the store."""
    first, second = _opened(tmp_path), Terminal("pig", "--players", "Cat,Dan", home=tmp_path)
    assert second.shows(f"Cat: {english(THROW_ONE)}")
    for terminal in (first, second):
        terminal.type("q")
        assert terminal.end() == 0


def test_quitting_says_how_the_match_stands_and_how_it_goes_on(tmp_path: Path) -> None:
    """With points at stake they are named, and the command that goes on works as it stands."""
    first = _opened(tmp_path)
    first.child.sendintr()
    assert first.end() == 0
    with Store(tmp_path / "a.db", looking=True) as store:
        (event,) = store.events(1)
    (face,) = event.body["faces"]
    said = first.child.before.decode()
    assert f"match 1: Ann 0, Ben 0; {face} at stake; waiting for Ann" in said
    (command,) = re.findall(r"go on with: (.*?) play --resume", " ".join(said.split()))
    assert f"play --resume 1 --store {tmp_path / 'a.db'}" in said
    assert subprocess.run(["sh", "-c", f"{command} --version"], check=True, capture_output=True).stdout


def test_events_agree_with_replay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is said of each event while it is played is what `replay` says of it."""
    store = ["--store", str(tmp_path / "a.db")]
    assert main(["play", "pig", "--players", "Ann,Ben", "--set", "target=6", "--seed", "1", *store]) == 0
    played = capsys.readouterr().out.splitlines()
    assert main(["replay", "1", *store]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert played[:-1] == [line.split(maxsplit=2)[2] for line in shown[:-1]]
    assert played[-1] == shown[-1]
    assert any("throws a 1 and scores nothing" in line for line in played)


def _played(capsys: pytest.CaptureFixture[str], store: Path, seed: int) -> str:
    words = ["play", "pig", "--players", "Ann,Ben", "--set", "target=10", "--json", "--seed", str(seed)]
    assert main([*words, "--store", str(store)]) == 0
    return capsys.readouterr().out


def test_a_seed_repeats_a_match_byte_for_byte(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Another seed is another match; times count from 1970. By the referee, each is a whole match with a winner."""
    once, again, other = (_played(capsys, tmp_path / f"{i}.db", seed) for i, seed in enumerate((3, 3, 4)))
    assert once == again
    assert once != other
    assert json.loads(once.splitlines()[0])["time"].startswith("1970-01-01T00:00:0")
    match = Match("pig", ["Ann", "Ben"], target=10)
    for event in map(json.loads, once.splitlines()):
        if event["kind"] == "throw":
            match.throw(event["faces"])
        else:
            match.choose(event["choice"])
    assert match.over
    assert max(match.scores.values()) >= 10
