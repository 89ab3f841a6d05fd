"""Dice Golf's odds: 4 of 9 throws have a double, so a hole takes 9/4 throws in the mean, and a course 40.5."""

from fractions import Fraction
from itertools import product

import pytest
from turn_odds import every_throw

from tabletop.rules import Match

DOUBLE = 1 - Fraction(6 * 5 * 4, 6**3)  # all but the throws of three different faces


@pytest.mark.parametrize("strokes", [0, 1, 5])
def test_each_throw_holes_with_the_same_odds(strokes: int) -> None:
    """After any number of strokes 96 of the 216 throws end the hole, counted as one more; the others go on."""
    match = Match("dice-golf", ["Ann", "Ben"])
    for _ in range(strokes):
        match.throw([1, 2, 3])
    holed = Fraction(0)
    for faces, chance in every_throw(3):
        match.throw(faces)
        if match.request.player == "Ben":
            holed += chance
            assert match.scores["Ann"] == strokes + 1
        else:
            assert match.at_stake == strokes + 1
        match.undo()
    assert holed == DOUBLE == Fraction(4, 9)
    assert len([throw for throw in product(range(6), repeat=3) if len(set(throw)) < 3]) == 96


def test_the_mean_of_a_hole_and_of_a_course() -> None:
    """A hole is one throw, and with the odds of no double as much again: E = 1 + (1 - p) E, so E = 1/p.

    The first hole does not matter to the second: after it a throw holes with the same odds.
    """
    match = Match("dice-golf", ["Ann"])
    match.throw([1, 2, 3])
    match.throw([1, 1, 2])
    holed = Fraction(0)
    for faces, chance in every_throw(3):
        match.throw(faces)
        holed += chance * (match.scores["Ann"] == 3)
        match.undo()
    assert 1 / holed == Fraction(9, 4)
    assert 18 / holed == Fraction(81, 2)
