"""Everest's odds: how many boxes the first throw crosses off. Every throw at random sheets: test_everest.py."""

from fractions import Fraction

from turn_odds import mean, odds_of_a_throw

from tabletop.rules import Match


def test_the_first_throw_crosses_off() -> None:
    """With every box open the best way takes 107/36 boxes on average: 3, but 2 for three alike.

    Three dice that are not all alike are three numbers of which none is there more than twice. Three alike are three
    times the same number, for which there are two rows: it is crossed off twice, or once beside its double.
    """
    odds = odds_of_a_throw(Match("everest", ["Ann"]), lambda match: max(match.request.gives.values()))
    assert odds == {2: Fraction(6, 216), 3: Fraction(210, 216)}
    assert mean(odds) == Fraction(107, 36)
