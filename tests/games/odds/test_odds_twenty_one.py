"""Twenty One's odds: a turn that stops from some total on, with one die and with two, from the rule and the referee."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest
from turn_odds import odds_of_a_turn

from tabletop.rules import Match

BUST = 0


def turn_by_the_rule(stop_at: int, target: int, dice: int, discard: int) -> dict[int, Fraction]:
    """Return the odds of each total of a turn that stops at so many or more.

    From total to total, low to high: each throw of the dice that are used there is equally likely; two are used below
    the total at which one is discarded. Over the target is bust.
    """
    totals, ended = {0: Fraction(1)}, dict[int, Fraction]()
    while totals:
        total = min(totals)
        reached = totals.pop(total)
        used = dice if total < discard else 1
        for faces in product(range(1, 7), repeat=used):
            after = total + sum(faces)
            into, key = (ended, BUST) if after > target else (ended if after >= stop_at else totals, after)
            into[key] = into.get(key, Fraction(0)) + reached / 6**used
    return ended


def stopping_at(total: int) -> Callable[[Match], None]:

    def decide(match: Match) -> None:
        assert match.request.gives == {"stop": match.at_stake}
        match.choose("stop" if match.at_stake >= total else "roll")

    return decide


def score_of_ann(match: Match) -> int:
    """Return her total, 0 where she was bust."""
    return match.scores["Ann"]


@pytest.mark.parametrize("stop_at", [16, 17, 18, 21])
@pytest.mark.parametrize("dice", [1, 2])
def test_a_turn_of_21(stop_at: int, dice: int) -> None:
    """The referee gives the odds of the rule exactly, one die from 14 on."""
    expected = turn_by_the_rule(stop_at, 21, dice, 14)
    match = Match("twenty-one", ["Ann", "Ben"], dice=dice)
    assert odds_of_a_turn(match, stopping_at(stop_at), score_of_ann) == expected
    assert sum(expected.values()) == 1


@pytest.mark.parametrize(("target", "dice", "discard"), [(36, 1, 14), (36, 2, 14), (36, 2, 29)])
def test_a_turn_of_36(target: int, dice: int, discard: int) -> None:
    """The same for 36, whatever the total from which one die is thrown."""
    expected = turn_by_the_rule(32, target, dice, discard)
    match = Match("twenty-one", ["Ann", "Ben"], target=target, dice=dice, discard=discard)
    assert odds_of_a_turn(match, stopping_at(32), score_of_ann) == expected
