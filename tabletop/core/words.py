"""The settings of a device, as they stand after the colon of its word: `gpio:bank=17,hold=27`."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from tabletop.core.errors import InputError


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting that can be given.

    meaning: what it may be, for an error's one line. read: returns the value of a text, None if it may not be that.
    default: None for a setting that is left out unless it is given.
    """

    meaning: str
    read: Callable[[str], Any]
    default: Any = None


def number(default: int | None, allowed: range, meaning: str) -> Setting:
    """Return the setting of a whole number, decimal or hexadecimal (`0x3d`)."""

    def read(text: str) -> int | None:
        with suppress(ValueError):
            found = int(text, 0)
            return found if found in allowed else None
        return None

    return Setting(meaning, read, default)


def read_settings(option: str, words: str, known: Mapping[str, Setting], first: str = "") -> dict[str, Any]:
    """Return the value of every setting: what `words` gives, and the defaults that there are.

    option: what stood before the colon, such as `--buttons gpio`, for the error. words: `name=value` with commas
    between; empty for the defaults. first: what may stand before them, for the error. Raises InputError.
    """
    found: dict[str, Any] = {}
    for word in words.split(",") if words.strip() else ():
        name, _, text = (part.strip() for part in word.partition("="))
        setting = known.get(name)
        if setting is None or name in found:
            names = ", ".join(f"{name}=" for name in known)
            close = get_close_matches(name, [other for other in known if other not in found], n=1)
            advice = f"; nearest: {close[0]}={text}" if close else ""
            raise InputError(
                f"expected {option}:{first}name=value,... with each of {names} at most once, "
                f"got {word.strip()!r}{advice}"
            )
        found[name] = setting.read(text)
        if found[name] is None:
            raise InputError(f"expected {option}:{name}= {setting.meaning}, got {text!r}")
    return {name: setting.default for name, setting in known.items() if setting.default is not None} | found
