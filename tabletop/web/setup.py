"""A match set up on the page: what its form offers, and what it decides. Pure; the rules of the OLED's dialogs hold.

Beside matches it decides on presets, spellings of a name, who leaves and joins, and the tray's corners as people tap
them in the live picture. Names are cleaned, matched with those that played before, and refused in plain words.
Everything that people read is in the language of the table already.
"""

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from typing import Any

from tabletop.core.errors import InputError
from tabletop.core.message import say
from tabletop.core.values import Point
from tabletop.dialogs.commands import (
    Decision,
    ForgetPreset,
    Join,
    KeepPreset,
    Leave,
    MenuAction,
    MergeNames,
    NewMatch,
    RenamePreset,
    Resume,
    ShowCorners,
)
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
from tabletop.rules.names import LONGEST_NAME, checked_name, letter_count
from tabletop.rules.options import AnyOption, Flag, Value, Whole
from tabletop.store.database import MOST_PRESETS
from tabletop.views.i18n.catalogue import Language
from tabletop.views.i18n.translate import GAME, HINT, ITEM, NOTE, rules_text

LONGEST_PRESET = 20  # letters: what stands in one line of a phone, and in two of the display


def merged(players: Sequence[str], known: Iterable[str]) -> tuple[str, ...]:
    """Return the names as they were written before, whatever the case of their letters; spaces around them dropped."""
    there: dict[str, str] = {}
    for name in known:
        there.setdefault(plain(name), name)
    clean = [unicodedata.normalize("NFC", name.strip()) for name in players]
    return tuple(there.setdefault(plain(name), name) for name in clean)


def plain(name: str) -> str:
    """Return what two spellings of one name have in common."""
    return unicodedata.normalize("NFC", name).casefold()


def checked_players(names: Sequence[str]) -> None:
    """Raise InputError, in words for the person who typed, if one of these names cannot be played with."""
    for at, name in enumerate(names):
        if not name:
            raise InputError(say("a name is empty"))
        if letter_count(name) > LONGEST_NAME:
            raise InputError(say("{text} is too long: {n} letters at most", text=name, n=LONGEST_NAME))
        try:
            checked_name(name)
        except InputError as error:
            raise InputError(say("{text}: no spaces, commas or equals signs, please", text=name)) from error
        if name in names[:at]:
            raise InputError(say("{text} sits there twice", text=name))


def checked_preset(given: object, known: Iterable[str]) -> str:
    """Return the name of a preset, as it was written before if there is one of this name; raises InputError."""
    name = " ".join(given.split()) if isinstance(given, str) else ""
    if not name:
        raise InputError(say("a name is empty"))
    if not name.isprintable():
        shown = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in name)
        raise InputError(say("{text}: there is a character in it that nobody can see", text=shown[:LONGEST_PRESET]))
    if letter_count(name) > LONGEST_PRESET:
        raise InputError(say("{text} is too long: {n} letters at most", text=name[:LONGEST_PRESET], n=LONGEST_PRESET))
    return merged([name], known)[0]


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
        "open": _played((match for match in known.played if match.open), language)[:MOST_OPEN],
        "unreadable": language.translate(known.unreadable_text, NOTE),
        "last": _played(known.played[:1], language),
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


def _played(matches: Iterable[PlayedMatch], language: Language) -> list[dict[str, Any]]:
    return [{"number": match.number, **_begun(match, language)} for match in matches]


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
    """Raise InputError if a number is too small or too large, in words for the person who typed it."""
    numbers = {option.name: option for option in game.all_options if isinstance(option, Whole)}
    for name, value in given:
        option = numbers.get(name)
        if option is not None and type(value) is int and not option.at_least <= value <= option.at_most:
            low, high = option.at_least, option.at_most
            raise InputError(say("{option}: a number from {n} to {n2}", option=label(name), n=low, n2=high))


def _pairs(given: object) -> list[tuple[str, Value]]:
    pairs: list[tuple[str, Value]] = []
    for pair in given if isinstance(given, list) else [] if given is None else [given]:
        match pair:
            case [str(name), bool() | int() | str() as value]:
                pairs.append((name, value))
            case _:
                raise InputError("expected options as pairs of a name and a value, got something else")
    return pairs


def merges(known: SetupContext, sent: dict[str, Any]) -> MergeNames:
    """Let `name` mean the person `means`, whose name is offered from then on; raises InputError.

    Both are names that are known; equal ones part a name that was merged.
    """
    name, means = sent.get("name"), sent.get("means")
    there = {*known.names, *known.same}
    if not isinstance(name, str) or not isinstance(means, str) or not {name, means} <= there:
        raise InputError(say("that name is not known here"))
    return MergeNames(name, means)


def kept(known: SetupContext, sent: dict[str, Any]) -> KeepPreset:
    """Keep what the form has: game, players in their seats, house rules; raises InputError if it cannot be played.

    `replace`: whether the preset that has this name is to go; without it that one stays, and InputError says so.
    """
    there = [preset.name for preset in known.presets]
    name = checked_preset(sent.get("name"), there)
    if name in there and sent.get("replace") is not True:
        raise InputError(say("{text} is there already", text=name))
    if name not in there and len(there) >= MOST_PRESETS:
        raise InputError(say("{n} presets are kept already: delete one first", n=len(there)))
    return KeepPreset(name, new_match(known, sent))


def renamed(known: SetupContext, sent: dict[str, Any]) -> RenamePreset:
    """Give a preset another name; raises InputError if another one has it."""
    name, others = sent.get("name"), [preset.name for preset in known.presets]
    if not isinstance(name, str) or name not in others:
        raise InputError(say("this preset is gone"))
    others.remove(name)
    new = checked_preset(sent.get("new"), ())
    if plain(new) in map(plain, others):
        raise InputError(say("{text} is there already", text=new))
    return RenamePreset(name, new)


def leaves(known: SetupContext, sent: dict[str, Any]) -> Leave:
    """Let a present player leave; raises InputError."""
    name = sent.get("name")
    if known.seats is None or not isinstance(name, str) or name not in known.seats.present:
        raise InputError(say("that player is not at the table"))
    return Leave(name)


def joins(known: SetupContext, sent: dict[str, Any]) -> Join:
    """Let somebody come back, or a new player sit down where the game allows it; raises InputError."""
    given, seats = sent.get("name"), known.seats
    if seats is None or not isinstance(given, str):
        raise InputError(say("nobody can join now"))
    (name,) = merged([given], (*seats.left, *seats.present, *known.names, *known.same))
    name = known.same.get(name, name) if name not in seats.left else name
    checked_players((*seats.present, name))
    if name not in seats.left and not seats.joining:
        raise InputError(say("nobody new can join this game once it has begun"))
    return Join(name)


CORNERS = 4


def shown_corners(_: SetupContext, sent: dict[str, Any]) -> ShowCorners:
    """Return the corners that were sent: four in `at`, each its place from the top left, 0 to 1 of width and height.

    Raises InputError for anything else. Whether they can be a tray's is judged where the table is set up.
    """
    at = sent.get("at")
    if not isinstance(at, list) or len(at) != CORNERS:
        raise InputError(say("tap each corner of the tray"))
    return ShowCorners(tuple(_point(corner) for corner in at))


def _point(corner: object) -> Point:
    match corner:
        case [int() | float() as x, int() | float() as y] if _is_part(x) and _is_part(y):
            return float(x), float(y)
    raise InputError(say("a corner is outside the picture"))


def _is_part(value: float) -> bool:
    return not isinstance(value, bool) and 0.0 <= value <= 1.0  # NaN is neither


def guided_run(known: SetupContext, _: dict[str, Any]) -> MenuAction:
    """Return what begins to set the camera up, as the menu does; raises InputError where it cannot."""
    if not known.calibrates:
        raise InputError(say("no camera to set up"))
    return MenuAction.CALIBRATE


ACTIONS = {"stop": MenuAction.START_MENU, "end": MenuAction.END_MATCH}
FORM: dict[str, Callable[[SetupContext, dict[str, Any]], Decision]] = {
    "begin": new_match,
    "leave": leaves,
    "join": joins,
    "keep-preset": kept,
    "rename-preset": renamed,
    "merge": merges,
    "calibrate": guided_run,
    "corners": shown_corners,
}
DECISIONS = ("resume", "forget-preset", *FORM, *ACTIONS)

SetupSource = Callable[[int], tuple[SetupContext, Language]]
"""Reads what can be offered to set a match up, in any thread, and in which language the table speaks.

It takes the number of the match that is played, 0 for none.
"""


def decision_of(source: SetupSource | None, sent: dict[str, Any], number: int) -> Decision | None:
    """Return the decision that was sent, None if it is none that the table knows.

    Raises InputError in the language of the table. number: of the match that is played.
    """
    does = sent["do"]
    if does in FORM and source is not None:
        known, language = source(number)
        try:
            return FORM[does](known, sent)
        except InputError as error:
            raise InputError(language.translate(error.args[0], HINT)) from error
    if does == "resume" and type(sent.get("number")) is int:
        return Resume(sent["number"])
    if does == "forget-preset" and isinstance(sent.get("name"), str):
        return ForgetPreset(sent["name"])
    return ACTIONS.get(does)
