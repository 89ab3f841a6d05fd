"""Whether a file of an archive is what its name says: nothing else is put back, and nothing else is kept."""

import json
from pathlib import Path

from tabletop.cli.backup.places import GAME_SUFFIXES, STORE
from tabletop.config.file import NAMES
from tabletop.config.own_dice import SUFFIX as DICE
from tabletop.config.own_dice import load_own_dice
from tabletop.config.profile import SUFFIX as PROFILE
from tabletop.config.profile import UNREADABLE, load_profile
from tabletop.core.errors import InputError
from tabletop.core.toml_file import read_toml

LARGEST_TOML = 20_000  # letters of a configuration or profile: ten times as many as usual ones have
MOST_DOTS = 200  # in a line of these: the time and memory of Python's reader grow with the square of a key's parts
LARGEST = 20_000_000  # bytes of one file but the store: as many as a measurement may have
ROLLS = {"version": 1}  # the first line of a measurement


def check_content(name: str, path: Path) -> None:
    """Raise TabletopError unless a file of this name in an archive can be read as what a table keeps there.

    Profiles that were kept because they could not be read are taken as they are.
    """
    kept = name.endswith(f"{UNREADABLE}{PROFILE}") and not name.startswith("config/")
    if name == STORE or kept:
        return
    suffix = Path(name).suffix
    if path.stat().st_size > LARGEST:
        raise InputError(f"{path}: expected at most {LARGEST} bytes, got {path.stat().st_size}")
    if name.startswith("config/"):
        _check_short(path)
        file = read_toml(path)
        file.check_names(NAMES)
        if not isinstance(file.values.get("profile", ""), str):
            raise file.wrong("profile", 'a word in "quotes"', file.values["profile"])
    elif name.startswith("games/") and suffix in GAME_SUFFIXES:
        _text(path)
    elif suffix == PROFILE:
        _check_short(path)
        load_profile(path)
    elif suffix == DICE:
        load_own_dice(path)
    elif suffix:
        _check_rolls(path)
    elif len(lines := _text(path).splitlines()) != 1 or not lines[0].isprintable():
        raise InputError(f"{path}: expected one line, the language that was chosen in the menu")


def _check_short(path: Path) -> None:
    """Raise InputError for a TOML file that takes long to read."""
    text = _text(path)
    if len(text) > LARGEST_TOML or any(line.count(".") > MOST_DOTS for line in text.split("\n")):
        raise InputError(f"{path}: expected at most {LARGEST_TOML} letters, and {MOST_DOTS} dots in a line")


def _check_rolls(path: Path) -> None:
    """Raise InputError unless each line is a JSON object; the last may have been cut off by a power cut."""
    whole, _, _ = _text(path).rpartition("\n")
    try:
        lines = [json.loads(line) for line in whole.split("\n") if line]
    except (ValueError, RecursionError):
        lines = [None]
    if lines[:1] not in ([], [ROLLS]) or not all(isinstance(line, dict) for line in lines):
        raise InputError(f"{path}: expected rolls, as an earlier `tabletop calibrate score` wrote them")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{path}: expected text, saved as UTF-8, got other bytes") from None
