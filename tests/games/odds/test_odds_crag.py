"""Crag's odds: the best mean of each box alone, and of a whole match alone."""

from fractions import Fraction

import pytest
from best_play import Faces, Gives, Legal, Score, all_parts, best_mean, best_total, hands, of_box, of_hand

from tabletop.rules import Match

Told = tuple[Legal, Gives]
UPPER = ["ones", "twos", "threes", "fours", "fives", "sixes"]


def has_a_double(hand: Faces) -> bool:
    return hand[0] == hand[1] or hand[1] == hand[2]


BY_THE_RULE: dict[str, Score] = {
    "ones": lambda hand: sum(die for die in hand if die == 1),
    "twos": lambda hand: sum(die for die in hand if die == 2),
    "threes": lambda hand: sum(die for die in hand if die == 3),
    "fours": lambda hand: sum(die for die in hand if die == 4),
    "fives": lambda hand: sum(die for die in hand if die == 5),
    "sixes": lambda hand: sum(die for die in hand if die == 6),
    "odd straight": lambda hand: 20 * all(face in hand for face in (1, 3, 5)),
    "even straight": lambda hand: 20 * all(face in hand for face in (2, 4, 6)),
    "low straight": lambda hand: 20 * all(face in hand for face in (1, 2, 3)),
    "high straight": lambda hand: 20 * all(face in hand for face in (4, 5, 6)),
    "three of a kind": lambda hand: 25 * (hand[0] == hand[2]),
    "thirteen": lambda hand: 26 * (sum(hand) == 13 and not has_a_double(hand)),
    "crag": lambda hand: 50 * (sum(hand) == 13 and has_a_double(hand)),
}


@pytest.fixture(scope="module")
def told() -> Told:
    legal: dict[Faces, tuple[Faces, ...]] = {}
    gives: Gives = {}
    for hand in hands(3):
        match = Match("crag", ["Ann"])
        match.throw(hand)
        legal[hand] = match.request.legal
        match.keep(hand)
        gives[hand] = match.request.gives
    return legal, gives


def test_all_hands_in_all_boxes(told: Told) -> None:
    """56 hands, 13 boxes: what each gives is what the text says; any part may be kept."""
    legal, gives = told
    for hand in hands(3):
        assert dict(gives[hand]) == {box: score(hand) for box, score in BY_THE_RULE.items()}
        assert set(legal[hand]) == set(all_parts(3)[hand])


def test_the_means_of_the_boxes(told: Told) -> None:
    """Best play for one box under the referee and under the rule have the same mean, exactly.

    Without a search: for ones to sixes each of three dice shows the face with odds 1 - (5/6)^2 = 11/36; for a straight
    the given faces that have come are kept, and the others come with odds 1/6, 1/18 or 1/36.
    """
    legal, gives = told
    for box, score in BY_THE_RULE.items():
        mean = best_mean(3, 2, of_hand(score), all_parts(3))
        assert best_mean(3, 2, of_box(gives, box), legal) == mean, box
        if box in UPPER:
            assert mean == 3 * (UPPER.index(box) + 1) * Fraction(11, 36)
        if "straight" in box:
            assert mean == 20 * straight_in_two_throws()


def straight_in_two_throws() -> Fraction:
    odds = Fraction(0)
    rest = {0: Fraction(1), 1: Fraction(1, 6), 2: Fraction(2, 36), 3: Fraction(6, 216)}
    for one in range(1, 7):
        for two in range(1, 7):
            for three in range(1, 7):
                odds += rest[3 - len({one, two, three} & {1, 3, 5})] / 216
    return odds


def test_the_best_mean_of_a_match(told: Told) -> None:
    """Who plays all thirteen boxes best has a mean of 147.4061, under the rule and under the referee.

    A search back from the full sheet through all 8192 sets of filled boxes; what a box gives does not depend on others.
    """
    _, gives = told
    by_the_rule = best_total(3, 2, [[score(hand) for hand in hands(3)] for score in BY_THE_RULE.values()])
    by_the_referee = best_total(3, 2, [[gives[hand][box] for hand in hands(3)] for box in BY_THE_RULE])
    assert by_the_referee == pytest.approx(by_the_rule, abs=1e-9)
    assert round(by_the_rule, 4) == 147.4061


def test_the_most_that_a_match_can_score() -> None:
    """The best hand in each box makes 244; Wikipedia has that figure as well ("Crag (dice game)")."""
    assert sum(max(map(score, hands(3))) for score in BY_THE_RULE.values()) == 244
