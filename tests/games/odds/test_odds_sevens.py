"""Sevens: how often the choice of groups matters, and the best mean total with one, two and three throws."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from itertools import combinations

import pytest
from turn_odds import every_throw, odds_of_a_throw, thrown

from tabletop.rules import Match

Faces = tuple[int, ...]
Removals = Callable[[Faces], Iterable[Faces]]


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


def best_means(removals: Removals, throws: int) -> dict[int, Fraction]:
    """Return, for each number of dice, the best mean total with so many throws left, from the last throw backwards.

    After each throw the better of two: the total of what is left, or the mean of throwing the rest again.
    """
    means = dict.fromkeys(range(7), Fraction(0))
    for _ in range(throws):
        before, means = means, {0: Fraction(0)}
        for dice in (1, 2, 3, 4, 6):
            means[dice] = Fraction(0)
            for throw, chance in every_throw(dice):
                left = [
                    max(Fraction(sum(throw) - sum(part)), before.get(dice - len(part), Fraction(0)))
                    for part in removals(throw)
                ]
                means[dice] += chance * max(left)
    return means


def test_the_best_mean_total() -> None:
    """Over all throws and removals, by the rule and as the referee has them: the same best means, exactly.

    A single throw leaves 11.94 on average; two throws 12.13; three, which the first player has, 12.21.
    """
    matches = {dice: with_dice_left(dice) for dice in (1, 2, 3, 4, 6)}

    @cache
    def by_referee(throw: Faces) -> tuple[Faces, ...]:
        match = matches[len(throw)]
        match.throw(throw)
        legal = match.request.legal
        match.undo()
        return legal

    means = [best_means(complete_removals, throws)[6] for throws in (1, 2, 3)]
    assert means == [best_means(by_referee, throws)[6] for throws in (1, 2, 3)]
    assert [round(float(mean), 2) for mean in means] == [11.94, 12.13, 12.21]
