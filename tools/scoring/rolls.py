"""Rolls corrected die by die, from a `.score` file of `tabletop calibrate score` up to version 162beb41.

Lines are JSON objects: first `{"version": 1}`, then one for each roll (`Roll`), or `{"undo": true}`, which removes the
newest roll. An incomplete last line was being written during a power failure; it is ignored.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tabletop.core.errors import InputError
from tabletop.core.values import FACES

VERSION = 1  # of the file's form
UNSURE = 0  # in place of a face that was read
NO_DIE = 0  # in place of a true face
LEANS = 7  # in place of a true face: a die that lies on no face has none, and is rightly in doubt


@dataclass(frozen=True, slots=True)
class Roll:
    """The reading of a roll, and the truth.

    read: the reported faces, `UNSURE` for none, from left to right. true: for each of `read` the true face, `LEANS` for
    none, `NO_DIE` if there is no die. missed: the faces of dice that were not reported.
    """

    read: tuple[int, ...]
    true: tuple[int, ...]
    missed: tuple[int, ...] = ()

    @property
    def doubtful(self) -> bool:
        """Whether anything was reported as unsure."""
        return UNSURE in self.read

    @property
    def faces(self) -> tuple[int, ...]:
        """The true faces, sorted."""
        return tuple(sorted(face for face in (*self.true, *self.missed) if face in FACES))

    @property
    def dice(self) -> int:
        """The number of dice, including leaning ones."""
        return len(self.faces) + self.true.count(LEANS)

    @property
    def wrong(self) -> bool:
        """Whether the reading differs from the truth in any way, including needless doubt."""
        return bool(self.missed) or any(
            read != (UNSURE if true == LEANS else true) or true == NO_DIE
            for read, true in zip(self.read, self.true, strict=True)
        )


def load_rolls(path: Path) -> list[Roll]:
    """Return the rolls in force, oldest first. Raises InputError, naming the line, for another file."""
    try:
        packed = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: expected a file of rolls that can be read: {error.strerror}") from None
    rolls: list[Roll] = []
    for number, line in enumerate(packed[: packed.rfind(b"\n") + 1].splitlines(), 1):
        try:
            entry = json.loads(line)
            if number == 1:
                _check(entry == {"version": VERSION})
            elif entry == {"undo": True}:
                rolls.pop()
            else:
                rolls.append(_roll(entry))
        except (AttributeError, LookupError, TypeError, ValueError, RecursionError):
            expected = "a roll" if number > 1 else f'{{"version": {VERSION}}}'
            raise InputError(f"{path}, line {number}: expected {expected} of `tabletop calibrate score`") from None
    return rolls


def _roll(entry: dict[str, Any]) -> Roll:
    read = tuple(int(each["face"]) for each in entry["seen"])
    true, missed = tuple(map(int, entry["true"])), tuple(map(int, entry["missed"]))
    _check(len(true) == len(read) and {*read} <= {UNSURE, *FACES})
    _check({*true} <= {NO_DIE, LEANS, *FACES} and {*missed} <= {*FACES})
    return Roll(read, true, missed)


def _check(fine: bool) -> None:
    if not fine:
        raise ValueError
