"""The form of the page offers what the dialogs of the OLED offer, and decides what they could have decided."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tabletop.core.errors import InputError
from tabletop.core.values import Moment
from tabletop.dialogs.decisions import NewMatch
from tabletop.dialogs.setup_state import SetupContext, choosable, values
from tabletop.rules import Match, Throw, game_ids, load
from tabletop.session.match_library import MatchLibrary
from tabletop.store import Store
from tabletop.views.i18n.catalogue import load_language
from tabletop.views.i18n.translate import rules_text
from tabletop.web.setup import Described, merged, new_match, setup_of

ENGLISH, GERMAN = load_language("en"), load_language("de")


@pytest.fixture
def known(tmp_path: Path) -> Iterator[SetupContext]:
    """Return what a store knows in which Ann and Ben have played Pig to 50 and it can go on."""
    with Store(tmp_path / "a.db") as store:
        matches = MatchLibrary(store, lambda: Moment("2026-01-01T00:00:00Z"), lambda _: None)
        session = matches.begin(Match("pig", ["Ann", "Ben"], target=50))
        session.answer(Throw((3,)))
        yield matches.known(("Cleo",))


def test_every_game_and_option_is_offered(known: SetupContext) -> None:
    """In values of JSON, with the defaults of every rule text; the game played last stands first."""
    offered = json.loads(json.dumps(setup_of(known, ENGLISH, Described())))
    assert {game["id"] for game in offered["games"]} == set(game_ids())
    assert (offered["games"][0]["id"], offered["games"][0]["recent"]) == ("pig", True)
    assert offered["names"] == ["Cleo", "Ann", "Ben"]
    for game in offered["games"]:
        facts, _ = load(game["id"])
        assert [option["name"] for option in game["options"]] == [option.name for option in choosable(facts)]
        for preset, given in game["presets"].items():
            settled = values(facts, [("rules", preset)])
            assert given == {name: settled[name] for name in given}
    assert offered["last"][0]["settings"] == [["target", 50]]


def test_it_is_offered_in_the_language_of_the_table(known: SetupContext) -> None:
    """Names, help and values of options, and how each game is played."""
    described = Described()
    english, german = (setup_of(known, language, described)["games"] for language in (ENGLISH, GERMAN))
    yahtzee, kniffel = (next(game for game in games if game["id"] == "yahtzee") for games in (english, german))
    assert kniffel["help"] == rules_text("de", "Yahtzee", load("yahtzee")[0].help) != yahtzee["help"]
    assert [option["help"] for option in kniffel["options"]] != [option["help"] for option in yahtzee["options"]]
    others = [{game["id"]: game["others"] for game in games}["pig"] for games in (english, german)]
    assert [set(names) - {"Böse Eins"} for names in others] == [
        {"Pig Dice"},
        {"Pig", "Pig Dice"},
    ]  # in German it has another name, and is found under its own
    assert [option["name"] for option in kniffel["options"]] == [option["name"] for option in yahtzee["options"]]


def test_what_is_begun_is_what_was_filled_in(known: SetupContext) -> None:
    """Only what is not as usual is kept as a setting; names are written as before."""
    wish = {"game": "pig", "players": ["ben", " ANN "]}
    usual = values(load("pig")[0], [])
    begun = new_match(known, wish | {"settings": [["target", 60]]})
    assert begun == NewMatch("pig", ("Ben", "Ann"), (("target", 60),))
    assert new_match(known, wish | {"settings": [["target", usual["target"]]]}).settings == ()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"game": "chess"}, "expected one of the games of the form"),
        ({"players": ["Ann", "ann"]}, "Ann sits there twice"),
        ({"players": ["A" * 13, "Ben"]}, "too long: 12 letters at most"),
        ({"players": ["Ann", "a,b"]}, "a,b: no spaces, commas"),
        ({"players": ["Ann", "Anna B"]}, "Anna B: no spaces"),
        ({"players": ["Ann", " "]}, "a name is empty"),
        ({"players": "Ann"}, "the names of the players"),
        ({"players": []}, "1 to 10 players can play this"),
        ({"settings": [["target", 0]]}, "target: a number from"),
        ({"settings": [["target", "many"]]}, "option target"),
        ({"settings": [["goal", 3]]}, "expected one of the options"),
        ({"settings": [["target"]]}, "pairs"),
        ({"settings": [["target", None]]}, "pairs"),
    ],
)
def test_what_cannot_be_begun_is_told(known: SetupContext, change: dict[str, object], says: str) -> None:
    """One line that says what to change."""
    wish: dict[str, object] = {"game": "pig", "players": ["Ann", "Ben"], "settings": []}
    with pytest.raises(InputError, match=says):
        new_match(known, wish | change)


def test_names_are_merged_whatever_the_case() -> None:
    """Also where an accent is written in two signs; others stay as they were typed."""
    assert merged(["élodie", "JO", "Śćibor "], ["Élodie", "Jo"]) == ("Élodie", "Jo", "Śćibor")
    assert merged(["e\u0301lodie"], ["Élodie"]) == ("Élodie",)


def test_a_forgotten_name_is_not_offered(known: SetupContext) -> None:
    """The form offers what the dialogs offer."""
    offered = setup_of(replace(known, names=("Ben",), seated=()), ENGLISH, Described())
    assert offered["names"] == ["Ben"]
