"""Balut's odds: every hand in every category, the best mean of each alone, and the published table of points."""

from collections import Counter
from fractions import Fraction
from random import Random

import pytest
from best_play import Faces, Gives, Legal, Score, all_parts, best_mean, hands, of_box, of_face, of_hand
from told_hands import told_of

from tabletop.rules import Match

Told = tuple[Legal, Gives]
HANDS = hands(5)

BY_THE_RULE: dict[str, Score] = {
    "fours": of_face(4),
    "fives": of_face(5),
    "sixes": of_face(6),
    "straight": lambda hand: sum(hand) * (len(set(hand)) == 5 and hand[4] - hand[0] == 4),
    "full house": lambda hand: sum(hand) * (sorted(Counter(hand).values()) == [2, 3]),
    "choice": sum,
    "balut": lambda hand: (sum(hand) + 20) * (len(set(hand)) == 1),
}
# diceworldgame.com, "Balut!": totals from, to, points
TABLE = """
0 299 -2
300 349 -1
350 399 0
400 449 1
450 499 2
500 549 3
550 599 4
600 649 5
650 812 6
"""
ROWS = [tuple(map(int, line.split())) for line in TABLE.strip().splitlines()]


@pytest.fixture(scope="module")
def told() -> Told:
    return told_of("balut", HANDS)


def test_all_hands_in_all_categories(told: Told) -> None:
    """252 hands, 7 categories: what the referee would write is what the rule gives."""
    for hand, gives in told[1].items():
        assert dict(gives) == {box: score(hand) for box, score in BY_THE_RULE.items()}, hand


def test_the_means_that_need_no_search(told: Told) -> None:
    """Best play under the referee has the means of the rule, exactly.

    Fours to sixes: a die shows the face after up to three throws with odds 1 - (5/6)^3, and none is ever thrown again.
    Choice: die by die, thrown again below the mean of what is to come: 3.5, then 4.25, then 14/3.
    """
    legal, gives = told
    for face, box in ((4, "fours"), (5, "fives"), (6, "sixes")):
        assert best_mean(5, 3, of_box(gives, box), legal) == 5 * face * (1 - Fraction(5, 6) ** 3), box
    assert best_mean(5, 3, of_box(gives, "choice"), legal) == 5 * Fraction(14, 3)


def test_the_odds_of_a_balut(told: Told) -> None:
    """347897/7558272, the published 4.6029 % of Yahtzee, is what three throws for five alike come to."""
    legal, gives = told
    assert best_mean(5, 3, lambda hand, _: int(gives[hand]["balut"] > 0), legal) == Fraction(347897, 7558272)


def test_the_means_that_need_a_search(told: Told) -> None:
    """Straight, full house and balut: best play under the referee and under the rule have the same mean."""
    legal, gives = told
    for box in ("straight", "full house", "balut"):
        assert best_mean(5, 3, of_box(gives, box), legal) == best_mean(5, 3, of_hand(BY_THE_RULE[box]), all_parts(5))


def points(entries: dict[str, list[int]]) -> int:
    total = sum(sum(scores) for scores in entries.values())
    (reward,) = (reward for least, most, reward in ROWS if least <= total <= most)
    for box, least in (("fours", 52), ("fives", 65), ("sixes", 78), ("choice", 100)):
        reward += 2 * (sum(entries[box]) >= least)
    reward += 4 * (0 not in entries["straight"]) + 3 * (0 not in entries["full house"])
    return reward + 2 * sum(score > 0 for score in entries["balut"])


@pytest.mark.parametrize("luck", range(0, 101, 4))
def test_the_points_of_a_full_sheet(luck: int) -> None:
    """Matches in which the best hand comes so often, in percent: points and total are those of the rules."""
    rng = Random(f"balut {luck}")
    match = Match("balut", ["Ann"])
    entries: dict[str, list[int]] = {box: [] for box in BY_THE_RULE}
    while not match.over:
        box = rng.choice([box for box, scores in entries.items() if len(scores) < 4])
        score = BY_THE_RULE[box]
        hand = max(HANDS, key=score) if rng.random() * 100 < luck else rng.choice(HANDS)
        match.throw(hand)
        match.keep(hand)
        match.choose(box)
        entries[box].append(score(hand))
    assert match.scores["Ann"] == points(entries)
    assert match.sheet["total"]["Ann"] == sum(map(sum, entries.values()))
    assert match.sheet["straight"]["Ann"] == "/".join(map(str, entries["straight"]))


def hands_for(total: int) -> list[tuple[str, Faces]]:
    """Return 28 hands with their categories that come to this total, found from the highest entries down.

    A hand of nothing in a category is written as 0; choices are 5 to 30.
    """
    left = total - 4 * 5  # four choices of five 1s at least
    found: list[tuple[str, Faces]] = []
    for box in ("balut", "full house", "sixes", "fives", "straight", "fours"):
        score = BY_THE_RULE[box]
        for _ in range(4):
            hand = max((hand for hand in HANDS if score(hand) <= left), key=score)
            left -= score(hand)
            found.append((box, hand))
    for _ in range(4):
        more = min(25, left)
        found.append(("choice", next(hand for hand in HANDS if sum(hand) == 5 + more)))
        left -= more
    assert left == 0
    return found


@pytest.mark.parametrize("total", [total for least, most, _ in ROWS for total in (max(least, 20), most)])
def test_the_table_of_points_at_its_edges(total: int) -> None:
    """The lowest and the highest total of each row of the published table; 20 is the lowest that four choices allow."""
    match = Match("balut", ["Ann"])
    entries: dict[str, list[int]] = {box: [] for box in BY_THE_RULE}
    for box, hand in hands_for(total):
        match.throw(hand)
        match.keep(hand)
        match.choose(box)
        entries[box].append(BY_THE_RULE[box](hand))
    assert match.sheet["total"]["Ann"] == total
    assert match.scores["Ann"] == points(entries)
