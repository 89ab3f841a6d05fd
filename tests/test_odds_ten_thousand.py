"""Ten Thousand's odds: a scoreless throw with each number of dice, and all six scoring at once."""

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial, prod

import pytest

from tabletop.rules import Match

# Counted by hand: no 1, no 5, at most two of each other face; with six dice neither three pairs of them.
# One die 4 of 6. Two: 4 * 4. Three: 4^3 - 4. Four: faces 2+2 or 2+1+1 or 1+1+1+1 of four: 36 + 144 + 24.
# Five: 2+2+1 or 2+1+1+1: 360 + 240. Six: 2+2+1+1 is 1080, and 2+2+2 scores.
SCORELESS = {1: 4, 2: 16, 3: 60, 4: 204, 5: 600, 6: 1080}


def with_dice_left(count: int) -> Match:
    """Bring a match to where so many dice are due."""
    match = Match("ten-thousand", ["Ann", "Ben"])
    for due in range(6, count, -1):
        match.throw([1, 2, 2, 3, 3, 4][:due])
        match.keep([1])
        match.choose("roll")
    return match


def weight(faces: tuple[int, ...]) -> int:
    """Return in how many ways dice can show these faces."""
    return factorial(len(faces)) // prod(map(factorial, Counter(faces).values()))


@pytest.mark.parametrize(("dice", "ways"), SCORELESS.items())
def test_a_scoreless_throw(dice: int, ways: int) -> None:
    """All throws through the referee: as many lose the turn as were counted by hand.

    Published for one to five dice (farkle.games/farkle-odds, as throws that score): 2, 20, 156, 1092 and 7176.
    """
    match = with_dice_left(dice)
    lost = 0
    for faces in combinations_with_replacement(range(1, 7), dice):
        match.throw(faces)
        if match.request.player == "Ben":
            lost += weight(faces)
        match.undo()
    assert lost == ways
    if dice < 6:
        assert 6**dice - lost == {1: 2, 2: 20, 3: 156, 4: 1092, 5: 7176}[dice]
    assert (
        Fraction(lost, 6**dice)
        == [
            Fraction(2, 3),
            Fraction(4, 9),
            Fraction(5, 18),
            Fraction(17, 108),
            Fraction(25, 324),
            Fraction(5, 216),
        ][dice - 1]
    )


def all_six_score(faces: tuple[int, ...]) -> bool:
    """Tell by the rule: a run, three pairs, or nothing beside 1s, 5s and triples."""
    counts = Counter(faces)
    if len(counts) == 6 or all(count % 2 == 0 for count in counts.values()):
        return True
    return all(count % 3 == 0 for face, count in counts.items() if face not in (1, 5))


def test_hot_dice_at_once() -> None:
    """The whole throw may be kept exactly as often as the rule says, over all 46656 throws."""
    match = Match("ten-thousand", ["Ann", "Ben"])
    by_referee = by_rule = 0
    for faces in combinations_with_replacement(range(1, 7), 6):
        match.throw(faces)
        by_referee += weight(faces) * (faces in match.request.legal)
        by_rule += weight(faces) * all_six_score(faces)
        match.undo()
    assert by_referee == by_rule
