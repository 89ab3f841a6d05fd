"""The nearest right value in place of a wrong one of the configuration file, written as it belongs there."""

import re
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

from tabletop.rules.names import LONGEST_NAME
from tabletop.rules.options import AnyOption, Flag, Whole

TRUE_WORDS = ("true", "yes", "on", "1", "ja")  # what people write for it
USUAL = ("Ann", "Ben")  # players, where nothing that came could be a name
FIRST_DIGITS = re.compile(r"-?\d+")  # of a word such as "GPIO17"
VIDEO = re.compile(r"(?:/dev/)?(?:video|usb|cam|camera|webcam)?[ _-]?(?P<number>\d{1,2})")  # of a USB camera
LONGEST = 60  # characters of a wrong word that are compared; a longer one is no slip of the finger


def alone(got: object) -> object:
    """Return what lies in brackets or braces by itself, as in [50]; anything else as it is."""
    while isinstance(got, list | dict) and len(got) == 1:
        (got,) = got.values() if isinstance(got, dict) else got
    return got


def nearest_word(got: object, known: Iterable[str]) -> str:
    """Return the known word that is spelled most like what came; the first where none is like it. known: not empty."""
    words = list(known)
    return f'"{get_close_matches(str(alone(got)).lower()[:LONGEST], words, n=1, cutoff=0.0)[0] if words else ""}"'


def nearest_device(got: object, known: Iterable[str]) -> str:
    """Return a device as it was probably meant, with what stands behind its colon. known: devices, not empty.

    A bare number, or one as in /dev/video0, is that of a USB camera where there are such.
    """
    words, word = list(known), str(alone(got)).lower()
    if (numbered := VIDEO.fullmatch(word)) and "usb" in words:
        return f'"usb:{numbered["number"]}"'
    kind, colon, rest = word.partition(":")
    behind = f"{colon}{rest}" if kind.strip() in words or len(word) <= LONGEST else ""
    return f'{nearest_word(kind, words)[:-1]}{behind}"'


def nearest_number(got: object, least: int, most: int, usual: int | None = None) -> str:
    """Return the whole number from least to most, both allowed, that is nearest.

    usual: what is returned where no number came; None for the least.
    """
    other, got = least if usual is None else usual, alone(got)
    try:
        digits = FIRST_DIGITS.search(got) if isinstance(got, str) else None
        number = float(digits[0] if digits else str(got))
    except ValueError:
        return str(other)
    return str(round(min(max(number, least), most))) if number == number else str(other)  # noqa: PLR0124 - NaN


def nearest_truth(got: object) -> str:
    """Return true or false."""
    return "true" if str(alone(got)).lower() in TRUE_WORDS else "false"


def nearest_names(got: object) -> str:
    """Return players' names in brackets, each once and as long as a name may be."""
    got = alone(got)
    words = [str(name) for name in got] if isinstance(got, list) else str(got).split(",")
    names = list[str]()
    for word in words:
        name = "".join(letter for letter in word if letter.isalnum())[:LONGEST_NAME]
        while name in names:
            name = f"{name[: LONGEST_NAME - 1]}{len(names) + 1}"
        names += [name] if name else []
    quoted = (f'"{name}"' for name in names or USUAL)
    return f"[{', '.join(quoted)}]"


def nearest_file(got: str, folder: Path, suffix: str) -> str:
    """Return the file of this folder, with this suffix, that is named most like it; empty if there is none."""
    there = {path.name.lower(): path.name for path in folder.glob(f"*{suffix}")} if folder.is_dir() else {}
    near = get_close_matches(Path(got).name.lower()[:LONGEST], there, n=1)
    return f'"{there[near[0]]}"' if near else ""


def nearest_value(option: AnyOption, got: object) -> str:
    """Return the value of a game's option that is nearest to what came."""
    if isinstance(option, Whole):
        return nearest_number(got, option.at_least, option.at_most, option.default)
    if isinstance(option, Flag):
        return nearest_truth(got)
    return nearest_word(got, option.choices)
