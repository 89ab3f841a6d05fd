"""Our reader beside a blob reader, in turn on the same pictures: how long each takes, and what each gets right."""

import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tabletop.bench import blob_reader
from tabletop.bench.figure import MS_PER_S, Figure, one_core
from tabletop.bench.pictures import KnownPicture, scene, still
from tabletop.bench.reader import FRAMES, USUAL
from tabletop.core.values import Reading
from tabletop.vision import reader
from tabletop.vision.labels import failures

Read = Callable[[NDArray[np.uint8], KnownPicture], Reading]
OURS, PEER = "ours", "blob reader"
PER_CENT = 100.0


@dataclass(frozen=True, slots=True)
class Outcome:
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


def _peer(frame: NDArray[np.uint8], picture: KnownPicture) -> Reading:
    """Read with the size; how many dice there are it would not know what to do with."""
    return blob_reader.read(frame, die_px=picture.die_px)


READERS: Mapping[str, Read] = {OURS: _ours, PEER: _peer}


def rendered_figures(*, quick: bool) -> Iterator[Figure]:
    """Compare on plain stills, which tell the speed, and on scenes of every kind."""
    runs = 1 if quick else 3
    for width, height, die_px in FRAMES:
        stills = [still(width, height, die_px, USUAL, seed) for seed in range(2 if quick else 10)]
        yield from _told(f"stills {width}x{height}, {USUAL} dice", _compared(stills, runs), runs)
    scenes = [scene(number) for number in range(3 if quick else 60)]
    yield from _told("rendered scenes", _compared(scenes, runs), runs)


def photograph_figures(
    photographs: Mapping[str, Sequence[KnownPicture]], runs: int, readers: Mapping[str, Read] = READERS
) -> Iterator[Figure]:
    """Compare on labelled photographs, given by their source, and on all of them together."""
    together: dict[str, list[Outcome]] = {who: [] for who in readers}
    for source, pictures in photographs.items():
        outcomes = _compared(pictures, runs, readers)
        yield from _told(f"photographs {source}", outcomes, runs)
        for who, each in outcomes.items():
            together[who] += each
    if len(photographs) > 1:
        yield from _told("all photographs", together, runs)


def _compared(
    pictures: Sequence[KnownPicture], runs: int, readers: Mapping[str, Read] = READERS
) -> dict[str, list[Outcome]]:
    """Return what each reader made of each picture, read `runs` times, of which the median time counts."""
    outcomes: dict[str, list[Outcome]] = {who: [] for who in readers}
    with one_core():
        for n, picture in enumerate(pictures):
            frame = picture.open()
            if n == 0:
                _in_turn(frame, picture, 1, readers)  # warms up
            for reader, outcome in _in_turn(frame, picture, runs, readers).items():
                outcomes[reader].append(outcome)
    return outcomes


def _in_turn(
    frame: NDArray[np.uint8], picture: KnownPicture, runs: int, readers: Mapping[str, Read]
) -> dict[str, Outcome]:
    """Time the readers in turn, so that a busy moment of the machine hits both."""
    readings: dict[str, Reading] = {}
    times: dict[str, list[float]] = {who: [] for who in readers}
    for _ in range(runs):
        for who, read in readers.items():
            begun = time.perf_counter()
            readings[who] = read(frame, picture)
            times[who].append((time.perf_counter() - begun) * MS_PER_S)
    return {who: _outcome(statistics.median(times[who]), readings[who], picture) for who in readers}


def _outcome(took_ms: float, reading: Reading, picture: KnownPicture) -> Outcome:
    wrong = failures(reading, picture.truth)
    return Outcome(took_ms, not wrong, any(one.kind == "silent" for one in wrong))


def _told(name: str, outcomes: Mapping[str, Sequence[Outcome]], runs: int) -> Iterator[Figure]:
    """Yield both readers' medians, their ratio, and the shares read exactly and silently wrong."""
    medians = {who: statistics.median(one.took_ms for one in each) for who, each in outcomes.items()}
    for who, each in outcomes.items():
        yield Figure(f"{name}: {who}", medians[who], "ms", runs, f"one core, {len(each)} pictures")
    yield Figure(f"{name}: ratio of {OURS} to {PEER}", medians[OURS] / medians[PEER], "x", runs)
    for who, each in outcomes.items():
        yield _share(f"{name}: read exactly by {who}", [one.exact for one in each])
        yield _share(f"{name}: silently wrong by {who}", [one.silent for one in each])


def _share(name: str, told: Sequence[bool]) -> Figure:
    return Figure(name, PER_CENT * sum(told) / len(told), "%", 1, f"{sum(told)} of {len(told)}")
