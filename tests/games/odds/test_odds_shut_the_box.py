"""Shut the Box's odds: a turn that shuts the fewest tiles, and what is offered for every set of open tiles."""

from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import combinations

from turn_odds import odds_of_a_turn

from tabletop.games.shut_the_box import made_of
from tabletop.rules import Match

Tiles = frozenset[int]
TILES = frozenset(range(1, 10))
TOTALS = {total: Fraction(6 - abs(total - 7), 36) for total in range(2, 13)}  # of two dice


def subsets(tiles: Tiles) -> list[Tiles]:
    return [frozenset(some) for size in range(len(tiles) + 1) for some in combinations(sorted(tiles), size)]


@cache
def by_total() -> dict[int, list[Tiles]]:
    found: dict[int, list[Tiles]] = {}
    for some in subsets(TILES):
        found.setdefault(sum(some), []).append(some)
    return found


def ways(left: Tiles, total: int) -> list[Tiles]:
    return [some for some in by_total()[total] if some <= left]


def highest(found: Iterable[Tiles]) -> Tiles:
    return min(found, key=lambda some: (len(some), [-tile for tile in sorted(some, reverse=True)]))


@cache
def by_the_rule(left: Tiles) -> dict[int, Fraction]:
    if not left:
        return {0: Fraction(1)}
    odds: dict[int, Fraction] = {}
    for total, chance in TOTALS.items():
        found = ways(left, total)
        rest = by_the_rule(left - highest(found)) if found else {sum(left): Fraction(1)}
        for score, share in rest.items():
            odds[score] = odds.get(score, Fraction(0)) + chance * share
    return odds


def test_a_turn_with_two_dice_and_the_fewest_tiles() -> None:
    """With 3, 8 and 9 shut the referee has each score with the odds of the rule."""

    def decide(match: Match) -> None:
        sets = {frozenset(map(int, option.split())): option for option in match.request.options}
        match.choose(sets[highest(sets)])

    match = Match("shut-the-box", ["Ann", "Ben"], one_die="never", all_shut="zero")
    for first, shut in (((6, 6), "3 9"), ((4, 4), "8")):
        match.throw(first)
        match.choose(shut)
    assert odds_of_a_turn(match, decide, lambda match: match.scores["Ann"]) == by_the_rule(TILES - {3, 8, 9})


def test_every_way_to_shut_is_offered() -> None:
    """For all sets of nine tiles and all totals: each set of open tiles with that total, once, and nothing else.

    With all open these are the partitions of 2 to 12 into different parts, 68 (OEIS A000009), without the 6 that have a
    part of 10, 11 or 12.
    """
    for left in subsets(TILES):
        for total in range(1, 13):
            offered = made_of(tuple(sorted(left)), total)
            assert len(set(offered)) == len(offered)
            assert {frozenset(some) for some in offered} == set(ways(left, total))
    assert sum(len(made_of(tuple(range(1, 10)), total)) for total in range(2, 13)) == 68 - 6
