"""Scoring a table: each throw is shown as it was read, and people say with two buttons whether that is right.

A CSV file keeps a row for each scored throw: `throw` (from 1), `time` (ISO 8601, UTC), `read` (the faces in rising
order, with spaces between them, and a `?` for each die that is unsure) and `verdict` (`right` or `wrong`).
"""

import csv
import io
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.core.errors import InputError
from tabletop.core.message import say
from tabletop.core.ports import Press
from tabletop.core.values import Reading, Rest
from tabletop.dialogs.commands import Decision, Dialog, MenuAction
from tabletop.dialogs.event_text import tray_drawing
from tabletop.perception.pipeline import FrameResult
from tabletop.views.snapshot import MenuView, Snapshot

COLUMNS = ["throw", "time", "read", "verdict"]
RIGHT, WRONG, UNSURE = "right", "wrong", "?"
SETTLED_S = 0.7  # dice that arrive one by one are one throw: as long as the table itself waits with hints
DOUBT_S = 2.0  # an unsure die may become sure in the next frames: as long as the table waits before it says so


class ScoreFile:
    """The scored throws of a table, in a CSV file.

    path: read if it exists, so that scoring goes on; else made with the first throw. pictures: a folder that gets the
    frame of each throw as `N.png`, None for none. Raises InputError if the file holds something else, or cannot be
    read or written.
    """

    def __init__(self, path: Path, pictures: Path | None = None) -> None:
        self._path, self._pictures = path, pictures
        self._rows = self._load()

    @property
    def counts(self) -> tuple[int, int]:
        """How many throws were read right, and how many wrong."""
        right = sum(verdict == RIGHT for _, _, verdict in self._rows)
        return right, len(self._rows) - right

    def add(self, read: str, pixels: NDArray[np.uint8], *, right: bool, again: bool = False) -> None:
        """Write a throw. pixels: its frame, (H, W, 3) uint8 BGR. again: replace the newest throw."""
        time = datetime.now(UTC).isoformat(timespec="seconds")
        self._rows[len(self._rows) - again :] = [(time, read, RIGHT if right else WRONG)]
        text = io.StringIO()
        rows = ((str(number), *row) for number, row in enumerate(self._rows, 1))
        csv.writer(text, lineterminator="\n").writerows([COLUMNS, *rows])
        self._write(self._path, text.getvalue().encode())
        if self._pictures is not None and not again:
            picture = cv2.imencode(".png", pixels)[1].tobytes()
            self._write(self._pictures / f"{len(self._rows)}.png", picture)

    def _write(self, path: Path, content: bytes) -> None:
        """Write a file, whole or not at all."""
        part = path.with_name(f"{path.name}.part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with part.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        except OSError as error:
            raise InputError(f"{path}: expected a place to write scored throws to: {error.strerror}") from None

    def _load(self) -> list[tuple[str, str, str]]:
        try:
            with self._path.open(encoding="utf-8", newline="") as file:
                header, *rows = csv.reader(file)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise InputError(f"{self._path}: expected a file that can be read: {error.strerror}") from None
        except (ValueError, csv.Error):
            header, rows = [], []
        wrong = [n for n, row in enumerate(rows, 2) if len(row) != len(COLUMNS) or row[-1] not in (RIGHT, WRONG)]
        if header != COLUMNS or wrong:
            line = wrong[0] if header == COLUMNS else 1
            raise InputError(
                f"{self._path}, line {line}: expected {','.join(COLUMNS)} as `tabletop calibrate score` writes them; "
                "name another file with --results"
            )
        return [(time, read, verdict) for _, time, read, verdict in rows]


@dataclass(frozen=True, slots=True)
class Scoring:
    """The dialog that asks about each throw: BANK for right, HOLD for wrong, long BANK to stop.

    The newest throw can be judged again until the next one lies. file: where verdicts go. newest: returns the newest
    frame, None before the first. goal: stop after this many throws. judged: the throw that was judged last.
    """

    file: ScoreFile
    newest: Callable[[], FrameResult | None]
    goal: int
    judged: object = None

    def step_to(self, at: int) -> "Scoring":  # noqa: ARG002 - the list has one line
        """Return it as it is."""
        return self

    def press(self, press: Press) -> Dialog | Decision:
        """Return what is asked after this press; the end once `goal` throws are scored."""
        if press.long or press.repeat:
            return MenuAction.QUIT if press.button == "bank" and not press.repeat else self
        seen, rest = self.newest(), self._rest
        if seen is None or rest is None:
            return self
        again = _key(rest) == self.judged
        self.file.add(as_read(rest.reading), seen.frame.pixels, right=press.button == "bank", again=again)
        return MenuAction.QUIT if sum(self.file.counts) >= self.goal else replace(self, judged=_key(rest))

    @property
    def snapshot(self) -> Snapshot:
        """What views draw of it."""
        rest, seen = self._rest, self.newest()
        right, wrong = self.file.counts
        note = say("{n} right, {n2} wrong", n=right, n2=wrong)
        reading = seen.pixel_reading if seen is not None else None
        if rest is None:
            menu = MenuView(say("Throw the dice"), (note,))
            return Snapshot(menu=menu, reading=reading)
        title = say("Throw the dice") if _key(rest) == self.judged else say("All right?")
        menu = MenuView(title, (as_read(rest.reading),), note=note)
        return Snapshot(hold=say("no"), bank=say("yes"), menu=menu, tray=tray_drawing(rest, ()), reading=reading)

    @property
    def _rest(self) -> Rest | None:
        """The dice that have settled, None if there are none."""
        seen = self.newest()
        if seen is None or seen.rest is None or not (seen.rest.reading.dice or seen.rest.reading.unsure):
            return None
        rest = seen.rest
        lies_s = seen.frame.time_s - max((*rest.arrived_s, *rest.unsure_arrived_s))
        return rest if lies_s >= (DOUBT_S if rest.reading.unsure else SETTLED_S) else None


def _key(rest: Rest) -> object:
    """Return what tells a throw from the next one."""
    return as_read(rest.reading), rest.arrived_s, rest.unsure_arrived_s


def as_read(reading: Reading) -> str:
    """Return the faces in rising order and a `?` for each unsure die, such as "2 5 5 ?"; empty without dice."""
    return " ".join([*map(str, sorted(die.face for die in reading.dice)), *[UNSURE] * len(reading.unsure)])
