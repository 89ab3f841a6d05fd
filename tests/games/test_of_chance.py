"""What eight games declare, against the inventory of the rule texts: names, players, dice, options, presets.

Written from the inventory's table and its list of variations and readings, so that a default that slips is noticed.
"""

from typing import Any

import pytest

from tabletop.rules import load

Facts = dict[str, Any]

EQUAL = ["none", "equal"]
FACTS: dict[str, Facts] = {
    "one-o-five": {"name": "One-O-Five", "dice": 5, "options": {"throw_on": False, "straight_on": False}},
    "sevens-out": {
        "name": "Sevens Out",
        "dice": 2,
        "options": {"target": (500, 1, 100_000), "replies": EQUAL, "at_once": False},
    },
    "centennial": {
        "name": "Centennial",
        "other_names": ["Ohio", "Martinetti"],
        "dice": 3,
        "options": {"throw_on": False, "claims": False},
    },
    "everest": {
        "name": "Everest",
        "other_names": ["Matterhorn"],
        "dice": 3,
        "options": {"partial": True, "may_pass": True},
    },
    "chicago": {"name": "Chicago", "other_names": ["Rotation"], "dice": 2, "options": {"ties": ["extra", "shared"]}},
    "drop-dead": {"name": "Drop Dead", "dice": 5, "options": {"rounds": (1, 1, 100)}},
    "sequences": {
        "name": "Sequences",
        "other_names": ["Straight Shooter", "Hearts", "Hearts Due"],
        "dice": 6,
        "options": {
            "target": (100, 1, 10_000),
            "whole": ["35", "30"],
            "ones": ["total", "throw", "nothing"],
            "sixes": False,
            "replies": EQUAL,
        },
    },
    "beetle": {
        "name": "Beetle",
        "other_names": ["Bugs", "Bug", "Cootie"],
        "dice": 1,
        "source": "dice-play.txt, rollin-bones.txt",
        "presets": {
            "dice-play": {},
            "rollin-bones": {"target": 30},
            "beetle-drive": {
                "body_face": 6,
                "head_face": 5,
                "tail_face": 4,
                "legs_face": 3,
                "antennae_face": 2,
                "eyes_face": 1,
            },
        },
        "options": {
            "body": (1, 1, 20),
            "head": (1, 1, 20),
            "legs": (6, 0, 20),
            "eyes": (2, 0, 20),
            "antennae": (2, 0, 20),
            "wings": (2, 0, 20),
            "five": ["antennae", "wings"],
            "tail": (1, 0, 20),
            "body_face": (0, 0, 6),
            "head_face": (0, 0, 6),
            "legs_face": (0, 0, 6),
            "eyes_face": (0, 0, 6),
            "antennae_face": (0, 0, 6),
            "tail_face": (0, 0, 6),
            "legs_need": ["body", "head"],
            "throw_on": False,
            "speedy": False,
            "colony": False,
            "target": (50, 1, 10_000),
            "points": ["game", "part"],
        },
    },
}


def told(option: dict[str, Any]) -> object:
    """Return an option as the table above writes it: a default, a default with its range, or choices, default first."""
    if option["type"] == "int":
        return option["default"], option["min"], option["max"]
    if option["type"] == "bool":
        return option["default"]
    assert option["default"] == option["choices"][0]
    return option["choices"]


@pytest.mark.parametrize("game_id", FACTS)
def test_a_game_declares_what_the_inventory_has(game_id: str) -> None:
    """All of them can be played alone, and by ten; anybody may sit down in mid-match."""
    game, _ = load(game_id)
    facts = game.to_json()
    rules, *own = facts["options"]
    names = set(FACTS[game_id].get("other_names", ()))  # of the texts; people have more
    expected = (
        {"source": "dice-play.txt", "presets": {"dice-play": {}}} | FACTS[game_id] | {"other_names": sorted(names)}
    )
    assert {
        "name": facts["name"],
        "other_names": sorted(names & set(facts["other_names"])),
        "dice": facts["dice"],
        "source": facts["source"],
        "presets": facts["preset_values"],
        "options": {option["name"]: told(option) for option in own},
    } == expected
    assert rules["choices"] == list(expected["presets"])
    assert facts["players"] == {"min": 1, "max": 10}
    assert game.joining
    assert all(name in game.help for name in expected["options"]), "the help tells every option"
