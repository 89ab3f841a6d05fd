"""Around the Spot's odds: the mean of a turn and how often it is doubled, from the rule and from the referee."""

from fractions import Fraction

import pytest
from chains import mean, walk
from turn_odds import told

from tabletop.rules import Match

# The three triples of 2, 4 and 6 among 216 throws are free; the other 213 count. Each die is worth (1 + 2 + 4) / 6 in
# the mean, a throw 7/2; the free ones are worth nothing of it, so one that counts is worth 7/2 * 216/213.
FREE = Fraction(3, 216)
MEAN_OF_A_THROW = Fraction(7, 2) / (1 - FREE)


def odds_of_doubling(third: str) -> Fraction:
    """Return how often a turn is doubled at its end: the free throws before the third that counts, by the rule.

    k of them have the odds (k + 1)(k + 2) / 2 * FREE^k * (1 - FREE)^3. With `doubles` an odd k doubles: the odds of an
    even k less those of an odd one are the same sum with -FREE for FREE, ((1 - FREE) / (1 + FREE))^3. With `nothing`
    k has to be 1.
    """
    if third == "doubles":
        return (1 - ((1 - FREE) / (1 + FREE)) ** 3) / 2
    return 3 * FREE * (1 - FREE) ** 3


def score_or_state(match: Match) -> str:
    return told(match) if match.request.player == "Ann" else str(match.scores["Ann"])


@pytest.mark.parametrize("third", ["doubles", "nothing"])
def test_the_mean_of_a_turn(third: str) -> None:
    """By the referee's own steps a turn has the mean of the rule: three throws that count, and once more if doubled."""
    match = Match("around-the-spot", ["Ann", "Ben"], third=third)
    steps = walk(match, score_or_state, str.isdigit, dict.fromkeys(range(1, 7), 1))
    by_the_rule = 3 * MEAN_OF_A_THROW * (1 + odds_of_doubling(third))
    assert mean(steps, told(match), float) == pytest.approx(float(by_the_rule), abs=1e-9)
