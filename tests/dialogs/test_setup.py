"""A match set up with HOLD and BANK alone, from the start menu to the start, options too; nothing entered is lost."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from menu_hands import BACK, BANK, HOLD, carry_out, labels, note, press, take, title

from tabletop.core.ports import Press
from tabletop.core.values import Moment
from tabletop.dialogs.commands import Decision, Dialog, Join, MenuAction, NewMatch, Resume
from tabletop.dialogs.entries import TextEntry
from tabletop.dialogs.lobby import tiles
from tabletop.dialogs.setup import FAMILY, MORE_GAMES, NEW_NAME, OTHER_GAME, WHICH_GAME, SetupDialog, setup_dialog
from tabletop.dialogs.setup_state import (
    PlayedMatch,
    SetupContext,
    SetupState,
    Step,
    choosable,
    label,
    offered,
    unusual,
    value_text,
    values,
)
from tabletop.rules import Match, Throw, Whole, game_ids, load
from tabletop.session.match_library import MatchLibrary
from tabletop.session.snapshotting import in_one_line, troubled
from tabletop.store import Store
from tabletop.views.i18n.catalogue import load_language
from tabletop.views.i18n.house_rules import sentence

TEN = tuple(f"Player{number:06}" for number in range(10))  # twelve letters each


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[MatchLibrary]:
    with Store(tmp_path / "a.db") as store:
        yield MatchLibrary(store, lambda: Moment("2026-01-01T00:00:00Z"), lambda _: None)


# What lines and presses lead to

Played = tuple[str, list[str], dict[str, object]]
PIG: Played = ("pig", ["Ann", "Ben"], {})
WAYS: list[tuple[list[Played], tuple[str, ...], list[str], list[Press], NewMatch]] = [
    # in a new store Pig for Ann and Ben is what BANK alone begins
    ([], (), [], [BANK] * 3, NewMatch("pig", ("Ann", "Ben"))),
    # players whom the command line names are not asked for; too few are added to
    ([], ("Ann", "Ben", "Cleo"), ["Yahtzee"], [BANK], NewMatch("yahtzee", ("Ann", "Ben", "Cleo"))),
    ([], ("Ann", "Ben"), [MORE_GAMES, "Luck", "LCR", NEW_NAME, *"Cy", "done", "done: 3 players", "start"], [],
     NewMatch("lcr", ("Ann", "Ben", "Cy"))),
    # names are taken one by one, and sit in this order
    ([PIG, ("pig", ["Cleo", "Dan"], {})], (), ["Pig", "other players", "Ben", "Cleo", "done: 2 players", "start"], [],
     NewMatch("pig", ("Ben", "Cleo"))),
    # BANK takes the second remembered player, from then on it is done
    ([("pig", ["Ann", "Ben", "Cleo"], {})], (), ["Pig", "other players"], [BANK] * 4, NewMatch("pig", ("Ann", "Ben"))),
    # ten new players with names of twelve letters are spelled; after the last seat comes the start
    ([], (), ["Pig", "other players", *(x for name in TEN for x in (NEW_NAME, *name, "done"))], [BANK],
     NewMatch("pig", TEN)),
    # a name that sits already is made longer
    ([], (), ["Pig", "other players", NEW_NAME, *"Jo", "done", NEW_NAME, *"Jo2", "done", "done: 2 players"], [BANK],
     NewMatch("pig", ("Jo", "Jo2"))),
    # another one begins; the others sit as they did, or one by one
    ([], (), ["Pig", "4 players", "seats", "Cleo", "others unchanged", "start"], [],
     NewMatch("pig", ("Cleo", "Dan", "Ann", "Ben"))),
    ([], (), ["Pig", "4 players", "seats", "Cleo", "Ann", "Ben", "start"], [],
     NewMatch("pig", ("Cleo", "Ann", "Ben", "Dan"))),
    # another game for the same players
    ([], (), ["Pig", "Ann, Ben", OTHER_GAME, "Yahtzee"], [BANK], NewMatch("yahtzee", ("Ann", "Ben"))),
    # another text of the rules keeps a target that was chosen before
    ([], (), ["Pig", "Ann, Ben", "options", "Wins at 100 or more", "50", "Standard", "Past the target"], [BANK] * 2,
     NewMatch("pig", ("Ann", "Ben"), (("rules", "dice-play"), ("target", 50)))),
    # rules that have a name of their own bring it, and take it back
    ([], (), ["Pig", "Ann, Ben", OTHER_GAME, "Yahtzee", "options", "Standard", "Kniffel (Schmidt)"],
     [BANK] * 2, NewMatch("yahtzee", ("Ann", "Ben"), (("rules", "kniffel"), ("called", "Kniffel")))),
    ([], (), ["Pig", "Ann, Ben", OTHER_GAME, "Yahtzee", "options", "Standard", "Kniffel (Schmidt)",
              "Kniffel (Schmidt)", "Standard"], [BANK] * 2, NewMatch("yahtzee", ("Ann", "Ben"))),
    # the same players have their options in whatever seats; others play as usual
    ([("pig", ["Ann", "Ben"], {"target": 50, "reached": "over"}), ("pig", ["Ann", "Ben", "Cleo"], {})], (),
     ["Pig", "other players", "Ben", "Ann", "done: 2 players"], [BANK],
     NewMatch("pig", ("Ben", "Ann"), (("target", 50), ("reached", "over")))),
    ([("pig", ["Ann", "Ben"], {"target": 50}), ("pig", ["Ann", "Ben", "Cleo"], {})], (),
     ["Pig", "other players", "Ben", "Cleo", "done: 2 players"], [BANK], NewMatch("pig", ("Ben", "Cleo"))),
]  # fmt: skip


@pytest.mark.parametrize(("played", "seated", "lines", "presses", "begun"), WAYS)
def test_lines_and_presses_begin_this_match(
    matches: MatchLibrary,
    played: list[Played],
    seated: tuple[str, ...],
    lines: list[str],
    presses: list[Press],
    begun: NewMatch,
) -> None:
    for game, players, options in played:
        carry_out(matches, MenuAction.END_MATCH, matches.begin(Match(game, players, **options)))
    assert press(take(matches.menu(seated), *lines), *presses) == begun


# From switching on to the start


def test_the_last_match_again_takes_two_presses(matches: MatchLibrary) -> None:
    wanted = NewMatch("pig", ("Cleo", "Ann"), (("rules", "dice-play"), ("target", 50)))
    session = matches.begin(Match("pig", wanted.players, rules="dice-play", target=50))
    session.give(Throw((3,)))
    assert press(matches.menu(), HOLD, BANK) == wanted
    assert press(matches.menu(), BANK) == Resume(session.journal.number)
    carry_out(matches, MenuAction.END_MATCH, session)
    assert labels(matches.menu())[0] == "again: Pig"
    assert press(matches.menu(), BANK) == wanted


def test_again_is_not_offered_to_others_than_the_command_line_named(matches: MatchLibrary) -> None:
    """Named players play the last game, as usual; where they are too few for it nothing is offered again."""
    carry_out(matches, MenuAction.END_MATCH, matches.begin(Match("lcr", ["Ann", "Ben", "Cleo"], last_throw=True)))
    assert press(matches.menu(("Dan", "Eve", "Finn")), BANK) == NewMatch("lcr", ("Dan", "Eve", "Finn"))
    assert "again: LCR" not in labels(matches.menu(("Dan", "Eve")))


def test_every_game_can_be_reached_by_its_kind(matches: MatchLibrary) -> None:
    found: list[str] = []
    for kind in labels(take(matches.menu(), MORE_GAMES)):
        found += labels(take(matches.menu(), MORE_GAMES, kind))
    asked = take(matches.menu(), "switch off")
    assert title(asked) == "Switch off?"
    assert press(asked, BANK) == MenuAction.QUIT
    assert labels(press(asked, HOLD, BANK)) == labels(matches.menu())
    assert sorted(found) == sorted(load(game_id)[0].name for game_id in game_ids())


def test_a_game_for_fewer_or_more_than_usual_says_so(matches: MatchLibrary) -> None:
    """LCR needs three; most games are for two to ten, which nobody has to read. All say how long they take."""
    group = take(matches.menu(), MORE_GAMES, "Luck")
    asked = press(group, *[HOLD] * labels(group).index("LCR"))
    assert note(asked) == f"3 to 10 players, {tiles()['lcr'].minutes} min"
    assert note(press(asked, *[HOLD] * 3)) == f"{tiles()['one-o-five'].minutes} min"


def test_popular_games_are_offered_by_the_names_that_people_have(matches: MatchLibrary) -> None:
    """Kniffel and Farkle begin with the rules that they stand for, and keep their names."""
    for language, name, game, preset in (
        ("de", "Kniffel", "yahtzee", "kniffel"),
        ("en", "Farkle", "ten-thousand", "farkle"),
    ):
        matches.language = partial(load_language, language)
        asked = take(matches.menu(), name, "Ann, Ben")
        assert title(asked) == f"Start: {name}"
        begun = press(asked, BANK)
        assert isinstance(begun, NewMatch)
        assert (begun.game, dict(begun.settings)["rules"]) == (game, preset)
    assert press(take(matches.menu(), "Yahtzee", "Ann, Ben"), BANK) == NewMatch("yahtzee", ("Ann", "Ben"))
    matches.begin(Match("ten-thousand", ["Ann", "Ben"], rules="farkle", called="Farkle"))
    lines = labels(matches.menu())
    assert lines.index("Farkle") < lines.index("Yahtzee")
    assert (lines.count("Farkle"), lines.count("Ten Thousand")) == (1, 0)


def test_a_match_that_was_only_tried_out_is_offered_nowhere(matches: MatchLibrary) -> None:
    """Begun as the page begins it, in either language; who plays it is no name to choose."""
    empty = labels(matches.menu())
    for players in (["Fox", "Owl"], ["Fuchs", "Eule"]):
        matches.begin(Match("pig", players)).give(Throw((2,)))
    assert labels(matches.menu()) == empty
    assert "Ann, Ben" in labels(take(matches.menu(), "Pig"))
    assert matches.resume(None).match.players == ("Fuchs", "Eule")  # after a power cut it goes on all the same
    assert not {"Fox", "Owl", "Fuchs", "Eule"} & {*matches.known(()).names}
    matches.begin(Match("pig", ["Ann", "Fox"]))  # a player who is really called so
    assert {"Fox", "Owl", "Fuchs", "Eule"} & {*matches.known(()).names} == {"Fox"}


def test_an_idle_table_says_no_more_than_that_it_asks(matches: MatchLibrary) -> None:
    """In the status of the service: no minutes of a game that is only pointed at, but what is wrong with the table."""
    shown = matches.menu().snapshot
    assert in_one_line(shown) == WHICH_GAME
    assert in_one_line(troubled(shown, "no pictures")) == "Which game?: no pictures"


def test_settings_and_the_end_stand_below_the_games(matches: MatchLibrary) -> None:
    """At a terminal the last line quits; elsewhere it switches off, and asks once more."""
    assert labels(matches.menu())[-2:] == ("Settings", "switch off")
    assert labels(take(matches.menu(), "Settings")) == ("language", "check the table")
    matches.quits = matches.phones = True
    assert take(matches.menu(), "Quit") == MenuAction.QUIT
    assert "phones" in labels(take(matches.menu(), "Settings"))


def test_older_open_matches_stand_behind_one_line(matches: MatchLibrary) -> None:
    numbers = []
    for game, dice in (("lcr", 3), ("aces", 5), ("pig", 1)):
        session = matches.begin(Match(game, ["Ann", "Ben", "Cleo"]))
        session.give(Throw((2,) * dice))
        numbers.append(session.journal.number)
    assert press(matches.menu(), BANK) == Resume(numbers[2])
    assert take(matches.menu(), "other open", "Aces") == Resume(numbers[1])
    assert take(matches.menu(), "other open", "LCR") == Resume(numbers[0])


def test_a_match_in_which_nothing_happened_is_begun_again(matches: MatchLibrary) -> None:
    """Begun by mistake it stands in nobody's way; cut off before the first throw, one press begins it again."""
    matches.begin(Match("lcr", ["Ann", "Ben", "Cleo"]))
    assert labels(matches.menu())[0] == "again: LCR"
    assert "other open" not in labels(matches.menu())


def test_what_the_command_line_names_is_not_asked(matches: MatchLibrary) -> None:
    asked = take(matches.menu(("Ann", "Ben", "Cleo")), "Yahtzee")
    assert title(asked) == "Start: Yahtzee"
    assert press(asked, BANK) == NewMatch("yahtzee", ("Ann", "Ben", "Cleo"))
    assert press(matches.menu(("Ann", "Ben"), only="pig"), BANK) == NewMatch("pig", ("Ann", "Ben"))
    assert title(matches.menu(only="pig")) == "Who plays?"


def test_named_players_that_do_not_suit_the_game_are_asked(matches: MatchLibrary) -> None:
    assert title(take(matches.menu(("Ann", "Ben")), MORE_GAMES, "Luck", "LCR")) == "Player 3: who?"
    asked = take(matches.menu(TEN), MORE_GAMES, "Luck", "Help Your Neighbour")
    assert title(asked) == "Player 1: who?"
    assert labels(asked)[:6] == TEN[:6]


# Players


def test_a_group_is_offered_once_as_it_sat_last(matches: MatchLibrary) -> None:
    """Rematches in which another one begins are the same group."""
    for players in (["Ann", "Ben", "Cleo"], ["Dan", "Ann"], ["Ben", "Cleo", "Ann"]):
        carry_out(matches, MenuAction.END_MATCH, matches.begin(Match("pig", players)))
    asked = take(matches.menu(), "Pig")
    assert labels(asked) == ("3 players", "Dan, Ann", "other players")
    assert note(asked) == "Ben, Cleo, Ann"


def test_a_game_has_as_many_players_as_its_rules_allow(matches: MatchLibrary) -> None:
    """Done is not offered before there are enough, and after the last seat comes the start."""
    asked = take(matches.menu(), MORE_GAMES, "Luck", "LCR", "other players", "Ann", "Ben")
    assert not any(label.startswith("done") for label in labels(asked))
    assert "done: 3 players" in labels(take(asked, "Cleo"))
    asked = take(matches.menu(), MORE_GAMES, "Luck", "Help Your Neighbour", "other players", *FAMILY)
    assert press(asked, BANK) == NewMatch("help-your-neighbour", FAMILY)


def test_many_names_are_offered_in_two_steps(matches: MatchLibrary) -> None:
    carry_out(matches, MenuAction.END_MATCH, matches.begin(Match("pig", TEN)))
    asked = take(matches.menu(), "Pig", "other players")
    assert labels(asked) == (*TEN[:6], NEW_NAME, "more names")
    asked = take(asked, "more names", TEN[9])
    assert note(asked) == TEN[9]
    assert TEN[9] not in labels(take(asked, "more names"))


# Going back loses nothing


def test_going_back_keeps_what_was_entered(matches: MatchLibrary) -> None:
    """Names, a name begun, players and options: gone back to the game and come again, all is still there."""
    asked = take(matches.menu(), "Pig", "other players", NEW_NAME, *"Jo", "done", NEW_NAME, *"Max")
    asked = press(asked, BACK)
    assert "Jo" not in labels(asked)
    assert note(asked) == "Jo"
    asked = take(asked, NEW_NAME)
    assert not isinstance(asked, Decision)
    assert asked.snapshot.spelling is not None
    assert asked.snapshot.spelling.text == "Max"
    asked = take(asked, "done", "done: 2 players", "options", "Wins at 100 or more", "50", "done")
    assert title(asked) == "Start: Pig"
    back = press(asked, *[BACK] * 20)
    assert title(back) == WHICH_GAME
    again = take(back, "Pig")
    assert labels(again)[0] == "Jo, Max"
    assert press(again, BANK, BANK) == NewMatch("pig", ("Jo", "Max"), (("target", 50),))


def test_a_name_taken_by_mistake_is_given_back_by_going_back(matches: MatchLibrary) -> None:
    """Long BANK gives up the seat taken last, and HOLD has stepped to the name that was taken."""
    carry_out(matches, MenuAction.END_MATCH, matches.begin(Match("pig", FAMILY)))
    asked = press(take(matches.menu(), "Pig", "other players", "Ann", "Cleo"), BACK)
    assert (title(asked), note(asked)) == ("Player 2: who?", "Ann")
    assert press(asked, BANK) == take(asked, "Cleo")
    assert note(take(asked, "Ben")) == "Ann, Ben"


# Rematch, joining


def test_a_rematch_asks_who_begins(matches: MatchLibrary) -> None:
    """Two presses: again, and the same one begins; HOLD lets another one begin, who sit next following."""
    session = matches.begin(Match("pig", ["Ann", "Ben", "Cleo"], target=50))
    asked = carry_out(matches, MenuAction.REMATCH, session)
    assert isinstance(asked, SetupDialog)
    assert title(asked) == "Again: Pig"
    assert press(asked, BANK) == NewMatch("pig", ("Ann", "Ben", "Cleo"), (("target", 50),))
    assert press(asked, HOLD, BANK) == NewMatch("pig", ("Ben", "Cleo", "Ann"), (("target", 50),))
    assert press(asked, BACK) == MenuAction.BACK
    assert title(take(asked, "change")) == "Start: Pig"


def test_who_left_does_not_play_the_rematch(matches: MatchLibrary) -> None:
    session = matches.begin(Match("lcr", ["Ann", "Ben", "Cleo"]))
    session.leave("Ben")
    asked = carry_out(matches, MenuAction.REMATCH, session)
    assert isinstance(asked, SetupDialog)
    assert labels(asked) == ("change", OTHER_GAME)
    assert title(take(asked, "change")) == "That cannot be played"


def test_somebody_comes_back_or_sits_down(matches: MatchLibrary) -> None:
    """Who left is offered first; somebody new is remembered although no match began with that name."""
    session = matches.begin(Match("pig", ["Ann", "Ben", "Cleo"]))
    session.leave("Ben")
    asked = carry_out(matches, MenuAction.JOIN, session)
    assert isinstance(asked, SetupDialog)
    assert labels(asked)[0] == "Ben"
    decision = take(asked, NEW_NAME, *"Zoe", "done", "yes")
    assert decision == Join("Zoe")
    assert carry_out(matches, Join("Zoe"), session) is session
    assert session.match.present == ("Ann", "Cleo", "Zoe")
    assert labels(take(matches.menu(), "Pig", "other players"))[:4] == ("Ann", "Ben", "Cleo", "Zoe")


def test_nobody_new_sits_down_where_the_game_does_not_allow_it(matches: MatchLibrary) -> None:
    session = matches.begin(Match("lcr", ["Ann", "Ben", "Cleo"]))
    session.leave("Ben")
    asked = carry_out(matches, MenuAction.JOIN, session)
    assert isinstance(asked, SetupDialog)
    assert labels(asked) == ("Ben",)
    assert take(asked, "Ben", "yes") == Join("Ben")


# Any presses at all

ANY = st.lists(
    st.sampled_from(
        [HOLD] * 5
        + [BANK] * 6
        + [BACK, Press("hold", long=True), Press("hold", repeat=True), Press("bank", repeat=True)]
    ),
    max_size=150,
)
PLAYED: tuple[tuple[str, tuple[str, ...], dict[str, int | str]], ...] = (
    ("pig", ("Ann", "Ben"), {"target": 50}),
    ("lcr", FAMILY, {}),
    ("ten-thousand", TEN, {"rules": "farkle"}),
)


def _known() -> SetupContext:
    games = {
        game_id: load(game_id)[0] for game_id in ("pig", "lcr", "ten-thousand", "help-your-neighbour", "twenty-one")
    }
    played = tuple(
        PlayedMatch(number, games[game_id], players, unusual(games[game_id], options), open=number == 2)
        for number, (game_id, players, options) in enumerate(PLAYED, start=1)
    )
    return SetupContext(tuple(games.values()), 2, played, ("Ann", "Ben", *TEN, *FAMILY[2:]))


@settings(max_examples=150)
@given(ANY, st.sampled_from(["first", "again", "names", "name"]))
def test_any_presses_keep_every_name_and_begin_only_what_can_be_played(presses: list[Press], begin: str) -> None:
    """No press raises; a name that was spelled is seated or offered for ever after; what begins is a legal match."""
    known, spelled = _known(), set[str]()
    pig, _ = load("pig")
    spot = {"first": Step("first"), "again": Step("again", pig, ("Ann", "Ben")), "names": Step("names", pig)}.get(
        begin, Step("names", pig)
    )
    trail = (spot, Step("name", pig, writing=TextEntry("Player 1"))) if begin == "name" else (spot,)
    asked: Dialog | Decision = setup_dialog(SetupState(known, trail))
    for pressed in presses:
        assert isinstance(asked, SetupDialog)
        writing = asked.state.step.writing
        before, asked = asked, asked.press(pressed)
        if isinstance(asked, NewMatch):
            Match(asked.game, asked.players, **dict(asked.settings))
        if isinstance(asked, Decision):
            return
        assert isinstance(asked, SetupDialog)
        if writing is not None and asked.state.step.writing is None and pressed == BANK:
            spelled.add(writing.text)
        assert spelled <= {*asked.state.names, *asked.state.step.players, *asked.state.step.seats}
        if pressed != BACK and len(asked.state.step.players) < len(before.state.step.players):
            assert asked.state.draft.seating == before.state.step.players
        assert labels(asked)


def test_nobody_has_to_see_options(matches: MatchLibrary) -> None:
    """The page of options begins with "as usual", which leads back to the start."""
    asked = take(matches.menu(), "Pig", "Ann, Ben", "options")
    assert title(press(asked, BANK)) == "Start: Pig"
    changed = take(asked, "Standard", "Past the target", "done")
    assert title(press(changed, HOLD, BANK, HOLD, BANK)) == "Start: Pig"


@pytest.mark.parametrize("game_id", game_ids())
def test_every_option_of_every_game_can_be_set(game_id: str) -> None:
    """Walked to and taken, each value is the one that the match is begun with; what it means is the note."""
    game, _ = load(game_id)
    players = FAMILY[: max(2, game.min_players)]
    start = setup_dialog(SetupState(SetupContext((game,)), (Step("start", game, players),)))
    for option in choosable(game):
        usual = values(game, ())[option.name]
        page = take(start, "options", sentence(game, option, usual))
        assert title(page) == label(option.name)
        means = sentence(game, option, usual) if isinstance(option, Whole) else option.help
        assert option.name == "rules" or note(page) == means
        for value in offered(option, usual):
            begun = press(take(page, value_text(game, option, value)), BANK, BANK)
            assert isinstance(begun, NewMatch)
            assert Match(begun.game, begun.players, **dict(begun.settings)).options[option.name] == value


def test_what_is_not_as_usual_is_noted(matches: MatchLibrary) -> None:
    """Beside the players, in full where it is short; of nothing, nothing, however many play."""
    ten = [f"Player{number:06}" for number in range(10)]
    matches.begin(Match("pig", ten))
    assert note(matches.menu()) == ", ".join(ten)
    matches.begin(Match("pig", ten, target=50))
    assert note(matches.menu()) == ", ".join(ten) + "; with house rules"
    matches.begin(Match("pig", ["Ann", "Ben"], target=50))
    assert note(matches.menu()) == "Ann, Ben; Wins at 50 or more"


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
