"""Custom games: files in the user's folder of games, of the same form as a built-in game's.

The folder is `games` in the systemd unit's configuration directory, else in the user's data folder
(`~/.local/share/tabletop/games` on Linux; `XDG_DATA_HOME` moves it). A game file is a program. A service runs only
files that it cannot write: others, and those in its state folder, may have been planted by an intruder.
"""

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from traceback import extract_tb
from types import ModuleType

from platformdirs import user_data_path

from tabletop.core.errors import InputError
from tabletop.rules.catalog import built_in_ids, is_id, offer

FOLDER_NAME = "games"
_loaded: dict[Path, tuple[tuple[int, int], ModuleType]] = {}  # by file, with its state then: a match loads it often


def offer_own_games() -> None:
    """Make the games in the user's folder available to the commands and to `tabletop.rules.Match`."""
    offer(own_games)


def games_folder() -> Path:
    """Return the folder of custom games, which may not exist."""
    folder = _of_unit("CONFIGURATION_DIRECTORY")
    return (folder or user_data_path("tabletop", appauthor=False)) / FOLDER_NAME


def own_games() -> Mapping[str, Callable[[], ModuleType]]:
    """Return a loader for each game in the user's folder, by id; loads none of them."""
    return {game_id: partial(module_of, path) for game_id, path in _files().items() if is_id(game_id)}


def _of_unit(name: str) -> Path | None:
    """Return a folder that systemd has named for the unit, None where this is no service."""
    folder = os.environ.get(name, "").split(":")[0]
    return Path(folder) if folder else None


def _may_write(path: Path) -> bool:
    """Return whether this user can change a file or folder, now or after a change of its mode."""
    return path.exists() and (os.access(path, os.W_OK) or path.stat().st_uid == os.geteuid())


def not_run() -> Iterator[str]:
    """Yield a line for each game file that a service refuses to run, with a remedy; nothing outside a service."""
    if _of_unit("CONFIGURATION_DIRECTORY") is None:
        return
    state, folder = _of_unit("STATE_DIRECTORY"), games_folder()
    left = [] if state is None else _game_files(state / FOLDER_NAME)
    for path in (*left, *(path for path in _game_files(folder) if path not in _runnable(folder))):
        yield f"{path} is not run, since the table itself may write it: read it, then sudo cp it into {folder}"


def not_played() -> Iterator[str]:
    """Yield a line for each file in the folder that cannot be played because of its name or place."""
    yield from not_run()
    taken = built_in_ids()
    for game_id, path in _files().items():
        if game_id in taken:
            yield f"expected a name that no other game has, got {path}: {game_id} is the built-in game; rename the file"
        elif not is_id(game_id):
            yield f"expected a file named like my_game.py (small letters, digits, underscores), got {path}"


def id_of(path: Path) -> str:
    """Return the id that a game in this file must have."""
    return path.stem.replace("_", "-")


def _files() -> dict[str, Path]:
    """Return the game files by the id of their name; a file whose name begins with a sign is no game."""
    return {id_of(path): path for path in _runnable(games_folder())}


def _game_files(folder: Path) -> list[Path]:
    try:
        names = sorted(os.listdir(folder))  # noqa: PTH208 - three times as quick, and asked at each match
    except OSError:  # no such folder: there are no own games
        return []
    return [folder / name for name in names if name.endswith(".py") and name[0].isalnum()]


def _runnable(folder: Path) -> list[Path]:
    """Return the game files that are run: in a service those that it cannot write."""
    paths = _game_files(folder)
    if _of_unit("CONFIGURATION_DIRECTORY") is None:
        return paths
    return [path for path in paths if not _may_write(folder) and not _may_write(path)]


def module_of(path: Path) -> ModuleType:
    """Return the module of a game file; raises InputError with the line at which loading fails."""
    try:
        about = path.stat()
        state = (about.st_mtime_ns, about.st_size)
        if path in _loaded and _loaded[path][0] == state:
            return _loaded[path][1]
        code = compile(path.read_bytes(), str(path), "exec")
    except OSError as error:
        raise InputError(f"expected a game file, got {path}: {error.strerror}") from error
    except (SyntaxError, ValueError) as error:  # ValueError: null bytes
        line = getattr(error, "lineno", None) or 1
        raise InputError(f"{path}:{line}: expected Python, got {getattr(error, 'msg', error)}") from error
    module = ModuleType(f"own_game_{path.stem}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module  # dataclasses look their own module up
    try:
        exec(code, module.__dict__)  # noqa: S102 - the game is a program that the user has put there
    except (Exception, SystemExit) as error:
        del sys.modules[module.__name__]
        lines = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == str(path)]
        what, init, wrong = str(error).partition(".__init__() ")
        told = f"expected {what}(...) as docs/game-modules.md has it, got {type(error).__name__}: {wrong}"
        told = told if init else f"expected a game, got {type(error).__name__}: {error}"
        message = f"{path}:{(lines or [1])[-1]}: {told}"
        raise InputError(message) from error
    _loaded[path] = (state, module)
    return module


def write_new(path: Path, text: str) -> Path:
    """Write a new file, creating the folder if needed; return its path. Raises InputError if that fails."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise InputError(f"expected a file that is not there yet, got {path}: it is not overwritten") from None
    except OSError as error:
        raise InputError(f"expected a file that can be written, got {path}: {error.strerror}") from error
    return path
