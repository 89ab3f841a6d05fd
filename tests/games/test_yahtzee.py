"""Yahtzee: the three throws of a turn, a whole match, later yahtzees. Every hand in every box: test_box_hands.py."""

import pytest

from tabletop.rules import Match

UPPER = ["ones", "twos", "threes", "fours", "fives", "sixes"]


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
