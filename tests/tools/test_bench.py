"""`make bench`: every figure that was promised is there, and what was measured was the right work."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import cv2
import pytest

from tabletop.core.values import Die, Reading
from tools.bench.accuracy import Read, photograph_figures
from tools.bench.pictures import KnownPicture, photographs, still

DIE_PX = 60.0


def faces_of(picture: KnownPicture) -> list[int]:
    return [label.face for label in picture.truth.labels]


def labelled_folder(folder: Path, sources: Mapping[str, int]) -> Path:
    """Write a folder of labelled photographs, so many stills a source with two dice each."""
    images = []
    for source, count in sources.items():
        (folder / source).mkdir(parents=True)
        for seed in range(count):
            picture = still(640, 480, DIE_PX, 2, seed)
            name = f"{source}/{seed}.png"
            cv2.imwrite(str(folder / name), picture.open())
            dice = [
                {"face": die.face, "box": [die.x - 30, die.y - 30, die.x + 30, die.y + 30]}
                for die in picture.truth.labels
            ]
            images.append({"file": name, "die_px": DIE_PX, "dice": dice, "set": "tray"})
    (folder / "manifest.json").write_text(json.dumps({"images": images}))
    return folder


@pytest.mark.slow
def test_every_step_of_the_main_path_is_measured(tmp_path: Path) -> None:
    """Frames, growth, memory, photographs, an event, replay, the display and start-up; all positive."""
    folder = labelled_folder(tmp_path / "photos", {"ann": 2, "ben": 1})
    bench = [sys.executable, "-m", "tools.bench", "--quick", "--json", "--photographs", str(folder)]
    done = subprocess.run(bench, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
    (line,) = done.stdout.splitlines()
    facts = json.loads(line)
    assert facts["cores"] >= 1
    assert facts["python"] == sys.version.split()[0]
    assert facts["opencv"] == cv2.__version__
    assert facts["processor"]
    assert facts["load"] >= 0
    told = {figure["name"]: figure["value"] for figure in facts["figures"]}
    assert len(told) == len(facts["figures"]), "no two figures have one name"
    for size in ("640x480", "1640x1232"):
        for count in (1, 6, 20):
            for known in ("size known", "size told", "size unknown"):
                assert told[f"read {size}, {count} dice, {known}"] > 0
        assert told[f"read {size}, 6 dice, equal to the last frame"] > 0
    for known in ("size known", "size told", "size unknown"):
        assert told[f"ratio: a die of 20 to a die of 1, small frame, {known}"] > 0
        assert told[f"ratio: a die of 20 to a die of 6, small frame, {known}"] > 0
    for size in ("1280x960", "2560x1920"):
        assert told[f"ratio: a pixel of {size} to one of 640x480, size told"] > 0
    for name in (
        "interpret and apply a throw",
        "the same, and put it on disk",
        "event on disk to the last viewer of 1",
        "ratio: CPU time of a frame, 20 viewers to none",
        "replay 500 events",
        "events of a random full match, slowest game",
        "ratio: an event of it to one of its first tenth",
        "draw the OLED",
        "start-up to the first frame in a terminal",
        "memory after a game of simulated players",
        "memory of `tabletop read`, 640x480, 6 dice, size told",
        "memory of `tabletop read`, 4000x3000, 6 dice, size told",
    ):
        assert told[name] > 0, name
    assert told["event on disk to pixels in Chromium"] is None, "needs a browser: the note says how it is measured"
    assert told["game files loaded to referee one game"] == 1
    # OpenCV and numpy alone take 40 MiB; a gigabyte would not fit a Raspberry Pi.
    assert 40 < told["memory after a game of simulated players"] < 1024
    for source in ("photographs ann", "photographs ben", "all photographs"):
        assert told[f"{source}: ours"] > 0
        shares = [told[f"{source}: {what} by ours"] for what in ("read exactly", "silently wrong")]
        assert min(shares) >= 0
        assert sum(shares) <= 100, "a photograph read exactly is not silently wrong"


def test_the_sample_is_drawn_from_each_source(tmp_path: Path) -> None:
    """At most so many of each source, the same ones at every call, with the dice that the manifest tells."""
    folder = labelled_folder(tmp_path, {"ann": 4, "ben": 1})
    drawn, again = photographs(folder, 2), photographs(folder, 2)
    assert {source: len(group) for source, group in drawn.items()} == {"ann": 2, "ben": 1}
    assert [one.truth for one in drawn["ann"]] == [one.truth for one in again["ann"]]
    (only,) = drawn["ben"]
    assert only.die_px == DIE_PX
    assert faces_of(only) == faces_of(still(640, 480, DIE_PX, 2, 0))
    assert (only.open() == still(640, 480, DIE_PX, 2, 0).open()).all()


def test_exact_and_silent_are_told_apart() -> None:
    """Of three readings, one right, one wrong and one without a die, one is exact and one silent."""
    picture = still(640, 480, DIE_PX, 2)
    right = tuple(Die(one.face, one.x, one.y, DIE_PX, 0.0, "white", 1.0) for one in picture.truth.labels)
    other = right[0].face % 6 + 1
    wrong = (Die(other, right[0].x, right[0].y, DIE_PX, 0.0, "white", 1.0), right[1])
    readings = iter([right, right, wrong, right[:1]])  # the first is read twice: once to warm up
    readers: dict[str, Read] = {
        "ours": lambda *_: Reading(0.0, 640, 480, next(readings)),
        "blob reader": lambda *_: Reading(0.0, 640, 480),
    }
    told = {figure.name: figure.value for figure in photograph_figures({"ann": [picture] * 3}, 1, readers)}
    assert told["photographs ann: read exactly by ours"] == pytest.approx(100 / 3)
    assert told["photographs ann: silently wrong by ours"] == pytest.approx(100 / 3)
    assert told["photographs ann: read exactly by blob reader"] == 0
