"""Options of a game as people think of them: what is not as usual, in words, and the values worth offering."""

import re
from collections.abc import Iterable, Mapping

from tabletop.core.errors import InputError
from tabletop.core.message import join, say
from tabletop.rules.game import Game
from tabletop.rules.options import AnyOption, Choice, Flag, Value, Whole, settled

Settings = tuple[tuple[str, Value], ...]
"""The options that are not as usual, `rules` first, each with its value; () is as usual."""

RULES = "rules"
TOGETHER = "together"  # settled by laying dice before the match: never a choice here
FEW = 24  # values that are offered one by one
LEADING = (1, 1.5, 2, 2.5, 3, 4, 5, 6, 7.5, 8)  # numbers that people like, each with any number of zeros
NOTE_LETTERS = 44  # two lines of the small screen: what is chosen stands large above them
UNUSUAL = say("changed options")
AROUND = 10  # numbers from a tenth of the usual one to ten times as many are offered
MOST_ZEROS = 7  # beyond what any option allows


def choosable(game: Game) -> tuple[AnyOption, ...]:
    """Return the options to choose from: `rules` where there is more than one text, then the game's own."""
    return tuple(
        option
        for option in game.all_options
        if option.name != TOGETHER and not (option.name == RULES and len(game.presets) == 1)
    )


def values(game: Game, settings: Iterable[tuple[str, object]]) -> dict[str, Value]:
    """Return a value for every option; InputError says which is wrong."""
    return settled(game.all_options, game.presets, settings)


def unusual(game: Game, given: Mapping[str, object]) -> Settings:
    """Return what is not as usual among these options, such as those of a stored match.

    An option that the game no longer has, or a value it no longer takes, is left out.
    """
    known = {option.name: option for option in choosable(game)}
    read: dict[str, Value] = {}
    for name, value in given.items():
        if name in known:
            try:
                read[name] = known[name].read(value)
            except InputError:
                continue
    rules = read.get(RULES, game.all_options[0].default)
    usual = values(game, [(RULES, rules)])
    first: Settings = ((RULES, rules),) if rules != game.all_options[0].default else ()
    return (*first, *((name, value) for name, value in read.items() if name != RULES and value != usual[name]))


def changed(game: Game, settings: Settings, name: str, value: Value) -> Settings:
    """Return the settings with this option set; another text brings its own values with it."""
    if name == RULES:
        return unusual(game, values(game, [*(setting for setting in settings if setting[0] != RULES), (RULES, value)]))
    return unusual(game, {**values(game, settings), name: value})


def option_notes(settings: Settings) -> str:
    """Return what is not as usual in words: "farkle rules, target 5000, no joker"; empty if all is."""
    return join(", ", (_setting_text(name, value) for name, value in settings))


def rules_note(settings: Settings) -> str:
    """Return the same for the line below a menu: "with" tells it from names there; empty if all is as usual."""
    return say("with {settings}", settings=option_notes(settings)) if settings else ""


def note(players: Iterable[str], settings: Settings) -> str:
    """Return the players and the changed options, in a line or two; if that is too long, only that some are changed."""
    who, ways = ", ".join(players), rules_note(settings)
    if ways and len(who) + len(ways) > NOTE_LETTERS:
        ways = UNUSUAL
    return join("; ", (who, ways))


def _setting_text(name: str, value: Value) -> str:
    if name == RULES:
        return say("{value} rules", value=str(value))
    if isinstance(value, bool):
        return label(name) if value else say("no {option}", option=label(name))
    return say("{option} {value}", option=label(name), value=value)


def label(name: str) -> str:
    """Return the name of an option for people."""
    return name.replace("_", " ")


def value_text(value: Value) -> str:
    """Return a value for people."""
    return say("yes" if value else "no") if isinstance(value, bool) else str(value)


def offered(option: AnyOption, now: Value) -> tuple[Value, ...]:
    """Return the values that HOLD counts through, the one set now among them."""
    if isinstance(option, Flag):
        return (True, False)
    if isinstance(option, Choice):
        return option.choices
    return tuple(sorted({*_numbers(option), option.default, *([now] if isinstance(now, int) else [])}))


def is_listed(option: AnyOption) -> bool:
    """Return whether `offered` are all values that the option may have."""
    return not isinstance(option, Whole) or option.at_most - option.at_least < FEW


def _numbers(option: Whole) -> Iterable[int]:
    if is_listed(option):
        return range(option.at_least, option.at_most + 1)
    usual = option.default or option.at_most // AROUND
    least, most = max(option.at_least, usual // AROUND), min(option.at_most, usual * AROUND)
    liked = (int(leading * 10**zeros) for zeros in range(MOST_ZEROS) for leading in LEADING)
    named = (int(digits) for digits in re.findall(r"\d{1,9}", option.help))  # such as "36 is played as well"
    return {
        option.at_least,
        *(number for number in liked if least <= number <= most),
        *(number for number in named if option.at_least <= number <= option.at_most),
    }
