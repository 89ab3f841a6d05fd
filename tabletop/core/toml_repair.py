"""What a line that is no TOML may have been meant to be: the advice behind the complaint."""

import re
import tomllib
from collections.abc import Iterator

LONGEST_LINE = 80  # characters of a line that is repeated in an error
_QUOTES = "\"'\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb"  # straight ones, and those that text editors make of them
_BRACKETS = "[](){}"
_COMMENT = re.compile(r"\s*(?:;|//|--)\s*(?P<rest>.*)")  # as other kinds of files begin one
_TABLE = re.compile(r"\s*(?=.*[\[\]])\[*\s*(?P<name>[\w-]+)\s*(?:\][^=]*)?")
_LINE = re.compile(rf"(?P<key>[^\s=:;>{_QUOTES}\[({{]+)[\s=:;>]*(?P<value>.*)")
_QUOTED = re.compile(rf"[{_QUOTES}](?P<word>[^{_QUOTES}=]+)[{_QUOTES}]")
_MEASURED = re.compile(r"(?P<number>-?\d+(?:[.,]\d+)?)\s*(?:[a-zA-Z]{0,2}|%)")  # 50 mm; 0,5 as many write it
_BEHIND = re.compile(r"\s*(?://|\s;\s|[;,]\s*$).*")  # what people write behind a value


def repaired(line: str) -> str:
    """Return the nearest right line: with its value mended, else as a comment; empty if it is too long for either."""
    text = "".join(letter for letter in line if letter.isprintable()).strip()
    if len(text) > LONGEST_LINE:
        return ""
    if comment := _COMMENT.fullmatch(text):
        return f"# {comment['rest']}"
    if table := _TABLE.fullmatch(text):
        return f"[{table['name']}]"
    return next(filter(_is_right, _as_meant(text)), f"# {text}" if text else "")


def _as_meant(text: str) -> Iterator[str]:
    """Yield what a line may have been meant to be, the nearest first."""
    found = _LINE.fullmatch(text)
    key = "".join(letter for letter in found["key"] if re.fullmatch(r"[A-Za-z0-9_-]", letter)) if found else ""
    if found is None or not key:
        return
    value = _BEHIND.sub("", found["value"])
    yield f"{key} = {value}"
    if value.startswith("["):
        words = [word for item in value.split(",") if (word := item.strip(f" {_QUOTES}{_BRACKETS}"))]
        if len(words) > 1 or "]" in value:
            yield f"{key} = [{', '.join(map(_quoted, words))}]"
            return
    bare = value.lstrip(f" {_BRACKETS}")
    if quoted := _QUOTED.match(bare):
        yield f"{key} = {_quoted(quoted['word'])}"
    if measured := _MEASURED.fullmatch(value):
        yield f"{key} = {measured['number'].replace(',', '.')}"
    word = "".join(letter for letter in bare if letter not in _QUOTES).strip()
    yield f"{key} = {int(word) if word.isascii() and word.isdigit() else word.lower()}"
    yield f"{key} = {_quoted(word)}"


def _quoted(word: str) -> str:
    """Return a word as TOML."""
    return f'"{word}"'


def _is_right(line: str) -> bool:
    """Return whether a line is TOML and says something."""
    try:
        (value,) = tomllib.loads(line).values()
    except ValueError:
        return False
    return value not in ("", []) and not (isinstance(value, str) and set(value) & set(f"{_BRACKETS}="))
