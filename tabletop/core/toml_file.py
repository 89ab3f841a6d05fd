"""TOML files that people edit: every error names the file, the line and the expected value."""

import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tabletop.core.errors import InputError

_TABLE = re.compile(r"\s*\[(\[)?\s*([\w.-]+)\s*\]")
_KEY = re.compile(r'\s*(?:([\w-]+)|"([^"\\]*)")\s*(?:\.([^=]*))?=')  # of a dotted key a.b = both parts
_BESIDE_NAMES = re.compile(r"""[\s"']""")  # allowed around the parts of a key
_AT_LINE = re.compile(r"(?P<what>.*) \(at (?:line (?P<line>\d+), column \d+|end of document)\)")
LONGEST_SHOWN = 40  # characters of a wrong value quoted in an error


@dataclass(frozen=True, slots=True)
class TomlFile:
    """A parsed TOML file. values: as tomllib returns them. lines: "key" or "table.key" -> line number, from 1.

    In an array of tables, keys have a number as well, from 0: "array.0.key".
    """

    path: Path
    values: Mapping[str, Any]
    lines: Mapping[str, int]

    def table(self, name: str) -> Mapping[str, Any]:
        """Return the entries of a table, empty if it is missing; raises InputError if the value is not a table."""
        entries = self.values.get(name, {})
        if not isinstance(entries, dict):
            raise self.wrong(name, f"a table that begins with the line [{name}]", entries)
        return entries

    def entries(self, name: str) -> tuple["TomlFile", ...]:
        """Return the tables of an array of tables, each as a separate file; line "" is that of its header."""
        found = self.values.get(name, [])
        if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
            raise self.wrong(name, f"tables that each begin with the line [[{name}]]", found)
        return tuple(TomlFile(self.path, entry, self._below(f"{name}.{at}")) for at, entry in enumerate(found))

    def _below(self, prefix: str) -> dict[str, int]:
        at = len(prefix) + 1
        return {name[at:]: line for name, line in self.lines.items() if f"{name}.".startswith(f"{prefix}.")}

    def wrong(self, name: str, expected: str, got: object) -> InputError:
        """Return the error for a wrong value of this key ("key" or "table.key")."""
        shown = str(got).lower() if isinstance(got, bool) else _shortened(got)
        return InputError(f"{self.place(name)}: expected {name.rpartition('.')[2]} to be {expected}, got {shown}")

    def missing(self, name: str, expected: str) -> InputError:
        """Return the error for a required key that is missing."""
        table, _, key = name.rpartition(".")
        below = f" below [{table}]" if table else ""
        return InputError(f"{self.path}: expected a line {key} = ...{below}, {expected}; there is none")

    def check_names(
        self, known: Collection[str], table: str = "", elsewhere: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        """Raise InputError for the first unknown key of this table, or of the top level if empty.

        elsewhere: for keys of other tables, the table they belong to, "" for the top level.
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
        """Prefix errors raised in the context with the file and the line of this key."""
        try:
            yield
        except InputError as error:
            raise InputError(f"{self.place(name)}: {error}") from None

    def place(self, name: str) -> str:
        """Return the file, and the line of this key if known, else of the entry's header."""
        line = self.lines.get(name) or self.lines.get("")
        return f"{self.path}, line {line}" if line else str(self.path)


def where(table: str) -> str:
    """Return the place where a key of this table belongs, for users. table: "" for the top level."""
    return f"below the line [{table}]" if table else "above the first line in brackets"


def read_toml(path: Path) -> TomlFile:
    """Read a file; raises InputError if it cannot be read or is not TOML."""
    try:
        text = path.read_text(encoding="utf-8-sig")  # with or without the byte order mark that Windows editors write
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
    except ValueError:  # raised by Python for a number with thousands of digits
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
    prefix, entries = "", Counter[str]()
    for number, line in enumerate(_split(text), start=1):
        if table := _TABLE.match(line):
            places.setdefault(table[2], number)
            prefix = f"{table[2]}."
            if table[1]:
                places[f"{prefix}{entries[prefix]}"] = number
                entries[prefix] += 1
                prefix += f"{entries[prefix] - 1}."
        elif key := _KEY.match(line):
            name = prefix + (key[1] or key[2])
            places.setdefault(name, number)
            if key[3]:
                places.setdefault(f"{name}.{_BESIDE_NAMES.sub('', key[3])}", number)
    return places
