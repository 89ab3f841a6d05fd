"""Passage's odds: how many turns to 11 points, and how often the roll-off for order and point is settled at once."""

from fractions import Fraction
from itertools import product

import pytest
from chains import mean, walk

from tabletop.rules import Match


def alone(double: int) -> Match:
    """Begin a match of one player with the point number 4."""
    match = Match("passage", ["Ann"], double=double)
    match.throw([4])
    return match


@pytest.mark.parametrize(("double", "turns"), [(2, 33.25), (3, 31.100590)])
def test_turns_to_11(double: int, turns: float) -> None:
    """One die shows the point in 10 of 36 throws, both in 1; the mean follows from the higher scores down.

    T(s) = (36 + 10 T(s+1) + T(s+double)) / 11, because 25 of 36 throws score nothing.
    """
    by_the_rule = [Fraction(0)] * 15
    for score in range(10, -1, -1):
        by_the_rule[score] = (36 + 10 * by_the_rule[score + 1] + by_the_rule[score + double]) / 11
    steps = walk(alone(double), lambda match: match.scores["Ann"], lambda score: score >= 11, {4: 1, 1: 5})
    assert steps == {
        score: {score: Fraction(25, 36), score + 1: Fraction(10, 36), score + double: Fraction(1, 36)}
        for score in range(11)
    }
    assert mean(steps, 0, lambda _: 0, each=1) == pytest.approx(float(by_the_rule[0]))
    assert float(by_the_rule[0]) == pytest.approx(turns, abs=5e-7)


@pytest.mark.parametrize(("players", "settled"), [(2, 30), (3, 120), (4, 600)])
def test_the_roll_off_is_settled_at_once(players: int, settled: int) -> None:
    """One alone is highest, and one alone is lowest: all throws of so many dice, counted and by the referee.

    Two dice: 6 x 5. Three: all different, 6 x 5 x 4. Four: 12 places for high and low, and 4, 3, 2, 1 pairs of them
    with 1, 2, 3, 4 faces between for both others: 12 x (4 x 1 + 3 x 4 + 2 x 9 + 1 x 16).
    """
    names = ["Ann", "Ben", "Cid", "Dan"][:players]
    match, counted, told = Match("passage", names), 0, 0
    for faces in product(range(1, 7), repeat=players):
        high, low = max(faces), min(faces)
        once = faces.count(high) == faces.count(low) == 1
        counted += once
        for face in faces:
            match.throw([face])
        if once:
            told += "tied" not in match.said
            assert match.request.player == names[faces.index(low)]
            assert match.sheet["order"][names[faces.index(high)]] == 1
        for _ in faces:
            match.undo()
    assert counted == told == settled
