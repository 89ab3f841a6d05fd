"""The reader on labelled photographs and films, where they lie beside the checkout."""

import json
import runpy
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from statistics import mean
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest
from labelled import PHOTOS, needs_photos

from tabletop.cli.main import main
from tabletop.core.values import Reading
from tabletop.perception.frame_reader import SIZES_TRUSTED
from tabletop.vision.image_io import open_picture
from tabletop.vision.reader import read

pytestmark = pytest.mark.longest

Scored = Callable[..., list[dict[str, Any]]]

LEARNT = ("nell", "matteo", "damian")  # photographs of trays that the shipped networks have learnt from


def photographs(source: str, count: int) -> list[dict[str, Any]]:
    images = json.loads((PHOTOS / "manifest.json").read_text())["images"]
    plain = [
        one
        for one in images
        if one["file"].startswith(source)
        and not any(die.get("custom_face") or die.get("truncated") for die in one["dice"])
    ]
    return plain[:: max(1, len(plain) // count)][:count]


@needs_photos
def test_tiny_dice_are_read_though_nobody_told_their_size() -> None:
    """Of 47 dice of 11 to 20 px on 50 pictures that no network has learnt from three in four are read, none wrongly."""
    pictures = [one for one in json.loads((PHOTOS / "faces.json").read_text()) if one["set"] == "tiny"]
    told = [(one["faces"], list(read(open_picture(PHOTOS / one["file"])).faces)) for one in pictures]
    assert all(seen in ([], faces) for faces, seen in told)
    assert sum(map(len, (seen for _, seen in told))) >= 0.75 * sum(map(len, (faces for faces, _ in told)))


@needs_photos
@pytest.mark.parametrize("name", ["tomi_140", "tomi_142"])
def test_a_second_die_seen_from_its_side_is_not_passed_over(name: str) -> None:
    """Each photograph shows two dice, one of them so much from its side that no pass at one size finds it."""
    reading = read(open_picture(PHOTOS / "open" / f"{name}.jpg"))
    assert len(reading.dice) + len(reading.unsure) == 2


@needs_photos
@pytest.mark.parametrize("source", ["nell", "matteo", "damian"])
def test_sample_of_photographs(source: str) -> None:
    """Of four photographs a source none is misread in silence, and most dice are read."""
    dice = right = 0
    for photo in photographs(source, 4):
        truth = Counter(die["face"] for die in photo["dice"])
        reading = read(open_picture(PHOTOS / photo["file"]), die_px=photo["die_px"], expect=truth.total())
        told = Counter(die.face for die in reading.dice)
        assert reading.unsure or told == truth or told.total() != truth.total(), photo["file"]
        dice += truth.total()
        right += (told & truth).total()
    assert right >= 0.6 * dice


@needs_photos
@pytest.mark.slow
@pytest.mark.parametrize("number", [0, 1, 2])
def test_films_at_rest(number: int) -> None:
    """While the dice of a film rest, most frames give exactly its five faces, and none gives five others.

    The latter also where each frame is read as a photograph; the former as at the table, which knows its dice's size.
    """
    film = json.loads((PHOTOS / "manifest.json").read_text())["throws"][number]
    truth = Counter(die["face"] for die in film["dice"])
    first, last = film["rest_frames_strict"]
    frames = cv2.VideoCapture(str(PHOTOS / film["file"]))
    told, alone = [], []
    sizes: list[float] = []
    for index in range(last + 1):
        _, frame = frames.read()
        if index >= first:
            die_px, known = float(np.median(sizes)) if sizes else None, len(sizes) >= SIZES_TRUSTED
            reading = read(np.asarray(frame, np.uint8), die_px=die_px, expect=5, fixed_size=known)
            sizes += [die.size for die in reading.dice]
            told.append(Counter(reading.faces))
            alone.append(Counter(read(np.asarray(frame, np.uint8), die_px=die_px, expect=5).faces))
    frames.release()
    assert all(one == truth or one.total() != 5 for one in (*told, *alone))
    assert sum(one == truth for one in told) >= 0.5 * len(told)


def run_here(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
    """Run a command of ours in this process: there are hundreds, and each would load the same modules and networks."""
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = main(command)
    return subprocess.CompletedProcess(command, status, out.getvalue(), err.getvalue())


@pytest.fixture
def scored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Scored:
    """Run the scoring program that comes with the photographs, on those of the sources above; return their rows."""
    manifest = json.loads((PHOTOS / "manifest.json").read_text())
    manifest["images"] = [photo for photo in manifest["images"] if photo["file"].split("/")[0] in LEARNT]
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    for source in LEARNT:
        (tmp_path / source).symlink_to(PHOTOS / source)

    def run(*words: str) -> list[dict[str, Any]]:
        program = runpy.run_path(str(PHOTOS / "score.py"))
        monkeypatch.setitem(program["read"].__globals__, "subprocess", SimpleNamespace(run=run_here))
        options = ["--command", "", "--json", "--manifest", str(tmp_path / "manifest.json"), *words]
        monkeypatch.setattr(sys, "argv", ["score.py", *options])
        program["main"]()
        table = json.loads(capsys.readouterr().out)
        return [table[source] for source in LEARNT]

    return run


@needs_photos
@pytest.mark.slow
def test_score_on_all_photographs(scored: Scored) -> None:
    """Most tray photographs are read exactly (mean over sources), at most 1.5 % unlike their labels in silence."""
    sources = scored()
    assert mean(source["exact"] for source in sources) >= 85
    assert sum(source["silent"] for source in sources) <= 0.015 * sum(source["photos"] for source in sources)


@needs_photos
@pytest.mark.slow
def test_score_blind(scored: Scored) -> None:
    """The same holds, a little lower, where neither the size nor the number of the dice is told."""
    sources = scored("--blind", "--sample", "40")
    assert mean(source["exact"] for source in sources) >= 65
    assert sum(source["silent"] for source in sources) <= 0.015 * sum(source["photos"] for source in sources) + 1


@needs_photos
@pytest.mark.slow
def test_an_unknown_size_costs_little() -> None:
    """Of close-ups of one die at most three of a hundred fewer are read exactly with neither size nor number told."""
    images = json.loads((PHOTOS / "manifest.json").read_text())["images"]
    score = runpy.run_path(str(PHOTOS / "score.py"))["score"]
    told, blind = 0, 0
    photographed = [photo for photo in images if photo["file"].startswith("casino/")]
    for photo in photographed:
        pixels = open_picture(PHOTOS / photo["file"])
        told += score(photo, _as_scored(read(pixels, die_px=photo["die_px"], expect=len(photo["dice"]))))["exact"]
        blind += score(photo, _as_scored(read(pixels)))["exact"]
    assert told - blind <= 0.03 * len(photographed)


def _as_scored(reading: Reading) -> dict[str, Any]:
    return {
        "dice": [{"x": die.x, "y": die.y, "face": die.face} for die in reading.dice],
        "unsure": [{"x": die.x, "y": die.y} for die in reading.unsure],
    }
