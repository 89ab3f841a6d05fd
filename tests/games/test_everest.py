"""Everest: every throw at random sheets, against ways laid out here by hand."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from turn_odds import every_throw

from tabletop.rules import Match

Ways = set[tuple[int, ...]]


def groupings(faces: tuple[int, int, int]) -> Ways:
    """Return the numbers of every way to use three dice, written out: alone, two of them, or all three."""
    first, second, third = faces
    found = {
        tuple(sorted(numbers))
        for numbers in (
            (first, second, third),
            (first + second, third),
            (first + third, second),
            (second + third, first),
            (first + second + third,),
        )
    }
    return {numbers for way in found for size in (1, 2, 3) for numbers in combinations(way, size)}


def ways_by_the_rule(faces: tuple[int, int, int], open_boxes: dict[int, int]) -> Ways:
    """Return what may be crossed off: numbers up to 12, none more often than it has open boxes."""
    return {
        numbers
        for numbers in groupings(faces)
        if all(open_boxes.get(number, 0) >= times for number, times in Counter(numbers).items())
    }


def open_boxes_of(match: Match) -> dict[int, int]:
    """Read the open boxes off the sheet; the row from 1 to 12 is always the first to be filled."""
    cells = {number: str(match.sheet[str(number)]["Ann"]) for number in range(1, 13)}
    assert set(cells.values()) <= {"--", "x-", "xx"}
    return {number: cell.count("-") for number, cell in cells.items()}


def numbers_of(option: str) -> tuple[int, ...]:
    return tuple(map(int, option.split()))


@pytest.mark.parametrize("partial", [True, False])
@pytest.mark.parametrize("may_pass", [True, False])
def test_all_throws_at_random_sheets(partial: bool, may_pass: bool) -> None:
    """The options are exactly the ways of the rule, most boxes first, each gives its boxes, and scores them."""
    rng = Random(f"everest {partial} {may_pass}")
    match = Match("everest", ["Ann"], partial=partial, may_pass=may_pass)
    for _ in range(14):
        open_boxes = open_boxes_of(match)
        for faces, _ in every_throw(3):
            match.throw(faces)
            options = [option for option in match.request.options if option != "pass"]
            ways = ways_by_the_rule((faces[0], faces[1], faces[2]), open_boxes)
            if not partial:
                ways = {way for way in ways if not any(Counter(way) < Counter(other) for other in ways)}
            assert {numbers_of(option) for option in options} == ways
            assert all(list(numbers_of(option)) == sorted(numbers_of(option)) for option in options)
            sizes = [len(numbers_of(option)) for option in options]
            assert sizes == sorted(sizes, reverse=True)
            assert match.request.gives == dict(zip(options, sizes, strict=True))
            assert ("pass" in match.request.options) == (may_pass or not ways)
            match.undo()
        match.throw([rng.randint(1, 6) for _ in range(3)])
        chosen = match.request.options[0]
        scored = match.scores["Ann"]
        match.choose(chosen)
        crossed = () if chosen == "pass" else numbers_of(chosen)
        assert match.scores["Ann"] == scored + len(crossed)
        after = Counter(open_boxes)
        after.subtract(crossed)
        assert open_boxes_of(match) == dict(after)
