"""What each game declares, against tests/data/inventory.txt: names, players, dice, options, presets.

The facts of the 34 games of the five texts were read from these by hand; those of the games beside them were looked at
once. Defaults are the texts'; the limits of numbers are the table's, since no text sets any.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tabletop.cli.main import main
from tabletop.rules import game_ids, load

TEXT = (Path(__file__).parents[1] / "data" / "inventory.txt").read_text(encoding="utf-8")
INVENTORY = dict(re.findall(r"^(\S+): (.*?)(?:\n\n|\Z)", TEXT, re.MULTILINE | re.DOTALL))


def option_text(option: dict[str, Any]) -> str:
    """Write an option: a default and its limits, or a default and, where it is a word, all words."""
    default = str(option["default"]).lower() if option["type"] == "bool" else option["default"]
    if option["type"] == "int":
        return f"{option['name']}={default} ({option['min']} to {option['max']})"
    words = f" ({' '.join(option['choices'])})" if option["type"] == "choice" else ""
    return f"{option['name']}={default}{words}"


def declared(game_id: str) -> Iterator[str]:
    game, _ = load(game_id)
    facts = game.to_json()
    players = f"{game.min_players} to {game.max_players} players"
    marks = {
        "each has dice": game.dice_each,
        f"colours {game.colours}": game.colours != "any",
        "newcomers": game.joining,
        "the fewest win": game.fewest_win,
    }
    yield ", ".join((game.name, players, f"{game.dice} dice", *(mark for mark, holds in marks.items() if holds)))
    yield f"source {game.source}"
    if game.other_names:
        yield f"also {'; '.join(game.other_names)}"
    yield from map(option_text, facts["options"][1:])
    for name, values in facts["preset_values"].items():
        yield " ".join((f"rules={name}", *(f"{key}={str(value).lower()}" for key, value in values.items())))


@pytest.mark.parametrize("game_id", game_ids())
def test_a_game_declares_what_the_inventory_has(game_id: str) -> None:
    """The first preset is the text whose way is the default."""
    assert "\n  ".join(declared(game_id)) == INVENTORY[game_id].strip()


def test_the_inventory_is_whole() -> None:
    """No game of the five texts is missing, and no other one is built in but those beside them."""
    assert list(INVENTORY) == sorted(game_ids())
    texts = ("dice-play.txt", "rollin-bones.txt", "aces-in-pot.txt", "roll-your-luck.txt", "the-dice-game.txt")
    assert sum(any(text in facts for text in texts) for facts in INVENTORY.values()) == 34


def test_dice_of_each_player_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    assert "5 dice for each player" in capsys.readouterr().out
