"""`tabletop bench`: every figure that was promised is there, and what was measured was the right work."""

import json
import subprocess
import sys

import pytest

from tabletop.cli import measuring
from tabletop.dice import FACES
from tabletop.rules import Match


def test_every_step_of_the_main_path_is_measured() -> None:
    """Frames of two sizes with 1, 6 and 20 dice, an event, replay, the display, start-up and memory; all positive."""
    bench = [sys.executable, "-m", "tabletop", "bench", "--quick", "--json"]
    done = subprocess.run(bench, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
    (line,) = done.stdout.splitlines()
    facts = json.loads(line)
    assert facts["cores"] >= 1
    assert facts["python"] == sys.version.split()[0]
    told = {figure["name"]: figure["value"] for figure in facts["figures"]}
    for size in ("640x480", "1640x1232"):
        for count in (1, 6, 20):
            assert told[f"read {size}, {count} dice, size known"] > 0
    for name in (
        "interpret and apply a throw",
        "the same, and put it on disk",
        "replay 500 events",
        "draw the OLED",
        "start-up to the first frame in a terminal",
        "memory after a game of simulated players",
    ):
        assert told[name] > 0, name
    # OpenCV and numpy alone take 40 MiB; a gigabyte would not fit a Raspberry Pi.
    assert 40 < told["memory after a game of simulated players"] < 1024


@pytest.mark.parametrize("count", measuring.DICE)
def test_the_stills_hold_the_dice_they_claim(count: int) -> None:
    """A still is the same at every call, and more dice change more of it."""
    frame, faces = measuring.still(640, 480, 60.0, count)
    again, _ = measuring.still(640, 480, 60.0, count)
    empty, none = measuring.still(640, 480, 60.0, 0)
    assert len(faces) == count
    assert set(faces) <= set(FACES)
    assert not none
    assert (frame == again).all()
    changed = (frame != empty).any(axis=2).sum()
    assert count * 60 * 60 * 0.8 < changed


def test_the_log_that_is_replayed_is_a_match() -> None:
    """Replaying the log leads to the state of the match that made it."""
    log = measuring._long_log(200)  # noqa: SLF001 - the claim is about what is measured
    assert len(log) >= 200
    replayed = Match.replay("pig", ["Ann", "Ben"], {"target": 10_000}, log)
    assert replayed.log == log
