"""Multiplication's odds: the highest of three dice and the highest of two, added up, times one."""

from fractions import Fraction
from itertools import product

import pytest
from turn_odds import mean, odds_of_a_turn

from tabletop.rules import Match


def products() -> dict[int, Fraction]:
    """Return the odds of each product, counting all throws of six dice: three, two and one."""
    odds: dict[int, Fraction] = {}
    for faces in product(range(1, 7), repeat=6):
        points = (max(faces[:3]) + max(faces[3:5])) * faces[5]
        odds[points] = odds.get(points, Fraction(0)) + 1
    return {points: ways / 6**6 for points, ways in odds.items()}


def no_decision(match: Match) -> None:
    pytest.fail(f"asked for {match.request}")


def test_a_turn() -> None:
    """The referee gives the odds of the rule exactly; the mean is (119/24 + 161/36) * 7/2 = 4753/144, nearly 33.01.

    The highest of three dice is at most f with odds (f/6)^3, which makes a mean of 119/24; of two 161/36.
    """
    match = Match("multiplication", ["Ann", "Ben"])
    odds = odds_of_a_turn(match, no_decision, lambda match: match.state()["sheet"]["round 1"]["Ann"])
    assert odds == products()
    assert mean(odds) == (Fraction(119, 24) + Fraction(161, 36)) * Fraction(7, 2) == Fraction(4753, 144)
    assert (min(odds), max(odds)) == (2, 72)
