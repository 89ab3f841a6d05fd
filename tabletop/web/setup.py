"""Set up a match on the page: the options of its form, and the resulting decisions. Pure; same rules as the dialogs.

Also decides on presets, spellings of a name, leaves and joins, and the tray's corners tapped in the live picture. Names
are cleaned, matched with known players, and refused with a clear message. All texts for users are already translated.
"""

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from typing import Any

from tabletop.core import InputError, say
from tabletop.dialogs import commands, lobby, setup_state
from tabletop.dialogs.setup_state import SetupContext
from tabletop.rules import CALLED, RULES, AnyOption, Flag, Game, Match, Value, Whole
from tabletop.rules.names import LONGEST_NAME, checked_name, folded, letter_count
from tabletop.store.database import MOST_PRESETS
from tabletop.views.i18n.catalogue import Language
from tabletop.views.i18n.house_rules import sentence, told
from tabletop.views.i18n.translate import GAME, HINT, ITEM, NOTE, phrases, rules_text
from tabletop.views.snapshot import Snapshot

LONGEST_PRESET = 20  # letters: one line on a phone, two on the display


def merged(players: Sequence[str], known: Iterable[str]) -> tuple[str, ...]:
    """Return the names in their known spelling, ignoring case; surrounding spaces are removed."""
    there: dict[str, str] = {}
    for name in known:
        there.setdefault(plain(name), name)
    clean = [unicodedata.normalize("NFC", name.strip()) for name in players]
    return tuple(there.setdefault(plain(name), name) for name in clean)


def plain(name: str) -> str:
    """Return the normal form of a name, equal for different spellings."""
    return unicodedata.normalize("NFC", name).casefold()


def checked_players(names: Sequence[str]) -> None:
    """Raise InputError, with a message for the person who typed, if one of these names is invalid."""
    for at, name in enumerate(names):
        _check_length(name, LONGEST_NAME)
        try:
            checked_name(name)
        except InputError as error:
            raise InputError(say("{text}: no spaces, commas or equals signs, please", text=name)) from error
        if name in names[:at]:
            raise InputError(say("{text} is at the table already", text=name))


def checked_preset(given: str, known: Iterable[str]) -> str:
    """Return the name of a preset, in its existing spelling if there is one; raises InputError."""
    name = " ".join(given.split())
    if not name.isprintable():
        shown = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in name)
        raise InputError(say("{text} contains an invisible character", text=shown[:LONGEST_PRESET]))
    _check_length(name, LONGEST_PRESET)
    return merged([name], known)[0]


def _check_length(name: str, longest: int) -> None:
    if not name:
        raise InputError(say("a name is empty"))
    if letter_count(name) > longest:
        raise InputError(say("{text} is too long: {n} letters at most", text=name[: 2 * longest], n=longest))


MOST_OPEN = 8  # open matches that are offered, the newest; and so many of all


def setup_of(known: SetupContext, language: Language) -> dict[str, Any]:
    """Return the options of the form as JSON values: games, names, and matches to resume or replay."""
    return {
        "games": [_game(game, language) | {"recent": at < known.recent} for at, game in enumerate(known.games)],
        "names": list(dict.fromkeys((*known.seated, *known.names))),
        "longest": {"name": LONGEST_NAME, "preset": LONGEST_PRESET},
        "own": [{"preset": preset.name, **_begun(preset, language)} for preset in known.presets],
        "same": dict(known.same),
        "seats": None if known.seats is None else asdict(known.seats),
        "open": _played((match for match in known.played if match.open), language)[:MOST_OPEN],
        "standing": list(known.standing),
        "unreadable": language.translate(known.unreadable_text, NOTE),
        "last": _played(known.played[:MOST_OPEN], language),
        "words": dict(phrases(language).form),
    }


def _game(game: Game, language: Language) -> dict[str, Any]:
    usual = {preset: setup_state.values(game, [(RULES, preset)]) for preset in game.presets}
    options, name = setup_state.choosable(game), language.translate(game.name, GAME)
    return {
        "id": game.id,
        "name": name,
        "others": [other for other in (game.name, *game.other_names) if other != name],
        "names": dict(game.names),
        "dice": game.dice,
        "layout": game.layout or "totals",
        **asdict(lobby.tiles().get(game.id, lobby.Tile())),
        "least": game.min_players,
        "most": game.max_players,
        "help": rules_text(language.code, game.name, game.help),
        "options": [_option(game, option, language) for option in options],
        "presets": {
            preset: {option.name: of_preset[option.name] for option in options} for preset, of_preset in usual.items()
        },
    }


def _option(game: Game, option: AnyOption, language: Language) -> dict[str, Any]:
    flag, choices = isinstance(option, Flag), [] if isinstance(option, Flag) else option.to_json()["choices"]
    label = language.translate(sentence(game, option, True) if flag else setup_state.label(option.name), ITEM)
    return {
        "name": option.name,
        "label": label[:1].upper() + label[1:],
        "help": language.translate(option.help, NOTE),
        "kind": "flag" if flag else "number" if isinstance(option, Whole) else "choice",
        "choices": [[value, language.translate(sentence(game, option, value), NOTE)] for value in choices],
        "says": {word: language.template(text, ("house",)) for word, text in told(game, option).items()},
        "least": getattr(option, "at_least", None),
        "most": getattr(option, "at_most", None),
    }


def _played(matches: Iterable[setup_state.PlayedMatch], language: Language) -> list[dict[str, Any]]:
    return [{"number": match.number, **_begun(match, language)} for match in matches]


def _begun(match: setup_state.PlayedMatch | setup_state.OwnPreset, language: Language) -> dict[str, Any]:
    return {
        "game": match.game.id,
        "name": language.translate(setup_state.title(match.game, match.settings), GAME),
        "players": list(match.players),
        "settings": [list(setting) for setting in match.settings],
        "rules": [language.translate(rule, NOTE) for rule in setup_state.house_rules(match.game, match.settings)],
        "note": language.translate(setup_state.note((), match.game, match.settings), NOTE),
    }


def new_match(known: SetupContext, sent: dict[str, Any]) -> commands.NewMatch:
    """Return the match that a form asks for; raises InputError with what to change.

    A name that matches a known player's, ignoring case, is that player.
    """
    game = next((game for game in known.games if game.id == sent.get("game")), None)
    if game is None:
        raise InputError("expected one of the games of the form, got another: open the form again")
    given = _called(game, _text(sent, "called"), _settings(game, sent.get("settings", [])))
    settings = setup_state.unusual(game, setup_state.values(game, given))
    players = sent.get("players")
    if not isinstance(players, list) or not all(isinstance(name, str) for name in players):
        raise InputError("expected the names of the players, got something else")
    seated = tuple(known.same.get(name, name) for name in merged(players, (*known.seated, *known.names, *known.same)))
    checked_players(seated)
    least = game.fewest_players(setup_state.values(game, settings))
    if not least <= len(seated) <= game.max_players:
        raise InputError(say("{n} to {n2} players can play this", n=least, n2=game.max_players))
    Match(game.id, seated, **dict(settings))
    return commands.NewMatch(game.id, seated, settings)


def _called(game: Game, name: str, given: list[tuple[str, Value]]) -> list[tuple[str, Value]]:
    """Return options with the name that people chose, and its preset; without one the name that their rules have."""
    if not name:
        of_rules = game.called_by(dict(given).get(RULES))
        return [(CALLED, of_rules), *given] if of_rules else given
    called = next((own for own in game.names if folded(own) == folded(name)), name)
    preset = game.names.get(called)
    return [*([(RULES, preset)] if preset else []), (CALLED, called), *given]


def _settings(game: Game, given: object) -> list[tuple[str, Value]]:
    """Return options with their values; InputError, in words for the person who typed it, for a number out of range."""
    settings: list[tuple[str, Value]] = []
    numbers = {option.name: option for option in game.all_options if isinstance(option, Whole)}
    for pair in given if isinstance(given, list) else [given]:
        match pair:
            case [str(name), bool() | int() | str() as value]:
                settings.append((name, value))
            case _:
                raise InputError("expected options as pairs of a name and a value, got something else")
        option = numbers.get(name)
        if option is not None and type(value) is int and not option.at_least <= value <= option.at_most:
            low, high = option.at_least, option.at_most
            raise InputError(say("{option}: a number from {n} to {n2}", option=setup_state.label(name), n=low, n2=high))
    return settings


def _text(sent: dict[str, Any], key: str) -> str:
    given = sent.get(key)
    return given if isinstance(given, str) else ""


def merges(known: SetupContext, sent: dict[str, Any]) -> commands.MergeNames:
    """Merge `name` into the player `means`; raises InputError.

    Both must be known names; if they are equal, the merge is undone.
    """
    name, means = _text(sent, "name"), _text(sent, "means")
    if not {name, means} <= {*known.names, *known.same}:
        raise InputError(say("that name is not known here"))
    return commands.MergeNames(name, means)


def kept(known: SetupContext, sent: dict[str, Any]) -> commands.KeepPreset:
    """Save the form as a preset: game, players in their seats, house rules; raises InputError if it cannot be played.

    `replace`: whether to overwrite a preset of the same name; otherwise InputError is raised.
    """
    there = [preset.name for preset in known.presets]
    name = checked_preset(_text(sent, "name"), there)
    if name in there and sent.get("replace") is not True:
        raise InputError(say("{text} exists already", text=name))
    if name not in there and len(there) >= MOST_PRESETS:
        raise InputError(say("there are {n} presets already: delete one first", n=len(there)))
    return commands.KeepPreset(name, new_match(known, sent))


def renamed(known: SetupContext, sent: dict[str, Any]) -> commands.RenamePreset:
    """Rename a preset; raises InputError if the new name exists."""
    name, others = _text(sent, "name"), [preset.name for preset in known.presets]
    if name not in others:
        raise InputError(say("this preset is gone"))
    others.remove(name)
    new = checked_preset(_text(sent, "new"), ())
    if plain(new) in map(plain, others):
        raise InputError(say("{text} exists already", text=new))
    return commands.RenamePreset(name, new)


def forgotten(_: SetupContext, sent: dict[str, Any]) -> commands.ForgetPreset:
    """Delete a preset; one that is already gone is not an error. Raises InputError if none is named."""
    if not isinstance(sent.get("name"), str):
        raise InputError("expected the name of a preset, got something else")
    return commands.ForgetPreset(sent["name"])


def resumed(_: SetupContext, sent: dict[str, Any]) -> commands.Resume:
    """Resume the match with this number; raises InputError if none is given."""
    if type(sent.get("number")) is not int:
        raise InputError("expected the number of a match, got something else")
    return commands.Resume(sent["number"])


def leaves(known: SetupContext, sent: dict[str, Any]) -> commands.Leave:
    """Remove a present player; raises InputError."""
    name = _text(sent, "name")
    if known.seats is None or name not in known.seats.present:
        raise InputError(say("that player is not at the table"))
    return commands.Leave(name)


def joins(known: SetupContext, sent: dict[str, Any]) -> commands.Join:
    """Readmit a player, or add a new one if the game allows it; raises InputError."""
    seats = known.seats
    if seats is None:
        raise InputError(say("nobody can join now"))
    (name,) = merged([_text(sent, "name")], (*seats.left, *seats.present, *known.names, *known.same))
    name = known.same.get(name, name) if name not in seats.left else name
    checked_players((*seats.present, name))
    if name not in seats.left and not seats.joining:
        raise InputError(say("nobody new can join this game once it has begun"))
    return commands.Join(name)


CORNERS = 4


def shown_corners(_: SetupContext, sent: dict[str, Any]) -> commands.ShowCorners:
    """Return the corners that were sent: four in `at`, as fractions of width and height from the top left.

    Raises InputError for anything else. Whether they can be a tray's corners is checked by the calibration.
    """
    at = sent.get("at")
    if not (isinstance(at, list) and len(at) == CORNERS and all(map(_is_place, at))):
        raise InputError(say("tap each corner of the tray"))
    return commands.ShowCorners(tuple((float(x), float(y)) for x, y in at))


def _is_place(given: object) -> bool:
    match given:
        case [x, y] if not isinstance(x, bool) and not isinstance(y, bool):
            return all(isinstance(share, int | float) and 0.0 <= share <= 1.0 for share in (x, y))  # NaN is neither
    return False


def guided_run(known: SetupContext, _: dict[str, Any]) -> commands.MenuAction:
    """Return the action that starts the camera setup, like the menu; raises InputError if there is no camera."""
    if not known.calibrates:
        raise InputError(say("no camera to set up"))
    return commands.MenuAction.CALIBRATE


ACTIONS = {
    "stop": commands.MenuAction.START_MENU,
    "end": commands.MenuAction.END_MATCH,
    "first-steps": commands.MenuAction.FIRST_STEPS,
}
FORM: dict[str, Callable[[SetupContext, dict[str, Any]], commands.Decision]] = {
    "begin": new_match,
    "resume": resumed,
    "leave": leaves,
    "join": joins,
    "keep-preset": kept,
    "rename-preset": renamed,
    "forget-preset": forgotten,
    "merge": merges,
    "calibrate": guided_run,
    "corners": shown_corners,
}
DECISIONS = (*FORM, *ACTIONS)

SetupSource = Callable[[int], SetupContext]
"""Reads what can be offered to set a match up, in any thread; takes the number of the match that is played, or 0."""


def decision_of(source: SetupSource | None, sent: dict[str, Any], shown: Snapshot) -> commands.Decision | None:
    """Return the decision that was sent, None for an unknown one.

    Raises InputError in the language of the table. shown: the current snapshot.
    """
    does = sent["do"]
    if source is None or does in ACTIONS:
        return ACTIONS.get(does)
    try:
        return FORM[does](source(shown.number), sent)
    except InputError as error:
        raise InputError(shown.language.translate(error.args[0], HINT)) from error
