"""The figures of a scored table: intervals against published ones, and throws and rolls counted by hand."""

import json
from pathlib import Path

import pytest

from tabletop.core.errors import InputError
from tools.scoring.__main__ import main
from tools.scoring.figures import as_json, as_text, figures_of
from tools.scoring.intervals import wilson
from tools.scoring.rolls import Roll, load_rolls

SCORED = "throw,time,read,verdict\n1,2026-11-27T10:00:00+00:00,1 5,right\n2,,1 ?,right\n3,,2 2,wrong\n4,,2 ?,wrong\n"


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_intervals_are_the_published_ones(count: int, of: int, low: float, high: float) -> None:
    """The examples of Newcombe (1998), table I, method 3; mirrored, those of what was not counted."""
    assert wilson(count, of) == pytest.approx((low, high), abs=5e-5)
    assert wilson(of - count, of) == pytest.approx((1 - high, 1 - low), abs=5e-5)


def roll(read: str, true: str, missed: str = "") -> Roll:
    """Return a roll from faces as digits: 0 for unsure, and for no die."""
    return Roll(tuple(map(int, read)), tuple(map(int, true)), tuple(map(int, missed)))


def test_figures_of_four_rolls_counted_by_hand() -> None:
    """One exact, one misread in silence, one unsure and with a missed die, one with a thing that is no die."""
    rolls = [roll("165", "165"), roll("165", "162"), roll("10", "13", "6"), roll("1660", "1600")]
    figures = figures_of(rolls)
    assert [(share.count, share.of) for share in (figures.exact, figures.silent)] == [(1, 4), (1, 4)]
    dice = (figures.right, figures.misread, figures.unsure, figures.missed)
    assert [(share.count, share.of) for share in dice] == [(8, 11), (1, 11), (1, 11), (1, 11)]
    told = as_json(figures)
    assert told["confusion"]["2"] == [0, 0, 0, 0, 1, 0, 0, 0]
    assert told["confusion"]["6"] == [0, 0, 0, 0, 0, 3, 0, 1]
    assert told["extra"] == {"1": 0, "2": 0, "3": 0, "4": 0, "5": 0, "6": 1, "unsure": 1}
    assert as_text(figures).splitlines()[-2].split() == ["6", *"....", ".", "3", ".", "1"]


def test_scored_throws_become_shares(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of four throws two are right, one of these without doubt; one is wrong in silence, two have an unsure die."""
    path = tmp_path / "scored.csv"
    path.write_text(SCORED)
    assert main([str(path), "--json"]) == 0
    shares = json.loads(capsys.readouterr().out)
    assert {name: (share["count"], share["of"]) for name, share in shares.items()} == {
        "right": (2, 4),
        "exact": (1, 4),
        "silent": (1, 4),
        "asked": (2, 4),
    }
    assert main([str(path)]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 4


def test_old_rolls_are_still_read(tmp_path: Path) -> None:
    """A roll, one taken back, one with a missed die, and half a line at the end, as version 162beb41 wrote them."""
    place = {"x": 60.0, "y": 200.0, "size": 56.0, "angle": 0.0}
    first = {"width": 640, "height": 480, "seen": [{"face": 1, **place}], "true": [2], "missed": [], "picture": ""}
    path = tmp_path / "t.score"
    lines = [{"version": 1}, first, first, {"undo": True}, {**first, "missed": [6]}]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines) + '{"width"')
    assert load_rolls(path) == [roll("1", "2"), roll("1", "2", "6")]


@pytest.mark.parametrize(("name", "text"), [("t.score", '{"version": 1}\n{"true": [9]}\n'), ("t.csv", "a,b\n1,2\n")])
def test_other_files_are_refused(name: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Status 2, and one line that names the file."""
    path = tmp_path / name
    path.write_text(text)
    assert main([str(path)]) == 2
    assert name in capsys.readouterr().err
    with pytest.raises(InputError, match="line"):
        load_rolls(path)
