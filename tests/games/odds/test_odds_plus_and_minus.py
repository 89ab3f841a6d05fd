"""Plus and Minus: the best mean of a round, from the rule and from the referee."""

from fractions import Fraction
from itertools import combinations, product

from turn_odds import thrown

from tabletop.rules import Match


def mean_by_the_rule() -> Fraction:
    """Add what each throw brings at best, on average: how many dice are left does not depend on which were taken.

    The two highest of five, less the lowest of three, and the higher of two, less 7/2 for the last one.
    """
    five = sum(sum(sorted(dice)[-2:]) for dice in product(range(1, 7), repeat=5))
    three = sum(min(dice) for dice in product(range(1, 7), repeat=3))
    two = sum(max(dice) for dice in product(range(1, 7), repeat=2))
    return Fraction(five, 6**5) - Fraction(three, 6**3) + Fraction(two, 6**2) - Fraction(7, 2)


def test_the_best_mean_of_a_round() -> None:
    """Every part of the right size is legal; with the first one each time a round brings 8.86 points, exactly."""
    match = Match("plus-and-minus", ["Ann", "Ben"])
    mean = Fraction(0)
    for dice in (5, 3, 2, 1):
        before = match.at_stake
        for faces, chance in thrown(match):
            if match.request.kind == "keep":
                assert set(match.request.legal) == set(combinations(faces, 2 if dice == 5 else 1))
                match.keep(match.request.legal[0])
            after = match.at_stake if dice > 1 else match.scores["Ann"]
            mean += chance * (after - before)
        match.throw((1,) * dice)
        if dice > 1:
            match.keep(match.request.legal[0])
    assert mean == mean_by_the_rule() == Fraction(22967, 2592)
