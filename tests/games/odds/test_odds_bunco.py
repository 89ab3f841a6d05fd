"""Bunco's odds: a turn until the bell, with every throw, and the mean of a turn without it."""

from fractions import Fraction

import pytest
from turn_odds import mean, odds_of_a_throw, odds_of_a_turn

from tabletop.rules import Match

# Of 216 throws: no die, one or two dice with the number of the round, a bunco, a mini bunco.
THROWS = {0: 125 - 5, 1: 3 * 25, 2: 3 * 5, 21: 1, 5: 5}
BELL = 21


def turn_by_the_rule(bell: int) -> dict[int, Fraction]:
    reached, ended = {0: Fraction(1)}, dict[int, Fraction]()
    while reached:
        points = min(reached)
        chance = reached.pop(points)
        for scored, ways in THROWS.items():
            after = points + scored
            into = ended if not scored or after >= bell else reached
            into[after] = into.get(after, Fraction(0)) + chance * Fraction(ways, 216)
    return ended


def no_decision(match: Match) -> None:
    pytest.fail(f"asked for {match.request}")


@pytest.mark.slow
def test_a_turn_until_the_bell() -> None:
    """The referee has the odds of the rule exactly; the highest turn is 20 points and a bunco."""
    match = Match("bunco", ["Ann", "Ben"])
    odds = odds_of_a_turn(match, no_decision, lambda match: match.state()["sheet"]["all points"]["Ann"])
    assert odds == turn_by_the_rule(BELL)
    assert max(odds) == 41


def test_the_odds_of_a_throw() -> None:
    """A throw scores with odds of 4/9 and is worth 151/216: a turn without a bell has a mean of 151/120 points."""
    assert sum(THROWS.values()) == 216
    scoring = Fraction(216 - THROWS[0], 216)
    worth = Fraction(sum(scored * ways for scored, ways in THROWS.items()), 216)
    assert (scoring, worth) == (Fraction(4, 9), Fraction(151, 216))
    assert worth / (1 - scoring) == Fraction(151, 120)
    assert mean(turn_by_the_rule(400)) == pytest.approx(151 / 120, abs=1e-9)


def test_every_throw_of_every_round() -> None:
    """In each of the six rounds 96 of 216 throws score, one of them a bunco and five a mini bunco."""
    match = Match("bunco", ["Ann", "Ben"], bell_at=5, rounds=6)
    for number in range(1, 7):
        odds = odds_of_a_throw(match, lambda match: sum(int(str(cell)) for cell in match.sheet["all points"].values()))
        before = BELL * (number - 1)
        assert odds == {before + points: Fraction(ways, 216) for points, ways in THROWS.items()}
        match.throw((number,) * 3)
    assert match.over
