"""Benchmarks of the games: random full matches, replay, and how many game files are loaded at startup."""

import gc
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence

from tabletop.rules import Event, Match, load
from tabletop.rules.catalog import built_in_ids
from tabletop.rules.conformance.trial import random_answer
from tools.bench.figure import MS_PER_S, Figure

EVENTS = 20_000  # answers per game, in full matches
QUICK_EVENTS = 500
MATCHES, FEW_MATCHES = 10, 3  # different ones per game, repeated until there are `EVENTS` answers
FEWEST_PLAYERS = 2  # if the game allows it
REPLAYED = 5_000  # events: a shorter log is replayed repeatedly until there are this many
FEWER = 10  # times fewer events, to see whether replay takes time with the number of events or with its square
SEED = 7
STARTED = (
    "import sys; from tabletop.cli.main import main; main(['referee', 'pig', '--players', 'Ann,Ben']);"
    "print(sum(name.startswith('tabletop.games.') for name in sys.modules))"
)


def game_figures(runs: int, events: int = EVENTS) -> Iterator[Figure]:
    """Yield the figures of the games; events: how many answers are measured for each game."""
    rates: dict[str, float] = {}
    longest: list[Match] = []
    for game_id in sorted(built_in_ids()):
        matches = [random_match(game_id, seed) for seed in range(FEW_MATCHES if events < EVENTS else MATCHES)]
        rates[game_id] = max(_rate(matches, events) for _ in range(runs))  # the best: other programs only slow it down
        longest.append(max(matches, key=lambda match: match.event))
    slowest = min(rates, key=rates.__getitem__)
    note = f"{slowest}; the median of {len(rates)} games {statistics.median(rates.values()):,.0f}"
    yield Figure("events of a random full match, slowest game", rates[slowest], "a s", runs, note)
    yield from _replay(max(longest, key=lambda match: match.event), runs)
    yield Figure("game files loaded to referee one game", _loaded(), "")


def random_match(game_id: str, seed: int) -> Match:
    """Play a match to its end with random legal answers and default options."""
    chance = random.Random(f"{game_id} {seed}")
    least = load(game_id)[0].min_players
    match = Match(game_id, [f"P{seat}" for seat in range(max(least, FEWEST_PLAYERS))])
    while not match.over:
        match.apply(*match.draft(random_answer(match.request, chance)))
    return match


def _rate(matches: Sequence[Match], events: int) -> float:
    """Return how many answers are checked and applied per second of processor time."""
    done, spent_s = 0, 0.0
    while done < events:
        for played in matches:
            answers = [event.answer for event in played.events]
            start_s = time.process_time()
            match = Match(played.game.id, played.seated)
            for answer in answers:
                match.apply(*match.draft(answer))
            spent_s += time.process_time() - start_s
            done += len(answers)
    return done / spent_s


def _replay(match: Match, runs: int) -> Iterator[Figure]:
    log = match.log
    few = log[: max(1, len(log) // FEWER)]
    whole_ms, few_ms = (min(_replay_ms(match, part) for _ in range(runs)) for part in (log, few))
    yield Figure(f"replay the longest of them, {len(log):,} events", whole_ms, "ms", runs, match.game.id)
    yield Figure("ratio: an event of it to one of its first tenth", whole_ms / len(log) / few_ms * len(few), "x", runs)


def _replay_ms(match: Match, log: Sequence[Event]) -> float:
    """Return the processor time of a replay, the mean of enough replays to measure a short log well too."""
    repeats = max(1, REPLAYED // len(log))
    gc.collect()  # so that earlier garbage is not collected during the replay
    start_s = time.process_time()
    for _ in range(repeats):
        Match.replay(match.game.id, match.seated, match.options, log)
    return MS_PER_S * (time.process_time() - start_s) / repeats


def _loaded() -> float | None:
    """Return how many game files the referee of one game has loaded; None if it failed."""
    done = subprocess.run(
        [sys.executable, "-c", STARTED], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    return float(done.stdout) if done.returncode == 0 else None
