"""Sevens Out's odds: what a turn scores, and how a turn goes that ends at the target."""

from collections import defaultdict
from fractions import Fraction
from itertools import product

import pytest
from turn_odds import odds_of_a_throw, odds_of_a_turn

from tabletop.rules import Match

TARGET = 30


def turn_by_the_rule() -> dict[int, Fraction]:
    """Return the odds of each score of a turn that a 7 or the target ends, tally by tally upwards."""
    tallies, ended = defaultdict(Fraction, {0: Fraction(1)}), dict[int, Fraction]()
    while tallies:
        tally = min(tallies)
        reached = tallies.pop(tally) / 36
        for first, second in product(range(1, 7), repeat=2):
            after = tally + (first + second) * (2 if first == second else 1)
            if first + second == 7:
                ended[tally] = ended.get(tally, Fraction(0)) + reached
            elif after >= TARGET:
                ended[after] = ended.get(after, Fraction(0)) + reached
            else:
                tallies[after] += reached
    return ended


def no_decision(match: Match) -> None:
    pytest.fail(f"asked for {match.request}")


def test_a_turn_to_the_target() -> None:
    """The referee has the odds of the rule exactly."""
    match = Match("sevens-out", ["Ann", "Ben"], target=TARGET, at_once=True)
    assert odds_of_a_turn(match, no_decision, lambda match: match.scores["Ann"]) == turn_by_the_rule()


def test_a_turn_scores_42_on_average() -> None:
    """Every throw at the start and at a tally, through the referee, adds what the rule says; the mean is 42 exactly.

    One throw of six is a 7. All 36 throws sum up to 252 pips; the 7s are worth nothing (-42), the doubles count once
    more (+42): 252/36 = 7 for each throw with its chance to go on. The mean m of a turn is 7 + 5/6 m, so it is 42.
    """
    match = Match("sevens-out", ["Ann", "Ben"])
    for tally in (0, 16):
        odds = odds_of_a_throw(match, lambda match: (match.request.player, match.at_stake, match.scores["Ann"]))
        assert odds["Ben", 0, tally] == Fraction(1, 6)
        added = sum(chance * (stake - tally) for (player, stake, _), chance in odds.items() if player == "Ann")
        assert added / odds["Ben", 0, tally] == 42
        match.throw([4, 4])
