"""Liar's Dice's odds: at least so many of a face among the dice of all, with and without wild ones."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb

import pytest

from tabletop.rules import Match

EACH = 2
HANDS = Counter(tuple(sorted(hand)) for hand in product(range(1, 7), repeat=EACH))
ALL = 6 ** (2 * EACH)


def at_least(count: int, dice: int, odds: Fraction) -> Fraction:
    """Return the odds of at least so many successes among the dice: the sum of the binomial distribution."""
    return sum((comb(dice, n) * odds**n * (1 - odds) ** (dice - n) for n in range(count, dice + 1)), Fraction(0))


@pytest.mark.parametrize("wild", [False, True])
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_a_claim_is_as_often_true_as_the_binomial_distribution_has_it(count: int, wild: bool) -> None:
    """Two players of two dice, all throws: a die shows the face with 1/6, or with 1/3 where ones are wild."""
    match = Match("liars-dice", ["Ann", "Ben"], dice=EACH, wild=wild)
    match.choose("hidden")
    match.choose(f"{count} x 5")
    match.choose("doubt")
    true = 0
    for first, ways in HANDS.items():
        match.throw(first)
        for second, more in HANDS.items():
            match.throw(second)
            true += ways * more * (match.scores["Ben"] == EACH - 1)
            match.undo()
        match.undo()
    assert Fraction(true, ALL) == at_least(count, 2 * EACH, Fraction(1, 3 if wild else 6))


def test_thirty_dice() -> None:
    """Six players, five dice each: ten of a face are an even bet with wild ones, and ten is what is expected."""
    assert float(at_least(10, 30, Fraction(1, 3))) == pytest.approx(0.5683, abs=0.0001)
    match = Match("perudo", ["A", "B", "C", "D", "E", "F"], exact=False)
    match.choose("hidden")
    match.choose("10 x 6")
    match.choose("doubt")
    for _ in range(5):
        match.throw([1, 6, 2, 2, 3])
    assert match.request.player == "A"
    match.throw([2, 2, 3, 3, 4])
    assert match.scores["B"] == 4  # 10 were there
