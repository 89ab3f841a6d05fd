"""The mutation check is a proof as well: it notices a fault, lets a right game pass, and touches no file."""

import subprocess
import sys
from pathlib import Path

import pytest

TRIAL = Path(__file__).parent / "mutation" / "trial.py"
PIG = Path(__file__).resolve().parents[1] / "tabletop" / "games" / "pig.py"


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        ("LOSING_FACE = 1", "LOSING_FACE = 2", "noticed by pig.txt:"),
        ("dice=1,\n", "dice=0,\n", "noticed by conformance, the facts are whole"),
        ("GAME = Game(", "GAME = Game(1,", "noticed by an error"),
    ],
)
def test_a_fault_is_noticed(tmp_path: Path, was: str, now: str, said: str) -> None:
    """The first proof that fails is told; the game file itself stays as it is."""
    before = PIG.read_text(encoding="utf-8")
    assert before.count(was) == 1
    mutant = tmp_path / "mutant.py"
    mutant.write_text(before.replace(was, now), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(TRIAL), "pig", "tabletop.games.pig", str(mutant), "1"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert said in done.stdout.splitlines()[-1]
    assert PIG.read_text(encoding="utf-8") == before


def test_a_right_game_passes(tmp_path: Path) -> None:
    """What differs in a remark only is noticed by nobody."""
    same = tmp_path / "same.py"
    same.write_text(PIG.read_text(encoding="utf-8") + "# nothing else\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(TRIAL), "pig", "tabletop.games.pig", str(same), "1"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "unnoticed"), done.stdout
