"""Yahtzee's odds: the best mean of each box when three throws go for it alone."""

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod

import pytest

from tabletop.rules import Match

Faces = tuple[int, ...]
Legal = Mapping[Faces, tuple[Faces, ...]]
Told = tuple[Legal, Mapping[Faces, Mapping[str, int]]]

HANDS: list[Faces] = list(combinations_with_replacement(range(1, 7), 5))
UPPER = ["ones", "twos", "threes", "fours", "fives", "sixes"]


@cache
def throws(count: int) -> list[tuple[Faces, Fraction]]:
    return [
        (faces, Fraction(factorial(count), prod(map(factorial, Counter(faces).values())) * 6**count))
        for faces in combinations_with_replacement(range(1, 7), count)
    ]


def best_mean(worth: Callable[[Faces], int], legal: Legal) -> Fraction:
    values = {hand: Fraction(worth(hand)) for hand in HANDS}
    for _ in range(2):
        after: dict[Faces, Fraction] = {}
        for part in {part for parts in legal.values() for part in parts}:
            outcomes = throws(5 - len(part))
            after[part] = sum((odds * values[tuple(sorted(part + more))] for more, odds in outcomes), Fraction(0))
        values = {hand: max(after[part] for part in legal[hand]) for hand in HANDS}
    return sum((odds * values[hand] for hand, odds in throws(5)), Fraction(0))


@pytest.fixture(scope="module")
def told() -> Told:
    legal: dict[Faces, tuple[Faces, ...]] = {}
    gives: dict[Faces, Mapping[str, int]] = {}
    for hand in HANDS:
        match = Match("yahtzee", ["Ann"])
        match.throw(hand)
        legal[hand] = match.request.legal
        match.keep(hand)
        gives[hand] = match.request.gives
    return legal, gives


def yahtzee_in_three_throws() -> Fraction:
    """Return the odds of five alike, always keeping the most alike: a chain over how many are alike."""
    odds = {0: Fraction(1)}
    for _ in range(3):
        after: dict[int, Fraction] = {}
        for alike, reached in odds.items():
            for more, chance in throws(5 - alike):  # those kept show a 1: the faces are alike among themselves
                most = max(Counter((1,) * alike + more).values())
                after[most] = after.get(most, Fraction(0)) + reached * chance
        odds = after
    return odds[5]


def worth_in(box: str, gives: Mapping[Faces, Mapping[str, int]]) -> Callable[[Faces], int]:
    return lambda hand: gives[hand][box]


def expected_means() -> dict[str, Fraction]:
    """Return the mean of each box that can be told without weighing plays.

    Upper boxes: a die shows the face after up to three throws with odds 1 - (5/6)^3, and none is ever thrown again.
    Chance: die by die, thrown again below the mean of what is to come: 3.5, then 4.25, then 14/3.
    Yahtzee: 347897/7558272, which is the published 4.6029 %.
    """
    means = {box: 5 * face * (1 - Fraction(5, 6) ** 3) for face, box in enumerate(UPPER, start=1)}
    means["chance"] = 5 * Fraction(14, 3)
    means["yahtzee"] = 50 * yahtzee_in_three_throws()
    return means


def test_the_means_that_need_no_search(told: Told) -> None:
    """Upper boxes, chance and yahtzee: what the referee allows and gives has the means of the rule, exactly."""
    legal, gives = told
    assert yahtzee_in_three_throws() == Fraction(347897, 7558272)
    assert round(float(yahtzee_in_three_throws()), 6) == 0.046029
    assert {box: best_mean(worth_in(box, gives), legal) for box in expected_means()} == expected_means()


def small_straight(hand: Faces) -> int:
    """Score four in a row: each of four neighbours is there."""
    runs = [range(low, low + 4) for low in (1, 2, 3)]
    return 30 * any(all(face in hand for face in run) for run in runs)


NEEDED: dict[str, Callable[[Faces], int]] = {
    "three of a kind": lambda hand: sum(hand) * any(hand.count(face) > 2 for face in hand),
    "four of a kind": lambda hand: sum(hand) * any(hand.count(face) > 3 for face in hand),
    "full house": lambda hand: 25 * (hand[0] == hand[1] != hand[3] == hand[4] and hand[2] in (hand[1], hand[3])),
    "small straight": small_straight,
    "large straight": lambda hand: 40 * (len(set(hand)) == 5 and hand[4] - hand[0] == 4),
}


def masked(hand: Faces, mask: int) -> Faces:
    return tuple(die for place, die in enumerate(hand) if mask >> place & 1)


@pytest.mark.parametrize("box", NEEDED)
def test_the_means_that_need_a_search(box: str, told: Told) -> None:
    """The other boxes: the best play under the referee has the mean of the best play under the rule, exactly."""
    legal, gives = told
    parts = {hand: tuple({masked(hand, mask) for mask in range(32)}) for hand in HANDS}
    assert best_mean(worth_in(box, gives), legal) == best_mean(NEEDED[box], parts)
