"""TOML files that people edit: every complaint names the file, the line and what to write there instead."""

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tabletop.core.errors import InputError
from tabletop.core.toml_repair import repaired

_TABLE = re.compile(r"\s*\[{1,2}\s*([\w.-]+)\s*\]")
_KEY = re.compile(r'\s*(?:([\w-]+)|"([^"\\]*)")\s*(?:\.([^=]*))?=')  # of a.b = both
_BESIDE_NAMES = re.compile(r"""[\s"']""")  # what may stand round the parts of a key
_TWICE = ("Cannot overwrite", "Cannot declare", "Cannot mutate")  # what tomllib says of what stands there before
_OPENING = re.compile(r"[^\[=]*=\s*\[[^\]]*")  # a line with the first half only
_OPEN_ARRAY = "Unclosed array"  # the same, of a bracket without its other half
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
        shown = str(got).lower() if isinstance(got, bool) else str(got) if isinstance(got, date) else repr(got)
        shown = shown if len(shown) <= LONGEST_SHOWN else shown[: LONGEST_SHOWN - 3] + "..."
        key = name.rpartition(".")[2]
        advice = f"; nearest: {key} = {nearest}" if nearest else ""
        return InputError(f"{self.place(name)}: expected {key} to be {expected}, got {shown}{advice}")

    def missing(self, name: str, expected: str) -> InputError:
        """Return the error for a key that must be there and is not."""
        table, _, key = name.rpartition(".")
        below = f" below [{table}]" if table else ""
        return InputError(f"{self.path}: expected a line {key} = ...{below}, {expected}; there is none")

    def check_names(
        self,
        known: Collection[str],
        table: str = "",
        elsewhere: Mapping[str, str] = MappingProxyType({}),
        outside: Collection[str] = (),
    ) -> None:
        """Raise InputError for the first key of this table (of the top level where empty) that is not known.

        elsewhere: the tables in which other keys belong. outside: the keys that belong into no table.
        """
        for name in self.table(table) if table else self.values:
            if name not in known:
                near = get_close_matches(name.lower()[:LONGEST_SHOWN], known, n=1)
                advice = f"did you mean {near[0]}?" if near else f"known are {', '.join(sorted(known))}"
                if belongs := None if near else elsewhere.get(name):
                    advice = f"it belongs below the line [{belongs}]"
                elif name in outside and not near:
                    advice = "it belongs above the first line in brackets"
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


def read_toml(path: Path, *, whole: bool = False) -> TomlFile:
    """Read a file; raises InputError if it cannot be read or is no TOML.

    whole: whether every line of it must be there, so that nobody is advised to leave one out.
    """
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
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(_no_toml(path, text, str(error), whole=whole)) from None
    except RecursionError:
        raise InputError(f"{path}: expected key = value on each line, got brackets within brackets") from None
    except ValueError:  # of Python: a number of thousands of digits
        line = max(enumerate(_split(text), start=1), key=lambda numbered: sum(map(str.isdigit, numbered[1])))[0]
        raise InputError(f"{path}, line {line}: expected a number that is no longer than a line") from None
    return TomlFile(path, values, _lines(text))


def _no_toml(path: Path, text: str, complaint: str, *, whole: bool) -> str:
    """Return what is wrong with a text that is no TOML. complaint: what tomllib says."""
    found = _AT_LINE.fullmatch(complaint)
    lines = _split(text)
    open_quote = next((n for n, line in enumerate(lines, start=1) if _leaves_open(line)), 0)
    number = int(found["line"]) if found and found["line"] else open_quote or len(lines)
    what = found["what"] if found else complaint
    if what == _OPEN_ARRAY:  # which is noticed in a line after it
        so_far = list(enumerate(lines[:number], start=1))
        number = next((n for n, other in reversed(so_far) if _OPENING.fullmatch(other)), number)
    line = lines[number - 1] if 0 < number <= len(lines) else ""
    if what.startswith(_TWICE):
        name = line.partition("=")[0].strip()
        before = next((n for n, other in enumerate(lines, start=1) if other.partition("=")[0].strip() == name), number)
        if before < number:
            return f"{path}, line {number}: expected {name} once, got it in line {before} too: delete one of the two"
    nearest = repaired(line)
    advice = f"; nearest: {nearest}" if nearest else "; a # before that line leaves it out"
    if whole and (not nearest or nearest.startswith("#")):
        advice = ""
    return f'{path}, line {number}: expected key = value, with words in "quotes": {what}{advice}'


def _leaves_open(line: str) -> bool:
    """Return whether a line begins a word in quotes and does not end it; an apostrophe in a comment is none."""
    said = line.partition("#")[0]
    return bool(said.count("'") % 2 or said.count('"') % 2)


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
