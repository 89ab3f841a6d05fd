"""Pig's odds: a turn that holds at 20, how long a match alone takes, and Hog."""

from fractions import Fraction
from math import sqrt
from random import Random

import pytest
from turn_odds import mean, odds_of_a_throw, odds_of_a_turn

from tabletop.rules import Match

HOLD_AT = 20


def turn_by_the_rule() -> dict[int, Fraction]:
    stakes, nothing = {0: Fraction(1)}, Fraction(0)
    for stake in range(HOLD_AT):
        reached = stakes.pop(stake, Fraction(0))
        nothing += reached / 6
        for face in range(2, 7):
            stakes[stake + face] = stakes.get(stake + face, Fraction(0)) + reached / 6
    return {0: nothing, **stakes}


def hold_at_20(match: Match) -> None:
    match.choose("bank" if match.at_stake >= min(HOLD_AT, 100 - match.scores["Ann"]) else "roll")


def test_a_turn_that_holds_at_20() -> None:
    """The referee gives the odds of the rule exactly.

    Published by Todd Neller (nifty.stanford.edu/2010/neller-pig/turnOutcomes.html): 0.624541 for nothing, and the odds
    of 20 to 25; Neller and Presser, "Optimal Play of the Dice Game Pig", 2004: a mean of about 8.14.
    """
    odds = turn_by_the_rule()
    assert odds_of_a_turn(Match("pig", ["Ann", "Ben"]), hold_at_20, lambda match: match.scores["Ann"]) == odds
    published = {0: 0.624541, 20: 0.099713, 21: 0.094991, 22: 0.074189, 23: 0.054196, 24: 0.035198, 25: 0.017173}
    assert {score: round(float(chance), 6) for score, chance in odds.items()} == published
    assert round(float(mean(odds)), 2) == 8.14


def turns_alone() -> tuple[float, float]:
    """Return mean and variance of the turns to 100, holding at 20 or at the goal, from the rule.

    E[n] and E[n^2] of the turns still needed at each score follow from those at higher scores; a turn that scores
    nothing leaves the score as it is.
    """
    needed: dict[int, float] = {}
    square: dict[int, float] = {}
    for score in range(99, -1, -1):
        stakes, stay = {0: 1.0}, 0.0
        for stake in range(min(HOLD_AT, 100 - score)):
            reached = stakes.pop(stake, 0.0)
            stay += reached / 6
            for face in range(2, 7):
                stakes[stake + face] = stakes.get(stake + face, 0.0) + reached / 6
        ahead = [(chance, score + stake) for stake, chance in stakes.items()]
        needed[score] = (1 + sum(chance * needed.get(there, 0.0) for chance, there in ahead)) / (1 - stay)
        rest = sum(chance * (square.get(there, 0.0) + 2 * needed.get(there, 0.0)) for chance, there in ahead)
        square[score] = (1 + 2 * stay * needed[score] + rest) / (1 - stay)
    return needed[0], square[0] - needed[0] ** 2


def test_the_length_of_a_match_alone() -> None:
    """Random matches of one player last as long as the rule says, within four standard errors.

    Published estimate, from a million games: 12.634906 turns (nifty.stanford.edu/2010/neller-pig/avgturns.html).
    """
    turns_mean, variance = turns_alone()
    assert turns_mean == pytest.approx(12.634906, abs=4 * sqrt(variance / 1_000_000))
    rng, matches, turns = Random(100), 400, 0
    for _ in range(matches):
        match = Match("pig", ["Ann"])
        while not match.over:
            match.throw([rng.randint(1, 6)])
            if match.request.kind == "choose":
                hold_at_20(match)
        turns += int(match.state()["sheet"]["turns"]["Ann"])
    assert turns / matches == pytest.approx(turns_mean, abs=4 * sqrt(variance / matches))


def test_hog() -> None:
    """With n dice the mean of a turn is 4n (5/6)^n: five and six are equally good, with 8.04."""
    means = {}
    for dice in (1, 2, 5, 6):
        match = Match("pig", ["Ann", "Ben"], hog=6)
        match.choose(str(dice))
        means[dice] = mean(odds_of_a_throw(match, lambda match: match.scores["Ann"]))
        assert means[dice] == 4 * dice * Fraction(5, 6) ** dice
    assert means[5] == means[6] > means[2]
    assert round(float(means[6]), 2) == 8.04
