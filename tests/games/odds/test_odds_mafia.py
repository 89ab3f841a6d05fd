"""Mafia's odds: every step of a round of two players, how often the first one wins it, and what he is paid."""

from fractions import Fraction
from math import comb

import pytest
from chains import mean, walk

from tabletop.rules import Match

PLAYERS = ["Ann", "Ben"]
State = tuple[int, int, int]  # the dice of each, and whose throw it is; at the end of the round who pays


def begun() -> Match:
    """Begin a match; with two players the direction changes nothing."""
    match = Match("mafia", PLAYERS, stake=10_000, rounds=1)
    match.choose("clockwise")
    return match


def state_of(match: Match) -> State:
    ann, ben = (int(cell or 0) for cell in match.sheet["dice"].values())
    return ann, ben, PLAYERS.index(str(match.request.player))


def ended(state: State) -> bool:
    return 0 in state[:2]


def by_the_rule(state: State) -> dict[State, Fraction]:
    """Of n dice s show a 6 and o a 1: n over s, times n - s over o, times 4 for each other die, of 6 to the n."""
    thrower, other = state[2], 1 - state[2]
    dice, odds = state[thrower], {}
    for sixes in range(dice + 1):
        for ones in range(dice - sixes + 1):
            after = [0, 0, other]
            after[thrower] = dice - sixes - ones
            after[other] = state[other] + sixes
            ways = comb(dice, sixes) * comb(dice - sixes, ones) * 4 ** after[thrower]
            odds[after[0], after[1], after[2]] = Fraction(ways, 6**dice)
    return odds


def test_a_round_of_two_players() -> None:
    """The referee makes every step with the odds of the rule; the loser pays 7/2 for each die he still has."""
    steps = walk(begun(), state_of, ended, {6: 1, 1: 1, 3: 4})
    assert steps == {state: by_the_rule(state) for state in steps}
    start = (5, 5, 0)
    first = mean(steps, start, lambda end: float(end[0] == 0))
    assert first + mean(steps, start, lambda end: float(end[1] == 0)) == pytest.approx(1)
    assert first == pytest.approx(0.524633, abs=5e-7)
    assert mean(steps, start, lambda _: 0, each=1) == pytest.approx(12.301600, abs=5e-7)  # throws
    assert mean(steps, start, lambda end: 3.5 * (end[0] + end[1])) == pytest.approx(10.484928, abs=5e-7)


@pytest.mark.parametrize("face", range(1, 7))
def test_the_loser_pays_the_faces(face: int) -> None:
    """Five dice that all show one face cost five times that face."""
    match = begun()
    match.throw([1] * 5)
    match.throw([face] * 5)
    assert match.scores == {"Ann": 10_000 + 5 * face, "Ben": 10_000 - 5 * face}
