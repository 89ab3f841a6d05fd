"""The measurements of `make bench`: medians of repeated runs, in the order of the main path."""

import gc
import os
import platform
import random
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

import cv2

from tabletop.core.values import Die, Moment, Reading, Rest
from tabletop.rules import Event, Match
from tabletop.session.match_session import MatchSession
from tabletop.session.snapshotting import snapshot
from tabletop.store import Store
from tabletop.views.oled.screen import draw
from tabletop.views.snapshot import Snapshot
from tools.bench.accuracy import photograph_figures
from tools.bench.figure import Figure, median_ms
from tools.bench.games import EVENTS as EVENTS_PER_GAME
from tools.bench.games import QUICK_EVENTS, game_figures
from tools.bench.pictures import KnownPicture
from tools.bench.process import first_frame_s, memory_after_a_game_mib
from tools.bench.reader import reading_figures
from tools.bench.viewers import viewer_figures
from tools.bench.watching import world_figures

EVENTS = 5_000
FEWER = 10  # times fewer events, to see whether replay takes time with the number of events or with its square
SEED = 7
CPU_FACTS = Path("/proc/cpuinfo")
IN_A_BROWSER = "not here: PYTHONPATH=tests/support python -m tools.bench.page, with chromium and chromium-driver"


def machine() -> dict[str, str | int | float]:
    """Return the properties of this machine; load: the average number of runnable processes in the last minute."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count() or 1,
        "load": round(os.getloadavg()[0], 1),
        "python": platform.python_version(),
        "opencv": cv2.__version__,
    }


def _processor() -> str:
    """Return the processor's family and, if the system reports it, its model, or on a Raspberry Pi the board's."""
    try:
        text = CPU_FACTS.read_text(encoding="utf-8", errors="replace")
    except OSError:  # no Linux
        return platform.machine()
    facts = {key.strip(): value.strip() for key, colon, value in (line.partition(":") for line in text.splitlines())}
    return " ".join(filter(None, (platform.machine(), facts.get("model name") or facts.get("Model"))))


def all_figures(*, quick: bool, photographs: Mapping[str, Sequence[KnownPicture]] | None = None) -> Iterator[Figure]:
    """Measure and yield one figure after another. quick: few repetitions. photographs: by source."""
    yield from reading_figures(quick=quick)
    yield from photograph_figures(photographs or {}, 1 if quick else 3)
    yield from world_figures(quick=quick)
    yield from _events(20 if quick else 400)
    yield from _viewers(quick=quick)
    yield Figure("event on disk to pixels in Chromium", None, "ms", 0, IN_A_BROWSER)
    yield from _replay(1 if quick else 5, 500 if quick else EVENTS)
    yield from game_figures(1 if quick else 3, QUICK_EVENTS if quick else EVENTS_PER_GAME)
    yield from _drawing(20 if quick else 200)
    yield from _program(1 if quick else 5)


def _events(runs: int) -> Iterator[Figure]:
    plain_ms = _rests_ms(None, 1, runs)
    yield Figure("interpret and apply a throw", plain_ms, "ms", runs)
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "bench.db") as store:
        number = store.begin("pig", ("Ann", "Ben"), {}, _time().time)
        stored_ms = _rests_ms(store, number, runs)
    yield Figure("the same, and put it on disk", stored_ms, "ms", runs, "in the folder for temporary files")


def _rests_ms(store: Store | None, number: int, runs: int) -> float:
    """Return the median time of one rest with a new die in it, in a long match of Pig."""
    dice = random.Random(SEED)
    session = MatchSession(Match("pig", ["Ann", "Ben"], target=10_000), store, number, _time, lambda _: None)
    times = []
    for n in range(1, runs + 1):
        rest = _rest(n, dice)
        start_s = time.perf_counter()
        session.on_rest(rest)
        times.append(time.perf_counter() - start_s)
        if session.match.event < n:
            raise RuntimeError(f"throw {n} was not taken: {session.notices.hint}")
    return 1000 * statistics.median(times)


def _rest(n: int, dice: random.Random) -> Rest:
    """Return the rest of throw `n`, with one new die."""
    x = 100.0 + 200.0 * (n % 2)  # a new face at the same place would be a die turned by hand
    die = Die(dice.randint(1, 6), x, 100.0, 40.0, 0.0, "ivory", 0.99)
    return Rest(Reading(n + 0.9, 640, 480, (die,)), (float(n),))


def _viewers(*, quick: bool) -> Iterator[Figure]:
    dice, numbers = random.Random(SEED), count(1)
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "bench.db") as store:
        number = store.begin("pig", ("Ann", "Ben"), {}, _time().time)
        session = MatchSession(Match("pig", ["Ann", "Ben"], target=10_000), store, number, _time, lambda _: None)
        yield from viewer_figures(
            lambda: session.on_rest(_rest(next(numbers), dice)), lambda: snapshot(session, None), quick=quick
        )


def _time() -> Moment:
    return Moment("1970-01-01T00:00:00Z")


def _replay(runs: int, count: int) -> Iterator[Figure]:
    log = _long_log(count)
    few = log[: len(log) // FEWER]
    gc.collect()  # so that earlier garbage is not collected during the replay
    long_ms = median_ms(lambda: Match.replay("pig", ["Ann", "Ben"], {"target": 10_000}, log), runs)
    few_ms = median_ms(lambda: Match.replay("pig", ["Ann", "Ben"], {"target": 10_000}, few), runs)
    yield Figure(f"replay {len(log):,} events", long_ms, "ms", runs)
    yield Figure(f"ratio: an event of {len(log):,} to one of {len(few)}", long_ms / len(log) / few_ms * len(few), "x")


def _long_log(count: int) -> tuple[Event, ...]:
    """Return the log of a match of Pig with `count` events, by players who always bank."""
    dice = random.Random(SEED)
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
    stakes = count(50, 50)  # a new one each time: earlier drawings are cached
    drawing = median_ms(lambda: draw(replace(snapshot, at_stake=next(stakes))), runs)
    yield Figure("draw the OLED", drawing, "ms", runs)


def _program(runs: int) -> Iterator[Figure]:
    started = [first_frame_s() for _ in range(runs)]
    seen = [seconds for seconds in started if seconds is not None]
    yield Figure("start-up to the first frame in a terminal", statistics.median(seen) if seen else None, "s", runs)
    yield Figure("memory after a game of simulated players", memory_after_a_game_mib(), "MiB")
