"""What every registered game must do, whatever its rules: the conformance suite, each check with a few seeds a game.

The suite is a part of the product (`tabletop games --check FILE`); tests/games/test_check.py proves that it notices.
"""

from pathlib import Path
from random import Random

import pytest

from tabletop.rules import game_ids
from tabletop.rules.conformance import CHECKS, check
from tabletop.rules.conformance.source import wrong_lines

GAMES = game_ids()
FOLDER = Path(__file__).resolve().parents[2] / "tabletop" / "games"
# What happens once in many matches is looked for with more seeds, by those who have the time.
SEEDS = (
    pytest.param(range(1), id="once"),
    pytest.param(range(1, 7), id="often", marks=pytest.mark.slow),
    pytest.param(range(7, 40), id="most often", marks=pytest.mark.soak),
)


@pytest.mark.parametrize("seeds", SEEDS)
@pytest.mark.parametrize("name", CHECKS)
@pytest.mark.parametrize("game_id", GAMES)
def test_a_game_does_what_every_game_must(game_id: str, name: str, seeds: range) -> None:
    """One check of the suite, in random matches with random options."""
    for seed in seeds:
        check(name, game_id, Random(f"{game_id}: {name} {seed}"))


@pytest.mark.parametrize("path", sorted(FOLDER.glob("[a-z]*.py")), ids=lambda path: path.stem)
def test_a_game_file_is_written_as_the_rules_of_work_have_it(path: Path) -> None:
    """No chance, clock or file of its own, and no await within a sum."""
    assert list(wrong_lines(path.read_text(encoding="utf-8"))) == []
