"""The Dice Game's odds: scoreless throws, the mean of a first throw, and how a turn goes that stops at a stake."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import comb, factorial, prod

import pytest

from tabletop.rules import Match

# Counted by hand: no 1, no 5, at most two of each of the four other faces. One die 4. Two 4 * 4. Three 4^3 - 4. Four
# 36 + 144 + 24, faces 2+2 or 2+1+1 or 1+1+1+1. Five 360 + 240. Six 2+2+1+1 is 1080, 2+2+2 is 360: pairs do not score.
SCORELESS = {1: 4, 2: 16, 3: 60, 4: 204, 5: 600, 6: 1440}
STOP_AT = 300


def weight(faces: tuple[int, ...]) -> int:
    return factorial(len(faces)) // prod(map(factorial, Counter(faces).values()))


def with_dice_left(count: int) -> Match:
    match = Match("the-dice-game", ["Ann", "Ben"])
    for due in range(6, count, -1):
        match.throw([5, 2, 2, 3, 3, 4][:due])
        match.keep([5])
        match.choose("roll")
    return match


@pytest.mark.parametrize(("dice", "ways"), SCORELESS.items())
def test_a_scoreless_throw(dice: int, ways: int) -> None:
    """All throws through the referee: as many lose the turn as were counted by hand.

    With six dice 5 in 162, as published for the same scores without three pairs (Wikipedia, "Farkle").
    """
    match = with_dice_left(dice)
    lost = 0
    for faces in combinations_with_replacement(range(1, 7), dice):
        match.throw(faces)
        lost += weight(faces) * (match.request.player == "Ben")
        match.undo()
    assert lost == ways
    assert Fraction(SCORELESS[6], 6**6) == Fraction(5, 162)


def test_the_mean_of_a_first_throw() -> None:
    """Face by face, what so many alike score times the odds of so many; the run has 1000, not 150: 322 points."""
    mean = Fraction(720 * (1000 - 150), 6**6)
    for face in range(1, 7):
        triple, single = (1000, 100) if face == 1 else (100 * face, 50 if face == 5 else 0)
        for count in range(7):
            points = count // 3 * triple + count % 3 * single
            mean += Fraction(comb(6, count) * 5 ** (6 - count), 6**6) * points
    match = Match("the-dice-game", ["Ann", "Ben"])
    by_referee = Fraction(0)
    for faces in combinations_with_replacement(range(1, 7), 6):
        match.throw(faces)
        if match.request.kind == "keep":
            match.keep(match.request.legal[0])
            by_referee += Fraction(weight(faces), 6**6) * match.at_stake
            match.undo()
        match.undo()
    assert by_referee == mean
    assert mean == Fraction(834625, 2592)


@cache
def scored(dice: int) -> dict[tuple[int, int], Fraction]:
    """Return the odds of each number of scoring dice and their points, for a throw of so many dice; by the rule."""
    odds: Counter[tuple[int, int]] = Counter()
    for faces in combinations_with_replacement(range(1, 7), dice):
        used = points = 0
        for face, count in Counter(faces).items():
            triple, single = (1000, 100) if face == 1 else (100 * face, 50 if face == 5 else 0)
            used += count if single else count // 3 * 3
            points += count // 3 * triple + count % 3 * single
        if faces == (1, 2, 3, 4, 5, 6):
            used, points = 6, 1000
        odds[used, points] += weight(faces)
    return {outcome: Fraction(ways, 6**dice) for outcome, ways in odds.items()}


def turn_by_the_rule() -> dict[int, Fraction]:
    """Return the odds of each score of a turn that stops at 300 or more, stake by stake upwards."""
    banked: dict[int, Fraction] = {0: Fraction(0)}
    waiting = {(0, 6): Fraction(1)}
    while waiting:
        stake, dice = min(waiting)
        reached = waiting.pop((stake, dice))
        for (used, points), odds in scored(dice).items():
            after = stake + points
            if not used:
                banked[0] += reached * odds
            elif after >= STOP_AT:
                banked[after] = banked.get(after, Fraction(0)) + reached * odds
            else:
                left = (after, dice - used or 6)
                waiting[left] = waiting.get(left, Fraction(0)) + reached * odds
    return banked


def turn_by_the_referee() -> dict[int, Fraction]:
    """Return the same by throwing everything at each stake and number of dice that a match reaches."""
    banked: dict[int, Fraction] = {0: Fraction(0)}
    waiting = {(0, 6): (Match("the-dice-game", ["Ann", "Ben"]), Fraction(1))}
    while waiting:
        stake, dice = min(waiting)
        match, reached = waiting.pop((stake, dice))
        for faces in combinations_with_replacement(range(1, 7), dice):
            odds = reached * Fraction(weight(faces), 6**dice)
            match.throw(faces)
            if match.request.kind == "roll":
                banked[0] += odds
                assert match.scores["Ann"] == 0
                match.undo()
                continue
            match.keep(match.request.legal[0])
            if match.at_stake >= STOP_AT:
                match.choose("bank")
                score = match.scores["Ann"]
                banked[score] = banked.get(score, Fraction(0)) + odds
            else:
                match.choose("roll")
                assert isinstance(match.request.dice, int)
                left = (match.at_stake, match.request.dice)
                known = waiting.get(left)
                again = known[0] if known else Match.replay(match.game.id, match.seated, match.options, match.events)
                waiting[left] = (again, odds + (known[1] if known else 0))
            for _ in range(3):
                match.undo()
    return banked


def test_a_turn_that_stops_at_300() -> None:
    """The referee gives the odds of every score exactly: nothing in 21.33 % of the turns, 390.41 points on average."""
    odds = turn_by_the_rule()
    assert sum(odds.values()) == 1
    assert turn_by_the_referee() == odds
    assert round(float(odds[0]), 4) == 0.2133
    assert round(float(sum(score * odds[score] for score in odds)), 2) == 390.41
