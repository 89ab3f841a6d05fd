"""Every hand of Yahtzee in every box, against a scoring written here from the text alone, by sets and sorted lists."""

from collections import Counter
from itertools import combinations, combinations_with_replacement

import pytest

from tabletop.rules import Match

HANDS = list(combinations_with_replacement(range(1, 7), 5))  # all 252
UPPER = ["ones", "twos", "threes", "fours", "fives", "sixes"]


def score(box: str, hand: tuple[int, ...]) -> int:
    """Score a hand as the text has it: what is needed, and how many points it receives."""
    most = max(Counter(hand).values())
    straights = {
        "small straight": ([{1, 2, 3, 4}, {2, 3, 4, 5}, {3, 4, 5, 6}], 30),
        "large straight": ([{1, 2, 3, 4, 5}, {2, 3, 4, 5, 6}], 40),
    }
    if box in UPPER:
        face = UPPER.index(box) + 1
        return sum(die for die in hand if die == face)
    if box in straights:
        runs, points = straights[box]
        return points if any(run <= set(hand) for run in runs) else 0
    if box == "full house":
        return 25 if set(Counter(hand).values()) == {2, 3} else 0
    needed = {"three of a kind": 3, "four of a kind": 4, "yahtzee": 5, "chance": 1}[box]
    if most < needed:
        return 0
    return 50 if box == "yahtzee" else sum(hand)


def hand_thrown(hand: tuple[int, ...]) -> Match:
    match = Match("yahtzee", ["Ann", "Ben"])
    match.throw(hand)
    match.keep(hand)
    return match


def test_all_hands_in_all_boxes() -> None:
    """252 hands, 13 boxes: what a box would give, and what it then is worth."""
    for hand in HANDS:
        match = hand_thrown(hand)
        assert len(match.request.options) == 13
        for box in match.request.options:
            assert match.request.gives[box] == score(box, hand), (hand, box)
            match.choose(box)
            assert match.scores == {"Ann": score(box, hand), "Ben": 0}
            assert match.sheet[box] == {"Ann": score(box, hand), "Ben": None}
            match.undo()


def test_any_part_of_the_hand_may_be_kept() -> None:
    """After each hand all its different parts are legal, and no others; so is a part of dice kept before."""
    for hand in HANDS:
        parts = {tuple(sorted(part)) for size in range(6) for part in combinations(hand, size)}
        match = Match("yahtzee", ["Ann"])
        match.throw(hand)
        assert set(match.request.legal) == parts
        match.keep(hand[:2])
        match.throw(hand[2:])
        assert set(match.request.legal) == parts


@pytest.mark.parametrize("throws", [1, 2, 3])
def test_three_throws_and_no_more(throws: int) -> None:
    """Keeping all ends the throwing after one or two throws; after the third a box is chosen at once."""
    match = Match("yahtzee", ["Ann", "Ben"])
    for number in range(1, throws + 1):
        assert match.request.kind == "roll"
        match.throw([number] * 5)
        if number < 3:
            match.keep([] if number < throws else [number] * 5)
    assert match.request.kind == "choose"


def test_thirteen_rounds_and_a_shared_victory() -> None:
    """Two players who throw the same thirteen times share the win; the upper boxes are at 63 and earn 35."""
    match = Match("yahtzee", ["Ann", "Ben"])
    turns = [(box, [face] * 3 + [face % 6 + 1] * 2) for face, box in enumerate(UPPER, start=1)]
    turns += [
        ("three of a kind", [6, 6, 6, 1, 2]),
        ("four of a kind", [6, 6, 6, 6, 2]),
        ("full house", [6, 6, 6, 2, 2]),
        ("small straight", [1, 2, 3, 4, 6]),
        ("large straight", [1, 2, 3, 4, 5]),
        ("yahtzee", [1, 1, 1, 1, 2]),
        ("chance", [1, 1, 1, 1, 2]),
    ]
    for box, hand in turns:
        for _ in range(2):
            assert not match.state()["winners"]
            match.throw(hand)
            match.keep(hand)
            match.choose(box)
    total = 63 + 35 + 21 + 26 + 25 + 30 + 40 + 0 + 6
    assert match.request.kind == "over"
    assert match.scores == {"Ann": total, "Ben": total}
    assert match.winners == ("Ann", "Ben")
    match.undo()
    assert match.state()["winners"] == []


@pytest.mark.parametrize("face", range(1, 7))
def test_every_later_yahtzee_earns_another_bonus(face: int) -> None:
    """Thirteen yahtzees of one face: 50, its upper box, then jokers, and 100 for each of the twelve later ones."""
    match = Match("yahtzee", ["Ann"])
    order = ["yahtzee", UPPER[face - 1], "full house", "small straight", "large straight", "chance"]
    order += ["three of a kind", "four of a kind", *(box for box in UPPER if box != UPPER[face - 1])]
    for box in order:
        match.throw([face] * 5)
        match.keep([face] * 5)
        match.choose(box)
    assert match.scores["Ann"] == 50 + 5 * face + 25 + 30 + 40 + 3 * 5 * face + 12 * 100
    assert match.sheet["yahtzee bonus"]["Ann"] == 1200
