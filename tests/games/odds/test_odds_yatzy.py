"""Yatzy's odds: the best mean of each box alone, the forced game, and the published figures of a whole match."""

from collections import Counter
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from best_play import (
    Faces,
    Gives,
    Lattice,
    Legal,
    Numbers,
    Score,
    all_parts,
    best_mean,
    hands,
    of_box,
    of_face,
    of_hand,
    with_bonus,
)
from told_hands import told_of

from tabletop.rules import Match

Told = tuple[Legal, Gives]
HANDS = hands(5)
UPPER = ["ones", "twos", "threes", "fours", "fives", "sixes"]
GOAL, BONUS = 63, 50


def highest(hand: Faces, count: int) -> int:
    return max((count * face for face in hand if hand.count(face) >= count), default=0)


def two_pairs(hand: Faces) -> int:
    """Return the total of two pairs with different faces; five dice never have three."""
    pairs = [face for face, count in Counter(hand).items() if count > 1]
    return 2 * sum(pairs) if len(pairs) == 2 else 0


BY_THE_RULE: dict[str, Score] = {
    **{box: of_face(face) for face, box in enumerate(UPPER, start=1)},
    "one pair": lambda hand: highest(hand, 2),
    "two pairs": two_pairs,
    "three of a kind": lambda hand: highest(hand, 3),
    "four of a kind": lambda hand: highest(hand, 4),
    "small straight": lambda hand: 15 * (hand == (1, 2, 3, 4, 5)),
    "large straight": lambda hand: 20 * (hand == (2, 3, 4, 5, 6)),
    "full house": lambda hand: sum(hand) * (sorted(Counter(hand).values()) == [2, 3]),
    "chance": sum,
    "yatzy": lambda hand: 50 * (len(set(hand)) == 1),
}
BOXES = list(BY_THE_RULE)
POINTS = np.array([[score(hand) for score in BY_THE_RULE.values()] for hand in HANDS], dtype=np.float64)


@pytest.fixture(scope="module")
def told() -> Told:
    return told_of("yatzy", HANDS)


def test_all_hands_in_all_boxes(told: Told) -> None:
    """252 hands, 15 boxes: what the referee would write is what the rule gives."""
    assert len(BOXES) == 15
    for hand, gives in told[1].items():
        assert dict(gives) == {box: score(hand) for box, score in BY_THE_RULE.items()}, hand


def test_the_means_that_need_no_search(told: Told) -> None:
    """Best play under the referee has the means of the rule, exactly.

    Ones to sixes: a die shows the face after up to three throws with odds 1 - (5/6)^3, and none is ever thrown again.
    Chance: die by die, thrown again below the mean of what is to come: 3.5, then 4.25, then 14/3.
    Yatzy: 50 times 347897/7558272, which is the published 4.6029 % of Yahtzee.
    """
    legal, gives = told
    means = {box: 5 * face * (1 - Fraction(5, 6) ** 3) for face, box in enumerate(UPPER, start=1)}
    means |= {"chance": 5 * Fraction(14, 3), "yatzy": 50 * Fraction(347897, 7558272)}
    for box, mean in means.items():
        assert best_mean(5, 3, of_box(gives, box), legal) == mean, box


def test_the_means_that_need_a_search(told: Told) -> None:
    """The other boxes: best play under the referee and under the rule have the same mean, and so has each straight.

    A small straight is as likely as a large one: both need five given faces.
    """
    legal, gives = told
    for box in ("one pair", "two pairs", "three of a kind", "four of a kind", "full house", "small straight"):
        assert best_mean(5, 3, of_box(gives, box), legal) == best_mean(5, 3, of_hand(BY_THE_RULE[box]), all_parts(5))
    small, large = (best_mean(5, 3, of_box(gives, box), legal) for box in ("small straight", "large straight"))
    assert small / 15 == large / 20


def forced_match(rng: Random, to_come: Numbers, lattice: Lattice) -> int:
    """Play the forced game alone through the referee, as well as can be; return the total."""
    match = Match("yatzy", ["Ann"], rules="forced-yatzy")
    upper = 0
    for box, name in enumerate(BOXES):
        there = np.minimum(GOAL, upper + POINTS[:, box] * (box < len(UPPER))).astype(int)
        last = (POINTS[:, box] + to_come[(2 << box) - 1, there])[:, None]
        hand: Faces = ()
        for value in (lattice.before_keep(last), last, None):
            faces = tuple(rng.randint(1, 6) for _ in range(5 - len(hand)))
            match.throw(faces)
            hand = tuple(sorted(hand + faces))
            if value is None:
                break
            means = [*lattice.after_parts(value)[:-1], last]  # keeping all ends the throwing
            kept = max(match.request.legal, key=lambda part: lattice.of_part(means, part))
            match.keep(kept)
            if len(kept) == len(hand):
                break
            hand = kept
        assert match.request.options == (name,)
        match.choose(name)
        upper += int(POINTS[lattice.place[hand], box]) * (box < len(UPPER))
    return match.scores["Ann"]


def test_the_best_mean_of_the_forced_game() -> None:
    """122.5585, worked out from the rule; 400 seeded matches of best play have it within four standard errors."""
    to_come = with_bonus(5, 3, POINTS, GOAL, BONUS, in_order=True)
    mean = float(to_come[0, 0])
    assert round(mean, 4) == 122.5585
    rng, lattice = Random("forced"), Lattice(5)
    totals = np.array([forced_match(rng, to_come, lattice) for _ in range(400)])
    assert float(totals.mean()) == pytest.approx(mean, abs=4 * float(totals.std()) / 20)


@pytest.mark.slow
def test_the_published_best_mean_of_a_match() -> None:
    """248.4, Daniel Langkilde, "Yatzy: More Than You Ever Wanted To Know", 2025; solved from the rule it is 248.4400.

    The points are those of `test_all_hands_in_all_boxes`, so the referee's game is the one that is solved. Larsson and
    Sjöberg, "Optimal Yatzy strategy", KTH Stockholm, 2012, have 248.63: 248.64 is what four alike as two pairs make.
    """
    assert round(float(with_bonus(5, 3, POINTS, GOAL, BONUS)[0, 0]), 4) == 248.4400


def test_the_published_highest_total() -> None:
    """374, Wikipedia, "Yatzy": the best hand in each box, and the bonus."""
    match = Match("yatzy", ["Ann"])
    for box, score in BY_THE_RULE.items():
        hand = max(HANDS, key=score)
        match.throw(hand)
        match.keep(hand)
        match.choose(box)
    assert match.over
    assert match.scores["Ann"] == 374
