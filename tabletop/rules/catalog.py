"""Games found by name: a file in `tabletop/games` or an entry point `tabletop.games`, only the one asked for loaded."""

import re
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from tabletop.errors import InputError
from tabletop.rules.game import Game, Play
from tabletop.rules.names import nearest

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from types import ModuleType

BUILT_IN = "tabletop.games"
GROUP = "tabletop.games"  # the entry-point group; each names a module of the same form as a built-in game's
_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def game_ids() -> tuple[str, ...]:
    """Return the ids of all games, built-in and added, sorted; none of them is loaded."""
    from pkgutil import iter_modules  # noqa: PLC0415 - a match of a known game does not pay for the listing

    built_in = (found.name.replace("_", "-") for found in iter_modules(import_module(BUILT_IN).__path__))
    return tuple(sorted({*built_in, *_added()}))


def load(game_id: str) -> tuple[Game, Play]:
    """Return the facts and the coroutine of this game; InputError with the nearest names where there is none."""
    if _ID.fullmatch(game_id):
        module_name = f"{BUILT_IN}.{game_id.replace('-', '_')}"
        if find_spec(module_name) is not None:
            return _declared(import_module(module_name), module_name)
        if (added := _added().get(game_id)) is not None:
            return _declared(added.load(), added.value)
    ids = game_ids()
    near = nearest(game_id, ids) or f": they are {', '.join(ids)}"
    raise InputError(f"expected the id of a game (`tabletop games` lists them), got {game_id!r}{near}")


def _added() -> dict[str, "EntryPoint"]:
    from importlib.metadata import entry_points  # noqa: PLC0415 - reading the installed packages takes longer than a match

    return {point.name: point for point in entry_points(group=GROUP)}


def _declared(module: "ModuleType", where: str) -> tuple[Game, Play]:
    game, play = getattr(module, "GAME", None), getattr(module, "play", None)
    if not isinstance(game, Game) or play is None:
        raise InputError(f"expected {where} to declare GAME and play(table), got a module without")
    return game, play
