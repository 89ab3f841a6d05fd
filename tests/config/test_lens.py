"""A bent lens made straight: forth and back, and how much it stretches."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.config.plane import BENDS, Lens

LENSES = st.builds(Lens, st.just(640), st.just(480), st.floats(*BENDS))
PLACES = st.tuples(st.floats(0, 640), st.floats(0, 480))


@given(LENSES, PLACES)
def test_forth_and_back(lens: Lens, place: tuple[float, float]) -> None:
    """What the lens shows of a straight point is where it was seen."""
    assert lens.seen(lens.straight(place)) == pytest.approx(place, abs=1e-6)


@given(LENSES, PLACES)
def test_the_stretch_is_that_of_a_small_square(lens: Lens, place: tuple[float, float]) -> None:
    """The area of a tiny square, made straight, by that of the square."""
    x, y = place
    step = 1e-3
    (ax, ay), (bx, by), (cx, cy) = (lens.straight(at) for at in ((x, y), (x + step, y), (x, y + step)))
    area = abs((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) / step**2
    assert lens.stretch(place) == pytest.approx(area**0.5, rel=1e-3)


def test_a_barrel_bows_outwards() -> None:
    """The straight line through two corners is seen bowed away from the middle, as wide lenses show a door frame."""
    lens = Lens(640, 480, -0.1)
    left, right = lens.straight((10, 10)), lens.straight((630, 10))
    assert lens.seen(((left[0] + right[0]) / 2, (left[1] + right[1]) / 2))[1] < 10
    assert Lens(640, 480, 0.0).seen((1, 2)) == Lens(640, 480, 0.0).straight((1, 2)) == (1, 2)
