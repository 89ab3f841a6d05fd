"""The settings of a device, as they stand after the colon of its word: `gpio:bank=17,hold=27`."""

from collections.abc import Mapping
from dataclasses import dataclass

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
            raise InputError(
                f"expected {option}:name=number,... with each of {known} once at most, got {word.strip()!r}"
            )
        number = _number(text)
        if number not in setting.allowed:
            raise InputError(f"expected {option}:{name}= {setting.meaning}, got {text!r}")
        found[name] = number
    defaults = {name: setting.default for name, setting in settings.items() if setting.default is not None}
    return defaults | found


def _number(text: str) -> int:
    """Return the number, or -1, which no setting allows."""
    try:
        return int(text, 0)
    except ValueError:
        return -1
