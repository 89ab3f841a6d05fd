"""The Dice Game's odds: scoreless throws, and how a turn goes that stops at a stake.

Every throw with its points: test_the_dice_game.py.
"""

from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache

import pytest
from turn_odds import every_throw, mean, odds_of_a_throw, odds_of_a_turn

from tabletop.rules import Match

# Counted by hand: no 1, no 5, at most two of each of the four other faces. One die 4. Two 4 * 4. Three 4^3 - 4. Four
# 36 + 144 + 24, faces 2+2 or 2+1+1 or 1+1+1+1. Five 360 + 240. Six 2+2+1+1 is 1080, 2+2+2 is 360: pairs do not score.
SCORELESS = {1: 4, 2: 16, 3: 60, 4: 204, 5: 600, 6: 1440}
STOP_AT = 300


@pytest.mark.parametrize(("dice", "ways"), SCORELESS.items())
def test_a_scoreless_throw(dice: int, ways: int) -> None:
    """As many throws lose the turn as were counted by hand; with six dice 5 in 162 (Wikipedia, "Farkle")."""
    match = Match("the-dice-game", ["Ann", "Ben"])
    for due in range(6, dice, -1):
        match.throw([5, 2, 2, 3, 3, 4][:due])
        match.keep([5])
        match.choose("roll")
    assert odds_of_a_throw(match, lambda match: match.request.player)["Ben"] == Fraction(ways, 6**dice)
    assert Fraction(SCORELESS[6], 6**6) == Fraction(5, 162)


@cache
def scored(dice: int) -> dict[tuple[int, int], Fraction]:
    """Return the odds of each number of scoring dice and their points, for a throw of so many dice; by the rule."""
    odds: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for faces, chance in every_throw(dice):
        used = points = 0
        for face, count in Counter(faces).items():
            triple, single = (1000, 100) if face == 1 else (100 * face, 50 if face == 5 else 0)
            used += count if single else count // 3 * 3
            points += count // 3 * triple + count % 3 * single
        odds[(6, 1000) if faces == (1, 2, 3, 4, 5, 6) else (used, points)] += chance
    return odds


def turn_by_the_rule() -> dict[int, Fraction]:
    """Return the odds of each score of a turn that stops at 300 or more, stake by stake upwards."""
    banked: dict[int, Fraction] = defaultdict(Fraction)
    waiting = defaultdict(Fraction, {(0, 6): Fraction(1)})
    while waiting:
        stake, dice = min(waiting)
        reached = waiting.pop((stake, dice))
        for (used, points), odds in scored(dice).items():
            after = stake + points
            if not used or after >= STOP_AT:
                banked[after if used else 0] += reached * odds
            else:
                waiting[after, dice - used or 6] += reached * odds
    return banked


def stop_at_300(match: Match) -> None:
    if match.request.kind == "keep":
        match.keep(match.request.legal[0])
    else:
        match.choose("bank" if match.at_stake >= STOP_AT else "roll")


def test_a_turn_that_stops_at_300() -> None:
    """The referee gives the odds of every score exactly: nothing in 21.33 % of the turns, 390.41 points on average."""
    odds = turn_by_the_rule()
    match = Match("the-dice-game", ["Ann", "Ben"])
    assert odds_of_a_turn(match, stop_at_300, lambda match: match.scores["Ann"]) == odds
    assert round(float(odds[0]), 4) == 0.2133
    assert round(float(mean(odds)), 2) == 390.41
