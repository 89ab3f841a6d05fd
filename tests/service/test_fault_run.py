"""The fault run: every part fails and returns, the plug is pulled, and the match ends as if nothing had happened.

`fault_run` plays it at `tabletop play` in processes of their own, which SIGKILL ends at random moments. Only what lies
below the drivers is replaced, and time (`fault_table`). The oracle is the referee alone, given the same faces.
"""

from pathlib import Path

import pytest
from own_program import seen_by

EVENTS = 500  # of a match, at least
# Seeds that three divides play Yahtzee, whose dice are kept, and take twice as long; of the others each plays Pig or
# Two-dice Pig.
RUNS = [
    *(pytest.param(seed, 10, marks=pytest.mark.slow if seed == 1 else pytest.mark.soak) for seed in (1, 2, 3)),
    *(pytest.param(seed, 50, marks=pytest.mark.soak) for seed in range(101, 111)),
]


@pytest.mark.parametrize(("seed", "kills"), RUNS)
def test_kills_and_faults_change_no_match(tmp_path: Path, seed: int, kills: int) -> None:
    """The final scores, and each event before them, are those of the undisturbed match."""
    seen = seen_by("fault_run.py", tmp_path, seed, kills, EVENTS, mounts=True)
    assert seen["told"] == []
    assert (seen["kills"], seen["over"], seen["ending"]) == (kills, True, "over")
    assert seen["ready"] == seen["runs"]  # as its service manager heard, on a full card too
    assert seen["stored"] == seen["wanted"]  # the first that differs says which throw or press went wrong
    assert seen["scores"][0] == seen["scores"][1]
    assert len(seen["stored"]) >= EVENTS
    assert set(seen["failed"]) == {"camera", "display", "buttons", "store"}
