"""Other people's implementations play the same matches as ours, step by step, and differ only where the rules do.

What they are and what each difference in rule is, is told in tests/others/README.md.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
OTHERS = ROOT / "build" / "others"

FEWEST_MATCHES = 200
ALL_THROWS = sum((6, 21, 56, 126, 252, 462))  # of one to six dice, each as the multiset of its faces


def compare(*words: str) -> dict[str, object]:
    """Run one comparison as a program of its own; return what it tells."""
    assert OTHERS.is_dir(), f"expected the other implementations in {OTHERS.relative_to(ROOT)}: `make others` puts them"
    paths = os.pathsep.join(map(str, (ROOT, ROOT / "tests", ROOT / "tests" / "support", OTHERS)))
    command = [sys.executable, "-m", *words]
    env = os.environ | {"PYTHONPATH": paths}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert isinstance(told, dict)
    return told


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "matches", "events", "differences"),
    [
        pytest.param(["others.open_spiel_pig", "600"], 600, 100_000,
            {"theirs may stop before any throw", "theirs must stop once the stake is enough to win"},
            id="OpenSpiel's Pig"),
        pytest.param(["others.open_spiel_yacht", "200"], FEWEST_MATCHES, 25_000,
            {"theirs counts all five dice as four of a kind", "theirs takes five of a kind as a full house"},
            id="OpenSpiel's Yacht"),
        pytest.param(["others.open_spiel_yacht", "200", "four_of_a_kind=all", "five_as_full_house=true"],
            FEWEST_MATCHES, 25_000, set(), id="OpenSpiel's Yacht by our options"),
        pytest.param(["others.pyhtzee_game", "hands"], 252, 252 * 13, set(), id="Pyhtzee's boxes for every hand"),
        pytest.param(["others.pyhtzee_game", "500", "plain"], 500, 10_000,
            {"theirs allows a fourth throw in every round but the first",
            "theirs gives the bonus for 63 with the sixth upper box only, not as soon as there are 63",
            "theirs adds the number of the sixth upper box, not its points, before it looks for 63"},
            id="Pyhtzee without joker"),
        pytest.param(["others.pyhtzee_game", "500", "joker"], 500, 10_000,
            {"theirs takes every five alike as a joker, with any box empty",
            "theirs allows a fourth throw in every round but the first",
            "theirs gives the bonus for 63 with the sixth upper box only, not as soon as there are 63",
            "theirs adds the number of the sixth upper box, not its points, before it looks for 63"},
            id="Pyhtzee with joker"),
        pytest.param(["others.generala_hands"], 2 * 252, 2 * 252 * 10,
            {"theirs has no wild ace in a straight", "theirs takes five alike not as four of a kind"},
            id="Generala's boxes for every hand"),
        pytest.param(["others.generala_hands", "five_as_four=false"], 2 * 252, 2 * 252 * 10,
            {"theirs has no wild ace in a straight"}, id="Generala's boxes by our option"),
        pytest.param(["others.pyfarkle_game", "parts"], ALL_THROWS, 15_000,
            {"theirs takes three pairs, but not four alike and a pair, as three pairs"},
            id="Pyfarkle's parts of every throw"),
        pytest.param(["others.pyfarkle_game", "200"], FEWEST_MATCHES, 50_000, set(), id="Pyfarkle's matches"),
    ],
)  # fmt: skip
def test_another_implementation_agrees(words: list[str], matches: int, events: int, differences: set[str]) -> None:
    """Over random matches the two differ in exactly the rules that are named, and each of these is met."""
    told = compare(*words)
    assert told["matches"] == matches
    assert isinstance(told["events"], int)
    assert told["events"] >= events
    assert isinstance(told["differences"], dict)
    assert set(told["differences"]) == differences


@pytest.mark.slow
def test_an_unnamed_difference_is_told() -> None:
    """The comparison itself is not blind: with another rule of ours four of a kind differs in a way without a name."""
    told = compare("others.open_spiel_yacht", "30", "five_as_four=false")["differences"]
    assert isinstance(told, dict)
    assert any(re.match(r"four of a kind with .*: theirs \d+, ours 0", name) for name in told)
