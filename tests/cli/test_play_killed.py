"""The plug is pulled again and again: no event that was shown is ever lost, and the match goes on."""

import json
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest


def _tabletop(*words: str) -> list[str]:
    return [sys.executable, "-m", "tabletop", *words]


def _stored(store: Path) -> list[str]:
    run = subprocess.run(
        _tabletop("replay", "1", "--json", "--store", str(store)),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return run.stdout.splitlines()


def _killed_run(store: Path, chance: random.Random, seed: int, *, resume: bool) -> list[str]:
    """Play on until a random moment, kill, and return the whole lines that were shown before."""
    words = ["play", "ten-thousand", "--players", "Ann,Ben", "--json", "--seed", str(seed), "--store", str(store)]
    words += ["--resume", "1"] if resume else ["--set", "target=100000"]
    with subprocess.Popen(_tabletop(*words), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        shown = [process.stdout.readline() for _ in range(chance.randint(1, 6))]
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(chance.uniform(0.0, 0.3))
        process.send_signal(signal.SIGKILL)
        shown += process.stdout.readlines()
    return [line.rstrip("\n") for line in shown if line.endswith("\n")]


@pytest.mark.parametrize(
    ("seed", "kills"),
    [
        (0, 1),
        pytest.param(100, 20, marks=pytest.mark.slow),
        *(pytest.param(seed, 20, marks=pytest.mark.soak) for seed in range(101, 110)),
    ],
)
def test_no_event_that_was_shown_is_lost(tmp_path: Path, seed: int, kills: int) -> None:
    """Killed at random moments, after which the match goes on: all shown events are stored, without holes."""
    chance, shown = random.Random(seed), list[str]()
    for kill in range(kills):
        shown += _killed_run(tmp_path / "a.db", chance, seed * 1000 + kill, resume=kill > 0)
        stored = _stored(tmp_path / "a.db")
        missing = set(shown) - set(stored)
        assert not missing
        assert [json.loads(line)["n"] for line in stored] == list(range(1, len(stored) + 1))
    assert len(shown) >= kills
