"""docs/my-first-game.md, followed step by step: after each piece the game can be loaded and every check holds."""

import ast
import re
from itertools import product
from pathlib import Path

import pytest

from tabletop.cli import games_check
from tabletop.cli.main import main
from tabletop.config.own_games import games_folder
from tabletop.rules import Match, load
from tabletop.rules.catalog import built_in_ids

PAGE = Path(__file__).parents[2] / "docs" / "my-first-game.md"
TEXT = PAGE.read_text(encoding="utf-8")
PIECES = re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
(EXAMPLES,) = re.findall(r"^```text\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
COMMANDS = re.findall(r"^\$ tabletop (.*)$", TEXT, re.MULTILINE)


def names_of(node: ast.stmt) -> tuple[str, ...]:
    if isinstance(node, ast.Assign):
        return tuple(name.id for target in node.targets for name in ast.walk(target) if isinstance(name, ast.Name))
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return (node.target.id,)
    return (node.name,) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else ()


def written_in(text: str, piece: str) -> str:
    """Do what the page says: a definition goes where one of its name stands, a new one above `play`."""
    tree, lines = ast.parse(text), text.splitlines()
    there = {name: node for node in tree.body for name in names_of(node)}
    changes: dict[tuple[int, int], list[str]] = {}
    for node in ast.parse(piece).body:
        new = piece.splitlines()[node.lineno - 1 : node.end_lineno]
        old = next((there[name] for name in names_of(node) if name in there), None)
        first = (old or there["play"]).lineno - 1
        place = (first, old.end_lineno or first) if old is not None else (first, first)
        changes.setdefault(place, []).extend([*new, ""])
    for (start, end), new in sorted(changes.items(), reverse=True):
        lines[start:end] = new
    return "\n".join(lines) + "\n"


def after(steps: int) -> str:
    text: str = PIECES[0]
    for piece in PIECES[1:steps]:
        text = written_in(text, piece)
    return text


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(games_check, "SEEDS", 1)


def begun(steps: int) -> Path:
    assert main(COMMANDS[0].split()) == 0
    path = games_folder() / "my_kismet.py"
    path.write_text(after(steps), encoding="utf-8")
    return path


@pytest.mark.parametrize("steps", range(1, len(PIECES) + 1))
def test_after_each_step_every_check_holds(steps: int, capsys: pytest.CaptureFixture[str]) -> None:
    """The game plays from the first piece on."""
    begun(steps)
    assert main(["games", "--check", "my_kismet"]) == 0
    assert "holds: any mix of entries" in capsys.readouterr().out


def test_the_examples_of_the_page_hold_and_nothing_is_warned_of(capsys: pytest.CaptureFixture[str]) -> None:
    """The whole game with its examples is complete."""
    path = begun(len(PIECES))
    path.with_suffix(".txt").write_text(EXAMPLES, encoding="utf-8")
    capsys.readouterr()
    assert main(["games", "--check", "my_kismet"]) == 0
    out, err = capsys.readouterr()
    assert "the 4 worked examples of my_kismet.txt" in out
    assert err == ""


def test_the_page_has_four_pieces_and_the_name_is_free() -> None:
    """No built-in game is called so."""
    assert len(PIECES) == 4
    assert "my-kismet" not in built_in_ids()
    assert [command for command in COMMANDS if "--draft-examples" in command] != []


# Worked out from the printed rules: how many of the 7776 throws make each box.
MADE = {
    "straight": 240,  # two straights, 120 orders each
    "flush": 3 * 2**5,  # three colours, two faces each
    "full house": 300 + 6,  # 6 * 5 * 10, and five alike
    "house of a colour": 6 * 1 * 10 + 6,  # the pair has the other face of the colour
    "four of a kind": 150 + 6,
    "three of a kind": 1200 + 300 + 150 + 6,
    "kismet": 6,
}


def test_each_box_is_made_as_often_as_the_rules_have_it() -> None:
    """All throws of five dice; two pairs of a colour are counted apart, by their definition."""
    begun(len(PIECES))
    game, play = load("my-kismet")
    assert game.dice == 5
    scores = play.__globals__["SCORES"]
    throws = [tuple(sorted(throw)) for throw in product(range(1, 7), repeat=5)]
    assert {box: sum(scores[box](throw) > 0 for throw in throws) for box in MADE} == MADE
    colours = {1: 0, 6: 0, 2: 1, 5: 1, 3: 2, 4: 2}
    for throw in throws:
        pairs = [colours[face] for face in range(1, 7) for _ in range(throw.count(face) // 2)]
        assert (scores["two pairs of a colour"](throw) > 0) == (len(pairs) > len(set(pairs)))


def test_a_match_is_played_to_its_end() -> None:
    """Fifteen boxes for each of two players."""
    begun(len(PIECES))
    match = Match("my-kismet", ["Ann", "Ben"], throws=1)
    while not match.over:
        match.throw([6, 6, 6, 6, 6])
        match.choose(max(match.request.gives, key=lambda box: match.request.gives[box]))
    assert match.event == 2 * 2 * 15
    assert match.winners == ("Ann", "Ben")
