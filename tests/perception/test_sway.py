"""A camera that sways in the hand: what all dice do alike is taken for the camera's, and nothing else is."""

from itertools import pairwise
from math import cos, hypot, radians, sin

from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop.core.values import Die, Reading
from tabletop.perception.camera_pose import SwayCompensator
from tabletop.perception.settler import Settler

EDGE = 50.0
LAY = ((1, 100.0, 120.0), (3, 400.0, 90.0), (6, 220.0, 330.0), (2, 520.0, 300.0), (4, 330.0, 200.0))
SWAY = st.tuples(st.floats(-4, 4), st.floats(-4, 4), st.floats(-0.15, 0.15))  # px, px, degrees


def reading(time_s: float, places: tuple[tuple[int, float, float], ...]) -> Reading:
    dice = tuple(Die(face, x, y, EDGE, 10.0, "white", 0.99) for face, x, y in places)
    return Reading(time_s, 640, 480, dice)


def seen_from(
    sway: tuple[float, float, float], places: tuple[tuple[int, float, float], ...]
) -> tuple[tuple[int, float, float], ...]:
    right, down, turn = sway[0], sway[1], radians(sway[2])
    return tuple(
        (
            face,
            320 + right + cos(turn) * (x - 320) - sin(turn) * (y - 240),
            240 + down + sin(turn) * (x - 320) + cos(turn) * (y - 240),
        )
        for face, x, y in places
    )


@settings(max_examples=40, deadline=None)
@given(sways=st.lists(SWAY, min_size=12, max_size=30), count=st.integers(3, 5))
def test_dice_lie_still_for_a_camera_that_sways(sways: list[tuple[float, float, float]], count: int) -> None:
    """Three to five dice, a camera held in the hand: at rest a third of the time or more, and none arrives twice."""
    steady, settle = SwayCompensator(), Settler()
    rests = []
    for n, sway in enumerate([(0.0, 0.0, 0.0), *sways]):
        rests.append(settle.feed(steady.apply(reading(n / 30, seen_from(sway, LAY[:count])))))
    at_rest = [rest for rest in rests[5:] if rest is not None]
    assert len(at_rest) >= 0.3 * len(rests[5:])
    last = at_rest[-1]
    assert {die.face for die in last.reading.dice} == {face for face, _, _ in LAY[:count]}
    assert max(last.arrived_s) == float("-inf")


@settings(max_examples=40, deadline=None)
@given(
    steps=st.lists(st.tuples(st.floats(-20, 20), st.floats(-20, 20)), min_size=1, max_size=20), count=st.integers(1, 2)
)
def test_one_die_or_two_that_move_do_move(steps: list[tuple[float, float]], count: int) -> None:
    """Among three that lie still: each is told where it is seen, and so are those beside it."""
    steady = SwayCompensator()
    right = down = 0.0
    for n, (by_x, by_y) in enumerate([(0.0, 0.0), *steps]):
        right, down = right + by_x, down + by_y
        moving = tuple((face, x + right, y + down) for face, x, y in LAY[3 : 3 + count])
        given_ = reading(n / 30, (*LAY[:3], *moving))
        assert steady.apply(given_) == given_


@settings(max_examples=10, deadline=None)
@given(sway=SWAY, still=st.integers(60, 90))
def test_what_was_taken_out_goes_back_unseen(sway: tuple[float, float, float], still: int) -> None:
    """Nudged once: no die creeps by a tenth of an edge in 0.2 s, and after seconds places are the camera's own."""
    steady = SwayCompensator()
    told = []
    for n in range(3 + 5 * still):
        seen = seen_from(sway, LAY) if n >= 3 else LAY
        told.append(steady.apply(reading(n / 30, seen)))
    ways = [[(die.x, die.y) for die in one.dice] for one in told]
    for before, after in pairwise(ways[::6]):
        assert all(hypot(x - u, y - v) < 0.1 * EDGE for (x, y), (u, v) in zip(before, after, strict=True))
    for (x, y), (_, u, v) in zip(ways[-1], seen_from(sway, LAY), strict=True):
        assert hypot(x - u, y - v) < 0.05 * EDGE


@settings(max_examples=40, deadline=None)
@given(sways=st.lists(SWAY, min_size=12, max_size=30), count=st.integers(3, 5))
def test_what_sways_in_a_hand_does_sway(sways: list[tuple[float, float, float]], count: int) -> None:
    """Dice shown on the open hand move alike too: those that fingers hold tell nothing of the camera."""
    steady = SwayCompensator()
    for n, sway in enumerate(sways):
        seen = reading(n / 30, seen_from(sway, LAY[:count]))
        assert steady.apply(seen, held=seen.dice) == seen
