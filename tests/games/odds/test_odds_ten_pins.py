"""Ten Pins' odds: the best mean of a frame and of a match, strikes and perfect games."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from tabletop.rules import Match

Faces = tuple[int, ...]
Worth = Callable[[Match], Fraction]
Known = dict[tuple[int, Faces], Fraction]
PAIRS = list(product(range(1, 7), repeat=2))
FIRST_THROW = 2 * Fraction(1 + 2 + 3 + 4 + 5, 6)  # the mean of what a spare earns: 5, whatever is played for


def spots(hand: Faces) -> int:
    return sum(face for face in hand if face < 6)


def best_of_throws(throws: int) -> Fraction:
    """Return the best mean total of two dice thrown up to so many times: each die for itself.

    A die is worth 2.5 in one throw; with a throw to come, 1 and 2 and 6 are thrown again: 2.5 -> 3.25 (3, 4, 5 stay).
    With two to come only 4 and 5 stay.
    """
    mean = Fraction(0)
    for _ in range(throws):
        mean = sum((max(Fraction(spots((face,))), mean) for face in range(1, 7)), Fraction(0)) / 6
    return 2 * mean


@cache
def best_frame(hand: Faces, left: int) -> Fraction:
    """Return the best mean of a frame from a hand that is no strike, with so many throws left."""
    if hand == (5, 5):
        return 10 + FIRST_THROW
    if left == 0:
        return Fraction(spots(hand))
    one, two = hand
    again = [
        sum((best_frame(tuple(sorted((one, face))), left - 1) for face in range(1, 7)), Fraction(0)) / 6,
        sum((best_frame(tuple(sorted((two, face))), left - 1) for face in range(1, 7)), Fraction(0)) / 6,
        sum((best_frame(tuple(sorted(pair)), left - 1) for pair in PAIRS), Fraction(0)) / 36,
    ]
    return max(Fraction(spots(hand)), *again)


def frame_by_the_rule() -> Fraction:
    """Return the best mean of a whole frame: a strike is 10 and the best of two more throws."""
    ordinary = (best_frame(tuple(sorted(pair)), 2) for pair in PAIRS if pair != (5, 5))
    return sum(ordinary, 10 + best_of_throws(2)) / 36


def best_by_the_referee(match: Match, worth: Worth, known: Known | None = None) -> Fraction:
    """Return the best mean of Ann's frame by all throws and parts. known: hands already tried."""
    known = {} if known is None else known
    if match.request.player != "Ann":
        return worth(match)
    if match.request.kind == "keep":
        hand = (match.event, max(match.request.legal, key=len))
        if hand not in known:
            known[hand] = max(after_keep(match, part, worth, known) for part in match.request.legal)
        return known[hand]
    dice = match.request.dice
    assert isinstance(dice, int)
    total = Fraction(0)
    for faces in product(range(1, 7), repeat=dice):
        match.throw(faces)
        total += best_by_the_referee(match, worth, known)
        match.undo()
    return total / (36 if dice == 2 else 6)


def after_keep(match: Match, part: Faces, worth: Worth, known: Known) -> Fraction:
    match.keep(part)
    value = best_by_the_referee(match, worth, known)
    match.undo()
    return value


def with_spare(match: Match) -> Fraction:
    """Return Ann's score, and what her spare has still to come."""
    due = match.sheet["due"]["Ann"] == "spare"
    return match.scores["Ann"] + (FIRST_THROW if due else Fraction(0))


def test_the_best_mean_of_a_frame() -> None:
    """Every throw and every part of a first frame through the referee: the best mean is that of the rule, exactly.

    It is 15517/1944, and the best mean of a match is ten times that, 79.82: the bonus of a spare is the first throw of
    the next frame, or the extra throw after the tenth, and no play changes its mean.
    """
    assert best_by_the_referee(Match("ten-pins", ["Ann", "Ben"]), with_spare) == frame_by_the_rule()
    assert frame_by_the_rule() == Fraction(15517, 1944)
    assert best_of_throws(1) == 5
    assert best_of_throws(2) == Fraction(13, 2)


@pytest.mark.parametrize(("strike_throws", "bonus"), [(1, Fraction(5)), (2, Fraction(13, 2))])
def test_the_mean_of_a_strike(strike_throws: int, bonus: Fraction) -> None:
    """A strike is worth 10 and a mean of 6.5 with the best of two throws, 5 with one: each of its throws is tried."""
    match = Match("ten-pins", ["Ann", "Ben"], strike_throws=strike_throws)
    match.throw([5, 5])
    assert best_by_the_referee(match, with_spare) == 10 + bonus


@pytest.mark.parametrize("left", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_what_stands_first_makes_most(left: int) -> None:
    """Of every first and second throw: no other dice make more on average, with the spare, than those told first."""
    for pair in sorted({tuple(sorted(pair)) for pair in PAIRS} - {(5, 5)}):
        match = Match("ten-pins", ["Ann", "Ben"])
        if left == 1:
            match.throw([1, 1])
            match.keep([])
        match.throw(pair)
        every = [after_keep(match, part, with_spare, {}) for part in match.request.legal]
        assert every[0] == max(every), pair


def test_a_perfect_frame() -> None:
    """Going for 5s alone: a strike is 1/36, and 20 for it 1/36 * (11/36)^2, its two dice having two throws each."""
    match = Match("ten-pins", ["Ann", "Ben"])
    assert (
        best_by_the_referee(match, lambda after: Fraction(after.scores["Ann"] == 20))
        == Fraction(1, 36) * Fraction(11, 36) ** 2
    )
    match.throw([1, 2])
    spare = best_by_the_referee(match, lambda after: Fraction(after.sheet["due"]["Ann"] == "spare"))
    assert spare == Fraction(11, 36) ** 2
