"""The settings of a device, as they stand after the colon of its word: `gpio:bank=17,hold=27`."""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from tabletop.core.errors import InputError


@dataclass(frozen=True, slots=True)
class Setting:
    """One number that can be given. allowed: what it may be; meaning: the same in words, for an error's one line.

    default: None for one that is left out unless it is given.
    """

    default: int | None
    allowed: range
    meaning: str


def numbers(option: str, words: str, settings: Mapping[str, Setting]) -> dict[str, int]:
    """Return every setting's number: what `words` gives, and the defaults that there are.

    option: what stood before the colon, such as `--buttons gpio`, for the error. words: `name=number` with commas
    between, decimal or hexadecimal (`0x3d`); empty for the defaults. Raises InputError.
    """
    found: dict[str, int] = {}
    for word in words.split(",") if words.strip() else ():
        name, _, text = (part.strip() for part in word.partition("="))
        setting = settings.get(name)
        if setting is None or name in found:
            known = ", ".join(f"{name}=" for name in settings)
            close = get_close_matches(name, [other for other in settings if other not in found], n=1)
            advice = f"; nearest: {close[0]}={text}" if close else ""
            raise InputError(
                f"expected {option}:name=number,... with each of {known} once at most, got {word.strip()!r}{advice}"
            )
        number = _number(text)
        if number not in setting.allowed:
            near = _nearest(number, setting, text)
            raise InputError(f"expected {option}:{name}= {setting.meaning}, got {text!r}; nearest: {name}={near}")
        found[name] = number
    defaults = {name: setting.default for name, setting in settings.items() if setting.default is not None}
    return defaults | found


def _nearest(number: int, setting: Setting, text: str) -> str:
    """Return the allowed number that is nearest, or half of a hexadecimal one where that is allowed, written so."""
    hexadecimal = text.lower().startswith("0x")
    if number < 0:
        near = setting.allowed[0] if setting.default is None else setting.default
    elif hexadecimal and number % 2 == 0 and number // 2 in setting.allowed:  # as boards print it
        near = number // 2
    else:
        near = min(setting.allowed, key=lambda allowed: abs(allowed - number))
    return hex(near) if hexadecimal else str(near)


def _number(text: str) -> int:
    """Return the number, or -1, which no setting allows."""
    try:
        return int(text, 0)
    except ValueError:
        return -1
