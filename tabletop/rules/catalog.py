"""Games found by name: a file in `tabletop/games`, an offered source, or an entry point `tabletop.games`.

Only the game asked for is loaded. Where two have one id the built-in game is played, then that of an offered source.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from tabletop.core.errors import InputError
from tabletop.rules.declaration import wrong_facts
from tabletop.rules.game import Game
from tabletop.rules.names import close_to, quoted
from tabletop.rules.table import Play

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from types import ModuleType

BUILT_IN = "tabletop.games"
GROUP = "tabletop.games"  # the entry-point group; each names a module of the same form as a built-in game's
Source = Callable[[], Mapping[str, Callable[[], "ModuleType"]]]  # id -> what loads its module, InputError if it cannot
PASSED_OVER = " -_,"  # where two spellings of a game's name may differ
_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_offered: list[Source] = []  # the last one first


def offer(source: Source) -> None:
    """Let the games of this source be found too, from now on. It is asked each time a game is not a built-in one."""
    if source not in _offered:
        _offered.insert(0, source)


@contextmanager
def offering(source: Source) -> Iterator[None]:
    """Let the games of this source be found as long as this lasts, before those of other sources."""
    _offered.insert(0, source)
    try:
        yield
    finally:
        _offered.remove(source)


def game_ids() -> tuple[str, ...]:
    """Return the ids of all games, built-in and added, sorted; none of them is loaded."""
    return tuple(sorted({*built_in_ids(), *_from_sources(), *_added()}))


def built_in_ids() -> frozenset[str]:
    """Return the ids of the built-in games; none of them is loaded."""
    from pkgutil import iter_modules  # noqa: PLC0415 - a match of a known game does not pay for the listing

    return frozenset(found.name.replace("_", "-") for found in iter_modules(import_module(BUILT_IN).__path__))


def is_id(word: str) -> bool:
    """Whether a game may have this id: small letters and digits, with hyphens between."""
    return _ID.fullmatch(word) is not None


def load(game_id: str) -> tuple[Game, Play]:
    """Return the facts and the coroutine of this game.

    game_id: its id, or any name of it, in any letters: "Left Center Right" is "lcr". Raises InputError, with the
    nearest names, if no game is called that.
    """
    if (found := _load_id(game_id)) is not None:
        return found
    names = _names()
    game_ids_of_name = names.get(_plain(game_id), {})
    if len(game_ids_of_name) == 1:
        return load(next(iter(game_ids_of_name)))
    if game_ids_of_name:
        raise InputError(f"expected one game, got {quoted(game_id)}, which may be {' or '.join(game_ids_of_name)}")
    near = close_to(_plain(game_id), names)
    meant = {name: None for plain in near for name in names[plain].values()}
    hint = f"did you mean {' or '.join(meant)}?" if meant else "`tabletop games` lists them"
    raise InputError(f"expected a game, got {quoted(game_id)}; {hint}")


def _load_id(game_id: str) -> tuple[Game, Play] | None:
    """Return the game with exactly this id, None if there is none."""
    if is_id(game_id):
        module_name = f"{BUILT_IN}.{game_id.replace('-', '_')}"
        if find_spec(module_name) is not None:
            return _declared(import_module(module_name), module_name)
        if (loader := _from_sources().get(game_id)) is not None:
            module = loader()
            return _declared(module, str(module.__file__), game_id)
        if (added := _added().get(game_id)) is not None:
            return _declared(_module_of(added), added.value, game_id)
    return None


def _names() -> dict[str, dict[str, str]]:
    """Return what games are called, without case, spaces and hyphens: for each name the ids, and the name to show.

    Loads every game, so it is only asked about a word that is no id. Games that cannot be loaded are left out.
    """
    names: dict[str, dict[str, str]] = {}
    for game_id in game_ids():
        try:
            game, _ = load(game_id)
        except (InputError, ImportError):
            continue
        for name in (game_id, game.name, *game.other_names):
            names.setdefault(_plain(name), {}).setdefault(game_id, name)
    return names


def _plain(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter not in PASSED_OVER)


def _from_sources() -> Mapping[str, Callable[[], "ModuleType"]]:
    return {game_id: loader for source in reversed(_offered) for game_id, loader in source().items()}


def _added() -> dict[str, "EntryPoint"]:
    from importlib.metadata import entry_points  # noqa: PLC0415 - reading the installed packages takes longer than a match

    return {point.name: point for point in entry_points(group=GROUP)}


def _module_of(added: "EntryPoint") -> "ModuleType":
    try:
        module: ModuleType = added.load()
    except Exception as error:
        raise InputError(f"expected a game in {added.value}, got {type(error).__name__}: {error}") from error
    return module


def _declared(module: "ModuleType", where: str, added_as: str = "") -> tuple[Game, Play]:
    """Return what the module declares. added_as: the id of an added game, whose facts no test of ours has checked."""
    game, play = getattr(module, "GAME", None), getattr(module, "play", None)
    if not isinstance(game, Game) or play is None:
        raise InputError(f"expected {where} to declare GAME and play(table), got a module without")
    if added_as:
        for wrong in wrong_facts(game, play, added_as):
            raise InputError(f"{where}: {wrong}")
    return game, play
