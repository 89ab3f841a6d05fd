"""General's odds: the big general, and the best mean of each box when three throws go for it alone."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction

import pytest
from best_play import Faces, Worth, all_parts, best_mean, hands, of_face, of_hand, ways

from tabletop.rules import Match

Told = Mapping[tuple[Faces, int], Mapping[str, int]]
UPPER = ["ones", "twos", "threes", "fours", "fives", "sixes"]


def test_the_odds_of_a_big_general() -> None:
    """Of the 7776 first throws 6 win at once: 1295 to 1 against.

    Published in the same words: "Reglamento de Generala" (scribd.com/document/407179825/reglamento-generala-pdf).
    """
    match = Match("general", ["Ann", "Ben"])
    won = 0
    for hand, number in ways(5):
        match.throw(hand)
        won += number * match.over
        match.undo()
    assert Fraction(won, 6**5) == Fraction(1, 1 + 1295)


@pytest.fixture(scope="module")
def told() -> Told:
    """Ask the referee what each hand gives in each box after one, two and three throws."""
    gives: dict[tuple[Faces, int], Mapping[str, int]] = {}
    match = Match("general", ["Ann"], big_general="never")
    for again in range(3):
        for hand in hands(5):
            match.throw(hand)
            if again < 2:
                match.keep(hand)
            gives[hand, again + 1] = match.request.gives
            for _ in range(2 if again < 2 else 1):
                match.undo()
        if again < 2:
            match.throw((1, 2, 2, 4, 6))
            match.keep(())
    return gives


def after_throws(told: Told, box: str) -> Worth:
    return lambda hand, throws: told[hand, throws][box]


def is_straight(hand: Faces) -> bool:
    """Tell by trying each ace as itself, as a 2 and as a 6."""
    tried: list[Faces] = [()]
    for die in hand:
        tried = [(*some, face) for some in tried for face in ((1, 2, 6) if die == 1 else (die,))]
    return any(tuple(sorted(some)) in ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6)) for some in tried)


def most(hand: Faces) -> int:
    return max(Counter(hand).values())


BY_THE_RULE: dict[str, Worth] = {
    **{box: of_hand(of_face(face)) for face, box in enumerate(UPPER, start=1)},
    "straight": lambda hand, throws: is_straight(hand) * (25 if throws == 1 else 20),
    "full house": lambda hand, throws: (sorted(Counter(hand).values()) == [2, 3]) * (35 if throws == 1 else 30),
    "four of a kind": lambda hand, throws: (most(hand) > 3) * (45 if throws == 1 else 40),
    "chance": lambda hand, _: sum(hand),
    "general": lambda hand, _: (most(hand) == 5) * 60,
}


def test_all_hands_in_all_boxes(told: Told) -> None:
    """252 hands after each number of throws, 11 boxes: what each gives is what the text says."""
    for (hand, throws), gives in told.items():
        assert dict(gives) == {box: score(hand, throws) for box, score in BY_THE_RULE.items()}, (hand, throws)


def test_which_hands_are_straights() -> None:
    """Four of the 252 hands: two without a wild ace, 1-3-4-5-6, and 1-1-3-4-5."""
    straights = [(1, 1, 3, 4, 5), (1, 2, 3, 4, 5), (1, 3, 4, 5, 6), (2, 3, 4, 5, 6)]
    assert [hand for hand in hands(5) if is_straight(hand)] == straights


def test_the_best_means(told: Told) -> None:
    """Best play for one box under the referee and under the rule have the same mean, exactly.

    Without a search: ones to sixes and chance as in Yacht; general 60 times 347897/7558272, the published 4.6029 %.
    """
    parts = all_parts(5)
    for box, score in BY_THE_RULE.items():
        mean = best_mean(5, 3, after_throws(told, box), parts)
        assert mean == best_mean(5, 3, score, parts), box
        if box in UPPER:
            assert mean == 5 * (UPPER.index(box) + 1) * (1 - Fraction(5, 6) ** 3)
        if box == "general":
            assert mean == 60 * Fraction(347897, 7558272)
        if box == "chance":
            assert mean == 5 * Fraction(14, 3)
