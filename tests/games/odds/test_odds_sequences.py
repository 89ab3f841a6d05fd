"""Sequences' odds: each score of a throw, from the rule and from the referee."""

from fractions import Fraction
from itertools import combinations
from math import comb

from turn_odds import odds_of_a_throw

from tabletop.rules import Match

DICE, TARGET = 6, 100
CANCELLED = -1
Odds = dict[int, Fraction]


def few_ones_and(there: int, missing: int) -> Fraction:
    """Return the odds of one or two 1s, of all the `there` next numbers, and of none of `missing` others.

    Over the number of 1s: the other dice show five numbers; those that must be there by inclusion and exclusion.
    """
    odds = Fraction(0)
    for ones in (1, 2):
        others = DICE - ones
        ways = sum((-1) ** out * comb(there, out) * (5 - missing - out) ** others for out in range(there + 1))
        odds += Fraction(comb(DICE, ones) * ways, 6**DICE)
    return odds


def throw_by_the_rule() -> Odds:
    """Return the odds of each score of a throw: a run from 1 of exactly this length, and at most two 1s."""
    lengths = {length: few_ones_and(length - 1, 1 if length < DICE else 0) for length in range(1, DICE + 1)}
    ones = {count: Fraction(comb(DICE, count) * 5 ** (DICE - count), 6**DICE) for count in range(DICE + 1)}
    scores = dict(zip((5, 10, 15, 20, 25, 35), lengths.values(), strict=True))
    return {CANCELLED: sum((ones[count] for count in range(3, DICE + 1)), Fraction(0)), 0: ones[0], **scores}


def throw_by_the_referee(start: int, target: int = TARGET, **options: object) -> Odds:
    """Return the same by giving the referee all throws at a score that throws of 5 points have led to."""
    match = Match("sequences", ["Ann"], target=target, **options)
    for _ in range(start // 5):
        match.throw([1, 3, 3, 3, 3, 3])

    def change(match: Match) -> int:
        after = match.scores["Ann"]
        assert match.over == (after >= target)
        return CANCELLED if after == 0 and start > 0 else after - start

    return odds_of_a_throw(match, change)


def test_each_score_of_a_throw() -> None:
    """All throws, at three scores of a match: the referee has the odds of the rule exactly."""
    throw = throw_by_the_rule()
    assert sum(throw.values()) == 1
    for start in (5, 60, 95):
        assert throw_by_the_referee(start) == throw


def test_the_variation_without_three_ones() -> None:
    """Three 1s take nothing away, and five 6s are 35, six 70: the odds of the rule exactly.

    Without the three 1s every throw with a 1 has its run, whatever the number of 1s; the odds of a set of numbers that
    is there while the next one is not are counted over the numbers that are left out. Five 6s are 6 * 5 of the throws,
    5 of which had a run of one (with the 1).
    """
    total = 6**DICE
    runs: Odds = {}
    for length, score in enumerate((0, 5, 10, 15, 20, 25, 35)):
        shown = range(length)  # these must be there; the next one, if any, must not
        others = 6 - (length < DICE)
        ways = sum(
            (-1) ** size * (others - size) ** DICE for size in range(length + 1) for _ in combinations(shown, size)
        )
        runs[score] = Fraction(ways, total)
    five_sixes_with_a_one, five_sixes_without, six_sixes = Fraction(6, total), Fraction(24, total), Fraction(1, total)
    expected = dict(runs)
    expected[5] -= five_sixes_with_a_one
    expected[0] -= five_sixes_without + six_sixes
    expected[35] += five_sixes_with_a_one + five_sixes_without
    expected[70] = six_sixes
    assert sum(expected.values()) == 1
    assert throw_by_the_referee(0, ones="nothing", sixes=True) == expected
    assert throw_by_the_referee(60, ones="nothing", sixes=True) == expected
