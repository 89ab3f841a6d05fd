"""Score a table: show each throw as it was read, and ask whether that is right.

A CSV file has a row for each scored throw: `throw` (from 1), `time` (ISO 8601, UTC), `read` (the faces in ascending
order, separated by spaces, with a `?` for each unsure die) and `verdict` (`right` or `wrong`).
"""

import csv
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.core import DeviceError, InputError, Reading, ports
from tabletop.perception.pipeline import FrameResult, PerceptionPipeline
from tabletop.session.camera_thread import STALL_S

COLUMNS = ["throw", "time", "read", "verdict"]
RIGHT, WRONG, UNSURE = "right", "wrong", "?"
ANSWERS = {"y": True, "n": False}
STOP = "q"
SETTLED_S = 0.7  # dice that arrive one by one are one throw: as long as the table itself waits with hints
DOUBT_S = 2.0  # an unsure die may become sure in the next frames: the table waits as long


class ScoreFile:
    """The scored throws of a table, in a CSV file.

    path: read if it exists, to continue scoring; otherwise created with the first throw. pictures: a folder for the
    frame of each throw as `N.png`, None for none. verdicts: whether each throw was read right. Raises InputError if the
    file has other content, or cannot be read or written.
    """

    def __init__(self, path: Path, pictures: Path | None = None) -> None:
        self._path, self._pictures = path, pictures
        self.verdicts = self._load()

    def add(self, read: str, pixels: NDArray[np.uint8], *, right: bool) -> None:
        """Append a throw. pixels: its frame, (H, W, 3) uint8 BGR."""
        number, now = len(self.verdicts) + 1, datetime.now(UTC).isoformat(timespec="seconds")
        try:
            with self._path.open("a", encoding="utf-8", newline="") as file:
                rows = csv.writer(file, lineterminator="\n")
                if not file.tell():
                    rows.writerow(COLUMNS)
                rows.writerow((number, now, read, RIGHT if right else WRONG))
            if self._pictures is not None:
                self._pictures.mkdir(parents=True, exist_ok=True)
                (self._pictures / f"{number}.png").write_bytes(cv2.imencode(".png", pixels)[1].tobytes())
        except OSError as error:
            raise InputError(f"{error.filename}: expected a place to write to: {error.strerror}") from None
        self.verdicts.append(right)

    def _load(self) -> list[bool]:
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
        return [row[-1] == RIGHT for row in rows]


def score(throws: Iterator[FrameResult], file: ScoreFile, goal: int, ask: Callable[[str], str]) -> None:
    """Ask about each throw until `goal` are scored or people stop. ask: shows a question and returns the answer."""
    while len(file.verdicts) < goal and (seen := next(throws, None)) is not None and seen.rest is not None:
        read, answer = as_read(seen.rest.reading), ""
        while answer not in (*ANSWERS, STOP):
            answer = ask(f"throw {len(file.verdicts) + 1}: {read}; right? [y]es, [n]o, [q]uit: ").strip().lower()[:1]
        if answer == STOP:
            return
        file.add(read, seen.frame.pixels, right=ANSWERS[answer])


def throws_of(
    camera: ports.Camera, pipeline: PerceptionPipeline, dice: int | None, throw: Callable[[], object] = lambda: None
) -> Iterator[FrameResult]:
    """Yield each throw once it has settled. dice: how many are thrown, if known. throw: called before each."""
    newest_s, trouble = float("-inf"), ""
    throw()
    while True:
        try:
            frame = camera.read()
        except DeviceError as error:  # it may come back: each trouble is said once
            if str(error) != trouble:
                sys.stderr.write(f"{error}\n")
            trouble = str(error)
            time.sleep(STALL_S)
            continue
        if frame is None:
            return
        trouble = ""
        seen = pipeline.process(frame, dice)
        if seen.rest is None or not (seen.rest.reading.dice or seen.rest.reading.unsure):
            continue
        arrived_s = max((*seen.rest.arrived_s, *seen.rest.unsure_arrived_s))  # of the newest die
        if arrived_s > newest_s and frame.time_s - arrived_s >= (DOUBT_S if seen.rest.reading.unsure else SETTLED_S):
            newest_s = arrived_s
            yield seen
            throw()


def as_read(reading: Reading) -> str:
    """Return the faces in ascending order and a `?` for each unsure die, such as "2 5 5 ?"; empty without dice."""
    return " ".join([*map(str, sorted(die.face for die in reading.dice)), *[UNSURE] * len(reading.unsure)])
