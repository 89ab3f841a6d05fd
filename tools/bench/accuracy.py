"""Compare readers on the same labelled pictures: their time, and what each gets right."""

import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tabletop.core.values import Reading
from tabletop.vision import reader
from tools.bench.figure import MS_PER_S, Figure, one_core
from tools.bench.labels import failures
from tools.bench.pictures import KnownPicture

Read = Callable[[NDArray[np.uint8], KnownPicture], Reading]
OURS = "ours"
PER_CENT = 100.0


@dataclass(frozen=True, slots=True)
class ReadOutcome:
    """The result of one reader for one picture.

    exact: every die read with its face, and nothing else reported, not even as unsure. silent: a table would accept the
    reading (nothing unsure, the right number of dice) although it is wrong.
    """

    took_ms: float
    exact: bool
    silent: bool


def _ours(frame: NDArray[np.uint8], picture: KnownPicture) -> Reading:
    """Read with what a table that is set up knows: roughly how large the dice are, and how many to expect."""
    return reader.read(frame, die_px=picture.die_px, expect=picture.truth.expect)


READERS: Mapping[str, Read] = {OURS: _ours}


def photograph_figures(
    photographs: Mapping[str, Sequence[KnownPicture]], runs: int, readers: Mapping[str, Read] = READERS
) -> Iterator[Figure]:
    """Measure on labelled photographs, by source, and on all together."""
    together: dict[str, list[ReadOutcome]] = {reader_name: [] for reader_name in readers}
    for source, pictures in photographs.items():
        outcomes = compared(pictures, runs, readers)
        yield from compared_figures(f"photographs {source}", outcomes, runs)
        for reader_name, each in outcomes.items():
            together[reader_name] += each
    if len(photographs) > 1:
        yield from compared_figures("all photographs", together, runs)


def compared(
    pictures: Sequence[KnownPicture], runs: int, readers: Mapping[str, Read] = READERS
) -> dict[str, list[ReadOutcome]]:
    """Return the results of each reader for each picture; the time is the median of `runs` readings."""
    outcomes: dict[str, list[ReadOutcome]] = {reader_name: [] for reader_name in readers}
    with one_core():
        for n, picture in enumerate(pictures):
            frame = picture.open()
            if n == 0:
                _in_turn(frame, picture, 1, readers)  # warms up
            for reader_name, outcome in _in_turn(frame, picture, runs, readers).items():
                outcomes[reader_name].append(outcome)
    return outcomes


def _in_turn(
    frame: NDArray[np.uint8], picture: KnownPicture, runs: int, readers: Mapping[str, Read]
) -> dict[str, ReadOutcome]:
    """Time the readers in turn, so that a busy moment of the machine affects all of them."""
    readings: dict[str, Reading] = {}
    times: dict[str, list[float]] = {reader_name: [] for reader_name in readers}
    for _ in range(runs):
        for reader_name, read in readers.items():
            start_s = time.perf_counter()
            readings[reader_name] = read(frame, picture)
            times[reader_name].append((time.perf_counter() - start_s) * MS_PER_S)
    return {
        reader_name: _outcome(statistics.median(times[reader_name]), readings[reader_name], picture)
        for reader_name in readers
    }


def _outcome(took_ms: float, reading: Reading, picture: KnownPicture) -> ReadOutcome:
    wrong = failures(reading, picture.truth)
    return ReadOutcome(took_ms, not wrong, any(failure.kind == "silent" for failure in wrong))


def compared_figures(name: str, outcomes: Mapping[str, Sequence[ReadOutcome]], runs: int) -> Iterator[Figure]:
    """Yield each reader's median, the ratio of ours to the others, and the shares of exact and silent errors."""
    medians = {
        reader_name: statistics.median(outcome.took_ms for outcome in each) for reader_name, each in outcomes.items()
    }
    for reader_name, each in outcomes.items():
        yield Figure(f"{name}: {reader_name}", medians[reader_name], "ms", runs, f"one core, {len(each)} pictures")
    for reader_name in [reader_name for reader_name in medians if reader_name != OURS]:
        yield Figure(f"{name}: ratio of {OURS} to {reader_name}", medians[OURS] / medians[reader_name], "x", runs)
    for reader_name, each in outcomes.items():
        yield _share(f"{name}: read exactly by {reader_name}", [outcome.exact for outcome in each])
        yield _share(f"{name}: silently wrong by {reader_name}", [outcome.silent for outcome in each])


def _share(name: str, hits: Sequence[bool]) -> Figure:
    return Figure(name, PER_CENT * sum(hits) / len(hits), "%", 1, f"{sum(hits)} of {len(hits)}")
