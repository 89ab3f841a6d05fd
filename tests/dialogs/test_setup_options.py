"""Options of a game chosen with HOLD and BANK: every value of every one; nobody has to see them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from menu_hands import BANK, HOLD, carry_out, labels, note, press, take, title

from tabletop.core.moment import Moment
from tabletop.dialogs.decisions import MenuAction, NewMatch
from tabletop.dialogs.setup import FAMILY, setup_dialog
from tabletop.dialogs.setup_state import (
    SetupContext,
    SetupState,
    Step,
    choosable,
    is_listed,
    label,
    offered,
    unusual,
    value_text,
    values,
)
from tabletop.rules import Match, game_ids, load
from tabletop.session.match_library import MatchLibrary
from tabletop.store import Store


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[MatchLibrary]:
    """Return the matches of a new store."""
    with Store(tmp_path / "a.db") as store:
        yield MatchLibrary(store, lambda: Moment("2026-01-01T00:00:00Z"), lambda _: None)


def test_nobody_has_to_see_options(matches: MatchLibrary) -> None:
    """The page of options begins with "as usual", which leads back to the start."""
    asked = take(matches.menu(), "Pig", "Ann, Ben", "options")
    assert title(press(asked, BANK)) == "Start: Pig"
    changed = take(asked, "rules: rollin-bones", "dice-play", "done")
    assert title(press(changed, HOLD, BANK, HOLD, BANK)) == "Start: Pig"


def test_another_text_of_the_rules_keeps_what_it_says_nothing_about(matches: MatchLibrary) -> None:
    """What the text sets is as it sets it; a target chosen before stays."""
    asked = take(matches.menu(), "Pig", "Ann, Ben", "options", "target: 100", "50", "rules: rollin-bones", "dice-play")
    settings = (("rules", "dice-play"), ("target", 50))
    assert press(asked, BANK, BANK) == NewMatch("pig", ("Ann", "Ben"), settings)


def test_a_number_that_is_not_listed_is_written(matches: MatchLibrary) -> None:
    """Each number of the range can be had."""
    asked = take(matches.menu(), "Pig", "Ann, Ben", "options", "target: 100", "another number", *"1234", "done")
    assert press(asked, BANK, BANK) == NewMatch("pig", ("Ann", "Ben"), (("target", 1234),))


def test_the_same_players_are_offered_their_options(matches: MatchLibrary) -> None:
    """In whatever seats they sit; other players play as usual."""
    carry_out(matches, MenuAction.END_MATCH, matches.begin(Match("pig", ["Ann", "Ben"], target=50, reached="over")))
    carry_out(matches, MenuAction.END_MATCH, matches.begin(Match("pig", ["Ann", "Ben", "Cleo"])))
    asked = take(matches.menu(), "Pig", "other players", "Ben", "Ann", "done: 2 players")
    assert press(asked, BANK) == NewMatch("pig", ("Ben", "Ann"), (("target", 50), ("reached", "over")))
    asked = take(matches.menu(), "Pig", "other players", "Ben", "Cleo", "done: 2 players")
    assert press(asked, BANK) == NewMatch("pig", ("Ben", "Cleo"))


@pytest.mark.parametrize("game_id", game_ids())
def test_every_option_of_every_game_can_be_set(game_id: str) -> None:
    """Walked to and taken, each value is the one that the match is begun with; its help is the note."""
    game, _ = load(game_id)
    players = FAMILY[: max(2, game.min_players)]
    start = setup_dialog(SetupState(SetupContext((game,)), (Step("start", game, players),)))
    for option in choosable(game):
        usual = values(game, ())[option.name]
        page = take(start, "options", f"{label(option.name)}: {value_text(usual)}")
        assert title(page) == label(option.name)
        assert option.name == "rules" or note(page) == option.help
        assert is_listed(option) == ("another number" not in labels(page))
        for value in offered(option, usual):
            begun = press(take(page, value_text(value)), BANK, BANK)
            assert isinstance(begun, NewMatch)
            assert Match(begun.game, begun.players, **dict(begun.settings)).options[option.name] == value


def test_what_is_not_as_usual_is_noted(matches: MatchLibrary) -> None:
    """Beside the players, in full where it is short; of nothing, nothing, however many play."""
    ten = [f"Player{number:06}" for number in range(10)]
    matches.begin(Match("pig", ten))
    assert note(matches.menu()) == ", ".join(ten)
    matches.begin(Match("pig", ten, target=50))
    assert note(matches.menu()) == ", ".join(ten) + "; changed options"
    matches.begin(Match("pig", ["Ann", "Ben"], target=50))
    assert note(matches.menu()) == "Ann, Ben; with target 50"


@pytest.mark.parametrize("game_id", game_ids())
def test_what_is_not_as_usual_is_what_differs(game_id: str) -> None:
    """Nothing where a match has the options of a text; and the settings lead to the same options again."""
    game, _ = load(game_id)
    assert unusual(game, values(game, ())) == ()
    for preset in game.presets:
        whole = values(game, [("rules", preset)])
        assert unusual(game, whole) == ((("rules", preset),) if whole["rules"] != next(iter(game.presets)) else ())
        assert values(game, unusual(game, whole)) == whole


def test_options_of_an_older_program_are_left_out() -> None:
    """What the game does not know any more, or takes no longer, is no reason to offer nothing."""
    game, _ = load("pig")
    assert unusual(game, {"target": 50, "gone": 3, "reached": "nearly", "rules": "lost-text"}) == (("target", 50),)


def test_what_cannot_be_played_is_said_and_nothing_is_lost() -> None:
    """A start that the rules refuse is one line and no start; players and options can be changed."""
    game, _ = load("lcr")
    asked = setup_dialog(SetupState(SetupContext((game,)), (Step("start", game, ("Ann", "Ben")),)))
    assert title(asked) == "That cannot be played"
    assert note(asked) == "expected 3 to 10 players, got 2"
    assert "start" not in labels(asked)
