"""A match set up on the page: what its form offers, and what it decides. Pure; the rules of the OLED's dialogs hold.

Everything that people read is in the language of the table already.
"""

from dataclasses import asdict
from typing import Any

from tabletop.core.errors import InputError
from tabletop.core.message import say
from tabletop.dialogs.decisions import NewMatch
from tabletop.dialogs.setup_state import (
    RULES,
    OwnPreset,
    PlayedMatch,
    SetupContext,
    choosable,
    label,
    note,
    unusual,
    value_text,
    values,
)
from tabletop.rules import Match
from tabletop.rules.game import Game
from tabletop.rules.names import LONGEST_NAME
from tabletop.rules.options import AnyOption, Flag, Value, Whole
from tabletop.views.i18n.catalogue import Language
from tabletop.views.i18n.translate import GAME, ITEM, NOTE, rules_text
from tabletop.web.setup.names import LONGEST_PRESET, checked_players, merged

MOST_OPEN = 8  # open matches that are offered, the newest


class Described:
    """Games as the form shows them: translated once, which takes longer than everything else."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], tuple[Game, dict[str, Any]]] = {}

    def __call__(self, game: Game, language: Language) -> dict[str, Any]:
        """Return a game in this language."""
        known = self._known.get((game.id, language.code))
        if known is None or known[0] is not game:
            known = self._known[game.id, language.code] = game, _game(game, language)
        return known[1]


def setup_of(known: SetupContext, language: Language, described: Described) -> dict[str, Any]:
    """Return what the form offers, in values of JSON: games, names, and matches that can go on or be played again."""
    return {
        "games": [described(game, language) | {"recent": at < known.recent} for at, game in enumerate(known.games)],
        "names": list(dict.fromkeys((*known.seated, *known.names))),
        "longest": {"name": LONGEST_NAME, "preset": LONGEST_PRESET},
        "own": [{"preset": preset.name, **_begun(preset, language)} for preset in known.presets],
        "same": dict(known.same),
        "seats": None if known.seats is None else asdict(known.seats),
        "open": [_played(match, language) for match in known.played if match.open][:MOST_OPEN],
        "unreadable": language.translate(known.unreadable_text, NOTE),
        "last": [_played(match, language) for match in known.played[:1]],
    }


def _game(game: Game, language: Language) -> dict[str, Any]:
    usual = {preset: values(game, [(RULES, preset)]) for preset in game.presets}
    options, name = choosable(game), language.translate(game.name, GAME)
    return {
        "id": game.id,
        "name": name,
        "others": [other for other in (game.name, *game.other_names) if other != name],
        "dice": game.dice,
        "layout": game.layout or "totals",
        "least": game.min_players,
        "most": game.max_players,
        "help": rules_text(language.code, game.name, game.help),
        "options": [_option(option, language) for option in options],
        "presets": {
            preset: {option.name: of_preset[option.name] for option in options} for preset, of_preset in usual.items()
        },
    }


def _option(option: AnyOption, language: Language) -> dict[str, Any]:
    is_number, choices = isinstance(option, Whole), [] if isinstance(option, Flag) else option.to_json()["choices"]
    return {
        "name": option.name,
        "label": language.translate(label(option.name), ITEM),
        "help": language.translate(option.help, NOTE),
        "kind": "flag" if isinstance(option, Flag) else "number" if is_number else "choice",
        "choices": [[value, language.translate(value_text(value), ITEM)] for value in choices],
        "least": option.at_least if isinstance(option, Whole) else None,
        "most": option.at_most if isinstance(option, Whole) else None,
    }


def _played(match: PlayedMatch, language: Language) -> dict[str, Any]:
    return {"number": match.number, **_begun(match, language)}


def _begun(match: PlayedMatch | OwnPreset, language: Language) -> dict[str, Any]:
    return {
        "game": match.game.id,
        "name": language.translate(match.game.name, GAME),
        "players": list(match.players),
        "settings": [list(setting) for setting in match.settings],
        "note": language.translate(note((), match.settings), NOTE),
    }


def new_match(known: SetupContext, sent: dict[str, Any]) -> NewMatch:
    """Return the match that a form asks for; raises InputError with what has to be changed.

    Who played before under the same name in other letters is the same person.
    """
    game = next((game for game in known.games if game.id == sent.get("game")), None)
    if game is None:
        raise InputError("expected one of the games of the form, got another: open the form again")
    given = _pairs(sent.get("settings"))
    _check_numbers(game, given)
    settings = unusual(game, values(game, given))
    players = sent.get("players")
    if not isinstance(players, list) or not all(isinstance(name, str) for name in players):
        raise InputError("expected the names of the players, got something else")
    seated = tuple(known.same.get(name, name) for name in merged(players, (*known.seated, *known.names, *known.same)))
    checked_players(seated)
    least = game.fewest_players(values(game, settings))
    if not least <= len(seated) <= game.max_players:
        raise InputError(say("{n} to {n2} players can play this", n=least, n2=game.max_players))
    Match(game.id, seated, **dict(settings))
    return NewMatch(game.id, seated, settings)


def _check_numbers(game: Game, given: list[tuple[str, Value]]) -> None:
    """Raise InputError if a number is too small or too large, in words for whoever typed it."""
    numbers = {option.name: option for option in game.all_options if isinstance(option, Whole)}
    for name, value in given:
        option = numbers.get(name)
        if option is not None and type(value) is int and not option.at_least <= value <= option.at_most:
            low, high = option.at_least, option.at_most
            raise InputError(say("{option}: a number from {n} to {n2}", option=label(name), n=low, n2=high))


def _pairs(given: object) -> list[tuple[str, Value]]:
    pairs: list[tuple[str, Value]] = []
    if given is not None and not isinstance(given, list):
        raise InputError("expected options as pairs of a name and a value, got something else")
    for pair in given or ():
        match pair:
            case [str(name), bool() | int() | str() as value]:
                pairs.append((name, value))
            case _:
                raise InputError("expected options as pairs of a name and a value, got something else")
    return pairs
