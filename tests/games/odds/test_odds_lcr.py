"""LCR's odds: every step that three players can come to, who wins how often, and how long it takes."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import sqrt

import pytest
from chains import mean, walk

from tabletop.rules import Match

PLAYERS = ["Ann", "Ben", "Cid"]
State = tuple[tuple[int, ...], int]  # the chips of each, and whose throw it is; at the end the winner


def state_of(match: Match) -> State:
    name = match.winners[0] if match.over else str(match.request.player)
    return tuple(match.scores.values()), PLAYERS.index(name)


def ended(state: State) -> bool:
    """Whether one has all nine chips: his own and the pot."""
    return 9 in state[0] and sum(state[0]) == 9 and sorted(state[0]) == [0, 0, 9]


def by_the_rule(state: State) -> dict[State, Fraction]:
    """Let each die move a chip on its own: of six faces three do nothing, one each is left, centre, right."""
    chips, thrower = state
    dice = min(3, chips[thrower])
    ways: dict[State, int] = {}
    for faces in product("LCR...", repeat=dice):
        after = list(chips)
        for face in faces:
            if face == ".":
                continue
            after[thrower] -= 1
            if face != "C":
                after[(thrower + (1 if face == "L" else 2)) % 3] += 1
        having = [player for player in range(3) if after[player]]
        if len(having) == 1:
            key = (tuple(9 if player in having else 0 for player in range(3)), having[0])
        else:
            key = (tuple(after), next(seat % 3 for seat in range(thrower + 1, thrower + 4) if after[seat % 3]))
        ways[key] = ways.get(key, 0) + 1
    return {key: Fraction(count, 6**dice) for key, count in ways.items()}


def winner_is(seat: int) -> Callable[[State], float]:
    return lambda end: float(end[1] == seat)


@pytest.mark.slow
def test_three_players() -> None:
    """The referee makes every step with the odds of the rule; who begins wins least, the third most.

    A simulation of 300,000 matches: 91,720, 98,359 and 109,921 wins ("Why is the best position for LCR not the last
    person?", math.stackexchange.com/questions/261133); the order of the seats is that of "What's the Best Seat in the
    Game Left, Center, Right?", B. and D. Richeson, arxiv.org/abs/2407.05069.
    """
    steps = walk(Match("lcr", PLAYERS), state_of, ended, {4: 1, 5: 1, 6: 1, 1: 3})
    assert steps == {state: by_the_rule(state) for state in steps}
    start = ((3, 3, 3), 0)
    wins = [mean(steps, start, winner_is(seat)) for seat in range(3)]
    assert sum(wins) == pytest.approx(1)
    for won, simulated in zip(wins, (91_720, 98_359, 109_921), strict=True):
        assert won == pytest.approx(simulated / 300_000, abs=4 * sqrt(won * (1 - won) / 300_000))
    assert wins == pytest.approx([0.306843, 0.328019, 0.365138], abs=5e-7)
    assert mean(steps, start, lambda _: 0, each=1) == pytest.approx(17.515886, abs=5e-7)  # throws
