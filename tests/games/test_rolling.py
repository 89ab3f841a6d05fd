"""What the games of rolling and stopping declare, against the rule texts and their inventory, read by hand."""

import pytest

from tabletop.core.errors import InputError
from tabletop.rules import Match, load

# id: most dice on the table, whether somebody may sit down in mid-match, other names
FACTS: dict[str, tuple[int, bool, set[str]]] = {
    "pig": (1, True, {"Pig Dice"}),
    "two-dice-pig": (2, True, set()),
    "twenty-one": (1, False, set()),
    "ship-captain-mate-crew": (
        5,
        False,
        {"Battleship", "Mariner", "Destroyer", "Ship", "Ship, Captain and Crew", "6-5-4"},
    ),
    "going-to-boston": (3, True, {"Going to Town", "Newmarket", "Yankee Grab"}),
    "multiplication": (3, True, set()),
    "dice-golf": (3, False, set()),
    "around-the-spot": (3, True, {"Flower Petals"}),
}

# game, option, default, a value that is allowed at each end, values that are not
RANGES: list[tuple[str, str, int, tuple[int, int], tuple[int, int]]] = [
    ("pig", "target", 100, (1, 10_000), (0, 10_001)),
    ("pig", "hog", 0, (0, 10), (-1, 11)),
    ("two-dice-pig", "target", 100, (1, 10_000), (0, 10_001)),
    ("two-dice-pig", "rounds", 5, (1, 100), (0, 101)),
    ("ship-captain-mate-crew", "rounds", 1, (1, 100), (0, 101)),
    ("twenty-one", "target", 21, (6, 1000), (5, 1001)),
    ("twenty-one", "dice", 1, (1, 2), (0, 3)),
    ("twenty-one", "discard", 14, (2, 1000), (1, 1001)),
    ("going-to-boston", "rounds", 5, (1, 100), (0, 101)),
    ("multiplication", "rounds", 5, (1, 100), (0, 101)),
    ("dice-golf", "rounds", 18, (1, 100), (0, 101)),
    ("around-the-spot", "rounds", 4, (1, 100), (0, 101)),
]

PRESETS: dict[str, dict[str, dict[str, object]]] = {
    "pig": {
        "rollin-bones": {},
        "dice-play": {"reached": "over", "replies": "equal"},
        "hog": {"hog": 6},
        "exact-pig": {"reached": "exact"},
    },
    "two-dice-pig": {
        "rollin-bones": {},
        "dice-play": {"reached": "over", "replies": "equal"},
        "big-pig": {"ones": "continue"},
        "snake-eyes": {"ones": "lose", "doubles": False},
        "skunk": {"skunk": True},
    },
    "twenty-one": {"dice-play": {}},
    "ship-captain-mate-crew": {
        "dice-play": {},
        "pub": {"crew": "both"},
        "ship-kitty": {"crew": "both", "kitty": True, "rounds": 10},
    },
    "going-to-boston": {"dice-play": {}, "rollin-bones": {}},
    "multiplication": {"dice-play": {}, "rollin-bones": {}},
    "dice-golf": {"dice-play": {}},
    "around-the-spot": {"dice-play": {}},
}


@pytest.mark.parametrize("game_id", FACTS)
def test_the_facts(game_id: str) -> None:
    """No turn needs an opponent, so one may play alone; no text sets a limit, so ten may play."""
    game, _ = load(game_id)
    assert (game.min_players, game.max_players) == (1, 10)
    dice, joining, names = FACTS[game_id]
    assert (game.dice, game.joining) == (dice, joining)
    assert names <= set(game.other_names)
    assert [(name, dict(values)) for name, values in game.presets.items()] == list(PRESETS[game_id].items())


@pytest.mark.parametrize(("game_id", "option", "default", "allowed", "refused"), RANGES)
def test_the_numbers(
    game_id: str, option: str, default: int, allowed: tuple[int, int], refused: tuple[int, int]
) -> None:
    """Each option of a number has the text's default, or a usual one where the text leaves it open, and its range."""
    assert Match(game_id, ["Ann"]).options[option] == default
    for value in allowed:
        assert Match(game_id, ["Ann"], **{option: value}).options[option] == value
    for value in refused:
        with pytest.raises(InputError, match=option):
            Match(game_id, ["Ann"], **{option: value})
