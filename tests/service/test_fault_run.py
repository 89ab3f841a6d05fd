"""The fault run: every part fails and returns, the plug is pulled, and the match ends as if nothing had happened.

`fault_run` plays it at `tabletop play` in processes of their own, which SIGKILL ends at random moments. Only what lies
below the drivers is replaced, and time (`fault_table`). The oracle is the referee alone, given the same faces.
"""

from pathlib import Path

import pytest
from own_program import seen_by

EVENTS = 500  # of a match, at least
MARKED = ((1, pytest.mark.slow), (2, pytest.mark.soak), (3, pytest.mark.soak))


def fault_run(folder: Path, seed: int, kills: int) -> None:
    """Play one match; its log must be that of the undisturbed one."""
    seen = seen_by("fault_run.py", folder, seed, kills, EVENTS, mounts=True)
    assert seen["told"] == []
    assert (seen["kills"], seen["over"], seen["ending"]) == (kills, True, "over")
    assert seen["ready"] == seen["runs"]  # as its service manager heard, on a full card too
    assert seen["stored"] == seen["wanted"]  # the first that differs says which throw or press went wrong
    assert seen["scores"][0] == seen["scores"][1]
    assert len(seen["stored"]) >= EVENTS
    assert set(seen["failed"]) == {"camera", "display", "buttons", "store"}


# Seeds that three divides play Yahtzee, whose dice are kept, and take twice as long; of the others each plays Pig or
# Two-dice Pig.
@pytest.mark.parametrize("seed", [pytest.param(seed, marks=mark) for seed, mark in MARKED])
def test_ten_kills(tmp_path: Path, seed: int) -> None:
    """The final scores, and each event before them, are those of the undisturbed match."""
    fault_run(tmp_path, seed, 10)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(101, 111))
def test_fifty_kills(tmp_path: Path, seed: int) -> None:
    """The same with fifty; `make soak` goes on with the seeds that have not passed."""
    fault_run(tmp_path, seed, 50)
