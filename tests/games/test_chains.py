"""The walk through a game, and what it says about its end, on a game that can be worked out by hand."""

from fractions import Fraction

import pytest
from chains import joint_throws, mean, throws, walk

from tabletop.rules import Match


def test_the_odds_of_all_throws_are_one() -> None:
    """Each multiset once; a face may stand for several."""
    assert dict(throws(2, {1: 1, 2: 5})) == {
        (1, 1): Fraction(1, 36),
        (1, 2): Fraction(10, 36),
        (2, 2): Fraction(25, 36),
    }
    together = list(joint_throws({"Ann": 1, "Ben": 2}, {6: 1, 1: 5}))
    assert len(together) == 2 * 3
    assert sum(odds for _, odds in together) == 1


def test_pig_to_2_alone() -> None:
    """At 0 a 1 stays, a 2 or more wins at once; so the turns are 6/5 in the mean."""
    match = Match("pig", ["Ann"], target=2)
    steps = walk(match, lambda now: now.scores["Ann"], lambda score: score >= 2, {1: 1, 2: 5}, lambda _: "bank")
    assert steps == {0: {0: Fraction(1, 6), 2: Fraction(5, 6)}}
    assert match.events == ()
    assert mean(steps, 0, lambda _: 0, each=1) == pytest.approx(6 / 5)
    assert mean(steps, 0, float) == pytest.approx(2)
