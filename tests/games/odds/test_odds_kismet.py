"""Kismet's odds: every hand in every box, and the best mean of each box alone."""

from collections import Counter
from fractions import Fraction

import pytest
from best_play import Faces, Gives, Legal, Score, all_parts, best_mean, hands, of_box, of_face, of_hand
from told_hands import told_of

from tabletop.rules import Match

Told = tuple[Legal, Gives]
HANDS = hands(5)
UPPER = ["ones", "twos", "threes", "fours", "fives", "sixes"]


def most(hand: Faces) -> int:
    return max(map(hand.count, hand))


def colours(hand: Faces) -> Counter[int]:
    """Return how many dice there are of each colour; the two faces of a colour add up to 7."""
    return Counter(min(face, 7 - face) for face in hand)


def pairs_of_a_colour(hand: Faces) -> bool:
    """Whether two pairs have one colour: the pairs of its two faces are counted."""
    return any(hand.count(face) // 2 + hand.count(7 - face) // 2 >= 2 for face in (1, 2, 3))


def is_house(hand: Faces) -> bool:
    return hand[0] == hand[1] and hand[3] == hand[4] and hand[2] in (hand[1], hand[3])


BY_THE_RULE: dict[str, Score] = {
    **{box: of_face(face) for face, box in enumerate(UPPER, start=1)},
    "two pairs same colour": lambda hand: sum(hand) * pairs_of_a_colour(hand),
    "three of a kind": lambda hand: sum(hand) * (most(hand) > 2),
    "straight": lambda hand: 30 * (len(set(hand)) == 5 and hand[4] - hand[0] == 4),
    "flush": lambda hand: 35 * (len(colours(hand)) == 1),
    "full house": lambda hand: (sum(hand) + 15) * is_house(hand),
    "same colour house": lambda hand: (sum(hand) + 20) * (is_house(hand) and len(colours(hand)) == 1),
    "four of a kind": lambda hand: (sum(hand) + 25) * (most(hand) > 3),
    "yarborough": sum,
    "kismet": lambda hand: (sum(hand) + 50) * (most(hand) == 5),
}


@pytest.fixture(scope="module")
def told() -> Told:
    return told_of("kismet", HANDS)


def test_all_hands_in_all_boxes(told: Told) -> None:
    """252 hands, 15 boxes: what the referee would write is what the rule gives."""
    assert len(BY_THE_RULE) == 15
    for hand, gives in told[1].items():
        assert dict(gives) == {box: score(hand) for box, score in BY_THE_RULE.items()}, hand


def flush_odds() -> Fraction:
    """Return the odds of a flush in three throws, always keeping the colour that most dice show: a chain over these.

    A die has the colour kept with odds 1/3; in the first throw any of three colours may be the one.
    """
    odds = {0: Fraction(1)}
    for _ in range(3):
        after: dict[int, Fraction] = {}
        for alike, reached in odds.items():
            for code in range(3 ** (5 - alike)):  # each way in which the dice thrown show three colours
                thrown = [code // 3**place % 3 for place in range(5 - alike)]
                most_of_one = max(Counter([0] * alike + thrown).values())
                after[most_of_one] = after.get(most_of_one, Fraction(0)) + reached / 3 ** (5 - alike)
        odds = after
    return odds[5]


def test_the_means_that_need_no_search(told: Told) -> None:
    """Best play under the referee has the means of the rule, exactly.

    Ones to sixes: a die shows the face after up to three throws with odds 1 - (5/6)^3, and none is ever thrown again.
    Yarborough: die by die, thrown again below the mean of what is to come: 3.5, then 4.25, then 14/3.
    Flush: 35 times 1961/6561, 29.89 %, by a chain over the dice of one colour.
    """
    legal, gives = told
    for face, box in enumerate(UPPER, start=1):
        assert best_mean(5, 3, of_box(gives, box), legal) == 5 * face * (1 - Fraction(5, 6) ** 3), box
    assert best_mean(5, 3, of_box(gives, "yarborough"), legal) == 5 * Fraction(14, 3)
    assert best_mean(5, 3, of_box(gives, "flush"), legal) == 35 * flush_odds()
    assert flush_odds() == Fraction(1961, 6561)


def test_the_odds_of_a_kismet(told: Told) -> None:
    """347897/7558272, the published 4.6029 % of Yahtzee, is what three throws for five alike come to."""
    legal, gives = told
    assert best_mean(5, 3, lambda hand, _: int(gives[hand]["kismet"] > 0), legal) == Fraction(347897, 7558272)


def test_the_means_that_need_a_search(told: Told) -> None:
    """The other boxes: best play under the referee and under the rule have the same mean."""
    legal, gives = told
    for box in [*list(BY_THE_RULE)[6:9], "full house", "same colour house", "four of a kind", "kismet"]:
        assert best_mean(5, 3, of_box(gives, box), legal) == best_mean(5, 3, of_hand(BY_THE_RULE[box]), all_parts(5))


def test_the_highest_basic_bonus_and_total() -> None:
    """Kismets of the face in ones to sixes make 105 and 75; the best hands below 30, 30, 30, 35, 45, 50, 55, 30, 80.

    By hand from the list of scores: 565 without a penalty for anybody, as Ann is alone.
    """
    match = Match("kismet", ["Ann"])
    for box, score in BY_THE_RULE.items():
        hand = max(HANDS, key=score)
        match.throw(hand)
        match.keep(hand)
        match.choose(box)
    assert match.over
    assert match.scores["Ann"] == 105 + 75 + 30 + 30 + 30 + 35 + 45 + 50 + 55 + 30 + 80
