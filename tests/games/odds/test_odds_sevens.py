"""Sevens: which dice may be removed after every throw, and how often the choice of groups matters."""

from fractions import Fraction
from functools import cache
from itertools import combinations

import pytest
from turn_odds import odds_of_a_throw, thrown

from tabletop.rules import Match

Faces = tuple[int, ...]


@cache
def complete_removals(throw: Faces, largest: int = 6, *, until_none: bool = True) -> frozenset[Faces]:
    """Take groups of seven away from the dice, by their places and in every way, until none is left; the part gone.

    largest: how many dice a group may have. until_none=False: stopping earlier is allowed.
    """
    found: set[Faces] = set()
    waiting = [frozenset(range(len(throw)))]
    seen = set(waiting)
    while waiting:
        left = waiting.pop()
        sizes = range(2, min(largest, len(left)) + 1)
        groups = [group for size in sizes for group in combinations(sorted(left), size)]
        sevens = [group for group in groups if sum(throw[place] for place in group) == 7]
        if not (until_none and sevens):
            found.add(tuple(sorted(throw[place] for place in range(len(throw)) if place not in left)))
        rests = {left.difference(group) for group in sevens} - seen
        seen |= rests
        waiting += rests
    return frozenset(found)


def with_dice_left(count: int, **options: object) -> Match:
    """Bring a match to where so many dice are due: 6, or 4 to 1 after a first throw of which the rest makes sevens."""
    match = Match("sevens", ["Ann", "Ben"], **options)
    gone = {6: (), 4: (6, 1), 3: (5, 1, 1), 2: (6, 1, 6, 1), 1: (5, 1, 1, 6, 1)}[count]
    if gone:
        match.throw((*gone, *(5 if gone[0] == 6 else 4,) * count))
        match.keep(gone)
        match.choose("roll")
    return match


@pytest.mark.parametrize("removal", ["all", "free"])
@pytest.mark.parametrize(
    ("dice", "groups"), [*((dice, "any") for dice in (6, 4, 3, 2, 1)), *((dice, "pairs") for dice in (6, 4, 2))]
)
def test_every_removal_is_legal_and_no_other_part(dice: int, groups: str, removal: str) -> None:
    """All throws: what the referee lets one remove is what taking groups away in every way leads to, best first."""
    match = with_dice_left(dice, groups=groups, removal=removal)
    largest = 2 if groups == "pairs" else 6
    for throw, _ in thrown(match):
        legal = match.request.legal
        assert len(legal) == len(set(legal))
        assert set(legal) == complete_removals(throw, largest, until_none=removal == "all"), throw
        assert list(legal) == sorted(legal, key=lambda part: (sum(part), len(part)))


def test_the_choice_of_groups_matters_in_48_of_100_first_throws() -> None:
    """In 22445 of 46656 first throws, 48.1 %, different complete removals leave another number of dice or total."""
    match = Match("sevens", ["Ann", "Ben"])
    odds = odds_of_a_throw(match, lambda match: len({(len(part), sum(part)) for part in match.request.legal}) > 1)
    assert odds[True] == Fraction(22445, 6**6)
