"""Mexico's odds: who loses a round, with one throw each and with a leader who throws again, from the rule."""

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product

import pytest
from turn_odds import added, odds_of_a_turn

from tabletop.rules import Match

Odds = dict[int, Fraction]
ORDER = [31, 32, 41, 42, 43, 51, 52, 53, 54, 61, 62, 63, 64, 65, 11, 22, 33, 44, 55, 66, 21]  # lowest first
PAIRS = list(product(range(1, 7), repeat=2))


def place_of(pair: Sequence[int]) -> int:
    return ORDER.index(10 * max(pair) + min(pair))


def best_turn(throws: int, goes_on: Callable[[int], bool]) -> Odds:
    """Return the odds of each place in the order, 0 for 31."""
    places = map(place_of, PAIRS)
    after = best_turn(throws - 1, goes_on) if throws > 1 else {}
    return added(
        (last, share / 36)
        for place in places
        for last, share in (after if throws > 1 and goes_on(place) else {place: Fraction(1)}).items()
    )


def place_on_the_sheet(match: Match) -> int:
    return ORDER.index(int(str(match.sheet["dice"]["Ann"]).replace(" ", "")))


def by_the_referee(throws: int, goes_on: Callable[[int], bool]) -> Odds:
    """Return the same of Ann's turn, by giving the referee every throw."""

    def decide(match: Match) -> None:
        assert isinstance(match.thrown, tuple)
        match.choose("roll" if goes_on(place_of(match.thrown)) else "stop")

    return odds_of_a_turn(Match("mexico", ["Ann", "Ben"], throws=throws), decide, place_on_the_sheet)


@pytest.mark.parametrize("below", [61, 65, 33])
def test_a_turn_of_two_throws(below: int) -> None:
    """Who throws again below some number has each dice with the odds of the rule."""

    def goes_on(place: int) -> bool:
        return place < ORDER.index(below)

    assert by_the_referee(2, goes_on) == best_turn(2, goes_on)


def test_the_odds_of_a_mexico() -> None:
    """2 of 36 throws are a Mexico; of three throws one is with odds of 1 - (17/18)^3, nearly 15.8 %."""
    top = ORDER.index(21)
    assert best_turn(3, lambda place: place != top)[top] == 1 - Fraction(17, 18) ** 3
    assert by_the_referee(3, lambda place: place != top)[top] == 1 - Fraction(17, 18) ** 3
    assert round(float(1 - Fraction(17, 18) ** 3), 3) == 0.158


def test_who_loses_a_round_of_one_throw() -> None:
    """Of two throws each is lower as often: (1296 - 66) / 2 = 615 of 1296, where 15 * 2 * 2 + 6 = 66 are ties."""
    lost = Counter[tuple[str, ...]]()
    match = Match("mexico", ["Ann", "Ben"], throws=1, ties="all")
    for ann in PAIRS:
        match.throw(ann)
        for ben in PAIRS:
            match.throw(ben)
            lost[tuple(name for name, lives in match.scores.items() if lives == 4)] += 1
            match.undo()
        match.undo()
    assert (lost["Ann",], lost["Ben",], lost.total()) == (615, 615, 36 * 36)
