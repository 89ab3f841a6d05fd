"""What `tabletop bench` measures: medians of repeated runs, in the order of the main path."""

import os
import platform
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.cli.launching import first_frame_s, memory_after_a_game_mib
from tabletop.dice import Die, Reading, Rest
from tabletop.loop.running import Ledger, Running
from tabletop.rules import Event, Match
from tabletop.simulator.still import Look, PosedDie, compose, lying
from tabletop.simulator.still_grounds import felt
from tabletop.store import Store
from tabletop.views.oled import draw
from tabletop.views.snapshot import Snapshot
from tabletop.vision.eye import read

FRAMES = ((640, 480, 60.0), (1640, 1232, 137.0))  # width, height and edge of a die in pixels: the same view, twice
DICE = (1, 6, 20)
FELT = (70, 100, 40)  # BGR: a green tray
EVENTS = 5_000
FEWER = 10  # times fewer events, to see whether replay takes time with the number of events or with its square
SEED = 7


@dataclass(frozen=True, slots=True)
class Figure:
    """One thing measured. value: the median of `runs` runs, or a ratio; None where it could not be measured."""

    name: str
    value: float | None
    unit: str
    runs: int = 1
    note: str = ""


def machine() -> dict[str, str | int]:
    """Return what the figures depend on."""
    return {
        "processor": platform.machine(),
        "cores": os.cpu_count() or 1,
        "python": platform.python_version(),
        "opencv": cv2.__version__,
    }


def all_figures(*, quick: bool) -> Iterator[Figure]:
    """Measure and yield one figure after the other; quick: few repetitions."""
    yield from _reading(2 if quick else 9)
    yield from _events(20 if quick else 400)
    yield from _replay(1 if quick else 5, 500 if quick else EVENTS)
    yield from _drawing(20 if quick else 200)
    yield from _program(1 if quick else 5)


def still(width: int, height: int, die_px: float, count: int) -> tuple[NDArray[np.uint8], tuple[int, ...]]:
    """Return a rendered frame of `count` ivory dice on felt and their faces, sorted; the same at every call."""
    rng = np.random.default_rng(SEED)
    ground = felt(height, width, FELT, rng)
    columns, rows = 5, 4
    places = rng.permutation(columns * rows)[:count]
    dice, faces = [], []
    for spot in places:
        x = (spot % columns + 0.5 + rng.uniform(-0.1, 0.1)) * width / columns
        y = (spot // columns + 0.5 + rng.uniform(-0.1, 0.1)) * height / rows
        face = int(rng.integers(1, 7))
        faces.append(face)
        dice.append(PosedDie(float(x), float(y), die_px, lying(face, float(rng.uniform(0, 90)), Look())))
    return compose(ground, dice), tuple(sorted(faces))


def _reading(runs: int) -> Iterator[Figure]:
    took: dict[tuple[int, int], float] = {}
    for width, height, die_px in FRAMES:
        for count in DICE:
            frame, faces = still(width, height, die_px, count)
            seen = read(frame, die_px=die_px, expect=count, fixed_size=True)
            right = "all right" if seen.faces == faces else f"{len(seen.dice)} sure of {count}"
            name = f"read {width}x{height}, {count} dice, size known"
            took[width, count] = _median_ms(lambda: read(frame, die_px=die_px, fixed_size=True), runs)  # noqa: B023 - called at once
            yield Figure(name, took[width, count], "ms", runs, right)
        frame, _ = still(width, height, die_px, DICE[1])
        blind_ms = _median_ms(lambda: read(frame), runs)  # noqa: B023 - called at once
        yield Figure(f"read {width}x{height}, {DICE[1]} dice, size unknown", blind_ms, "ms", runs)
    small, large = FRAMES[0][0], FRAMES[1][0]
    yield Figure("ratio: large frame to small, 6 dice", took[large, 6] / took[small, 6], "x")
    yield Figure("ratio: 20 dice to 1, small frame", took[small, 20] / took[small, 1], "x")


class NoLedger:
    """Keeps nothing, so that only the deciding is measured."""

    def append(self, match: int, first: int, events: list[tuple[str, Mapping[str, Any]]]) -> None:
        """Forget the events."""

    def end(self, match: int, ending: object) -> None:
        """Forget the ending."""


def _events(runs: int) -> Iterator[Figure]:
    plain_ms = _rests_ms(NoLedger(), 1, runs)
    yield Figure("interpret and apply a throw", plain_ms, "ms", runs)
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "bench.db") as store:
        number = store.begin("pig", ("Ann", "Ben"), {}, _time())
        stored_ms = _rests_ms(store, number, runs)
    yield Figure("the same, and put it on disk", stored_ms, "ms", runs, "in the folder for temporary files")


def _rests_ms(ledger: Ledger, number: int, runs: int) -> float:
    """Return the median time of one rest with a new die in it, in a long match of Pig."""
    dice = random.Random(SEED)  # noqa: S311 - dice of a measurement
    running = Running(Match("pig", ["Ann", "Ben"], target=10_000), ledger, number, _time, lambda _: None)
    times = []
    for n in range(1, runs + 1):
        die = Die(dice.randint(1, 6), 100.0, 100.0, 40.0, 0.0, "ivory", 0.99)
        rest = Rest(Reading(n + 0.9, 640, 480, (die,)), (float(n),))
        begun = time.perf_counter()
        running.see(rest)
        times.append(time.perf_counter() - begun)
        if running.match.event < n:
            raise RuntimeError(f"throw {n} was not taken: {running.hint}")
    return 1000 * statistics.median(times)


def _time() -> str:
    return "1970-01-01T00:00:00Z"


def _replay(runs: int, count: int) -> Iterator[Figure]:
    log = _long_log(count)
    few = log[: len(log) // FEWER]
    long_ms = _median_ms(lambda: Match.replay("pig", ["Ann", "Ben"], {"target": 10_000}, log), runs)
    few_ms = _median_ms(lambda: Match.replay("pig", ["Ann", "Ben"], {"target": 10_000}, few), runs)
    yield Figure(f"replay {len(log):,} events", long_ms, "ms", runs)
    yield Figure(f"ratio: an event of {len(log):,} to one of {len(few)}", long_ms / len(log) / few_ms * len(few), "x")


def _long_log(count: int) -> tuple[Event, ...]:
    """Return the log of a match of Pig of that many events, with a player who always banks."""
    dice = random.Random(SEED)  # noqa: S311 - dice of a measurement
    match = Match("pig", ["Ann", "Ben"], target=10_000)
    while len(match.log) < count:
        if match.request.kind == "choose":
            match.choose("bank")
        else:
            match.throw([dice.choice((1, 2, 3))])
    return match.log


def _drawing(runs: int) -> Iterator[Figure]:
    snapshot = Snapshot(
        game="Ten Thousand",
        players=("Ann", "Bartholomew"),
        scores=(4350, 5100),
        asked="Bartholomew",
        ask="keep?",
        at_stake=350,
        offer="keep 1 5",
        thrown=(1, 2, 3, 5, 5, 6),
        kept=(True, False, False, True, False, False),
        hold="next",
        bank="keep",
    )
    yield Figure("draw the OLED", _median_ms(lambda: draw(snapshot), runs), "ms", runs)


def _program(runs: int) -> Iterator[Figure]:
    started = [first_frame_s() for _ in range(runs)]
    seen = [seconds for seconds in started if seconds is not None]
    yield Figure("start-up to the first frame in a terminal", statistics.median(seen) if seen else None, "s", runs)
    yield Figure("memory after a game of simulated players", memory_after_a_game_mib(), "MiB")


def _median_ms(work: Callable[[], object], runs: int) -> float:
    """Return the median of `runs` runs after one that warms up, in milliseconds."""
    work()
    times = []
    for _ in range(runs):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return 1000 * statistics.median(times)
