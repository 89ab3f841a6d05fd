"""`python -m tools.scoring.losses`: which rests are missed, and why, in films, photographs and the simulated room.

Prints a table of losses by cause. A rest counts as due if it lasts `DUE_S` and each die is read correctly in at least
two of its frames. With `--readings FOLDER` readings are cached there, so that another settler is measured in minutes;
`--only WORD` selects the cases with this word in their names; `--each` prints a line for each failed case.
"""

import argparse
import hashlib
import os
import pickle
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tabletop.core.values import SAME_DIE_EDGES, Reading, distance_in_edges
from tabletop.interpret import TableMemory, on_rest
from tabletop.perception.frame_reader import ReadFrame
from tabletop.perception.pipeline import FrameResult, PerceptionPipeline
from tabletop.rules import Request, Throw
from tabletop.vision.reader import read
from tools.scoring.rest_cases import Case, Lying, all_cases

DUE_S = 0.25  # a rest so long is a throw
TWICE = 2  # in so many frames each die is read right
RIGHT, NOT_DUE = "right", "not due"


@dataclass
class Window:
    """One throw of a case: its rest, what was read and taken, and what delayed it in each frame."""

    faces: tuple[int, ...] = ()
    dice: tuple[Lying, ...] = ()
    times_s: list[float] = field(default_factory=list)
    right: Counter[int] = field(default_factory=Counter)
    taken: list[tuple[int, ...]] = field(default_factory=list)
    causes: Counter[str] = field(default_factory=Counter)

    def see(self, lying: tuple[Lying, ...], seen: FrameResult) -> None:
        """Add a frame in which all dice lie still."""
        self.dice = lying
        self.times_s.append(seen.frame.time_s)
        for at, die in enumerate(lying):
            self.right[at] += any(
                one.face == die.face and distance_in_edges(one, die) < SAME_DIE_EDGES for one in seen.pixel_reading.dice
            )
        if seen.rest is None:
            self.causes.update({str(hindrance.cause) for hindrance in seen.hindrances} or {"nothing"})
        elif len(seen.rest.reading.dice) < len(lying):
            self.causes["dice missing at the rest"] += 1
        else:
            self.causes["lies as before"] += 1

    def due(self, frame_s: float) -> bool:
        """Return whether this rest is long enough and was read."""
        long_enough = bool(self.times_s) and self.times_s[-1] - self.times_s[0] + frame_s >= DUE_S - 1e-6
        return long_enough and all(self.right[at] >= TWICE for at in range(len(self.dice)))

    def verdict(self, frame_s: float) -> str:
        """Return the verdict: right, wrong, false, not due, or the cause of the loss."""
        if self.taken == [self.faces]:
            return RIGHT
        if self.taken:
            return "false" if self.faces in self.taken else "wrong"
        if not self.due(frame_s):
            return NOT_DUE
        causes = [cause for cause, _ in self.causes.most_common() if cause != "too short"] or ["too short"]
        return f"missed: {causes[0]}"


def watch(case: Case, read: ReadFrame) -> list[tuple[str, Window]]:
    """Process a case; return the verdict for each of its throws. read: reads a frame."""
    pipeline, memory, windows = PerceptionPipeline(read), TableMemory(), list[Window]()
    request = Request("roll", "Ann", case.dice)
    times_s = list[float]()
    for seen in case.frames():
        times_s.append(seen.frame.time_s)
        result = pipeline.process(seen.frame, case.dice)
        if len(windows) <= seen.throw:
            windows.append(Window(seen.faces))
        if seen.lying:
            windows[seen.throw].see(seen.lying, result)
        if result.rest is None:
            continue
        outcome = on_rest(request, memory, result.rest, (), lambda _: False)
        memory = outcome.memory
        for answer in outcome.answers:
            if isinstance(answer, Throw) and isinstance(answer.faces, tuple):
                _window_of(answer.faces, windows).taken.append(answer.faces)
    frame_s = min(np.diff(times_s))
    return [(window.verdict(frame_s), window) for window in windows]


def _window_of(faces: tuple[int, ...], windows: list[Window]) -> Window:
    """Return the throw that these faces were taken for: the newest, or the one before, which a hand just ended."""
    before = windows[-2] if len(windows) > 1 else windows[-1]
    return before if not before.taken and before.faces == faces != windows[-1].faces else windows[-1]


class KeptReadings:
    """Reads frames, or returns cached readings from a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def __call__(
        self, frame: NDArray[np.uint8], *, time_s: float, die_px: float | None, expect: int | None, fixed_size: bool
    ) -> Reading:
        """Return the reading, as `tabletop.vision.reader.read`."""
        asked = f"{frame.shape} {die_px} {expect} {fixed_size} {time_s}".encode()
        name = hashlib.blake2b(asked + np.ascontiguousarray(frame).tobytes(), digest_size=16).hexdigest()
        kept = self._folder / name
        if kept.exists():
            known: Reading = pickle.loads(kept.read_bytes())  # noqa: S301 - written below
            return known
        reading = read(frame, time_s=time_s, die_px=die_px, expect=expect, fixed_size=fixed_size)
        part = kept.with_suffix(f".{os.getpid()}")  # several may measure at once
        part.write_bytes(pickle.dumps(reading))
        part.replace(kept)
        return reading


def main() -> int:
    """Process all cases and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--readings", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--each", action="store_true")
    options = parser.parse_args()
    readings = KeptReadings(options.readings) if options.readings else None
    table: dict[str, Counter[str]] = {}
    for case in all_cases():
        if options.only not in f"{case.group} {case.name}":
            continue
        for number, (verdict, window) in enumerate(watch(case, readings or read)):
            table.setdefault(case.group, Counter())[verdict] += 1
            if options.each and verdict not in (RIGHT, NOT_DUE):
                _say(f"{verdict}: {case.name}, throw {number + 1}: {window.taken} {dict(window.causes)}")
    columns = sorted({verdict for counts in table.values() for verdict in counts})
    _say("| " + " | ".join(("what", *columns)) + " |")
    _say("|---" * (len(columns) + 1) + "|")
    for group, counts in [*table.items(), ("all", sum(table.values(), Counter()))]:
        _say("| " + " | ".join((group, *(str(counts[column]) for column in columns))) + " |")
    return 0


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
