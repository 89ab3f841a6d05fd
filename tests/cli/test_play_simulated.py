"""Simulated players in simulated time: whole matches through the real reader, the same byte for byte with a seed."""

import json
from pathlib import Path

import pytest

from tabletop.cli.main import main
from tabletop.rules import Match


def _played(capsys: pytest.CaptureFixture[str], store: Path, seed: int) -> str:
    words = ["play", "pig", "--players", "Ann,Ben", "--set", "target=20", "--json", "--seed", str(seed)]
    assert main([*words, "--store", str(store)]) == 0
    return capsys.readouterr().out


def test_a_seed_repeats_a_match_byte_for_byte(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Twice the same seed gives the same bytes, another one another match; times count from 1970."""
    once, again, other = (_played(capsys, tmp_path / f"{i}.db", seed) for i, seed in enumerate((3, 3, 4)))
    assert once == again
    assert once != other
    assert json.loads(once.splitlines()[0])["time"].startswith("1970-01-01T00:00:0")


def test_a_match_is_played_to_its_end_by_the_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What was told, given to the referee answer by answer, is a whole match with a winner."""
    match = Match("pig", ["Ann", "Ben"], target=20)
    for event in map(json.loads, _played(capsys, tmp_path / "a.db", 5).splitlines()):
        if event["kind"] == "throw":
            match.throw(event["faces"])
        else:
            match.choose(event["choice"])
    assert match.over
    assert max(match.scores.values()) >= 20
