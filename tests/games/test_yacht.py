"""Every hand of Yacht in every box, against a scoring written here from the text alone, and the cases of Exercism."""

import json
from collections import Counter
from pathlib import Path

import pytest
from best_play import Faces, all_parts, hands

from tabletop.rules import Match

CASES = json.loads((Path(__file__).parents[1] / "data" / "exercism-yacht.json").read_text(encoding="utf-8"))["cases"]
UPPER = ["ones", "twos", "threes", "fours", "fives", "sixes"]
BOXES = [*UPPER, "little straight", "big straight", "full house", "four of a kind", "chance", "yacht"]


def score(box: str, hand: Faces) -> int:
    """Score a hand as the text has it."""
    counts = Counter(hand)
    (face, most), *_ = counts.most_common()
    if box in UPPER:
        return sum(die for die in hand if die == UPPER.index(box) + 1)
    return {
        "little straight": 30 * (set(hand) == {1, 2, 3, 4, 5}),
        "big straight": 30 * (set(hand) == {2, 3, 4, 5, 6}),
        "full house": sum(hand) * (set(counts.values()) == {2, 3}),
        "four of a kind": 4 * face * (most > 3),
        "chance": sum(hand),
        "yacht": 50 * (most == 5),
    }[box]


def stand(dice: list[int]) -> Match:
    match = Match("yacht", ["Ann", "Ben"])
    match.throw(dice)
    match.keep(dice)
    return match


def test_all_hands_in_all_boxes() -> None:
    """252 hands, 12 boxes: what a box would give, and what it then is worth."""
    for hand in hands(5):
        match = stand(list(hand))
        assert dict(match.request.gives) == {box: score(box, hand) for box in BOXES}, hand
        for box in BOXES:
            match.choose(box)
            assert match.scores == {"Ann": score(box, hand), "Ben": 0}
            match.undo()


@pytest.mark.parametrize("case", [pytest.param(case, id=case["description"]) for case in CASES])
def test_a_case_of_exercism(case: dict[str, object]) -> None:
    """Each case of Exercism's exercise "yacht"; its `choice` is chance."""
    told = case["input"]
    assert isinstance(told, dict)
    box = "chance" if told["category"] == "choice" else told["category"]
    assert stand(told["dice"]).request.gives[box] == case["expected"]


def test_the_cases_are_all_there() -> None:
    """28 cases, of each of the twelve categories at least one."""
    assert len(CASES) == 28
    assert len({case["input"]["category"] for case in CASES}) == 12


@pytest.mark.parametrize("pick_up", [True, False])
def test_which_dice_may_be_kept(pick_up: bool) -> None:
    """Every part of the hand; or every part of the dice just thrown, with those kept before."""
    parts = all_parts(5)
    for hand in hands(5):
        match = Match("yacht", ["Ann"], pick_up=pick_up)
        match.throw(hand)
        assert set(match.request.legal) == set(parts[hand])
        match.keep(hand[1:3])
        match.throw((hand[0], *hand[3:]))
        kept = Counter(hand[1:3])
        expected = {part for part in parts[hand] if pick_up or Counter(part) >= kept}
        assert set(match.request.legal) == expected
