"""Mexico's odds: who loses a round, with one throw each and with a leader who throws again, from the rule."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest
from turn_odds import every_throw

from tabletop.rules import Match

Odds = dict[int, Fraction]
ORDER = [31, 32, 41, 42, 43, 51, 52, 53, 54, 61, 62, 63, 64, 65, 11, 22, 33, 44, 55, 66, 21]  # lowest first


def number(first: int, second: int) -> int:
    return 10 * max(first, second) + min(first, second)


def one_throw() -> Odds:
    """Return the odds of each place in the order, 0 for 31."""
    odds: Odds = {}
    for first, second in product(range(1, 7), repeat=2):
        place = ORDER.index(number(first, second))
        odds[place] = odds.get(place, Fraction(0)) + Fraction(1, 36)
    return odds


def best_turn(throws: int, goes_on: Callable[[int], bool]) -> Odds:
    odds: Odds = {}
    for place, chance in one_throw().items():
        after = best_turn(throws - 1, goes_on) if throws > 1 and goes_on(place) else {place: Fraction(1)}
        for last, share in after.items():
            odds[last] = odds.get(last, Fraction(0)) + chance * share
    return odds


def by_the_referee(throws: int, goes_on: Callable[[int], bool]) -> Odds:
    """Return the same of Ann's turn, by giving the referee every throw."""
    odds: Odds = {}

    def go_on(match: Match, reached: Fraction) -> None:
        for faces, chance in every_throw(2):
            before = match.event
            match.throw(faces)
            place = ORDER.index(number(*faces))
            if match.request.kind == "choose":
                match.choose("roll" if goes_on(place) else "stop")
            if match.request.player == "Ann":
                go_on(match, reached * chance)
            else:
                shown = match.state()["sheet"]["dice"]["Ann"]
                last = ORDER.index(int(shown.replace(" ", "")))
                odds[last] = odds.get(last, Fraction(0)) + reached * chance
            while match.event > before:
                match.undo()

    go_on(Match("mexico", ["Ann", "Ben"], throws=throws), Fraction(1))
    return odds


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
    """Of two throws each is lower as often: 15 numbers can be thrown in two ways, 6 doubles in one.

    15 * 2 * 2 + 6 = 66 ties of 1296, so each loses (1296 - 66) / 2 = 615.
    """
    lost = {"Ann": 0, "Ben": 0, "tie": 0}
    match = Match("mexico", ["Ann", "Ben"], throws=1, ties="all")
    for ann in product(range(1, 7), repeat=2):
        match.throw(ann)
        for ben in product(range(1, 7), repeat=2):
            match.throw(ben)
            losers = [name for name, lives in match.scores.items() if lives == 4]
            lost[losers[0] if len(losers) == 1 else "tie"] += 1
            match.undo()
        match.undo()
    assert lost == {"Ann": 615, "Ben": 615, "tie": 66}
