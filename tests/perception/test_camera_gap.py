"""A camera that sends nothing for seconds: a die that lies as it lay was not thrown meanwhile."""

from math import inf

import pytest

from tabletop.core.values import Die, Reading
from tabletop.perception.settler import Settler

EDGE = 50.0
GAP_S = 5.0
FPS = 10


def _die(face: int, x: float, angle: float = 10.0) -> Die:
    return Die(face, x, 100.0, EDGE, angle, "white", 0.99)


def _reading(time_s: float, *dice: Die) -> Reading:
    return Reading(time_s, 640, 480, dice)


def _arrivals(before: tuple[Die, ...], after: tuple[Die, ...], frames: int) -> tuple[tuple[float, ...], float]:
    """Show some dice for so many frames from the start, then nothing, then others; return when each of those came.

    The second value is the time of the first frame after the gap.
    """
    settler = Settler()
    for index in range(frames):
        settler.feed(_reading(index / FPS, *before))
    back_s = frames / FPS + GAP_S
    rests = [settler.feed(_reading(back_s + index / FPS, *after)) for index in range(6)]
    assert rests[-1] is not None
    assert [die.face for die in rests[-1].reading.dice] == [die.face for die in after]
    return rests[-1].arrived_s, back_s


@pytest.mark.parametrize("frames", [1, 2, 10])
def test_a_die_that_lies_as_it_lay_was_not_thrown(frames: int) -> None:
    """However short it was seen before, even for one frame; what lies beside it now was thrown."""
    arrived_s, back_s = _arrivals((_die(6, 200),), (_die(6, 201), _die(1, 400)), frames)
    assert arrived_s == (-inf, back_s)


@pytest.mark.parametrize("frames", [1, 2])
@pytest.mark.parametrize("after", [_die(5, 200), _die(6, 200, angle=50), _die(6, 225)], ids=["face", "turned", "place"])
def test_a_die_that_lies_otherwise_was_thrown(after: Die, frames: int) -> None:
    """With another face, turned, or half an edge beside: it was picked up while nobody watched."""
    arrived_s, back_s = _arrivals((_die(6, 200),), (after, _die(1, 400)), frames)
    assert arrived_s == (back_s, back_s)
