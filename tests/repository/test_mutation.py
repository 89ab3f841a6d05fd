"""The mutation check is a proof as well: it notices a fault, lets a right game pass, and touches no file.

With its own forms of faults it runs here on every game; README.md in tools/mutation tells of the tool for a long run.
"""

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from tabletop.rules import game_ids
from tools.mutation.drawing import Mutant, drawn
from tools.mutation.forms import forms
from tools.mutation.known import Row, equivalents, is_known, modules_of, report

pytestmark = pytest.mark.longest

ROOT = Path(__file__).resolve().parents[2]
GOLF = ROOT / "tabletop" / "games" / "dice_golf.py"  # whose tests take least
MUTANTS_A_GAME = 2
ENOUGH = 0.95


def mutation(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "tools.mutation", *words], cwd=ROOT, capture_output=True, text=True, check=False
    )


FAULTS = [
    ("DICE = 3", "DICE = 4", "noticed by dice-golf.txt:"),
    ("    dice=DICE,\n", "    dice=0,\n", "noticed by conformance, the facts are whole"),
    ("GAME = Game(", "GAME = Game(1,", "noticed by an error"),
    ('name="Dice Golf"', 'name="Golf"', "noticed by tests/games/test_inventory.py::"),
    ("async def play", "while True: pass\n\n\nasync def play", "noticed by no end of the worked examples"),
    ("GAME = Game(", "# nothing else\nGAME = Game(", "unnoticed"),
]


@pytest.mark.slow
def test_a_fault_is_noticed_and_a_right_game_passes(tmp_path: Path) -> None:
    """The first proof that fails is told; the game file itself stays as it is."""
    before = GOLF.read_text(encoding="utf-8")
    paths = [tmp_path / f"{number}.py" for number in range(len(FAULTS))]
    for path, (was, now, _) in zip(paths, FAULTS, strict=True):
        assert before.count(was) == 1
        path.write_text(before.replace(was, now), encoding="utf-8")
    done = mutation("dice-golf", "--text", *map(str, paths))
    assert done.returncode == 1, done.stderr
    for said, (_, now, expected) in zip(done.stdout.splitlines(), FAULTS, strict=True):
        assert said.startswith(expected), now
    assert GOLF.read_text(encoding="utf-8") == before


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("best = 2", ["best = 3", "best = 1"]),
        ("if a < b:\n    pass", ["if (not (a < b)):\n    pass", "if a <= b:\n    pass", "if a > b:\n    pass"]),
        ("x = not (a)", ["x =  (a)"]),
        ("x = a and b or c", ["x = a or b or c", "x = a and b and c"]),
        ("total += a % b", ["total -= a % b", "total += a + b"]),
        ("x = 'é' * a", ["x = 'é' + a"]),
        ("x = max(\n    a\n    in b\n)", ["x = min(\n    a\n    in b\n)", "x = max(\n    a\n    not in b\n)"]),
        ("while a:\n    break", ["while (not (a)):\n    break", "while a:\n    continue"]),
        ("x = [a for a in b]", ["x = [a for a in ()]"]),
        ("for a in b:\n    continue", ["for a in ():\n    continue", "for a in b:\n    break"]),
        ("x = True", ["x = False"]),
    ],
)
def test_the_forms_of_a_fault(text: str, changed: list[str]) -> None:
    """Each form changes one place and leaves the rest, over lines and letters of any length."""
    assert sorted(form.applied(text) for form in forms(text)) == sorted(changed)


def test_what_is_no_other_program_is_not_drawn() -> None:
    """Annotations and texts are left alone."""
    text = 'def turn(a: Literal[1], b: Any = 5) -> Literal[2]:\n    """Return 3."""\n    c: Literal[4] = b\n'
    found = drawn(text, 99, Random(1), own=True)
    assert {mutant.text for mutant in found} == {text.replace("= 5", "= 6"), text.replace("= 5", "= 4")}
    assert {mutant.line for mutant in found} == {1}


def test_the_same_seed_draws_the_same() -> None:
    """So a survivor can be met again; another seed draws others."""
    text = GOLF.read_text(encoding="utf-8")
    one, same, other = (drawn(text, 10, Random(seed), own=True) for seed in (1, 1, 2))
    assert one == same != other
    assert len({mutant.text for mutant in one}) == 10


def test_a_mutant_tells_how_it_differs() -> None:
    """Only the lines that changed, so that it is known again when others move."""
    mutant = Mutant("a\n  b = 2\nc\n", 2, "number")
    assert mutant.difference("a\n  b = 1\nc\n") == (("b = 1",), ("b = 2",))


@pytest.mark.parametrize("game_id", sorted({equivalent.game for equivalent in equivalents()}))
def test_the_known_equivalents_still_stand_in_the_game(game_id: str) -> None:
    """One whose lines are no longer there would be an excuse for nothing; each is told with its reason."""
    texts = [(ROOT / f"{name.replace('.', '/')}.py").read_text(encoding="utf-8") for name in modules_of(game_id)]
    bare = "\n".join(line.strip() for text in texts for line in text.splitlines())
    for equivalent in equivalents():
        if equivalent.game == game_id:
            assert "\n".join(equivalent.was) in bare, equivalent
            assert equivalent.now != equivalent.was
            assert equivalent.why.endswith(".")


def test_a_known_equivalent_is_known() -> None:
    """By its game and its lines."""
    equivalent = equivalents()[0]
    text, changed = "\n".join(["x", *equivalent.was, "y"]), "\n".join(["x", *equivalent.now, "y"])
    assert is_known(equivalent.game, text, Mutant(changed, 2, "number"))
    assert not is_known("pig of another kind", text, Mutant(changed, 2, "number"))
    assert not is_known(equivalent.game, text, Mutant(f"{changed}1", 2, "number"))


def test_the_report_keeps_the_rows_of_games_that_were_not_tried() -> None:
    """A game can be tried alone; the sums are of all."""
    first = report([Row("aces", 30, 29, 0, 1), Row("pig", 30, 30, 0, 0)], "python x", "")
    again = report([Row("aces", 30, 29, 1, 0)], "python x", first)
    assert "| aces | 30 | 29 | 1 | 0 |\n| pig | 30 | 30 | 0 | 0 |\n" in again
    assert "60 drawn, 59 noticed (98.3%), 1 equivalent, 0 gaps" in again


@pytest.mark.parametrize(
    "begin", [pytest.param(0, marks=pytest.mark.slow), *(pytest.param(n, marks=pytest.mark.soak) for n in (1, 2, 3))]
)
def test_the_tests_of_every_game_notice_small_faults(begin: int) -> None:
    """Of two mutants of every fourth game, the known equivalents left out, at least 95 % are noticed."""
    games = game_ids()[begin::4]
    done = mutation(*games, "--own", "--brief", "--mutants", str(MUTANTS_A_GAME), "--seed", "3")
    sums = done.stdout.splitlines()[-1].split()
    noticed, equivalent, gaps = int(sums[0]), int(sums[2]), int(sums[4])
    assert noticed + equivalent + gaps == MUTANTS_A_GAME * len(games), done.stdout + done.stderr
    assert noticed >= ENOUGH * (noticed + gaps), done.stdout
