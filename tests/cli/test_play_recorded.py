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


@pytest.mark.parametrize(
    "film",
    [
        pytest.param(film, id=Path(film["file"]).stem, marks=pytest.mark.soak if number else pytest.mark.slow)
        for number, film in enumerate(MANIFEST.get("throws", []))
    ],
)
def test_a_film_of_a_hand_is_one_throw(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], film: dict[str, Any]
) -> None:
    """A hand throws five translucent dice and takes them again: exactly one throw, with the faces that lay there."""
    throws = _throws(capsys, tmp_path / "a.db", "yahtzee", "--camera", str(PHOTOS / film["file"]))
    assert [sorted(throw["faces"]) for throw in throws] == [sorted(die["face"] for die in film["dice"])]


@pytest.mark.slow
@pytest.mark.parametrize(("source", "least"), [("damian", 0.5), ("nell", 0.2)])
def test_photographs_with_five_dice_are_throws_of_yahtzee(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], source: str, least: float
) -> None:
    """Every throw event shows exactly the labelled faces, and a fair part of the photographs is sure enough for one."""
    five = [image for image in MANIFEST["images"] if image["file"].startswith(source) and len(image["dice"]) == 5]
    images = [
        image for image in five if not any(die.get("custom_face") or die.get("truncated") for die in image["dice"])
    ]
    (tmp_path / "photos").mkdir()
    for number, image in enumerate(images):
        original = PHOTOS / image["file"]
        (tmp_path / "photos" / f"{number:03}{original.suffix}").symlink_to(original)
    throws = _throws(capsys, tmp_path / "a.db", "yahtzee", "--camera", str(tmp_path / "photos"))
    for throw in throws:
        label = images[round(datetime.fromisoformat(throw["time"]).timestamp())]  # they come one a second
        assert Counter(throw["faces"]) == Counter(die["face"] for die in label["dice"]), label["file"]
    assert len(throws) >= least * len(images)
