"""Watching cases of `rest_cases`: what came of each of their throws, and what held back those that were missed."""

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from rest_cases import Case, Lying

from tabletop.core.values import SAME_DIE_EDGES, distance_in_edges
from tabletop.interpret import TableMemory, on_rest
from tabletop.perception.frame_reader import ReadFrame
from tabletop.perception.pipeline import FrameResult, PerceptionPipeline
from tabletop.rules import Request, Throw

DUE_S = 0.25  # a rest so long is a throw
TWICE = 2  # in so many frames each die is read right
RIGHT, NOT_DUE = "right", "not due"


@dataclass
class Window:
    """One throw of a case: its rest, what was read and taken, and what held it back in each frame."""

    faces: tuple[int, ...] = ()
    dice: tuple[Lying, ...] = ()
    times_s: list[float] = field(default_factory=list)
    right: Counter[int] = field(default_factory=Counter)
    taken: list[tuple[int, ...]] = field(default_factory=list)
    causes: Counter[str] = field(default_factory=Counter)

    def see(self, lying: tuple[Lying, ...], seen: FrameResult) -> None:
        """Note a frame in which all dice lie."""
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
        """Return whether this rest is long enough and read."""
        long_enough = bool(self.times_s) and self.times_s[-1] - self.times_s[0] + frame_s >= DUE_S - 1e-6
        return long_enough and all(self.right[at] >= TWICE for at in range(len(self.dice)))

    def verdict(self, frame_s: float) -> str:
        """Say what came of it: right, wrong, false, not due, or the cause of the loss."""
        if self.taken == [self.faces]:
            return RIGHT
        if self.taken:
            return "false" if self.faces in self.taken else "wrong"
        if not self.due(frame_s):
            return NOT_DUE
        causes = [cause for cause, _ in self.causes.most_common() if cause != "too short"] or ["too short"]
        return f"missed: {causes[0]}"


def watch(case: Case, read: ReadFrame) -> list[tuple[str, Window]]:
    """Watch a case; return what came of each of its throws. read: reads a frame."""
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
