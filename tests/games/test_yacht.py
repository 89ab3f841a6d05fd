"""Yacht: the cases of Exercism, and dice that stay aside. Every hand in every box: test_box_hands.py."""

import json
from collections import Counter
from pathlib import Path

import pytest
from best_play import all_parts

from tabletop.rules import Match

CASES = json.loads((Path(__file__).parents[1] / "data" / "exercism-yacht.json").read_text(encoding="utf-8"))["cases"]


def stand(dice: list[int]) -> Match:
    match = Match("yacht", ["Ann", "Ben"])
    match.throw(dice)
    match.keep(dice)
    return match


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


def test_dice_set_aside_may_have_to_stay() -> None:
    """With pick_up=false every part of the dice just thrown may be kept, with those kept before."""
    match = Match("yacht", ["Ann"], pick_up=False)
    for hand, parts in all_parts(5).items():
        match.throw(hand)
        assert set(match.request.legal) == set(parts)
        match.keep(hand[1:3])
        match.throw((hand[0], *hand[3:]))
        kept = Counter(hand[1:3])
        assert set(match.request.legal) == {part for part in parts if Counter(part) >= kept}
        for _ in range(3):
            match.undo()
