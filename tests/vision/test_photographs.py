"""The reader on labelled photographs and films, where they lie beside the checkout."""

import json
import subprocess
import sys
from collections import Counter
from statistics import mean
from typing import Any

import cv2
import numpy as np
import pytest
from labelled import PHOTOS, needs_photos

from tabletop.perception.die_size import SIZES_TRUSTED
from tabletop.vision.image_io import open_picture
from tabletop.vision.reader import read

pytestmark = pytest.mark.longest

LEARNT = ("nell", "matteo", "damian")  # photographs of trays that the shipped networks have learnt from


def photographs(source: str, count: int) -> list[dict[str, Any]]:
    """Return the first labelled photographs of a source that have no odd dice."""
    images = json.loads((PHOTOS / "manifest.json").read_text())["images"]
    plain = [
        one
        for one in images
        if one["file"].startswith(source)
        and not any(die.get("custom_face") or die.get("truncated") for die in one["dice"])
    ]
    return plain[:: max(1, len(plain) // count)][:count]


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


def scored(*words: str) -> dict[str, Any]:
    """Run the scoring program that comes with the photographs, and return its table."""
    command = [sys.executable, str(PHOTOS / "score.py"), "--command", f"{sys.executable} -m tabletop", "--json", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    table: dict[str, Any] = json.loads(done.stdout)
    return table


def learnt(table: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of the sources that the shipped networks have learnt from; others may lie beside them."""
    return [table[source] for source in LEARNT]


@needs_photos
@pytest.mark.slow
def test_score_on_all_photographs() -> None:
    """Most tray photographs are read exactly (mean over sources), at most 1.5 % unlike their labels in silence."""
    sources = learnt(scored())
    assert mean(source["exact"] for source in sources) >= 85
    assert sum(source["silent"] for source in sources) <= 0.015 * sum(source["photos"] for source in sources)


@needs_photos
@pytest.mark.slow
def test_score_blind() -> None:
    """The same holds, a little lower, where neither the size nor the number of the dice is told."""
    sources = learnt(scored("--blind", "--sample", "40"))
    assert mean(source["exact"] for source in sources) >= 65
    assert sum(source["silent"] for source in sources) <= 0.015 * sum(source["photos"] for source in sources) + 1
