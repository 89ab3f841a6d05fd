"""The file of a measurement: a line for each roll as soon as it is confirmed, so that it goes on after any stop.

Lines are JSON objects: first `{"version": 1}`, then a roll each (`Roll`), or `{"undo": true}` for the newest roll taken
back. A last line without its end was being written when the power failed; it is passed over.
"""

import json
import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tabletop.core.errors import InputError
from tabletop.core.values import FACES
from tabletop.dialogs.scoring.roll import LEANS, NO_DIE, UNSURE, Roll, Seen

VERSION = 1  # of the file's form
SUFFIX = ".score"
FILE_NAME = f"table{SUFFIX}"  # where there is no profile beside which it could lie
LARGEST = 20_000_000  # bytes: 20,000 rolls, more than anybody throws


class Journal:
    """The rolls of one measurement, on disk.

    path: the file; it is made with the first roll. new: begin anew; the old file stays beside it as `.previous`. Raises
    InputError, naming the line, if the file holds something else.
    """

    def __init__(self, path: Path, *, new: bool = False) -> None:
        self.path = path
        self._whole = 0  # bytes of whole lines
        if new and path.exists():
            path.replace(path.with_name(f"{path.name}.previous"))
        self._rolls = self._load()

    @property
    def rolls(self) -> tuple[Roll, ...]:
        """The rolls that stand, oldest first."""
        return tuple(self._rolls)

    def bring_to(self, rolls: Sequence[Roll]) -> None:
        """Have these rolls stand: what differs at the end is taken back and written. Raises InputError."""
        same = 0
        while same < min(len(rolls), len(self._rolls)) and rolls[same] == self._rolls[same]:
            same += 1
        lines: list[dict[str, Any]] = [{"undo": True}] * (len(self._rolls) - same) + [
            asdict(roll) for roll in rolls[same:]
        ]
        if lines:
            self._append(lines)
            self._rolls = list(rolls)

    def prepare(self) -> None:
        """Make the file if it is not there, so that nobody rolls for nothing. Raises InputError if that cannot be."""
        self._append([])

    def _append(self, lines: list[dict[str, Any]]) -> None:
        text = "".join(json.dumps(line) + "\n" for line in ([] if self._whole else [{"version": VERSION}]) + lines)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("r+b" if self.path.exists() else "xb") as file:
                file.truncate(self._whole)  # a line that was cut off
                file.seek(self._whole)
                file.write(text.encode())
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise InputError(f"{self.path}: expected a place to write the rolls to: {error.strerror}") from None
        self._whole += len(text.encode())

    def _load(self) -> list[Roll]:
        try:
            with self.path.open("rb") as file:
                packed = file.read(LARGEST + 1)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise InputError(f"{self.path}: expected a file of rolls that can be read: {error.strerror}") from None
        whole = packed[: packed.rfind(b"\n") + 1]
        if len(packed) > LARGEST:
            raise InputError(f"{self.path}: expected at most {LARGEST} bytes of rolls; begin a new file with --new")
        rolls: list[Roll] = []
        for number, line in enumerate(whole.splitlines(), 1):
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
                raise InputError(
                    f"{self.path}, line {number}: expected {expected}, as `tabletop calibrate score` writes it; "
                    "name another file with --results, or begin anew with --new"
                ) from None
        self._whole = len(whole)
        return rolls


def _roll(entry: dict[str, Any]) -> Roll:
    seen = tuple(
        Seen(int(each["face"]), *(float(each[name]) for name in ("x", "y", "size", "angle"))) for each in entry["seen"]
    )
    true, missed = tuple(map(int, entry["true"])), tuple(map(int, entry["missed"]))
    width, height, picture = float(entry["width"]), float(entry["height"]), entry["picture"]
    _check(len(true) == len(seen) and width > 0 and height > 0 and isinstance(picture, str))
    _check(
        {each.face for each in seen} <= {UNSURE, *FACES}
        and {*true} <= {NO_DIE, LEANS, *FACES}
        and {*missed} <= {*FACES}
    )
    return Roll(width, height, seen, true, missed, picture)


def _check(fine: bool) -> None:
    if not fine:
        raise ValueError
