"""Going to Boston's odds: the sum of the highest of three dice, of two, and of one."""

from fractions import Fraction
from itertools import product

import pytest
from turn_odds import mean, odds_of_a_turn

from tabletop.rules import Match


def highest_of(dice: int) -> dict[int, Fraction]:
    """Return the odds of the highest of so many dice: at most f with odds (f/6)^dice."""
    return {face: Fraction(face, 6) ** dice - Fraction(face - 1, 6) ** dice for face in range(1, 7)}


def sums() -> dict[int, Fraction]:
    """Return the odds of each sum; the three dice put aside do not depend on one another."""
    odds: dict[int, Fraction] = {}
    for first, second, third in product(range(1, 7), repeat=3):
        chance = highest_of(3)[first] * highest_of(2)[second] * highest_of(1)[third]
        odds[first + second + third] = odds.get(first + second + third, Fraction(0)) + chance
    return odds


def no_decision(match: Match) -> None:
    pytest.fail(f"asked for {match.request}")


def test_a_turn() -> None:
    """The referee gives the odds of the rule exactly; the mean is 119/24 + 161/36 + 7/2 = 931/72, nearly 12.93."""
    match = Match("going-to-boston", ["Ann", "Ben"])
    odds = odds_of_a_turn(match, no_decision, lambda match: match.state()["sheet"]["round 1"]["Ann"])
    assert odds == sums()
    assert mean(odds) == Fraction(119, 24) + Fraction(161, 36) + Fraction(7, 2) == Fraction(931, 72)
    assert (min(odds), max(odds)) == (3, 18)
