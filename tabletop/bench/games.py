"""What `tabletop bench` measures of the games: random full matches of each, replay, and what a start loads."""

import gc
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence

from tabletop.bench.figure import MS_PER_S, Figure
from tabletop.rules import Event, Match, load
from tabletop.rules.catalog import built_in_ids
from tabletop.rules.conformance.draws import random_answer

EVENTS = 20_000  # answers a game, in full matches
QUICK_EVENTS = 500
MATCHES, FEW_MATCHES = 10, 3  # different ones a game, played again until there are so many answers
FEWEST_PLAYERS = 2  # where the game allows it
REPLAYED = 5_000  # events in a row, in so many replays
FEWER = 10  # times fewer events, to see whether replay takes time with the number of events or with its square
SEED = 7
STARTED = (
    "import sys; from tabletop.cli.main import main; main(['referee', 'pig', '--players', 'Ann,Ben']);"
    "print(sum(name.startswith('tabletop.games.') for name in sys.modules))"
)


def game_figures(runs: int, events: int = EVENTS) -> Iterator[Figure]:
    """Yield the figures of the games, with so many answers each."""
    rates: dict[str, float] = {}
    longest: list[Match] = []
    for game_id in sorted(built_in_ids()):
        matches = [random_match(game_id, seed) for seed in range(FEW_MATCHES if events < EVENTS else MATCHES)]
        rates[game_id] = max(_rate(matches, events) for _ in range(runs))  # the best: others slow, nothing hastens
        longest.append(max(matches, key=lambda match: match.event))
    slowest = min(rates, key=rates.__getitem__)
    note = f"{slowest}; the median of {len(rates)} games {statistics.median(rates.values()):,.0f}"
    yield Figure("events of a random full match, slowest game", rates[slowest], "a s", runs, note)
    yield from _replay(max(longest, key=lambda match: match.event), runs)
    yield Figure("game files loaded to referee one game", _loaded(), "")


def random_match(game_id: str, seed: int) -> Match:
    """Play a match by random legal answers, with the default options, to its end."""
    chance = random.Random(f"{game_id} {seed}")  # noqa: S311 - dice of a measurement
    least = load(game_id)[0].min_players
    match = Match(game_id, [f"P{seat}" for seat in range(max(least, FEWEST_PLAYERS))])
    while not match.over:
        match.apply(*match.draft(random_answer(match.request, chance)))
    return match


def _rate(matches: Sequence[Match], events: int) -> float:
    """Return how many answers a second of one core's time are checked and applied."""
    done, spent = 0, 0.0
    while done < events:
        for played in matches:
            answers = [event.answer for event in played.events]
            begun = time.process_time()
            match = Match(played.game.id, played.seated)
            for answer in answers:
                match.apply(*match.draft(answer))
            spent += time.process_time() - begun
            done += len(answers)
    return done / spent


def _replay(match: Match, runs: int) -> Iterator[Figure]:
    log = match.log
    few = log[: max(1, len(log) // FEWER)]
    whole_ms, few_ms = (min(_replay_ms(match, part) for _ in range(runs)) for part in (log, few))
    yield Figure(f"replay the longest of them, {len(log):,} events", whole_ms, "ms", runs, match.game.id)
    yield Figure("ratio: an event of it to one of its first tenth", whole_ms / len(log) / few_ms * len(few), "x", runs)


def _replay_ms(match: Match, log: Sequence[Event]) -> float:
    """Return one core's time for a replay, the mean of so many that a short log is measured as well as a long one."""
    times = max(1, REPLAYED // len(log))
    gc.collect()  # what was made before is not collected during the replay
    begun = time.process_time()
    for _ in range(times):
        Match.replay(match.game.id, match.seated, match.options, log)
    return MS_PER_S * (time.process_time() - begun) / times


def _loaded() -> float | None:
    """Return how many game files the referee of one game has loaded; None if it failed."""
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", STARTED], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    return float(done.stdout) if done.returncode == 0 else None
