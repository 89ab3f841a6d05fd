"""Maxi Yatzy's odds: every hand in every box, the best mean of each box alone, and what a saved throw is worth."""

from collections import Counter
from fractions import Fraction

import pytest
from best_play import Faces, Gives, Legal, Score, all_parts, best_mean, hands, of_box, of_face, of_hand, ways
from told_hands import told_of

from tabletop.rules import Match

Told = tuple[Legal, Gives]
HANDS = hands(6)  # all 462
UPPER = ["ones", "twos", "threes", "fours", "fives", "sixes"]


def highest(hand: Faces, *counts: int) -> int:
    """Return the highest total of dice alike, so many of one face and so many of the next, 0 where there are none."""
    first, *more = counts
    totals = []
    for face in {face for face in hand if hand.count(face) >= first}:
        rest = highest(tuple(die for die in hand if die != face), *more) if more else 0
        if rest or not more:
            totals.append(first * face + rest)
    return max(totals, default=0)


BY_THE_RULE: dict[str, Score] = {
    **{box: of_face(face) for face, box in enumerate(UPPER, start=1)},
    "one pair": lambda hand: highest(hand, 2),
    "two pairs": lambda hand: highest(hand, 2, 2),
    "three pairs": lambda hand: sum(hand) * (set(Counter(hand).values()) == {2}),
    "three of a kind": lambda hand: highest(hand, 3),
    "four of a kind": lambda hand: highest(hand, 4),
    "five of a kind": lambda hand: highest(hand, 5),
    "small straight": lambda hand: 15 * ({1, 2, 3, 4, 5} <= set(hand)),
    "large straight": lambda hand: 20 * ({2, 3, 4, 5, 6} <= set(hand)),
    "full straight": lambda hand: 21 * (len(set(hand)) == 6),
    "full house": lambda hand: highest(hand, 3, 2),
    "villa": lambda hand: sum(hand) * (list(Counter(hand).values()) == [3, 3]),
    "tower": lambda hand: sum(hand) * (sorted(Counter(hand).values()) == [2, 4]),
    "chance": sum,
    "maxi yatzy": lambda hand: 100 * (len(set(hand)) == 1),
}


@pytest.fixture(scope="module")
def told() -> Told:
    return told_of("maxi-yatzy", HANDS)


def test_all_hands_in_all_boxes(told: Told) -> None:
    """462 hands, 20 boxes: what the referee would write is what the rule gives."""
    assert len(BY_THE_RULE) == 20
    for hand, gives in told[1].items():
        assert dict(gives) == {box: score(hand) for box, score in BY_THE_RULE.items()}, hand


def six_alike(throws: int) -> Fraction:
    """Return the odds of six alike, always keeping the most alike: a chain over how many are alike."""
    odds = {0: Fraction(1)}
    for _ in range(throws):
        after: dict[int, Fraction] = {}
        for alike, reached in odds.items():
            for more, number in ways(6 - alike):  # those kept show a 1: the faces are alike among themselves
                most = max(Counter((1,) * alike + more).values())
                after[most] = after.get(most, Fraction(0)) + reached * Fraction(number, 6 ** len(more))
        odds = after
    return odds[6]


def test_the_means_that_need_no_search(told: Told) -> None:
    """Best play under the referee has the means of the rule, exactly, in three throws and with two saved ones more.

    Ones to sixes: a die shows the face after up to n throws with odds 1 - (5/6)^n, and none is ever thrown again.
    Chance, three throws: die by die, thrown again below the mean of what is to come: 3.5, then 4.25, then 14/3.
    Maxi yatzy: 100 times the odds of a chain over how many are alike, 2.05 % in three throws, 10.64 % in five.
    """
    legal, gives = told
    for throws in (3, 5):
        for face, box in enumerate(UPPER, start=1):
            mean = 6 * face * (1 - Fraction(5, 6) ** throws)
            assert best_mean(6, throws, of_box(gives, box), legal) == mean, box
        assert best_mean(6, throws, of_box(gives, "maxi yatzy"), legal) == 100 * six_alike(throws)
    assert best_mean(6, 3, of_box(gives, "chance"), legal) == 6 * Fraction(14, 3)
    assert (round(float(six_alike(3)), 4), round(float(six_alike(5)), 4)) == (0.0205, 0.1064)


def test_the_means_that_need_a_search(told: Told) -> None:
    """The other boxes: best play under the referee and under the rule have the same mean, and so have two straights.

    A small straight is as likely as a large one: both need five given faces.
    """
    legal, gives = told
    for box in (*list(BY_THE_RULE)[6:12], "small straight", "full straight", "full house", "villa", "tower"):
        assert best_mean(6, 3, of_box(gives, box), legal) == best_mean(6, 3, of_hand(BY_THE_RULE[box]), all_parts(6))
    small, large = (best_mean(6, 3, of_box(gives, box), legal) for box in ("small straight", "large straight"))
    assert small / 15 == large / 20


def test_the_highest_total() -> None:
    """649: the best hand in each box and the bonus, added up by hand from the text's list; played, it is the score.

    126 and 100 above; 12 + 22 + 30 for pairs, 18 + 24 + 30 alike, 15 + 20 + 21, 28 + 33 + 34, 36, 100 below.
    """
    match = Match("maxi-yatzy", ["Ann"])
    for box, score in BY_THE_RULE.items():
        hand = max(HANDS, key=score)
        match.throw(hand)
        match.keep(hand)
        match.choose(box)
    assert match.over
    assert match.scores["Ann"] == 649
