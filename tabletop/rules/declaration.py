"""Checks of a game file's declaration: one "expected ..., got ..." for each thing its author has to change."""

import re
from collections.abc import Iterator, Mapping
from inspect import iscoroutinefunction
from types import UnionType

from tabletop.core.errors import InputError
from tabletop.rules.game import COLOURS, COUNTS, LAYOUTS, MOST_PLAYERS, Game
from tabletop.rules.options import AnyOption, Choice, Flag, Whole

FEWEST_HELP_LINES = 4
LONGEST_HELP_LINE = 120
_OPTION_NAME = re.compile(r"[a-z][a-z0-9_]*")  # so that Match(game, players, name=value) is valid Python


def wrong_facts(game: object, play: object, game_id: str) -> Iterator[str]:
    """Yield what keeps a game from being listed and played, in the order in which to fix it."""
    if not isinstance(game, Game):
        yield f"expected GAME = Game(...), got {'none' if game is None else type(game).__name__}"
        return
    if not callable(play):
        yield f"expected `async def play(table)`, got {'none' if play is None else type(play).__name__}"
    elif not hasattr(play, "__code__") or not iscoroutinefunction(play):
        yield "expected `async def play(table)`, got a play that is no coroutine: is `async` missing before `def`?"
    if game.id != game_id:
        yield f"expected id={game_id!r}, as the file is called, got {game.id!r}"
    for fact, (kind, what) in _FACTS.items():
        value = getattr(game, fact)
        if type(value) is not kind or (kind is not bool and not value):
            yield f"expected {fact} to be {what}, got {value!r}"
    yield from _wrong_players(game)
    yield from _wrong_words(game)
    yield from _wrong_options(game)


_FACTS: Mapping[str, tuple[type, str]] = {
    **dict.fromkeys(("name", "source", "help"), (str, "a text")),
    "dice": (int, "a whole number from 1"),
    **dict.fromkeys(("joining", "dice_each", "fewest_win"), (bool, "True or False")),
}


def _wrong_words(game: Game) -> Iterator[str]:
    for fact, words in (("colours", COLOURS), ("layout", (None, *LAYOUTS)), ("counts", COUNTS)):
        if getattr(game, fact) not in words:
            yield f"expected {fact} to be one of {', '.join(filter(None, words))}, got {getattr(game, fact)!r}"
    for fact in ("other_names", "nearest_to"):
        if not _are(str, getattr(game, fact)):
            yield f"expected {fact} to be a tuple of names, as in ('Farkle',), got {getattr(game, fact)!r}"


def _wrong_players(game: Game) -> Iterator[str]:
    if not _is_range(game.min_players, game.max_players):
        yield f"expected players from 1 to {MOST_PLAYERS}, got {game.min_players!r} to {game.max_players!r}"
    elif game.fewest_left is not None and not _is_range(game.fewest_left, game.min_players):
        yield f"expected fewest_left to be None or from 1 to min_players, got {game.fewest_left!r}"
    flags = [option.name for option in game.options if isinstance(option, Flag)] if _are(object, game.options) else []
    with_flags: object = game.fewest_with
    if not isinstance(with_flags, Mapping):
        yield f"expected fewest_with to map flags to numbers, as in {{'two_players': 2}}, got {with_flags!r}"
        return
    for name, fewest in game.fewest_with.items():
        if name not in flags or not _is_range(fewest, game.min_players):
            yield f"expected fewest_with to map flags to a number from 1 to min_players, got {name!r}: {fewest!r}"


def _is_range(least: object, most: object) -> bool:
    return type(least) is int and type(most) is int and 1 <= least <= most <= MOST_PLAYERS


def _are(kind: type | UnionType, given: object) -> bool:
    return isinstance(given, tuple) and all(isinstance(item, kind) for item in given)


def _wrong_options(game: Game) -> Iterator[str]:
    if not _are(Whole | Flag | Choice, game.options):
        yield f"expected options to be a tuple of Whole, Flag or Choice, as in (TARGET,), got {game.options!r}"
        return
    names = [option.name for option in game.options]
    for place, name in enumerate(names):
        if not _OPTION_NAME.fullmatch(str(name)):
            yield f"expected an option's name to be small letters, with _ between words, got {name!r}"
        if name == "rules" or name in names[:place]:
            yield f"expected every option to have a name of its own other than rules, got {name!r} again"
    for option in game.options:
        yield from _wrong_default(option)
    yield from _wrong_presets(game)


def _wrong_presets(game: Game) -> Iterator[str]:
    presets: object = game.presets
    if not isinstance(presets, Mapping) or not presets:
        yield f"expected presets with at least one text, as in {{'my-text': {{}}}}, got {game.presets!r}"
        return
    known = {option.name: option for option in game.options}
    for preset, values in game.presets.items():
        sets: object = values
        if not isinstance(sets, Mapping):
            yield f"expected preset {preset!r} to map options to values, as in {{'target': 50}}, got {sets!r}"
            return
        for name, value in values.items():
            if name not in known:
                yield f"expected preset {preset!r} to set options of the game ({', '.join(known)}), got {name!r}"
            else:
                yield from _unreadable(known[name], value, f"preset {preset!r}: ")


def _wrong_default(option: AnyOption) -> Iterator[str]:
    yield from _unreadable(option, option.default, "default of ")
    kind = {Whole: int, Flag: bool, Choice: str}[type(option)]
    if type(option.default) is not kind:
        yield f"expected the default of the option {option.name} to be of type {kind.__name__}, got {option.default!r}"
    help_text: object = option.help
    if not isinstance(help_text, str) or not help_text or "\n" in help_text:
        yield f"expected a line of help for the option {option.name}, got {option.help!r}"


def _unreadable(option: AnyOption, value: object, of: str) -> Iterator[str]:
    try:
        option.read(value)
    except (InputError, TypeError) as error:
        yield f"{of}{error}"


def poor_facts(game: Game) -> Iterator[str]:
    """Yield shortcomings for players: a help text that is too short to play by, or too wide to read."""
    lines = game.help.splitlines()
    if len(lines) < FEWEST_HELP_LINES:
        yield (
            f"expected at least {FEWEST_HELP_LINES} lines of help (what it is about, a turn, scoring, the end), "
            f"got {len(lines)}"
        )
    for line in lines:
        if len(line) > LONGEST_HELP_LINE:
            yield f"expected lines of help of at most {LONGEST_HELP_LINE} letters, got {len(line)} in {line[:30]!r}..."
