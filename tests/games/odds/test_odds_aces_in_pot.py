"""Aces in Pot's odds: every step of a round of two players, and what three throws without a 6 are worth."""

from fractions import Fraction
from itertools import product

import pytest
from chains import mean, walk
from turn_odds import odds_of_a_throw

from tabletop.rules import Match

PLAYERS = ["Ann", "Ben"]
State = tuple[int, int, int, int]  # the counters of each, whose throw, how many last throws are made; 3: he has won


def state_of(match: Match) -> State:
    """Return the state; who has won has all four counters."""
    ann, ben = match.scores.values()
    if match.over:
        return ann, ben, PLAYERS.index(match.winners[0]), 3
    return ann, ben, PLAYERS.index(str(match.request.player)), int(match.sheet["throws"]["Ann"] or 0)


def ended(state: State) -> bool:
    return state[3] == 3


def by_the_rule(state: State) -> dict[State, Fraction]:
    """Throw all 36 pairs and pay die by die, aces first; alone only sixes count."""
    thrower, other, made = state[2], 1 - state[2], state[3]
    alone = state[other] == 0
    odds: dict[State, Fraction] = {}
    for pair in product(range(1, 7), repeat=2):
        held = [state[0], state[1]]
        if not alone:
            held[thrower] -= min(held[thrower], pair.count(1))
        passed = min(held[thrower], pair.count(6))
        held[thrower] -= passed
        held[other] += passed
        if alone and not passed:
            after = (held[0], held[1], thrower, made + 1)
            if made == 2:
                after = (4 - 4 * thrower, 4 * thrower, thrower, 3)
        else:
            after = (held[0], held[1], other if held[other] else thrower, 0)
        odds[after] = odds.get(after, Fraction(0)) + Fraction(1, 36)
    return odds


def test_a_round_of_two_players() -> None:
    """The referee makes every step with the odds of the rule."""
    steps = walk(Match("aces-in-pot", PLAYERS), state_of, ended, {1: 1, 6: 1, 3: 4})
    assert steps == {state: by_the_rule(state) for state in steps}
    start = (2, 2, 0, 0)
    assert mean(steps, start, lambda end: 1 - end[2]) == pytest.approx(0.454547, abs=5e-7)  # who begins wins
    assert mean(steps, start, lambda _: 0, each=1) == pytest.approx(13.364779, abs=5e-7)  # throws


def test_the_only_holder_wins_at_once() -> None:
    """Three throws of two dice without a 6: (25/36)^3, whatever he holds; through the referee, throw by throw."""
    odds, match = Fraction(1), Match("aces-in-pot", ["Ann", "Ben", "Cid"])
    for faces in ([1, 1], [1, 1]):
        match.throw(faces)
    for _ in range(3):
        odds *= odds_of_a_throw(match, lambda match: match.scores["Cid"] == 2 or match.winners == ("Cid",))[True]
        match.throw([1, 2])
    assert match.winners == ("Cid",)
    assert odds == Fraction(25, 36) ** 3 == Fraction(15_625, 46_656)
