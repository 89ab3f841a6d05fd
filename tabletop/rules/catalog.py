"""Find games by name: a file in `tabletop/games`, an offered source, or an entry point `tabletop.games`.

Only the requested game is loaded. If several games share an id, the built-in one wins, then an offered source.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

from tabletop.core.errors import InputError
from tabletop.rules import declaration, table
from tabletop.rules.game import CALLED, Game
from tabletop.rules.names import close_to, folded, quoted

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from types import ModuleType

BUILT_IN = "tabletop.games"
GROUP = "tabletop.games"  # each entry point names a module of the same form as a built-in game's
Source = Callable[[], Mapping[str, Callable[[], "ModuleType"]]]  # id -> what loads its module, InputError if it cannot
_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_offered: list[Source] = []  # newest first


def offer(source: Source) -> None:
    """Add a source of games. It is asked for each game that is not built in."""
    if source not in _offered:
        _offered.insert(0, source)


@contextmanager
def offering(source: Source) -> Iterator[None]:
    """Add a source of games inside the `with` block, with priority over other sources."""
    _offered.insert(0, source)
    try:
        yield
    finally:
        _offered.remove(source)


def game_ids() -> tuple[str, ...]:
    """Return the ids of all games, built-in and added, sorted; loads none of them."""
    return tuple(sorted({*built_in_ids(), *_from_sources(), *_added()}))


def built_in_ids() -> frozenset[str]:
    """Return the ids of the built-in games; loads none of them."""
    from pkgutil import iter_modules  # noqa: PLC0415 - a match of a known game does not pay for the listing

    return frozenset(found.name.replace("_", "-") for found in iter_modules(import_module(BUILT_IN).__path__))


def is_id(word: str) -> bool:
    """Whether this is a valid id: lower-case letters and digits, separated by hyphens."""
    return _ID.fullmatch(word) is not None


class Named(NamedTuple):
    """The result of looking up a name. preset: the value of `rules` it implies, empty for a game's name.

    note: a one-line remark for users if the game is only the closest match, else empty. called: the alias as the game
    spells it, empty for the game's own name.
    """

    game: Game
    play: table.Play
    preset: str = ""
    note: str = ""
    called: str = ""

    @property
    def settings(self) -> dict[str, str]:
        """The settings implied by the name, before any option is set."""
        return {name: value for name, value in (("rules", self.preset), (CALLED, self.called)) if value}


class _Meant(NamedTuple):
    """One thing that a name may stand for. shown: the name as its game writes it."""

    game_id: str
    shown: str
    preset: str = ""


def load(game_id: str) -> tuple[Game, table.Play]:
    """Return the declaration and the coroutine of a game.

    game_id: its id, or any name of it or of a preset, in any case: "Left Center Right" is "lcr". Raises InputError,
    with the closest names, if there is no such game.
    """
    return named(game_id)[:2]


def named(name: str) -> Named:
    """Look up a game by its name or by the name of a preset, such as "farkle".

    Raises InputError, with the closest names, if there is no such game or preset.
    """
    if (found := _load_id(name)) is not None:
        return Named(*found)
    plain, games = folded(name), _games()
    names = _names(games)
    meant = names.get(plain, ())
    if len(meant) == 1:
        game, play = games[meant[0].game_id]
        return Named(game, play, meant[0].preset, called=meant[0].shown if meant[0].shown in game.other_names else "")
    if meant:
        may_be = " or ".join(dict.fromkeys(one.game_id for one in meant))
        raise InputError(f"expected one game, got {quoted(name)}, which may be {may_be}")
    for game, play in games.values():
        for other in game.nearest_to:
            if folded(other) == plain:
                return Named(game, play, note=f"{other} cannot be played yet: this is {game.name}, which is nearest")
    of_games = [plain for plain, meant in names.items() if plain != folded(meant[0].preset)]
    close = close_to(folded(name), of_games) or close_to(folded(name), names)
    near = dict.fromkeys(one.shown for plain in close for one in names[plain])
    hint = f"did you mean {' or '.join(near)}?" if near else "`tabletop games` lists them"
    raise InputError(f"expected a game, got {quoted(name)}; {hint}")


def _load_id(game_id: str) -> tuple[Game, table.Play] | None:
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


def _games() -> dict[str, tuple[Game, table.Play]]:
    """Load every game, which takes a while; those that cannot be loaded are left out."""
    games = {}
    for game_id in game_ids():
        try:
            found = _load_id(game_id)
        except (InputError, ImportError):
            continue
        if found is not None:
            games[game_id] = found
    return games


def _names(games: Mapping[str, tuple[Game, table.Play]]) -> dict[str, tuple[_Meant, ...]]:
    """Return what games and presets are called, without case, spaces and hyphens, and what each name may stand for.

    A preset named after a rule text occurs in many games, and a preset that sets nothing is the game itself: neither is
    a name. A name that a game shares with one of its presets, such as Farkle, means the preset.
    """
    found: dict[str, dict[str, _Meant]] = {}
    for game_id, (game, _) in games.items():
        for name in (game_id, game.name, *game.other_names):
            found.setdefault(folded(name), {}).setdefault(game_id, _Meant(game_id, name))
        for name, preset in ({preset: preset for preset in game.presets} | dict(game.former_presets)).items():
            if game.presets[preset] and f"{preset}.txt" not in game.source:
                people_say = (found.get(folded(word), {}).get(game_id) for word in (name, preset))
                shown = next((meant.shown for meant in people_say if meant is not None), preset)
                found.setdefault(folded(name), {})[game_id] = _Meant(game_id, shown, preset)
    return {plain: tuple(of_name.values()) for plain, of_name in found.items()}


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


def _declared(module: "ModuleType", where: str, added_as: str = "") -> tuple[Game, table.Play]:
    """Return what the module declares. added_as: the id of an added game, whose facts no test of ours has checked."""
    game, play = getattr(module, "GAME", None), getattr(module, "play", None)
    if not isinstance(game, Game) or play is None:
        raise InputError(f"expected {where} to declare GAME and play(table), got a module without")
    if added_as:
        for wrong in declaration.wrong_facts(game, play, added_as):
            raise InputError(f"{where}: {wrong}")
    return game, play
