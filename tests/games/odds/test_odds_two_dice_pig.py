"""Two-dice Pig's odds: a turn that holds at 25, under each way of treating doubles, from the rule and the referee."""

from fractions import Fraction
from itertools import product

import pytest
from turn_odds import mean, odds_of_a_turn

from tabletop.rules import Match

HOLD_AT = 25


def turn_by_the_rule(ones: str, times: int) -> dict[int, Fraction]:
    """Return the odds of each score of a turn that holds at 25, from the 36 throws.

    A throw with a single 1 (10 of 36) gives nothing. 1 1 gives 25 (`replace`), 25 more (`add`), or 25 more and the turn
    goes on (`continue`), or, with a score of 0, nothing (`lose`). Another double counts so many times, else the sum.
    """
    stakes, ended = {0: Fraction(1)}, dict[int, Fraction]()
    while stakes:
        stake = min(stakes)
        reached = stakes.pop(stake) / 36
        for first, second in product(range(1, 7), repeat=2):
            more, over = (first + second) * (times if first == second else 1), False
            if (first, second) == (1, 1):
                over = ones != "continue"
                more = {"replace": 25 - stake, "lose": -stake}.get(ones, 25)
            elif 1 in (first, second):
                over, more = True, -stake
            into = ended if over or stake + more >= HOLD_AT else stakes
            into[stake + more] = into.get(stake + more, Fraction(0)) + reached
    return ended


def hold_at_25(match: Match) -> None:
    assert match.request.gives == {"bank": match.at_stake}
    match.choose("bank" if match.at_stake >= HOLD_AT else "roll")


@pytest.mark.parametrize("ones", ["replace", "add", "continue", "lose"])
@pytest.mark.parametrize("doubles", [True, False])
def test_a_turn_that_holds_at_25(ones: str, doubles: bool) -> None:
    """The referee gives the odds of the rule exactly."""
    expected = turn_by_the_rule(ones, 2 if doubles else 1)
    match = Match("two-dice-pig", ["Ann", "Ben"], ones=ones, doubles=doubles)
    assert odds_of_a_turn(match, hold_at_25, lambda match: match.scores["Ann"]) == expected
    assert sum(expected.values()) == 1


def test_the_first_throw() -> None:
    """One throw, then banked: 10 of 36 throws give nothing, one gives 25, five doubles count twice.

    Without 1s the 25 throws of 2 to 6 have a mean of 8, which is 200; the five doubles, 40 together, count once more;
    and 25 for the double 1: 265 of 36.
    """
    match = Match("two-dice-pig", ["Ann", "Ben"])
    odds = odds_of_a_turn(match, lambda match: match.choose("bank"), lambda match: match.scores["Ann"])
    assert odds[0] == Fraction(10, 36)
    assert odds[25] == Fraction(1, 36)
    assert mean(odds) == Fraction(265, 36)
