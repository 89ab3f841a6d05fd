"""Drop Dead's odds: what a turn scores on average, exactly, from the rule and from the referee."""

from fractions import Fraction
from math import comb

from turn_odds import odds_of_a_throw

from tabletop.rules import Match

DICE = 5
ALIVE = Fraction(2, 3)  # 1, 3, 4 and 6 of the six faces
MEAN_OF_A_LIVE_DIE = Fraction(1 + 3 + 4 + 6, 4)


def mean_by_the_rule(dice: int) -> Fraction:
    """Return the mean of what is still scored with so many dice.

    With odds of (2/3)^n none of n dice dies: they score 3.5 each, and the same n are thrown again. Else k of them live
    on, with the odds of a binomial, and nothing is scored: E(n) = (2/3)^n (3.5 n + E(n)) + sum over k < n of b(k) E(k).
    """
    if dice == 0:
        return Fraction(0)
    none_dies = ALIVE**dice
    fewer = sum(
        comb(dice, left) * ALIVE**left * (1 - ALIVE) ** (dice - left) * mean_by_the_rule(left) for left in range(dice)
    )
    return (none_dies * MEAN_OF_A_LIVE_DIE * dice + fewer) / (1 - none_dies)


def left_and_scored(match: Match) -> tuple[int, int]:
    return int(str(match.request.dice)) if match.request.player == "Ann" else 0, match.at_stake


def means_by_the_referee() -> list[Fraction]:
    """Return the same for 0 to five dice, by giving the referee every throw of so many dice."""
    means = [Fraction(0)]
    for dice in range(1, DICE + 1):
        match = Match("drop-dead", ["Ann", "Ben"])
        if dice < DICE:
            match.throw([2] * (DICE - dice) + [6] * dice)
        odds = odds_of_a_throw(match, left_and_scored)
        assert all(points == 0 for left, points in odds if left < dice)
        stay = sum(chance for (left, _), chance in odds.items() if left == dice)
        ahead = [chance * (points + (means[left] if left < dice else 0)) for (left, points), chance in odds.items()]
        means.append(sum(ahead, Fraction(0)) / (1 - stay))
    return means


def test_the_mean_of_a_turn() -> None:
    """The referee has the mean of the rule exactly: 837242/52117 = 16.06 with five dice, 7 with one.

    Published: 13 % score with the first throw ("When a trillion dice are no better than a dozen",
    mathwithbaddrawings.com).
    """
    assert means_by_the_referee() == [mean_by_the_rule(dice) for dice in range(DICE + 1)]
    assert mean_by_the_rule(1) == 7
    assert mean_by_the_rule(DICE) == Fraction(837242, 52117)
    assert round(float(ALIVE**DICE), 2) == 0.13
