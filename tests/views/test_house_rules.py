"""House rules are sentences that people understand, in both languages; presets have titles."""

import re
from collections.abc import Iterator

import pytest

from tabletop.rules import Game, game_ids, load
from tabletop.rules.options import AnyOption, Choice, Flag, Value, Whole
from tabletop.views.i18n.catalogue import load_language
from tabletop.views.i18n.house_rules import sentence
from tabletop.views.i18n.translate import NOTE

ENGLISH, GERMAN = load_language("en"), load_language("de")
NO_WORDS = re.compile(r"_|=|\.txt|[a-z]{2}-(bones|play|joker|pig|rules|yatzy|yahtzee|doubles|kitty)|: (true|false)\b")
SAME_IN_GERMAN = {"Standard", "Beetle Drive"}


def values(option: AnyOption) -> Iterator[Value]:
    """Yield every value of an option, and of a number its ends and some between them."""
    if isinstance(option, Whole):
        ends = {option.at_least, option.at_most, option.default}
        yield from sorted({*ends, *range(option.at_least, min(option.at_least + 4, option.at_most))})
    else:
        yield from option.to_json()["choices"]


@pytest.mark.parametrize("game_id", game_ids())
def test_every_value_of_every_option_is_a_sentence(game_id: str) -> None:
    """Each says something else, begins with a capital or a figure, and holds no identifier and no help text."""
    game, _ = load(game_id)
    for option in game.all_options:
        told = {}
        for value in values(option):
            english, german = (
                language.translate(sentence(game, option, value), NOTE) for language in (ENGLISH, GERMAN)
            )
            for text in (english, german):
                assert not NO_WORDS.search(text), text
                assert text.lstrip('„“"')[0].isupper() or text[0].isdigit(), text
                assert option.help not in text
                assert not isinstance(option, Whole) or str(value) in text or value in (0, 1, option.at_least), text
            named = option.name == "rules"
            assert named or german != english or english in SAME_IN_GERMAN, english
            told[value] = english
        if not (option.name == "rules" and all(values == {} for values in game.presets.values())):
            assert len(set(told.values())) == len(told), told


@pytest.mark.parametrize(
    ("game_id", "name", "value", "english", "german"),
    [
        ("pig", "target", 100, "Wins at 100 or more", "Wer 100 erreicht, gewinnt"),
        (
            "ten-thousand",
            "replies",
            "everyone",
            "Everyone else gets one more turn",
            "Alle anderen sind noch einmal dran",
        ),
        ("yahtzee", "joker_rule", "free", "A joker goes to any empty box", "Ein Joker darf in jedes freie Feld"),
        ("yahtzee", "rules", "rollin-bones", "Standard", "Standard"),
        ("yahtzee", "rules", "kniffel", "Kniffel (Schmidt)", "Kniffel (Schmidt)"),
        ("beetle", "rules", "beetle-drive", "Beetle drive", "Beetle Drive"),
        ("mexico", "lives", 1, "Everyone has one life", "Alle haben ein Leben"),
    ],
)
def test_they_read_as_people_say_them(game_id: str, name: str, value: Value, english: str, german: str) -> None:
    """As the issue has them, and at the table."""
    game, _ = load(game_id)
    (option,) = (option for option in game.all_options if option.name == name)
    text = sentence(game, option, value)
    assert (ENGLISH.translate(text, NOTE), GERMAN.translate(text, NOTE)) == (english, german)


def test_an_option_of_a_game_of_ones_own_is_told_by_its_help() -> None:
    """With its value; a preset by its name."""
    flag = Flag("late_bids", False, "bids may come late")
    choice = Choice("who_begins", "host", "who begins", ("host", "next-guest"))
    number = Whole("bids", 3, "how many bids", at_least=1, at_most=9)
    options = (flag, choice, number)
    game = Game("my-game", "My Game", "mine", 1, {"usual": {}, "long-night": {}}, "help", options)
    told = [sentence(game, *of) for of in ((flag, True), (flag, False), (choice, "next-guest"), (number, 7))]
    assert told == ["bids may come late", "bids may come late: no", "who begins: next guest", "how many bids: 7"]
    assert [sentence(game, game.all_options[0], preset) for preset in game.presets] == ["Standard", "Long night"]
