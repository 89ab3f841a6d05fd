"""How each game is played, in German."""

import re
from pathlib import Path

import pytest

from tabletop.rules import game_ids
from tabletop.rules.catalog import load
from tabletop.views.i18n.catalogue import ENGLISH, load_language
from tabletop.views.i18n.translate import RULES_FOLDER, rules_text, translated
from tabletop.views.snapshot import Snapshot

WIDEST = 124  # letters of a line: a terminal of 80 letters folds it once
GERMAN = load_language("de")
TYPED = re.compile(r"[a-z]_[a-z]|\w=\w|`")  # an option, a value, a row of the sheet


def figures(text: str) -> set[str]:
    """Return the numbers of a text; 10,000 and 10.000 are the same."""
    plain = re.sub(r"(?<=\d)[.,](?=\d{3}\b)", "", text)
    return set(re.findall(r"\b\d+\b", plain))


@pytest.mark.parametrize("game_id", game_ids())
def test_a_german_text_has_the_figures_of_the_english(game_id: str) -> None:
    """Every built-in game has one, with the same numbers; neither has a word that is typed, which nobody says aloud."""
    game = load(game_id)[0]
    german = rules_text("de", game.name, game.help)
    assert german != game.help
    assert not TYPED.search(game.help + german)
    assert figures(german) == figures(game.help)
    assert max(map(len, german.splitlines())) <= WIDEST


def test_the_rules_of_a_snapshot_are_translated() -> None:
    """In German they are German; in English as the game has them; a game of your own called alike keeps its own."""
    shown = Snapshot("Pig", ("Ann",), (0,), rules=load("pig")[0].help)
    assert translated(shown, GERMAN).rules == (RULES_FOLDER / "de" / "pig.txt").read_text(encoding="utf-8").strip()
    assert translated(shown, ENGLISH).rules == shown.rules
    own = Snapshot("Pig", ("Ann",), (0,), rules="Our own pig.")
    assert translated(own, GERMAN).rules == "Our own pig."


def test_no_text_is_of_a_game_that_is_not_there() -> None:
    """A file that is called like no game would never be shown."""
    folders = [path for path in RULES_FOLDER.iterdir() if path.is_dir()]
    assert folders == [Path(RULES_FOLDER / "de")]
    assert {path.stem for path in (RULES_FOLDER / "de").iterdir()} <= set(game_ids())
