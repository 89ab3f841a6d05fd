"""How accuracy grows: the table of figures from throws counted by hand, and a run of the command."""

import subprocess
import sys

import pytest

from tools.scoring.first_throws import Throw, rows, table


def test_rows_count_what_happened_to_each_throw() -> None:
    """Two set-ups: the first throw taken once and once not, the second taken rightly and wrongly."""
    throws = [
        Throw(1, "asked", None, right=3, wrong=0, unsure=1),
        Throw(1, "right", 0.5, right=5, wrong=0, unsure=0),
        Throw(2, "right", 0.25, right=5, wrong=0, unsure=0),
        Throw(2, "wrong", 0.75, right=4, wrong=1, unsure=0),
    ]
    first, second, *_ = rows(throws)
    assert [(share.count, share.of) for share in (first.taken, first.silent, first.dice, first.unsure)] == [
        (1, 2),
        (0, 2),
        (8, 10),
        (1, 10),
    ]
    assert (second.taken.count, second.silent.count, second.dice.count, first.wait_s) == (1, 1, 9, None)
    assert second.wait_s is not None
    assert second.wait_s[0] == 0.5
    lines = table("throw", [first, second]).splitlines()
    assert lines[2].startswith("| 1 | 50.0 % (9 to 91) | 0.0 % (0 to 66) | 80.0 % (49 to 94) |")
    assert lines[2].endswith("| - |")


@pytest.mark.slow
def test_the_command_measures_a_tray() -> None:
    """One set-up from straight above: both tables take all five throws rightly, as the README's figures have it."""
    command = [sys.executable, "-m", "tools.scoring.first_throws", "--set-ups", "1", "--seed", "2"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    lines = [line for line in done.stdout.splitlines() if line[:4] in {f"| {n} " for n in range(1, 6)}]
    assert len(lines) == 10
    assert all(line.split("|")[3].startswith(" 0.0 %") for line in lines)  # none wrong in silence
