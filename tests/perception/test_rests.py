"""Every rest of a fifth of a second is caught, and what creeps is none."""

from collections import Counter
from itertools import islice, pairwise
from math import cos, sin
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop.core.values import Die, Reading
from tabletop.perception.settler import Settler

EDGE = 50.0
SHORT_S, MOST_CREEP, WAVERS = 0.2, 0.06, 0.01  # the shortest rest, how far its dice creep, and what the reader adds


def rates(*quick: float, more: tuple[float, ...]) -> list[object]:
    """Return frames a second: those of the quick tests, and more for the slow ones."""
    return [*quick, *(pytest.param(fps, marks=pytest.mark.slow) for fps in more)]


def _short_rest(fps: float, creep: float, faces: list[int], chance: Random, *, lost: float, late_s: float) -> str:
    """Let dice fly in, lie for `SHORT_S` from any moment on and fly off; return "caught", "missed" or "too few frames".

    lost: share of frames that never come; late_s: so late frames are at most.
    """
    begin_s, settle = 1.0 + chance.random() / fps, Settler()
    ways = [chance.uniform(0, 6.28) for _ in faces]
    times = sorted(0.5 + n / fps + chance.uniform(0, late_s) for n in range(int(fps)) if chance.random() >= lost)
    in_rest = [time_s for time_s in times if begin_s <= time_s <= begin_s + SHORT_S]
    if len(in_rest) < 3 or not _lost_one_by_one(times, fps):
        return "too few frames"
    for time_s in times:
        since_s = time_s - begin_s
        flown = 20 * (since_s if since_s < 0 else max(0.0, since_s - SHORT_S))
        part = creep * min(max(since_s / SHORT_S, 0.0), 1.0)
        wavers = [chance.uniform(-WAVERS, WAVERS) for _ in range(2 * len(faces))]
        dice = [
            Die(
                face,
                EDGE * (50 + part * cos(ways[n]) + wavers[2 * n]),
                EDGE * (2 * n + part * sin(ways[n]) + flown + wavers[2 * n + 1]),
                EDGE,
                10.0,
                "white",
                0.99,
            )
            for n, face in enumerate(faces)
        ]
        rest = settle.feed(Reading(time_s, 640, 480, tuple(dice)))
        if rest is not None and rest.reading.dice:
            same = rest.reading.faces == tuple(sorted(faces)) and min(rest.arrived_s) > 0
            return "caught" if same and time_s <= begin_s + SHORT_S else "at a wrong moment"
    return "missed"


def _lost_one_by_one(times: list[float], fps: float) -> bool:
    return all(after - before < 2.5 / fps for before, after in pairwise(times))


@settings(max_examples=40, deadline=None)
@given(
    fps=st.floats(10, 60),
    creep=st.floats(0, MOST_CREEP),
    faces=st.lists(st.integers(1, 6), min_size=1, max_size=6),
    seed=st.integers(0, 9999),
)
def test_every_rest_of_a_fifth_of_a_second_is_caught(fps: float, creep: float, faces: list[int], seed: int) -> None:
    """At 10 to 60 frames a second, three frames or more of a rest of exactly 0.2 s, places wavering by 1 % of an edge.

    Before it ends, whatever moment it begins at. Noise may look like a creep: of dice that creep by the whole 6 % one
    in some hundreds is not sure, so the reader's noise is drawn until three rests have shown enough frames.
    """
    draws = (_short_rest(fps, creep, faces, Random(seed + 10_000 * n), lost=0.0, late_s=0.0) for n in range(30))
    came = list(islice((came for came in draws if came != "too few frames"), 3))
    assert "caught" in came or len(came) < 3


@pytest.mark.parametrize("fps", rates(10.5, 15.0, 24.0, 60.0, more=(12.0, 14.9, 17.0, 20.0, 30.0, 45.0)))
def test_a_rest_that_creeps_by_all_that_it_may_is_caught(fps: float) -> None:
    """98 of 100, where places waver by 1 %."""
    chance = Random(round(10 * fps))
    came = Counter(_short_rest(fps, MOST_CREEP, [4], chance, lost=0.0, late_s=0.0) for _ in range(300))
    assert came["caught"] > 20
    assert came["caught"] >= 0.98 * (300 - came["too few frames"])


@pytest.mark.parametrize("fps", rates(12.0, 20.0, 30.0, more=(15.0, 24.0, 60.0)))
def test_rests_of_a_fifth_of_a_second_are_caught_with_lost_and_late_frames(fps: float) -> None:
    """A twentieth of the frames is lost, though never two in a row, each is up to 10 ms late: 99 of 100 are caught."""
    chance = Random(round(fps))
    came = Counter(
        _short_rest(fps, chance.uniform(0, MOST_CREEP), [4], chance, lost=0.05, late_s=0.01) for _ in range(300)
    )
    assert came["caught"] >= 80
    assert came["caught"] >= 0.99 * (300 - came["too few frames"])


@settings(max_examples=40, deadline=None)
@given(fps=st.floats(10, 60), creep=st.floats(0.2, 1.0), seed=st.integers(0, 9999))
def test_a_die_that_creeps_is_no_rest(fps: float, creep: float, seed: int) -> None:
    """Pushed slowly, by a fifth of its edge in 0.2 s or more: never a rest, though places waver by 1 %."""
    assert not _rests_while_pushed(fps, creep, Random(seed))


@pytest.mark.parametrize("fps", rates(15.0, 18.5, more=(10.0, 12.0, 17.0, 20.0, 22.0, 25.0, 30.0, 45.0, 60.0)))
def test_a_die_that_creeps_by_a_seventh_of_its_edge_is_no_rest(fps: float) -> None:
    """98 of 100 are never taken for one in 1.5 s, where places waver by 1 %.

    Between 17 and 26 frames a second a rest of 0.2 s may show three frames within 0.1 s; a sixth of the edge there.
    """
    chance, creep = Random(round(fps)), 0.16 if 17 <= fps < 26 else 0.14
    assert sum(_rests_while_pushed(fps, creep, chance) for _ in range(150)) <= 3


def _rests_while_pushed(fps: float, creep: float, chance: Random) -> bool:
    settle, way = Settler(), chance.uniform(0, 6.28)
    for n in range(20):
        settle.feed(Reading((n - 20) / fps, 640, 480))
    for n in range(int(1.5 * fps)):
        far = creep * EDGE * n / fps / 0.2
        x, y = (at + chance.uniform(-WAVERS, WAVERS) * EDGE for at in (200 + far * cos(way), 200 + far * sin(way)))
        rest = settle.feed(Reading(n / fps, 640, 480, (Die(3, x, y, EDGE, 10.0, "white", 0.99),)))
        if rest is not None and rest.reading.dice:
            return True
    return False
