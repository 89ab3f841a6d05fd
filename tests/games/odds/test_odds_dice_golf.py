"""Dice Golf's odds: 4 of 9 throws have a double, so a hole takes 9/4 throws in the mean, and a course 40.5."""

from fractions import Fraction

import pytest
from turn_odds import odds_of_a_throw

from tabletop.rules import Match

DOUBLE = 1 - Fraction(6 * 5 * 4, 6**3)  # all but the throws of three different faces


@pytest.mark.parametrize("holes", [0, 1])
@pytest.mark.parametrize("strokes", [0, 1, 5])
def test_each_throw_holes_with_the_same_odds(strokes: int, holes: int) -> None:
    """After any number of strokes 96 of the 216 throws end the hole, counted as one more; the others go on.

    So E = 1 + (1 - p) E throws a hole, which is 1/p = 9/4; and 81/2 for 18 holes.
    """
    match = Match("dice-golf", ["Ann", "Ben"])
    for _ in range(2 * holes):
        match.throw([1, 1, 2])
    for _ in range(strokes):
        match.throw([1, 2, 3])
    odds = odds_of_a_throw(match, lambda match: (match.request.player, match.scores["Ann"], match.at_stake))
    assert odds == {("Ben", holes + strokes + 1, 0): DOUBLE, ("Ann", holes, strokes + 1): 1 - DOUBLE}
    assert (Fraction(96, 216), Fraction(9, 4), Fraction(81, 2)) == (DOUBLE, 1 / DOUBLE, 18 / DOUBLE)
