"""TOML files that people edit: every complaint names the file, the line and what to write there instead."""

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tabletop.core.errors import InputError

_TABLE = re.compile(r"\s*\[{1,2}\s*([\w.-]+)\s*\]")
_KEY = re.compile(r'\s*(?:([\w-]+)|"([^"\\]*)")\s*(?:\.([^=]*))?=')  # of a.b = both
_BESIDE_NAMES = re.compile(r"""[\s"']""")  # what may stand round the parts of a key
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

    def wrong(self, name: str, expected: str, got: object) -> InputError:
        """Return the error for the value of this key ("key" or "table.key")."""
        shown = str(got).lower() if isinstance(got, bool) else _shortened(got)
        return InputError(f"{self.place(name)}: expected {name.rpartition('.')[2]} to be {expected}, got {shown}")

    def missing(self, name: str, expected: str) -> InputError:
        """Return the error for a key that must be there and is not."""
        table, _, key = name.rpartition(".")
        below = f" below [{table}]" if table else ""
        return InputError(f"{self.path}: expected a line {key} = ...{below}, {expected}; there is none")

    def check_names(
        self, known: Collection[str], table: str = "", elsewhere: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        """Raise InputError for the first key of this table (of the top level where empty) that is not known.

        elsewhere: the tables in which other keys belong, "" for the top level.
        """
        for name in self.table(table) if table else self.values:
            if name in known:
                continue
            if near := get_close_matches(name.lower()[:LONGEST_SHOWN], known, n=1):
                advice = f"did you mean {near[0]}?"
            elif name in elsewhere:
                advice = f"it belongs {where(elsewhere[name])}"
            else:
                advice = f"known are {', '.join(sorted(known))}"
            place = self.place(f"{table}.{name}" if table else name)
            raise InputError(f"{place}: expected a known key, got {name}; {advice}")

    @contextmanager
    def telling(self, name: str) -> Iterator[None]:
        """Put the file and the line of this key before the errors raised within."""
        try:
            yield
        except InputError as error:
            raise InputError(f"{self.place(name)}: {error}") from None

    def place(self, name: str) -> str:
        """Return the file, and the line of this key where it is known."""
        line = self.lines.get(name)
        return f"{self.path}, line {line}" if line else str(self.path)


def where(table: str) -> str:
    """Return where a key of this table belongs, for people. table: "" for the top level."""
    return f"below the line [{table}]" if table else "above the first line in brackets"


def read_toml(path: Path) -> TomlFile:
    """Read a file; raises InputError if it cannot be read or is no TOML."""
    try:
        text = path.read_text(encoding="utf-8-sig")  # with or without the mark that Windows puts before it
    except FileNotFoundError:
        raise InputError(f"{path}: expected a file, there is none of this name") from None
    except UnicodeDecodeError as error:
        number = error.object.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path}, line {number}: expected text, saved as UTF-8, got other bytes") from None
    except PermissionError:
        raise InputError(f"{path}: expected a file that this user may read: sudo chmod a+r {path}") from None
    except OSError as error:
        raise InputError(f"{path}: expected a readable text file: {error.strerror}") from None
    try:
        return TomlFile(path, tomllib.loads(text), _lines(text))
    except tomllib.TOMLDecodeError as error:
        raise InputError(_no_toml(path, text, str(error))) from None
    except RecursionError:
        raise InputError(f"{path}: expected key = value on each line, got brackets within brackets") from None
    except ValueError:  # of Python: a number of thousands of digits
        raise InputError(f"{path}: expected numbers that are no longer than a line") from None


def _no_toml(path: Path, text: str, complaint: str) -> str:
    """Return what is wrong with a text that is no TOML. complaint: what tomllib says."""
    found, lines = _AT_LINE.fullmatch(complaint), _split(text)
    number = int(found["line"]) if found and found["line"] else len(lines)
    line = lines[number - 1] if number <= len(lines) else ""
    what = found["what"] if found else complaint
    expected = 'expected key = value, with words in "quotes"'
    return f"{path}, line {number}: {expected}, got {_shortened(line.strip())}: {what}"


def _shortened(got: object) -> str:
    shown = repr(got)
    return shown if len(shown) <= LONGEST_SHOWN else shown[: LONGEST_SHOWN - 3] + "..."


def _split(text: str) -> list[str]:
    """Return the lines of a text as TOML and editors count them: other signs that end one for Python are none."""
    return text.rstrip("\n").split("\n")


def _lines(text: str) -> dict[str, int]:
    """Return where each key stands, one in quotes without them.

    A key inside a value of several lines does no harm: the first line found stays.
    """
    places: dict[str, int] = {}
    prefix = ""
    for number, line in enumerate(_split(text), start=1):
        if table := _TABLE.match(line):
            prefix = table[1] + "."
            places.setdefault(table[1], number)
        elif key := _KEY.match(line):
            name = prefix + (key[1] or key[2])
            places.setdefault(name, number)
            if key[3]:
                places.setdefault(f"{name}.{_BESIDE_NAMES.sub('', key[3])}", number)
    return places
