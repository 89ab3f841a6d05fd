"""What is asked for by name: games, players, options. Wrong ones are told in one line that says what to do."""

import pytest

from tabletop.core.errors import InputError
from tabletop.rules import Match, game_ids, load
from tabletop.rules.catalog import named
from tabletop.rules.options import Flag, Whole, settled
from tabletop.rules.protocol import new_match
from tabletop.views.i18n.catalogue import load_language
from tabletop.views.i18n.translate import GAME


@pytest.mark.parametrize(
    ("game", "problem"),
    [
        ("pigg", "did you mean pig"),
        ("farkel", r"did you mean Farkle\?"),
        ("", "`tabletop games` lists them"),
        ("../pig", "did you mean pig"),
        ("tabletop", "`tabletop games` lists them"),
    ],
)
def test_an_unknown_game(game: str, problem: str) -> None:
    """The near names are told, or how to list them all; one short line in any case."""
    with pytest.raises(InputError, match=problem) as refused:
        Match(game, ["Ann", "Ben"])
    assert len(str(refused.value)) <= 120


@pytest.mark.parametrize(
    ("name", "game_id"),
    [
        ("ten_thousand", "ten-thousand"),
        ("left center right", "lcr"),
        ("Ship, Captain, Mate, and Crew", "ship-captain-mate-crew"),
        ("yankee-grab", "going-to-boston"),
        ("KLAPPBRETT", "shut-the-box"),
        ("CeeLo", "cee-lo"),
        ("stuck in the mud", "drop-dead"),
        ("10.000", "ten-thousand"),
        ("Liars Dice", "liars-dice"),
        ("Würfelgolf", "dice-golf"),
    ],
)
def test_other_names(name: str, game_id: str) -> None:
    """Every name of a game leads to it, in any case, with or without spaces, dots and apostrophes."""
    assert Match(name, ["Ann", "Ben", "Cat"]).game.id == game_id


@pytest.mark.parametrize(
    ("name", "game_id", "preset"),
    [
        ("farkle", "ten-thousand", "farkle"),
        ("Pocket Farkel", "ten-thousand", "farkle"),
        ("Farkle House Rules", "ten-thousand", "farkle-house-rules"),
        ("10,000", "ten-thousand", "dice-play"),
        ("Zilch", "ten-thousand", "zilch"),
        ("chinchiro", "cee-lo", "chinchirorin"),
        ("generala", "general", "generala"),
        ("general", "general", "dice-play"),
        ("big-pig", "two-dice-pig", "big-pig"),
        ("SKUNK", "two-dice-pig", "skunk"),
        ("printed sheet", "yacht", "printed-sheet"),
        ("Yatsy", "yatzy", "scandinavian"),
        ("KNIFFEL", "yahtzee", "kniffel"),
        ("yahtzee", "yahtzee", "rollin-bones"),
        ("Left Right Center", "lcr", "rollin-bones"),
        ("Twelve Tiles", "shut-the-box", "twelve-tiles"),
    ],
)
def test_the_name_of_a_preset_opens_its_game_with_it(name: str, game_id: str, preset: str) -> None:
    """So do the names by which people know a game; what is set beside it stands."""
    match = Match(name, ["Ann", "Ben", "Cat"])
    assert (match.game.id, match.options["rules"]) == (game_id, preset)
    called = {"called": match.title} if match.title != match.game.name else {}
    assert match.options == {**Match(game_id, ["Ann", "Ben", "Cat"], rules=preset).options, **called}
    assert new_match(name, "Ann,Ben,Cat", []).options == match.options


def test_settings_go_beyond_the_preset_that_was_named() -> None:
    """An option set for it stands, and `rules` overrides the name."""
    assert new_match("farkle", "Ann", ["entry=0"]).options["entry"] == 0
    assert Match("farkle", ["Ann"], entry=0).options["entry"] == 0
    own = Match("ten-thousand", ["Ann"], called="Farkle")
    assert new_match("farkle", "Ann", ["rules=dice-play"]).options == own.options


@pytest.mark.parametrize("text", ["dice-play", "rollin-bones"])
def test_a_text_is_no_name_of_a_game(text: str) -> None:
    """Many games have a preset of that name."""
    with pytest.raises(InputError, match="expected a game"):
        Match(text, ["Ann", "Ben"])


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_name_on_the_screen_is_found_in_each_language(language: str) -> None:
    """What the menu calls a game opens it, and no two games are called alike."""
    found = {game_id: load_language(language).translate(load(game_id)[0].name, GAME) for game_id in game_ids()}
    assert {game_id: named(name).game.id for game_id, name in found.items()} == {game_id: game_id for game_id in found}


def test_no_name_belongs_to_two_games() -> None:
    """Each listed name leads to the game that it is listed with."""
    for game_id in game_ids():
        game, _ = load(game_id)
        assert [load(name)[0].id for name in (game.name, *game.other_names)] == [game_id] * (1 + len(game.other_names))


@pytest.mark.parametrize(
    ("players", "problem"),
    [
        ([], "expected 1 to 10 players, got 0"),
        ([""], "empty"),
        (["Ann", ""], "empty"),
        (["Ann", "Ann"], "'Ann' twice"),
        (["Bartholomew-X"], "at most 12 letters, got 'Bartholomew-X' with 13"),
        (["e" + 25 * "\u0301"], "at most 2 marks a letter"),
        (["An n"], "without comma, equals sign or space"),
        (["An,n"], "without comma, equals sign or space"),
        (["An=n"], "without comma, equals sign or space"),
        (["An\u00a0n"], "without comma, equals sign or space"),
        (["An\x07"], r"U\+0007"),
        (["\U0001f468\u200d\U0001f469\u200d\U0001f467"], r"U\+200D"),
        ([f"P{seat}" for seat in range(11)], "expected 1 to 10 players, got 11"),
        ([None], "empty"),
    ],
)
def test_wrong_players(players: list[str], problem: str) -> None:
    """Names are there, different, short, and hold nothing that the line protocol parts by."""
    with pytest.raises(InputError, match=problem):
        Match("pig", players)


def test_names_of_other_alphabets_sit_at_the_table() -> None:
    """Twelve letters of any script are a name."""
    assert Match("pig", ["Зоя", "Ægir", "twelveletter"]).players == ("Зоя", "Ægir", "twelveletter")


@pytest.mark.parametrize("name", ["कमलाकुमारी", "Nguye\u0302\u0303nThiHoa", "❤\ufe0f" * 12, "לַיְלָה"])
def test_marks_are_no_letters_of_a_name(name: str) -> None:
    """People count letters: vowel signs, accents and the request for a coloured picture stand with theirs."""
    assert Match("pig", [name, "Ann"]).request.player == name


@pytest.mark.parametrize(
    ("option", "value", "problem"),
    [
        ("target", 0, "option target: expected a whole number from 1 to 10000, got 0"),
        ("target", 10001, "whole number"),
        ("target", "1e3", "whole number"),
        ("target", "", "whole number"),
        ("target", "-5", "whole number"),
        ("target", "\N{ARABIC-INDIC DIGIT THREE}", "whole number"),
        ("target", "9" * 5000, "whole number"),
        ("target", True, "whole number"),
        ("target", 50.0, "whole number"),
        ("reached", "above", "one of at, over"),
        ("rules", "farkle", "one of rollin-bones, dice-play, hog, exact-pig"),
        ("tarrget", 5, "did you mean target"),
        ("colour", 5, "rules, target, reached, replies"),
    ],
)
def test_wrong_options(option: str, value: object, problem: str) -> None:
    """The name is known, the value of its type and in its range."""
    with pytest.raises(InputError, match=problem):
        Match("pig", ["Ann"], **{option: value})


@pytest.mark.parametrize("value", ["yes", "True", "1", 1, None])
def test_booleans_are_true_and_false(value: object) -> None:
    """Neither a number nor another word is a boolean."""
    with pytest.raises(InputError, match="expected true or false"):
        Match("yahtzee", ["Ann"], joker=value)
    assert Match("yahtzee", ["Ann"], joker="false").options["joker"] is False


def test_a_preset_sets_several_and_a_later_setting_overrides() -> None:
    """`rules` follows a text; what is set beside it stands, in whatever order Python was given it."""
    assert Match("pig", ["Ann"]).options == {
        "rules": "rollin-bones",
        "target": 100,
        "reached": "at",
        "replies": "none",
        "hog": 0,
        "coach": False,
    }
    by_text = Match("pig", ["Ann"], rules="dice-play").options
    assert (by_text["reached"], by_text["replies"]) == ("over", "equal")
    mixed = Match("pig", ["Ann"], replies="none", rules="dice-play").options
    assert (mixed["reached"], mixed["replies"]) == ("over", "none")
    assert Match("pig", ["Ann"], **mixed).options == mixed


def test_a_preset_that_is_taken_back_leaves_nothing_behind() -> None:
    """Settings follow one another: the later text's way replaces what the earlier one had set, and nothing else."""
    game, _ = load("pig")
    given = [("target", "50"), ("rules", "dice-play"), ("rules", "rollin-bones")]
    assert settled(game.all_options, game.presets, given) == Match("pig", ["Ann"], target=50).options


def test_an_option_tells_its_type_and_its_range() -> None:
    """For programs: a number has min and max, a boolean and a choice have their choices."""
    target = Whole("target", 100, "the goal", at_least=1, at_most=500)
    assert target.to_json() == {
        "name": "target", "type": "int", "default": 100, "choices": [], "min": 1, "max": 500, "help": "the goal",
    }  # fmt: skip
    told = Flag("joker", True, "jokers").to_json()
    assert (told["type"], told["default"], told["choices"], told["min"]) == ("bool", True, [True, False], None)
    rules = load("pig")[0].all_options[0].to_json()
    assert (rules["type"], rules["choices"], rules["max"]) == (
        "choice",
        ["rollin-bones", "dice-play", "hog", "exact-pig"],
        None,
    )
