"""Beetle's odds: how many throws a whole beetle takes, exactly, from the rule and from the referee."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import permutations

import pytest
from turn_odds import every_throw

from tabletop.rules import Match

Counts = tuple[int, ...]
PARTS = ("body", "head", "legs", "eyes", "antennae", "tail")
WHOLE: Counts = (1, 1, 6, 2, 2, 1)
NEEDED = {2: 1, 3: 1, 6: 1, 4: 2, 5: 2}  # the face that has to have been drawn before
NEEDED_BY_LEGS_TOO = {2: 1, 3: 2, 6: 2, 4: 2, 5: 2}  # the other reading


def drawn_by_the_rule(beetle: Counts, faces: Counts, needed: dict[int, int]) -> Counts:
    ends = []
    for order in permutations(faces):
        counts = list(beetle)
        for face in order:
            may = counts[face - 1] < WHOLE[face - 1] and (face == 1 or counts[needed[face] - 1] > 0)
            counts[face - 1] += may
        ends.append(tuple(counts))
    return max(ends, key=sum)


def mean_throws(dice: int, step: Callable[[Counts, Counts], Counts]) -> Fraction:
    """Return the mean number of throws to a whole beetle: parts are never lost, so the chain only goes up."""

    @cache
    def mean(beetle: Counts) -> Fraction:
        if beetle == WHOLE:
            return Fraction(0)
        stay, ahead = Fraction(0), Fraction(0)
        for faces, odds in every_throw(dice):
            after = step(beetle, faces)
            if after == beetle:
                stay += odds
            else:
                ahead += odds * mean(after)
        return (1 + ahead) / (1 - stay)

    return mean((0,) * len(PARTS))


def referee(**options: object) -> Callable[[Counts, Counts], Counts]:
    """Return the same step, asked of the referee: a match is kept for every beetle that has been reached."""
    matches = {(0,) * len(PARTS): Match("beetle", ["Ann"], **options)}

    def step(beetle: Counts, faces: Counts) -> Counts:
        match = matches[beetle]
        match.throw(faces)
        after = tuple(int(str(match.sheet[part]["Ann"])) for part in PARTS)
        assert match.scores["Ann"] == sum(after)
        assert match.over == (after == WHOLE)
        if after not in matches:
            matches[after] = Match.replay("beetle", match.seated, match.options, match.events)
        match.undo()
        return after

    return step


@pytest.mark.parametrize(
    ("dice", "needed", "options", "rounded"),
    [
        (1, NEEDED, {}, 44.2528),
        pytest.param(2, NEEDED, {"speedy": True}, 22.0523, marks=pytest.mark.slow),
        (1, NEEDED_BY_LEGS_TOO, {"legs_need": "head"}, 48.9524),
        (1, NEEDED, {"throw_on": True}, 44.2528),
    ],
    ids=["one die", "speedy", "legs need the head", "bits"],
)
def test_the_throws_for_a_whole_beetle(
    dice: int, needed: dict[int, int], options: dict[str, object], rounded: float
) -> None:
    """The referee has the mean of the rule exactly, for each way of playing; throwing on saves turns, not throws."""
    mean = mean_throws(dice, lambda beetle, faces: drawn_by_the_rule(beetle, faces, needed))
    assert mean_throws(dice, referee(**options)) == mean
    assert round(float(mean), 4) == rounded
