"""Yacht's odds: the best mean of each box alone, and of a whole match alone."""

from collections import Counter
from fractions import Fraction

import pytest
from best_play import Gives, Legal, Score, all_parts, best_mean, best_total, hands, of_box, of_hand
from told_hands import told_of

Told = tuple[Legal, Gives]
UPPER = ["ones", "twos", "threes", "fours", "fives", "sixes"]

BY_THE_RULE: dict[str, Score] = {
    "little straight": lambda hand: 30 * (hand == (1, 2, 3, 4, 5)),
    "big straight": lambda hand: 30 * (hand == (2, 3, 4, 5, 6)),
    "full house": lambda hand: sum(hand) * (sorted(Counter(hand).values()) == [2, 3]),
    "four of a kind": lambda hand: sum(4 * face for face in range(1, 7) if hand.count(face) > 3),
}


@pytest.fixture(scope="module")
def told() -> Told:
    return told_of("yacht", hands(5))


def known_means() -> dict[str, Fraction]:
    """Return the mean of each box that needs no search.

    Ones to sixes: a die shows the face after up to three throws with odds 1 - (5/6)^3, and none is ever thrown again.
    Chance: die by die, thrown again below the mean of what is to come: 3.5, then 4.25, then 14/3.
    Yacht: 50 times 347897/7558272, which is the published 4.6029 % of Yahtzee.
    """
    means = {box: 5 * face * (1 - Fraction(5, 6) ** 3) for face, box in enumerate(UPPER, start=1)}
    return means | {"chance": 5 * Fraction(14, 3), "yacht": 50 * Fraction(347897, 7558272)}


def test_the_means_that_need_no_search(told: Told) -> None:
    """Best play under the referee has the means of the rule, exactly."""
    legal, gives = told
    for box, mean in known_means().items():
        assert best_mean(5, 3, of_box(gives, box), legal) == mean, box


def test_the_means_that_need_a_search(told: Told) -> None:
    """The other boxes: best play under the referee and under the rule have the same mean.

    A big straight alone is as likely as a little one: both need five given faces.
    """
    legal, gives = told
    means = {}
    for box, score in BY_THE_RULE.items():
        means[box] = best_mean(5, 3, of_hand(score), all_parts(5))
        assert best_mean(5, 3, of_box(gives, box), legal) == means[box], box
    assert means["little straight"] == means["big straight"]


def test_the_best_mean_of_a_match(told: Told) -> None:
    """Who plays all twelve boxes best has a mean of 166.9551, under the rule and under the referee.

    A search back from the full sheet through all 4096 sets of filled boxes; what a box gives does not depend on others.
    """
    legal, gives = told
    assert {hand: set(parts) for hand, parts in legal.items()} == {
        hand: set(parts) for hand, parts in all_parts(5).items()
    }
    rule = [[face * hand.count(face) for hand in hands(5)] for face in range(1, 7)]
    rule += [[score(hand) for hand in hands(5)] for score in BY_THE_RULE.values()]
    rule += [[sum(hand) for hand in hands(5)], [50 * (len(set(hand)) == 1) for hand in hands(5)]]
    by_the_rule = best_total(5, 3, rule)
    by_the_referee = best_total(5, 3, [[gives[hand][box] for hand in hands(5)] for box in gives[hands(5)[0]]])
    assert by_the_referee == pytest.approx(by_the_rule, abs=1e-9)
    assert round(by_the_rule, 4) == 166.9551
