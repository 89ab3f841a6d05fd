"""Three Or More: the mean score of a turn, from the rule and from the referee, with and without the options."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from turn_odds import mean, odds_of_a_throw, odds_of_a_turn

from tabletop.rules import Match

POINTS = (0, 0, 0, 3, 6, 12)  # by the number of dice alike


def mean_by_the_rule(*, only_kept: bool) -> Fraction:
    """Go through all 7776 throws by pattern, and all 216 re-throws of a pair: 1s stand for every pair."""
    of_a_pair = Fraction(0)
    for thrown in product(range(1, 7), repeat=3):
        counts = Counter((1, 1, *thrown))
        of_a_pair += Fraction(POINTS[counts[1] if only_kept else max(counts.values())], 216)
    total = Fraction(0)
    for thrown in product(range(1, 7), repeat=5):
        most = max(Counter(thrown).values())
        total += (of_a_pair if most == 2 else POINTS[most]) / Fraction(6**5)
    return total


@pytest.mark.parametrize("only_kept", [False, True])
def test_the_mean_of_a_turn(*, only_kept: bool) -> None:
    """The referee gives the mean of the rule exactly: 1.80 points a turn; 1.76 where only the number kept counts."""
    match = Match("three-or-more", ["Ann", "Ben"], counting="kept" if only_kept else "all")
    odds = odds_of_a_turn(match, lambda match: match.keep(match.request.legal[0]), lambda match: match.scores["Ann"])
    assert mean(odds) == mean_by_the_rule(only_kept=only_kept)
    assert mean(odds) == (Fraction(4549, 2592) if only_kept else Fraction(779, 432))


def test_how_often_each_score_comes_at_once() -> None:
    """Of 7776 throws 720 have no pair, 1500 are three alike (full house too), 150 four, 6 five; the others a pair.

    Counted by hand: no pair 6*5*4*3*2; three alike 6 * 10 * 5 * 5; four alike 6 * 5 * 5; five alike 6.
    """
    match = Match("three-or-more", ["Ann", "Ben"])
    odds = odds_of_a_throw(match, lambda match: "pair" if match.request.kind == "keep" else match.scores["Ann"])
    assert odds == {key: Fraction(n, 6**5) for key, n in ((0, 720), (3, 1500), (6, 150), (12, 6), ("pair", 5400))}
