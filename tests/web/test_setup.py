"""The form of the page offers and decides what the dialogs of the OLED do; own presets, seats, spellings of a name."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from people import People
from tapped_table import TappedTable

from tabletop.core.errors import InputError
from tabletop.core.values import Moment
from tabletop.dialogs.commands import ACCEPTED, Decision, KeepPreset, NewMatch, Result
from tabletop.dialogs.setup_state import SetupContext, choosable, values
from tabletop.rules import Match, Throw, game_ids, load
from tabletop.session.match_library import MatchLibrary
from tabletop.store import Store
from tabletop.store.database import MOST_PRESETS
from tabletop.views.i18n.catalogue import Language, load_language
from tabletop.views.i18n.translate import rules_text
from tabletop.views.snapshot import Snapshot
from tabletop.web.setup import FORM, decision_of, merged, new_match, setup_of, shown_corners

SQUARE = [[0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]  # but for one corner
ENGLISH, GERMAN = load_language("en"), load_language("de")


@pytest.fixture
def known(tmp_path: Path) -> Iterator[SetupContext]:
    """Return what a store knows in which Ann and Ben have played Pig to 50 and it can go on."""
    with Store(tmp_path / "a.db") as store:
        matches = MatchLibrary(store, lambda: Moment("2026-01-01T00:00:00Z"), lambda _: None)
        session = matches.begin(Match("pig", ["Ann", "Ben"], target=50))
        session.answer(Throw((3,)))
        yield matches.known(("Cleo",), 0)


def test_every_game_and_option_is_offered(known: SetupContext) -> None:
    """In values of JSON, with the defaults of every rule text; the game played last stands first."""
    offered = json.loads(json.dumps(setup_of(known, ENGLISH)))
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
    english, german = (setup_of(known, language)["games"] for language in (ENGLISH, GERMAN))
    yahtzee, kniffel = (next(game for game in games if game["id"] == "yahtzee") for games in (english, german))
    assert kniffel["help"] == rules_text("de", "Yahtzee", load("yahtzee")[0].help) != yahtzee["help"]
    assert [option["help"] for option in kniffel["options"]] != [option["help"] for option in yahtzee["options"]]
    (pig,) = (game for game in german if game["id"] == "pig")
    assert {"Pig", "Pig Dice"} <= {*pig["others"]}  # in German it has another name, and is found under its own
    assert [option["name"] for option in kniffel["options"]] == [option["name"] for option in yahtzee["options"]]


@pytest.mark.parametrize("language", [ENGLISH, GERMAN], ids=["en", "de"])
def test_the_lobby_names_kinds_and_popular_games(known: SetupContext, language: Language) -> None:
    """Each kind has a word; the popular ones are names of as many games, in each language a choice of its own."""
    offered = setup_of(known, language)
    words, games = offered["words"], offered["games"]
    assert all(words[game["kind"]] for game in games)
    named = {name: game["id"] for game in games for name in (game["name"], *game["others"])}
    popular = words["popular_games"].split("; ")
    assert len({named[name] for name in popular}) == len(popular)


def test_the_newest_open_match_is_told_with_its_scores(known: SetupContext) -> None:
    """Ann has thrown a 3 and not banked it."""
    offered = setup_of(known, ENGLISH)
    assert (offered["open"][0]["players"], offered["standing"]) == (["Ann", "Ben"], [0, 0])


def test_what_is_begun_is_what_was_filled_in(known: SetupContext) -> None:
    """Only what is not as usual is kept as a setting; names are written as before."""
    wish = {"game": "pig", "players": ["ben", " ANN "]}
    usual = values(load("pig")[0], [])
    begun = new_match(known, wish | {"settings": [["target", 60]]})
    assert begun == NewMatch("pig", ("Ben", "Ann"), (("target", 60),))
    assert new_match(known, wish | {"settings": [["target", usual["target"]]]}).settings == ()


@pytest.mark.parametrize(
    ("sent", "settings"),
    [
        ({"called": "Kniffel"}, (("rules", "kniffel"), ("called", "Kniffel"))),
        (
            {"called": "kniffel", "settings": [["joker", False]]},
            (("rules", "kniffel"), ("joker", False), ("called", "Kniffel")),
        ),
        ({"settings": [["rules", "kniffel"]]}, (("rules", "kniffel"), ("called", "Kniffel"))),
        ({"called": "Yahtzee", "settings": [["rules", "kniffel"]]}, (("rules", "kniffel"),)),
        ({"settings": [["rules", "kniffel"], ["called", "Kniffel"]]}, (("rules", "kniffel"), ("called", "Kniffel"))),
        ({}, ()),
    ],
)
def test_the_name_that_people_chose_is_kept(known: SetupContext, sent: dict[str, object], settings: object) -> None:
    """With the preset that it stands for; rules that have a name bring it, unless the game's own is asked for."""
    begun = new_match(known, {"game": "yahtzee", "players": ["Ann", "Ben"], **sent})
    assert begun.settings == settings
    Match(begun.game, begun.players, **dict(begun.settings))


def test_the_form_says_house_rules_in_sentences(known: SetupContext) -> None:
    """Values of options and presets too, in the language of the table; each name says which preset it stands for."""
    (game,) = (game for game in setup_of(known, GERMAN)["games"] if game["id"] == "yahtzee")
    rules, joker = game["options"][0], next(option for option in game["options"] if option["name"] == "joker_rule")
    assert rules["choices"][0] == ["rollin-bones", "Standard"]
    assert ["kniffel", "Kniffel (Schmidt)"] in rules["choices"]
    assert ["free", "Ein Joker darf in jedes freie Feld"] in joker["choices"]
    points = next(option for option in game["options"] if option["name"] == "bonus_points")
    assert points["says"]["n"].format(n=50) == "Ein weiterer Kniffel bringt 50 Punkte"
    assert game["names"] == {"Yahtzee": "", "Kniffel": "kniffel", "Triple Yahtzee": "triple-yahtzee"}
    assert setup_of(known, GERMAN)["last"][0]["rules"] == ["Wer 50 erreicht, gewinnt"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"game": "chess"}, "expected one of the games of the form"),
        ({"players": ["Ann", "ann"]}, "Ann is at the table already"),
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
        ({"called": "Kniffel"}, "expected a name of Pig"),
        ({"settings": [["called", "Kniffel"]]}, "expected a name of Pig"),
    ],
)
def test_what_cannot_be_begun_is_told(known: SetupContext, change: dict[str, object], says: str) -> None:
    """One line that says what to change."""
    wish: dict[str, object] = {"game": "pig", "players": ["Ann", "Ben"], "settings": []}
    with pytest.raises(InputError, match=says):
        new_match(known, wish | change)


@pytest.mark.parametrize(
    "at",
    [
        *([corner, *SQUARE] for corner in ([1.2, 0.5], [-0.1, 0.5], [float("nan"), 0.5], [float("inf"), 0.5])),
        *([corner, *SQUARE] for corner in ([True, 0.5], "x", None, [0.5], [0.5, 0.5, 0.5], {"x": 1})),
        *(None, [], SQUARE, [*SQUARE, *SQUARE], 7),
    ],
)
def test_corners_that_can_be_none_are_refused(at: object) -> None:
    """Four in the picture are taken as they were tapped."""
    with pytest.raises(InputError, match="tap each corner of the tray"):
        shown_corners(SetupContext(()), {"at": at})
    assert shown_corners(SetupContext(()), {"at": [[0, 1], *SQUARE]}).corners == ((0.0, 1.0), *map(tuple, SQUARE))


def test_names_are_merged_whatever_the_case() -> None:
    """Also where an accent is written in two signs; others stay as they were typed."""
    assert merged(["élodie", "JO", "Śćibor "], ["Élodie", "Jo"]) == ("Élodie", "Jo", "Śćibor")
    assert merged(["e\u0301lodie"], ["Élodie"]) == ("Élodie",)


SETTINGS = (("rules", "kniffel"), ("joker", False), ("called", "Kniffel"))
FRIDAY: dict[str, Any] = {"game": "yahtzee", "players": ["Ann", "Ben"], "settings": [list(pair) for pair in SETTINGS]}


class Form(TappedTable):
    """A table, and the form as a device sees it."""

    @property
    def number(self) -> int:
        return self.table.session.journal.number if self.table.session else 0

    @property
    def offered(self) -> dict[str, Any]:
        known = self.people.matches.known((), self.number)
        return dict(json.loads(json.dumps(setup_of(known, ENGLISH))))

    def decide(self, does: str, **sent: object) -> Result:
        return self.carry_out(FORM[does](self.people.matches.known((), self.number), sent))

    def refuses(self, says: str, does: str, **sent: object) -> None:
        with pytest.raises(InputError, match=says):
            self.decide(does, **sent)

    def carry_out(self, decision: Decision) -> Result:
        result = self.inbox.put(decision)
        self.look()
        return result.result(0)

    def play(self, game: str, *players: str) -> Match:
        self.table.begin(self.people.matches.begin(Match(game, players)))
        return self.people.session.match


@pytest.fixture
def form(people: People) -> Form:
    opened = Form(people)
    opened.table.begin(None)
    return opened


def test_what_is_kept_is_begun_with_one_tap(form: Form) -> None:
    """Game, players in their seats, rule text and house rules; the wish that the form sends for it begins just that."""
    assert form.decide("keep-preset", name="  Friday   night ", **FRIDAY) == ACCEPTED
    (own,) = form.offered["own"]
    assert (own["preset"], own["name"]) == ("Friday night", "Kniffel")
    assert form.decide("begin", **{name: own[name] for name in ("game", "players", "settings")}) == ACCEPTED
    match = form.people.session.match
    assert (match.game.id, match.seated) == ("yahtzee", ("Ann", "Ben"))
    assert (match.options["rules"], match.options["joker"], match.options["bonus_points"]) == ("kniffel", False, 50)


def test_it_stands_in_the_start_menu_of_the_display(form: Form) -> None:
    """One press begins it there; the name is said as people gave it, in every language."""
    form.decide("keep-preset", name="Friday", **FRIDAY)
    form.table.begin(None)
    menu = form.look().menu
    assert menu is not None
    assert menu.items.index("Friday") in menu.given
    assert form.take("Friday") == ACCEPTED
    match = form.people.session.match
    assert (match.game.id, match.seated, match.options["joker"]) == ("yahtzee", ("Ann", "Ben"), False)


def test_it_survives_a_restart_and_a_match_goes_on_meanwhile(form: Form, tmp_path: Path) -> None:
    """Another program that opens the store finds it; keeping it changes nothing of what is played or shown."""
    match = form.play("pig", "Ann", "Ben")
    session = form.table.session
    form.decide("keep-preset", name="Friday", **FRIDAY)
    assert form.table.session is session
    assert form.table.menu is None
    assert len(match.log) == 0
    with Store(tmp_path / "a.db", looking=True) as store:
        assert [preset.name for preset in store.presets.all()] == ["Friday"]


def test_the_newest_stands_first_and_a_name_is_there_once(form: Form) -> None:
    """Kept again under the same name, in whatever case, it replaces what was there, if somebody says so."""
    pig: dict[str, Any] = {"game": "pig", "players": ["Ann", "Ben"]}
    for name, target in (("Short", 20), ("Long", 200)):
        form.decide("keep-preset", name=name, settings=[["target", target]], **pig)
    form.refuses("Short exists already", "keep-preset", name="SHORT", settings=[["target", 30]], **pig)
    assert [own["settings"] for own in form.offered["own"]] == [[["target", 200]], [["target", 20]]]
    form.decide("keep-preset", name="SHORT", settings=[["target", 30]], replace=True, **pig)
    assert [(own["preset"], own["settings"]) for own in form.offered["own"]] == [
        ("Short", [["target", 30]]),
        ("Long", [["target", 200]]),
    ]


def test_it_is_renamed_and_deleted(form: Form) -> None:
    """What it begins stays the same under the new name; a name that another one has is refused."""
    for name in ("Friday", "Sunday"):
        form.decide("keep-preset", name=name, **FRIDAY)
    form.decide("rename-preset", name="Friday", new="Monday")
    assert {own["preset"]: own["settings"] for own in form.offered["own"]} == {
        "Sunday": FRIDAY["settings"],
        "Monday": FRIDAY["settings"],
    }
    form.refuses("Sunday exists already", "rename-preset", name="Monday", new="Sunday")
    form.refuses("gone", "rename-preset", name="Friday", new="Tuesday")
    assert [form.decide("forget-preset", name="Sunday") for _ in range(2)] == [ACCEPTED] * 2
    assert [own["preset"] for own in form.offered["own"]] == ["Monday"]


@pytest.mark.parametrize(
    ("name", "says"),
    [("", "empty"), (" \t", "empty"), ("x" * 21, "too long"), ("a\x07b", "a\ufffdb contains an invisible character")],
)
def test_a_name_that_cannot_be_shown_is_refused(form: Form, name: str, says: str) -> None:
    """In words for the person who typed it; nothing is kept."""
    form.refuses(says, "keep-preset", name=name, **FRIDAY)
    assert form.offered["own"] == []


def test_there_is_an_end_to_them(form: Form) -> None:
    """Somebody who lets a key repeat fills no disk."""
    for number in range(MOST_PRESETS):
        assert form.decide("keep-preset", name=f"preset {number}", **FRIDAY) == ACCEPTED
    form.refuses("delete one first", "keep-preset", name="one more", **FRIDAY)
    kept = KeepPreset("one more", NewMatch("pig", ("Ann", "Ben")))
    assert form.carry_out(kept).status == "refused"  # two devices at once
    assert len(form.offered["own"]) == MOST_PRESETS


def test_a_player_leaves_and_comes_back(form: Form) -> None:
    """As with the menu of the table; the form says who may."""
    match = form.play("pig", "Ann", "Ben", "Cy")
    assert form.offered["seats"] == {"present": ["Ann", "Ben", "Cy"], "left": [], "joining": match.game.joining}
    assert form.decide("leave", name="Ben") == ACCEPTED
    assert list(match.present) == ["Ann", "Cy"]
    assert form.offered["seats"]["left"] == ["Ben"]
    form.refuses("not at the table", "leave", name="Ben")
    assert form.decide("join", name=" ben ") == ACCEPTED
    assert list(match.present) == ["Ann", "Ben", "Cy"]


def test_somebody_new_sits_down_where_the_game_allows_it(form: Form) -> None:
    """A beetle can be begun late; the boxes of Yahtzee cannot be caught up."""
    match = form.play("beetle", "Ann", "Ben", "Cy")
    assert match.game.joining
    assert form.decide("join", name="Dan") == ACCEPTED
    assert "Dan" in match.present
    assert "Dan" in form.offered["names"]
    form.refuses("Dan is at the table already", "join", name="dan")
    form.play("yahtzee", "Ann", "Ben")
    form.refuses("nobody new can join", "join", name="Dan")


def test_without_a_match_nobody_leaves_or_joins(form: Form) -> None:
    """The form offers no seats then."""
    assert form.offered["seats"] is None
    form.refuses("not at the table", "leave", name="Ann")
    form.refuses("nobody can join", "join", name="Ann")


def test_two_spellings_become_one_person(form: Form) -> None:
    """One is offered from then on, whichever is typed; what was played stays as it was, and they can be parted."""
    form.play("pig", "Jon", "Ann")
    form.play("pig", "John", "Ann")
    assert form.decide("merge", name="Jon", means="John") == ACCEPTED
    assert form.offered["names"] == ["John", "Ann"]
    form.decide("begin", game="pig", players=["jon", "Ann"], settings=[])
    assert form.people.session.match.seated == ("John", "Ann")
    assert [match.players for match in form.people.store.matches()][-1] == ("Jon", "Ann")
    form.refuses("John is at the table already", "begin", game="pig", players=["Jon", "John"], settings=[])
    form.refuses("not known", "merge", name="Jon", means="Zoe")
    form.decide("merge", name="Jon", means="Jon")
    assert set(form.offered["names"]) == {"Jon", "John", "Ann"}


def test_who_was_merged_before_goes_along(form: Form) -> None:
    """Three spellings, merged one after the other, are one; merged round in a circle, one is left."""
    form.play("pig", "Jo", "Jon", "John")
    form.decide("merge", name="Jo", means="Jon")
    form.decide("merge", name="Jon", means="John")
    assert form.offered["names"] == ["John"]
    form.decide("merge", name="John", means="Jon")
    assert len(form.offered["names"]) == 1


def test_errors_are_told_in_the_language_of_the_table(form: Form) -> None:
    """In German, not in the words of the program."""
    wish = {"do": "begin", "game": "pig", "players": ["Ann", "ann"], "settings": []}
    known = form.people.matches.known(())
    with pytest.raises(InputError, match="Ann sitzt schon am Tisch"):
        decision_of(lambda _: known, wish, Snapshot(language=GERMAN))
