"""One-O-Five's odds: how long one player takes, exactly, from the rule and from the referee."""

from fractions import Fraction
from math import comb

from turn_odds import thrown

from tabletop.rules import Match

DICE, NUMBERS = 5, 6
ALL_SET = DICE * NUMBERS


def mean_throws_by_the_rule() -> Fraction:
    """Return the mean number of throws for all six numbers.

    A die of five takes k throws or more with odds (5/6)^(k-1), so all five are set within k throws with odds
    (1 - (5/6)^k)^5. The mean of the longest of the five is the sum of 1 - (1 - (5/6)^k)^5 over k = 0, 1, 2, ...; with
    the power multiplied out that is a sum of geometric series. There are six numbers, each with a turn of its own.
    """
    longest = sum((-1) ** (n + 1) * comb(DICE, n) / (1 - Fraction(5, 6) ** n) for n in range(1, DICE + 1))
    return NUMBERS * Fraction(longest)


def before(score: int) -> Match:
    match = Match("one-o-five", ["Ann"])
    for target in range(1, score // DICE + 1):
        match.throw([target] * DICE)
    target, wanted = score // DICE + 1, score % DICE
    if wanted:
        match.throw([target] * wanted + [target % NUMBERS + 1] * (DICE - wanted))
    return match


def mean_throws_by_the_referee() -> Fraction:
    """Return the same by giving the referee every throw at every number of dice set: a chain that only goes up."""
    mean = {ALL_SET: Fraction(0)}
    for score in range(ALL_SET - 1, -1, -1):
        match = before(score)
        stay, ahead = Fraction(0), Fraction(0)
        for _, odds in thrown(match):
            after = match.scores["Ann"]
            assert match.over == (after == ALL_SET)
            if after == score:
                stay += odds
            else:
                ahead += odds * mean[after]
        mean[score] = (1 + ahead) / (1 - stay)
    return mean[0]


def test_the_length_of_a_match_alone() -> None:
    """The referee has the mean of the rule exactly: 78.14 throws."""
    mean = mean_throws_by_the_rule()
    assert mean_throws_by_the_referee() == mean
    assert round(float(mean), 2) == 78.14
