"""Aces' odds: every step that two players can come to, how often the first one wins, and how long it takes."""

from fractions import Fraction
from itertools import product

import pytest
from chains import mean, walk

from tabletop.rules import Match

PLAYERS = ["Ann", "Ben"]
State = tuple[int, int, int]  # the dice of each, and whose throw it is; at the end who threw the last one


def state_of(match: Match) -> State:
    ann, ben = match.scores.values()
    return ann, ben, PLAYERS.index(match.winners[0] if match.over else str(match.request.player))


def ended(state: State) -> bool:
    return state[:2] == (0, 0)


def by_the_rule(state: State) -> dict[State, Fraction]:
    """Of each die's six faces one takes it away, two pass it on, three leave it; only those end the turn."""
    thrower, other = state[2], 1 - state[2]
    ways: dict[tuple[int, int], int] = {(0, 0): 1}  # out, passed: one die after the other
    for _ in range(state[thrower]):
        more: dict[tuple[int, int], int] = {}
        for ((out, passed), count), (o, p, faces) in product(ways.items(), [(1, 0, 1), (0, 1, 2), (0, 0, 3)]):
            more[out + o, passed + p] = more.get((out + o, passed + p), 0) + count * faces
        ways = more
    odds: dict[State, Fraction] = {}
    for (out, passed), count in ways.items():
        mine, his = state[thrower] - out - passed, state[other] + passed
        goes_on = (out + passed > 0 and mine > 0) or his == 0
        key = (mine, his) if thrower == 0 else (his, mine)
        after = (*key, thrower if goes_on else other)
        odds[after] = odds.get(after, Fraction(0)) + Fraction(count, 6 ** state[thrower])
    return odds


def test_two_players() -> None:
    """The referee makes every step with the odds of the rule, and the variation only turns the outcome round."""
    steps = walk(Match("aces", PLAYERS), state_of, ended, {1: 1, 2: 2, 3: 3})
    assert steps == {state: by_the_rule(state) for state in steps}
    assert steps == walk(Match("aces", PLAYERS), state_of, ended, {1: 1, 5: 2, 6: 3})
    assert mean(steps, (5, 5, 0), lambda end: 1 - end[2]) == pytest.approx(0.499947, abs=5e-7)  # who begins wins
    assert mean(steps, (5, 5, 0), lambda _: 0, each=1) == pytest.approx(24.461771, abs=5e-7)  # throws
