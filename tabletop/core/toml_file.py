"""TOML files that people edit: every complaint names the file, the line and what to write there instead."""

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from tabletop.core.errors import InputError

_TABLE = re.compile(r"\s*\[([\w.-]+)\]")
_KEY = re.compile(r'\s*(?:([\w-]+)|"([^"\\]*)")\s*(?:\.[^=]*)?=')  # of a.b = the first
_AT_LINE = re.compile(r"(?P<what>.*) \(at (?:line (?P<line>\d+), column \d+|end of document)\)")
LONGEST_SHOWN = 40  # characters of a wrong value that an error repeats


@dataclass(frozen=True, slots=True)
class TomlFile:
    """A file as read. values: as tomllib gives them. lines: from "key" or "table.key" to its line, from 1."""

    path: Path
    values: Mapping[str, Any]
    lines: Mapping[str, int]

    def table(self, name: str) -> Mapping[str, Any]:
        """Return the entries of one table, empty if there is none; raises InputError if it is no table."""
        entries = self.values.get(name, {})
        if not isinstance(entries, dict):
            raise self.wrong(name, f"a table that begins with the line [{name}]", entries)
        return entries

    def wrong(self, name: str, expected: str, got: object, nearest: str = "") -> InputError:
        """Return the error for the value of this key ("key" or "table.key"). nearest: what would be right, as TOML."""
        shown = repr(got)
        shown = shown if len(shown) <= LONGEST_SHOWN else shown[: LONGEST_SHOWN - 3] + "..."
        key = name.rpartition(".")[2]
        advice = f"; nearest: {key} = {nearest}" if nearest else ""
        return InputError(f"{self.place(name)}: expected {key} to be {expected}, got {shown}{advice}")

    def missing(self, name: str, expected: str) -> InputError:
        """Return the error for a key that must be there and is not."""
        return InputError(f"{self.path}: expected a line {name} = ..., {expected}; there is none")

    def check_names(self, known: Collection[str], table: str = "") -> None:
        """Raise InputError for the first key of this table (of the top level where empty) that is not known."""
        for name in self.table(table) if table else self.values:
            if name not in known:
                near = get_close_matches(name, known, n=1)
                advice = f"did you mean {near[0]}?" if near else f"known are {', '.join(sorted(known))}"
                place = self.place(f"{table}.{name}" if table else name)
                raise InputError(f"{place}: expected a known key, got {name}; {advice}")

    @contextmanager
    def telling(self, name: str, nearest: str = "") -> Iterator[None]:
        """Put the file and the line of this key before what is complained of within, and behind it what is right."""
        try:
            yield
        except InputError as error:
            advice = f"; nearest: {name.rpartition('.')[2]} = {nearest}" if nearest else ""
            raise InputError(f"{self.place(name)}: {error}{advice}") from None

    def place(self, name: str) -> str:
        """Return the file, and the line of this key where it is known."""
        line = self.lines.get(name)
        return f"{self.path}, line {line}" if line else str(self.path)


def read_toml(path: Path) -> TomlFile:
    """Read a file; raises InputError if it cannot be read or is no TOML."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"{path}: expected a file, there is none of this name") from None
    except UnicodeDecodeError as error:
        number = error.object.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path}, line {number}: expected a readable text file: it is not text") from None
    except OSError as error:
        raise InputError(f"{path}: expected a readable text file: {error.strerror}") from None
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _AT_LINE.fullmatch(str(error))
        line = found["line"] if found and found["line"] else str(len(text.splitlines()))
        what = found["what"] if found else str(error)
        raise InputError(f'{path}, line {line}: expected key = value, with words in "quotes": {what}') from None
    return TomlFile(path, values, _lines(text))


def _lines(text: str) -> dict[str, int]:
    """Return where each key stands, one in quotes without them.

    A key inside a value of several lines does no harm: the first line found stays.
    """
    places: dict[str, int] = {}
    prefix = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if table := _TABLE.match(line):
            prefix = table[1] + "."
            places.setdefault(table[1], number)
        elif key := _KEY.match(line):
            places.setdefault(prefix + (key[1] or key[2]), number)
    return places
