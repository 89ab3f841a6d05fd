"""Catch Up's odds: every step of the two dice round circles of two to six players, and the beats to a catch."""

from fractions import Fraction

import pytest
from chains import mean, walk

from tabletop.rules import Match

NAMES = ["Ann", "Ben", "Cid", "Dan", "Eva", "Fay"]
State = tuple[int, int]  # the seats of die 1 and of die 2


def seats_of_dice(match: Match) -> State:
    cells = list(match.sheet["die"].values())
    return (cells.index("1 and 2"),) * 2 if "1 and 2" in cells else (cells.index(1), cells.index(2))


def by_the_rule(state: State, count: int) -> dict[State, Fraction]:
    """Die 1 goes up a seat with 1/6, die 2 goes down a seat with 1/6."""
    first, second = state
    return {
        (first, second): Fraction(25, 36),
        ((first + 1) % count, second): Fraction(5, 36),
        (first, (second - 1) % count): Fraction(5, 36),
        ((first + 1) % count, (second - 1) % count): Fraction(1, 36),
    }


def beats(count: int) -> Fraction:
    """Return the mean beats until the dice meet, from the rule.

    With d seats from die 1 to die 2 a beat leaves d with 25/36, d-1 with 10/36, d-2 with 1/36; from 1 the last is a
    crossing, after which count-1 seats lie between. Let E(count-1) = x: all E(d) = a(d) + b(d) x follow upwards from
    11 E(d) = 36 + 10 E(d-1) + E(d-2), with E(0) = 0 and E(-1) = x; and E(count-1) = x gives x.
    """
    a, b = [Fraction(0)], [Fraction(0)]
    a_before, b_before = Fraction(0), Fraction(1)
    for _ in range(count - 1):
        a_next, b_next = (36 + 10 * a[-1] + a_before) / 11, (10 * b[-1] + b_before) / 11
        a_before, b_before = a[-1], b[-1]
        a.append(a_next)
        b.append(b_next)
    x = a[-1] / (1 - b[-1])
    return a[count // 2] + b[count // 2] * x


BEATS = {
    2: Fraction(18, 5),
    3: Fraction(144, 37),
    4: Fraction(432, 61),
    5: Fraction(98_676, 13_421),
    6: Fraction(7_074, 665),
}


@pytest.mark.parametrize("count", BEATS)
@pytest.mark.parametrize("together", [True, False])
def test_a_catch(count: int, together: bool) -> None:
    """The referee makes every step with the odds of the rule, thrown together or one after the other."""
    assert beats(count) == BEATS[count]
    match = Match("catch-up", NAMES[:count], target=1, together=together)
    if together:
        steps = walk(match, seats_of_dice, lambda state: state[0] == state[1], {6: 1, 2: 5})
        assert steps == {state: by_the_rule(state, count) for state in steps}
        assert mean(steps, (0, count // 2), lambda _: 0, each=1) == pytest.approx(float(beats(count)))
    else:
        chain = walk(
            match,
            lambda now: (*seats_of_dice(now), now.request.player, now.thrown == (6,)),
            lambda state: state[0] == state[1],
            {6: 1, 2: 5},
        )
        start = next(iter(chain))
        assert mean(chain, start, lambda _: 0, each=1 / 2) == pytest.approx(float(beats(count)))
