"""Names as people type them: cleaned, merged with those that played before, and refused in plain words. Pure."""

import unicodedata
from collections.abc import Iterable, Sequence

from tabletop.core.errors import InputError
from tabletop.core.message import say
from tabletop.rules.names import LONGEST_NAME, checked_name, letter_count

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
    """Raise InputError, in words for whoever typed them, if one of these names cannot be played with."""
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
