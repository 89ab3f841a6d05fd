"""Real dice: films and photographs, refereed by `tabletop play`. The labels are the oracle."""

import json
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from labelled import PHOTOS, needs_photos

from tabletop.cli.main import main

MANIFEST: dict[str, Any] = json.loads((PHOTOS / "manifest.json").read_text()) if PHOTOS.is_dir() else {}

pytestmark = needs_photos


def _throws(capsys: pytest.CaptureFixture[str], store: Path, *words: str) -> list[dict[str, Any]]:
    assert main(["play", *words, "--players", "Ann,Ben", "--json", "--store", str(store)]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return [event for event in events if event["kind"] == "throw"]


@pytest.mark.slow
@pytest.mark.parametrize("film", MANIFEST.get("throws", []), ids=lambda film: Path(film["file"]).stem)
def test_a_film_of_a_hand_is_one_throw(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], film: dict[str, Any]
) -> None:
    """A hand throws five translucent dice and takes them again: exactly one throw, with the faces that lay there."""
    throws = _throws(capsys, tmp_path / "a.db", "yahtzee", "--camera", str(PHOTOS / film["file"]))
    assert [sorted(throw["faces"]) for throw in throws] == [sorted(die["face"] for die in film["dice"])]


def _with_dice(source: str, dice: int) -> list[dict[str, Any]]:
    return [
        image
        for image in MANIFEST.get("images", [])
        if image["file"].startswith(source) and len(image["dice"]) == dice and not any(map(_odd, image["dice"]))
    ]


def _odd(die: dict[str, Any]) -> bool:
    return bool(die.get("custom_face") or die.get("truncated"))


def _folder(path: Path, images: list[dict[str, Any]]) -> Path:
    path.mkdir()
    for number, image in enumerate(images):
        original = PHOTOS / image["file"]
        (path / f"{number:03}{original.suffix}").symlink_to(original)
    return path


def _check_labels(throws: list[dict[str, Any]], images: list[dict[str, Any]]) -> int:
    """Check that each throw shows the faces of its photograph (one a second); return how many throws there were."""
    for throw in throws:
        number = round(datetime.fromisoformat(throw["time"]).timestamp())
        label = Counter(die["face"] for die in images[number]["dice"])
        assert Counter(throw["faces"]) == label, images[number]["file"]
    return len(throws)


@pytest.mark.slow
@pytest.mark.parametrize(("source", "least"), [("damian", 0.5), ("nell", 0.2)])
def test_photographs_with_five_dice_are_throws_of_yahtzee(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], source: str, least: float
) -> None:
    """Every throw event shows exactly the labelled faces, and a fair part of the photographs is sure enough for one."""
    images = _with_dice(source, 5)
    folder = _folder(tmp_path / "photos", images)
    throws = _throws(capsys, tmp_path / "a.db", "yahtzee", "--camera", str(folder))
    assert _check_labels(throws, images) >= least * len(images)


@pytest.mark.slow
def test_photographs_with_six_dice_are_throws_of_ten_thousand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A photograph with six dice, each at the start of a match of its own, is a throw of its labelled faces or none."""
    images = _with_dice("nell", 6)
    taken = 0
    for number, image in enumerate(images):
        folder = _folder(tmp_path / str(number), [image])
        taken += _check_labels(_throws(capsys, tmp_path / "a.db", "ten-thousand", "--camera", str(folder)), [image])
    assert taken >= 0.2 * len(images)
