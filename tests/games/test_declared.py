"""What the other games declare: names, texts, presets, options with their defaults and limits.

The names and defaults are read from the rule texts and the readings of their inventory ("->"). The limits of a number
are the table's, as no text sets any: rounds and tokens up to 100, points up to 10 000, what a goal is up to a million.
"""

import pytest

from tabletop.rules import load

ROUNDS = (5, 1, 100)
ORDER = ["seats", "roll"]
POINTS = 10_000  # at most, for one combination

Declared = bool | list[str] | tuple[int, int, int] | tuple[str, list[str]]
# a number: default, least, most; choices: the default first; a default that is not the first: that and all choices
OPTIONS: dict[str, dict[str, Declared]] = {
    "aces": {"order": ORDER, "last": ["wins", "loses"]},
    "aces-in-pot": {"rounds": (1, 1, 100), "order": ORDER, "debt": ["pot", "left"]},
    "catch-up": {"target": (3, 1, 100), "together": True, "restart": ["catcher", "first"]},
    "crag": {"crag_as_thirteen": False},
    "general": {
        "chance": True,
        "big_general": ["always", "open", "never"],
        "five_as_four": True,
        "five_as_full_house": False,
        "pick_up": True,
        "double_general": False,
        "stakes": (0, 0, 1000),
        "general_points": (60, 1, 1000),
        "double_points": (100, 1, 1000),
        "wrapped": False,
    },
    "help-your-neighbour": {"rounds": ROUNDS, "counters": (10, 10, 1000), "exits": ["split", "fewest", "thrower"]},
    "lcr": {"order": ORDER, "last_throw": False, "chips": (3, 1, 100), "wild": False, "two_players": False},
    "mafia": {"rounds": ROUNDS, "order": ORDER, "stake": (50, 1, 10_000)},
    "passage": {
        "target": (11, 1, 1000),
        "order": ("roll", ORDER),
        "double": (2, 2, 3),
        "exact": False,
        "point": ["match", "round"],
    },
    "plus-and-minus": {"rounds": ROUNDS},
    "roll-your-luck": {"rounds": ROUNDS, "refused": ["wipes", "ends"], "together": True},
    "sevens": {
        "rounds": (1, 1, 100),
        "groups": ["any", "pairs"],
        "removal": ["all", "free"],
        "ties": ["shared", "play-off"],
    },
    "ten-pins": {
        "off_alley": ["die", "throw"],
        "strike_throws": (2, 1, 2),
        "spare": ["later", "second"],
        "extra_throw": True,
        "pick_up": True,
    },
    "ten-thousand": {
        "target": (10_000, 50, 1_000_000),
        "replies": ("equal", ["none", "equal", "everyone"]),
        "entry": (0, 0, 1500),
        "carry_on": False,
        "three_scoreless": False,
        "any_lost_turn": False,
        "floor": False,
        "last_die": False,
        "cancel": False,
        "outright": False,
        "hot_dice": ["may", "must"],
        "dice": (6, 5, 7),
        "run": (3000, 0, POINTS),
        "short_run": (0, 0, POINTS),
        "three_pairs": (1500, 0, POINTS),
        "three_ones": (1000, 300, POINTS),
        "two_triples": (0, 0, POINTS),
        "alike": ["loose", "set", "adding", "doubling"],
        "least": (0, 0, 1500),
        "piggyback": False,
        "penalty": (1000, 0, POINTS),
        "ties": ["first", "shared", "play-off"],
    },
    "the-dice-game": {
        "target": (5000, 50, 1_000_000),
        "replies": ["none", "equal", "everyone"],
        "board": False,
        "choice": False,
        "one": (100, 50, POINTS),
        "three_ones": (1000, 150, POINTS),
        "three_twos": (200, 100, POINTS),
        "three_threes": (300, 100, POINTS),
        "three_sixes": (600, 100, POINTS),
        "four_alike": (0, 0, POINTS),
        "five_alike": (0, 0, POINTS),
        "six_alike": (0, 0, POINTS),
        "three_pairs": (0, 0, POINTS),
    },
    "three-or-more": {"rounds": ROUNDS, "rethrows": (1, 0, 10), "counting": ["all", "kept"], "improve": False},
    "yacht": {
        "four_of_a_kind": ["four", "all"],
        "five_as_four": True,
        "five_as_full_house": False,
        "pick_up": True,
        "three_of_a_kind": False,
        "upper_bonus": False,
    },
    "yahtzee": {
        "joker": True,
        "bonus": True,
        "joker_rule": ["forced", "free", "original"],
        "joker_after_zero": True,
        "five_as_full_house": False,
        "bonus_points": (100, 0, 1000),
        "bonus_for": ["held", "upper", "both"],
        "columns": ["1", "3"],
    },
    "yatzy": {"in_order": False, "bonus": (50, 0, 1000), "four_as_two_pairs": False, "five_as_full_house": False},
    "maxi-yatzy": {"save_throws": True, "goal": (84, 1, 126), "bonus": (100, 0, 1000), "same_face": False},
    "kismet": {"penalty": True, "four_as_two_pairs": True, "five_as_full_house": True},
    "balut": {"winner": ["points", "sum"], "five_as_full_house": False},
}

# other names in the texts, and common ones; those not named here have none
NAMES = {
    "aces": {"Aces to the Centre, Deuces to the Left and Fives to the Right"},
    "general": {"Generala"},
    "help-your-neighbour": {"Help Your Neighbor"},
    "lcr": {"Left Center Right", "Left Right Center"},
    "mafia": {"Mafia Dice"},
    "sevens": {"Seven Dice"},
    "ten-thousand": {"Farkle", "Dix Mille", "10000", "Zilch", "Greed", "Zonk"},
    "yacht": {"Cheerio", "Yot", "Yam"},
    "yatzy": {"Yatsy", "Yatze", "Jatzy", "Jatsi"},
    "maxi-yatzy": {"Maxi", "Maxi Yatsy", "Maxi Yahtzee", "Maksi Jatsi"},
}

# presets: each text's own way, the default one first, and other houses; the rest are told by dice-play.txt alone
PRESETS: dict[str, dict[str, dict[str, object]]] = {
    "aces-in-pot": {"aces-in-pot": {}},
    "general": {
        "dice-play": {},
        "generala": {"chance": False},
        "generala-doble": {"chance": False, "double_general": True, "general_points": 50, "double_points": 120},
    },
    "lcr": {"rollin-bones": {}, "lcr-wild": {"wild": True}, "lcr-for-two": {"two_players": True}},
    "mafia": {"rollin-bones": {}},
    "roll-your-luck": {"roll-your-luck": {}},
    "sevens": {"dice-play": {}, "rollin-bones": {"rounds": 5}},
    "ten-thousand": {
        "dice-play": {},
        "farkle": {
            "entry": 500,
            "run": 1500,
            "three_ones": 300,
            "two_triples": 2500,
            "alike": "set",
            "replies": "everyone",
        },
        "farkle-piggyback": {
            "entry": 500,
            "run": 1500,
            "three_ones": 300,
            "two_triples": 2500,
            "alike": "set",
            "replies": "everyone",
            "piggyback": True,
        },
        "farkle-house-rules": {
            "entry": 500,
            "run": 1500,
            "three_pairs": 750,
            "alike": "set",
            "hot_dice": "must",
            "replies": "everyone",
        },
        "zilch": {"target": 5000, "run": 1500, "three_pairs": 0, "alike": "doubling", "replies": "everyone"},
        "greed": {"target": 3000, "entry": 300, "dice": 5, "replies": "everyone"},
        "zonk": {"target": 5000, "dice": 5},
    },
    "the-dice-game": {"the-dice-game": {}},
    "yacht": {
        "dice-play": {},
        "printed-sheet": {"four_of_a_kind": "all", "three_of_a_kind": True, "upper_bonus": True},
    },
    "yahtzee": {
        "rollin-bones": {},
        "dice-play": {"joker": False, "bonus": False},
        "free-joker": {"joker_rule": "free"},
        "original-joker": {"joker_rule": "original"},
        "kniffel": {"bonus_points": 50, "bonus_for": "both"},
        "triple-yahtzee": {"columns": "3"},
    },
    "yatzy": {"scandinavian": {}, "forced-yatzy": {"in_order": True}},
    "maxi-yatzy": {"saved-throws": {}, "short-maxi": {"save_throws": False, "goal": 75, "bonus": 50}},
    "kismet": {"endless-games": {}},
    "balut": {"balut.org": {}, "simple-balut": {"winner": "sum"}},
}

# A newcomer fits where no chips, dice or boxes are dealt out before the first throw, or where rounds begin anew.
ROOM_FOR_A_NEWCOMER = {
    "aces-in-pot",
    "catch-up",
    "help-your-neighbour",
    "mafia",
    "passage",
    "plus-and-minus",
    "roll-your-luck",
    "sevens",
    "ten-thousand",
    "the-dice-game",
    "three-or-more",
}


@pytest.mark.parametrize("game_id", OPTIONS)
def test_the_options(game_id: str) -> None:
    """Each has its default and its limits, and there are no others."""
    _, *own = load(game_id)[0].to_json()["options"]
    found: dict[str, Declared] = {}
    for option in own:
        default, choices = option["default"], option.get("choices")
        if option["type"] == "int":
            found[option["name"]] = (default, option["min"], option["max"])
        elif option["type"] == "bool":
            found[option["name"]] = default
        else:
            found[option["name"]] = choices if default == choices[0] else (default, choices)
    assert found == OPTIONS[game_id]


@pytest.mark.parametrize("game_id", OPTIONS)
def test_names_texts_and_presets(game_id: str) -> None:
    """The first preset is the text whose way is the default."""
    game, _ = load(game_id)
    presets = PRESETS.get(game_id, {"dice-play": {}})
    assert NAMES.get(game_id, set()) <= set(game.other_names)
    assert [(name, dict(values)) for name, values in game.presets.items()] == list(presets.items())
    assert game.joining is (game_id in ROOM_FOR_A_NEWCOMER)
