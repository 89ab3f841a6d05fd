"""Help Your Neighbour's odds: every step of a round of two players, and how often both run out at once."""

from fractions import Fraction
from math import comb

import pytest
from chains import mean, walk
from turn_odds import mean as mean_of
from turn_odds import odds_of_a_throw

from tabletop.rules import Match

PLAYERS = ["Ann", "Ben"]
State = tuple[int, int, int]  # the counters of each, and whose throw; at the end 0, 0 and who wins: 1, 2, or 3 for both


def state_of(match: Match) -> State:
    if match.over:
        return 0, 0, ("Ann" in match.winners) + 2 * ("Ben" in match.winners)
    ann, ben = match.scores.values()
    return ann, ben, PLAYERS.index(str(match.request.player))


def ended(state: State) -> bool:
    return state[:2] == (0, 0)


def by_the_rule(state: State) -> dict[State, Fraction]:
    """Each die is as likely the one's as the other's: of three dice k are Ann's in (3 over k) of 8 throws."""
    odds: dict[State, Fraction] = {}
    for hers in range(4):
        ann, ben = max(state[0] - hers, 0), max(state[1] - (3 - hers), 0)
        after = (ann, ben, 1 - state[2]) if ann and ben else (0, 0, (ann == 0) + 2 * (ben == 0))
        odds[after] = odds.get(after, Fraction(0)) + Fraction(comb(3, hers), 8)
    return odds


def test_a_round_of_two_players() -> None:
    """The referee makes every step with the odds of the rule; 13.9 % of the rounds are shared."""
    match = Match("help-your-neighbour", PLAYERS, rounds=1)
    steps = walk(match, state_of, ended, {2: 3, 5: 3})
    assert steps == {state: by_the_rule(state) for state in steps}
    start = (10, 10, 0)
    shared = mean(steps, start, lambda end: float(end[2] == 3))
    assert mean(steps, start, lambda end: float(end[2] == 1)) == pytest.approx((1 - shared) / 2)
    assert shared == pytest.approx(0.139103, abs=5e-7)
    assert mean(steps, start, lambda _: 0, each=1) == pytest.approx(5.845139, abs=5e-7)  # throws


@pytest.mark.parametrize("count", range(2, 7))
def test_what_a_throw_costs(count: int) -> None:
    """Three dice, each somebody's with 6, 6, 4, 5, 6 of 6 faces: of all 216 throws the pot has so many counters."""
    match = Match("help-your-neighbour", ["Ann", "Ben", "Cid", "Dan", "Eva", "Fay"][:count])
    odds = odds_of_a_throw(match, lambda match: int(match.sheet["pot"]["Ann"] or 0))
    assert mean_of(odds) == Fraction(3 * {2: 6, 3: 6, 4: 4, 5: 5, 6: 6}[count], 6)
