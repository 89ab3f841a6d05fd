"""A match keeps the name that people chose for its game."""

import pytest

from tabletop.core.errors import InputError
from tabletop.rules import Match, game_ids, load
from tabletop.rules.catalog import named
from tabletop.rules.events import Event
from tabletop.rules.protocol import new_match

PLAYERS = ["Ann", "Ben", "Cat"]


@pytest.mark.parametrize(
    ("word", "title", "preset"),
    [
        ("kniffel", "Kniffel", "kniffel"),
        ("Farkle", "Farkle", "farkle"),
        ("zehntausend", "Zehntausend", "dice-play"),
        ("MEIER", "Meier", "usual"),
        ("klappbrett", "Klappbrett", "masters"),
        ("perudo", "Perudo", "perudo"),
        ("chinchiro", "Chinchiro", "chinchirorin"),
        ("triple-yahtzee", "Triple Yahtzee", "triple-yahtzee"),
        ("yahtzee", "Yahtzee", "rollin-bones"),
        ("Ten Thousand", "Ten Thousand", "dice-play"),
        ("free-joker", "Yahtzee", "free-joker"),
    ],
)
def test_it_is_called_as_it_was_begun(word: str, title: str, preset: str) -> None:
    """In Python and in the line protocol, as the game writes the name; the name brings its preset."""
    for match in (Match(word, PLAYERS), new_match(word, ",".join(PLAYERS), [])):
        assert (match.title, match.options["rules"]) == (title, preset)


@pytest.mark.parametrize("game_id", game_ids())
def test_a_game_under_its_own_name_stores_nothing_more(game_id: str) -> None:
    """So that stores and recordings stay as they were; under each other name it is called so."""
    game, _ = load(game_id)
    assert "called" not in Match(game_id, PLAYERS).options
    assert "called" not in Match(game.name, PLAYERS, called=game.name).options
    assert [Match(name, PLAYERS).title for name in game.other_names] == list(game.other_names)


def test_the_name_comes_back_with_the_options() -> None:
    """They are what a store and a recording keep."""
    match = Match("meier", PLAYERS)
    assert match.options["called"] == "Meier"
    again = Match.replay(match.game.id, match.seated, match.options, map(Event.from_json, ()))
    assert (again.title, again.options) == ("Meier", match.options)


@pytest.mark.parametrize("called", ["Farkle", "", "meier", 3, None])
def test_a_name_of_another_game_is_refused(called: object) -> None:
    """One line that lists the names of the game."""
    with pytest.raises(InputError, match=r"expected a name of Mia \(Mia, Meier, "):
        Match("mia", PLAYERS, called=called)


def test_the_settings_of_a_name() -> None:
    """What the command line and the configuration put before all other options."""
    assert named("Kniffel").settings == {"rules": "kniffel", "called": "Kniffel"}
    assert named("Yahtzee").settings == {}
