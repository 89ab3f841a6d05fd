"""What stands of a log with undos and corrections: the same as a recount, in time that grows with the log."""

from contextlib import suppress
from functools import partial
from random import Random
from time import process_time
from timeit import repeat

from tabletop.core.errors import RefusedError
from tabletop.rules import Event, Match
from tabletop.rules.events import COUNTED

LONG, SHORT = 20_000, 2_000  # entries; ten times as many take ten times as long, a hundred times if each looks at all
MOST_RATIO = 35


def _give(match: Match, chance: Random) -> None:
    if match.request.kind == "roll":
        match.throw([chance.choice((2, 3, 4, 5, 6)) for _ in range(int(str(match.request.dice)))])
    else:
        match.choose(chance.choice(match.request.options))


def _happen(match: Match, chance: Random) -> None:
    """Do something that is possible, most often an answer."""
    with suppress(RefusedError):
        match chance.choice(("give", "give", "give", "give", "undo", "undo", "correct", "leave", "join")):
            case "give":
                _give(match, chance)
            case "undo":
                match.undo()
            case "correct":
                match.correct(chance.randint(1, match.event or 1), [chance.randint(2, 6)])
            case "leave":
                match.leave("Cid")
            case _:
                match.join("Cid")


def test_the_count_of_random_logs_is_that_of_what_stands() -> None:
    """Undo, correct, undo a correction, leave and join, in any order; and the same after a replay."""
    for seed in range(30):
        chance, match = Random(seed), Match("pig", ["Ann", "Ben", "Cid"], target=1000)
        for _ in range(60):
            _happen(match, chance)
            assert match.event == sum(event.kind in COUNTED for event in match.events)
        again = Match.replay("pig", match.seated, match.options, match.log)
        assert (again.state(), again.events) == (match.state(), match.events)


def test_a_log_that_is_half_undos_takes_time_in_proportion() -> None:
    """All that was thrown is taken back, one by one."""
    chance, match = Random(1), Match("pig", ["Ann", "Ben"], target=10_000)
    while len(match.log) < LONG // 2 and not match.over:
        _give(match, chance)
        if match.request.kind == "choose":
            match.choose("roll")
    took_s = []
    for entries in (SHORT, LONG):
        log = [*match.log[: entries // 2], *[Event("undo")] * (entries // 2 - 10)]
        replay = partial(Match.replay, "pig", ["Ann", "Ben"], match.options, log)
        took_s.append(min(repeat(replay, timer=process_time, number=1, repeat=3)))
    assert took_s[1] < MOST_RATIO * took_s[0]
