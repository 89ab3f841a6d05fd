"""Every throw of Ten Thousand, against scoring parts enumerated here: all ways to lay combinations out of the dice."""

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement

import pytest

from tabletop.rules import Match

# The text's table of score values, each combination with its dice.
COMBINATIONS: list[tuple[tuple[int, ...], int]] = [
    ((1,), 100),
    ((5,), 50),
    ((1, 1, 1), 1000),
    *[((face, face, face), 100 * face) for face in range(2, 7)],
    ((1, 2, 3, 4, 5, 6), 3000),
    *[
        (tuple(sorted(pairs * 2)), 1500)
        for pairs in combinations_with_replacement(range(1, 7), 3)  # two of them alike: four of a kind and a pair
    ],
]


@cache
def best_parts(throw: tuple[int, ...]) -> dict[tuple[int, ...], int]:
    """Lay out combinations, one after the other, in every way; return each set of dice laid out and its best score."""
    found: dict[tuple[int, ...], int] = {}
    for dice, points in COMBINATIONS:
        left = Counter(throw)
        left.subtract(dice)
        if min(left.values()) < 0:
            continue
        rest = tuple(sorted(left.elements()))
        for more, score in {**best_parts(rest), (): 0}.items():
            part = tuple(sorted(dice + more))
            found[part] = max(found.get(part, 0), points + score)
    return found


def with_dice_left(count: int) -> Match:
    """Bring a match to where so many dice are due: each earlier die of the six was kept as a single 1."""
    match = Match("ten-thousand", ["Ann", "Ben"])
    for due in range(6, count, -1):
        match.throw([1] + [(2, 3, 4, 6)[number % 4] for number in range(due - 1)])
        match.keep([1])
        match.choose("roll")
    return match


@pytest.mark.parametrize("count", range(1, 7))
def test_all_throws_of_so_many_dice(count: int) -> None:
    """Legal is exactly every part in which all dice score; each scores its best; nothing legal ends the turn."""
    match = with_dice_left(count)
    before = (6 - count) * 100
    for throw in combinations_with_replacement(range(1, 7), count):
        match.throw(throw)
        parts = best_parts(throw)
        if not parts:
            assert match.request.kind == "roll"
            assert match.request.player == "Ben"
            assert match.scores == {"Ann": 0, "Ben": 0}
        else:
            assert set(match.request.legal) == set(parts), throw
            assert [parts[part] for part in match.request.legal] == sorted(parts.values(), reverse=True)
        for part, points in parts.items():
            match.keep(part)
            assert match.at_stake == before + points, (throw, part)
            assert match.request.gives == {"bank": before + points}
            left = count - len(part)
            match.choose("roll")
            assert match.request.dice == (left or 6)
            match.undo()
            match.undo()
        match.undo()


def test_the_oracle_has_the_printed_values() -> None:
    """The enumeration above gives the text's own table and sample turn."""
    assert best_parts((1, 1, 2, 4, 5, 6))[1, 1, 5] == 250
    assert best_parts((1, 6, 6, 6))[1, 6, 6, 6] == 700
    assert best_parts((2, 3, 3, 4, 6, 6)) == {}
    assert best_parts((2, 2, 2, 2, 3, 3))[2, 2, 2, 2, 3, 3] == 1500
    assert best_parts((1, 2, 3, 4, 5, 6))[1, 2, 3, 4, 5, 6] == 3000
    assert best_parts((1, 1, 1, 1, 1, 1))[1, 1, 1, 1, 1, 1] == 2000
    assert best_parts((6, 6, 6, 6, 6, 6))[6, 6, 6, 6, 6, 6] == 1500
