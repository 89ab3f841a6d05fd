"""Player names, and suggestions for misspelt words."""

import unicodedata
from collections.abc import Iterable, Sequence

from tabletop.core import InputError, say

LONGEST_NAME = 12  # letters as seen by people; fits the large type of the display
MARKS_A_LETTER = 2  # accents and the like, on average: more than languages need
FORBIDDEN = ",="  # separators in the line protocol
PASSED_OVER = " -_,.'"  # ignored when comparing the names of games
LONGEST_QUOTE = 60  # characters of a value quoted in an error


def quoted(text: str) -> str:
    """Quote a value in an error, shortened if it is long."""
    return repr(text if len(text) <= LONGEST_QUOTE else text[:LONGEST_QUOTE] + "...")


def checked_name(name: object) -> str:
    """Validate a player's name; raises InputError."""
    if not isinstance(name, str) or not name:
        raise InputError("expected a player's name, got an empty one: leave it out or fill it in")
    count = letter_count(name)
    if count > LONGEST_NAME:
        raise InputError(f"expected a player's name of at most {LONGEST_NAME} letters, got {quoted(name)} with {count}")
    if len(name) - count > MARKS_A_LETTER * LONGEST_NAME:
        raise InputError(f"expected a player's name with at most {MARKS_A_LETTER} marks a letter, got {quoted(name)}")
    if any(letter.isspace() or letter in FORBIDDEN for letter in name):
        raise InputError(f"expected a player's name without comma, equals sign or space, got {name!r}")
    if hidden := next((letter for letter in name if not letter.isprintable()), ""):
        code = f"U+{ord(hidden):04X}"
        raise InputError(f"expected a player's name of signs that show, one by one, got {name!r} with {code} in it")
    return name


def folded(title: str) -> str:
    """Return the normal form of a game's or preset's name, equal for different spellings."""
    return "".join(letter for letter in title.casefold() if letter not in PASSED_OVER)


def letter_count(name: str) -> int:
    """Count the visible letters of a name, without combining marks and variation selectors."""
    return sum(not unicodedata.category(sign).startswith("M") for sign in name)


def checked_players(players: Sequence[object], least: int, most: int) -> tuple[str, ...]:
    """Validate the players' names: all different, and as many as the game takes; raises InputError."""
    names = tuple(map(checked_name, players))
    for seat, name in enumerate(names):
        if name in names[:seat]:
            raise InputError(f"expected every player's name once, got {name!r} twice: change one of them")
    if not least <= len(names) <= most:
        raise InputError(say("expected {n} to {n2} players, got {n3}", n=least, n2=most, n3=len(names)))
    return names


def nearest(word: str, known: Iterable[str]) -> str:
    """Return " (did you mean ...?)" with the closest known words, or an empty text."""
    near = close_to(word, known)
    return f" (did you mean {' or '.join(near)}?)" if near else ""


def close_to(word: str, known: Iterable[str]) -> list[str]:
    """Return up to three known words with a similar spelling, closest first."""
    from difflib import get_close_matches  # noqa: PLC0415 - only a mistake pays for loading it

    return get_close_matches(word[:LONGEST_QUOTE], list(known), n=3)
