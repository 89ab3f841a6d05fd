"""Readers on pictures whose dice are known, in turn on the same ones: how long each takes, and what each gets right."""

import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tabletop.bench.figure import MS_PER_S, Figure, one_core
from tabletop.bench.pictures import KnownPicture
from tabletop.core.values import Reading
from tabletop.vision import reader
from tabletop.vision.labels import failures

Read = Callable[[NDArray[np.uint8], KnownPicture], Reading]
OURS = "ours"
PER_CENT = 100.0


@dataclass(frozen=True, slots=True)
class ReadOutcome:
    """What one reader made of one picture.

    exact: every die read with its face, and nothing else reported, not even as unsure. silent: a table would take the
    reading (nothing unsure, as many dice as there are) and be wrong.
    """

    took_ms: float
    exact: bool
    silent: bool


def _ours(frame: NDArray[np.uint8], picture: KnownPicture) -> Reading:
    """Read with what a set-up table knows: about how large the dice are, and how many it expects."""
    return reader.read(frame, die_px=picture.die_px, expect=picture.truth.expect)


READERS: Mapping[str, Read] = {OURS: _ours}


def photograph_figures(
    photographs: Mapping[str, Sequence[KnownPicture]], runs: int, readers: Mapping[str, Read] = READERS
) -> Iterator[Figure]:
    """Measure on labelled photographs, given by their source, and on all of them together."""
    together: dict[str, list[ReadOutcome]] = {who: [] for who in readers}
    for source, pictures in photographs.items():
        outcomes = compared(pictures, runs, readers)
        yield from compared_figures(f"photographs {source}", outcomes, runs)
        for who, each in outcomes.items():
            together[who] += each
    if len(photographs) > 1:
        yield from compared_figures("all photographs", together, runs)


def compared(
    pictures: Sequence[KnownPicture], runs: int, readers: Mapping[str, Read] = READERS
) -> dict[str, list[ReadOutcome]]:
    """Return what each reader made of each picture, read `runs` times, of which the median time counts."""
    outcomes: dict[str, list[ReadOutcome]] = {who: [] for who in readers}
    with one_core():
        for n, picture in enumerate(pictures):
            frame = picture.open()
            if n == 0:
                _in_turn(frame, picture, 1, readers)  # warms up
            for who, outcome in _in_turn(frame, picture, runs, readers).items():
                outcomes[who].append(outcome)
    return outcomes


def _in_turn(
    frame: NDArray[np.uint8], picture: KnownPicture, runs: int, readers: Mapping[str, Read]
) -> dict[str, ReadOutcome]:
    """Time the readers in turn, so that a busy moment of the machine hits both."""
    readings: dict[str, Reading] = {}
    times: dict[str, list[float]] = {who: [] for who in readers}
    for _ in range(runs):
        for who, read in readers.items():
            begun = time.perf_counter()
            readings[who] = read(frame, picture)
            times[who].append((time.perf_counter() - begun) * MS_PER_S)
    return {who: _outcome(statistics.median(times[who]), readings[who], picture) for who in readers}


def _outcome(took_ms: float, reading: Reading, picture: KnownPicture) -> ReadOutcome:
    wrong = failures(reading, picture.truth)
    return ReadOutcome(took_ms, not wrong, any(one.kind == "silent" for one in wrong))


def compared_figures(name: str, outcomes: Mapping[str, Sequence[ReadOutcome]], runs: int) -> Iterator[Figure]:
    """Yield each reader's median, the ratio of ours to each other, and the shares read exactly and silently wrong."""
    medians = {who: statistics.median(one.took_ms for one in each) for who, each in outcomes.items()}
    for who, each in outcomes.items():
        yield Figure(f"{name}: {who}", medians[who], "ms", runs, f"one core, {len(each)} pictures")
    for who in [who for who in medians if who != OURS]:
        yield Figure(f"{name}: ratio of {OURS} to {who}", medians[OURS] / medians[who], "x", runs)
    for who, each in outcomes.items():
        yield _share(f"{name}: read exactly by {who}", [one.exact for one in each])
        yield _share(f"{name}: silently wrong by {who}", [one.silent for one in each])


def _share(name: str, told: Sequence[bool]) -> Figure:
    return Figure(name, PER_CENT * sum(told) / len(told), "%", 1, f"{sum(told)} of {len(told)}")
