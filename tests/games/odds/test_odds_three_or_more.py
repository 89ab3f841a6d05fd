"""Three Or More: the mean score of a turn, from the rule and from the referee, with and without the options."""

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import factorial, prod

import pytest

from tabletop.rules import Match

POINTS = (0, 0, 0, 3, 6, 12)  # by the number of dice alike


def weight(faces: tuple[int, ...]) -> int:
    return factorial(len(faces)) // prod(map(factorial, Counter(faces).values()))


def mean_by_the_rule(*, only_kept: bool) -> Fraction:
    """Go through all 7776 throws by their pattern, and through all 216 re-throws where there is only a pair.

    A pair of 1s stands for every pair: of two pairs it does not matter which is kept.
    """
    of_a_pair = Fraction(0)
    for thrown in product(range(1, 7), repeat=3):
        counts = Counter((1, 1, *thrown))
        of_a_pair += Fraction(POINTS[counts[1] if only_kept else max(counts.values())], 216)
    mean = Fraction(0)
    for thrown in product(range(1, 7), repeat=5):
        most = max(Counter(thrown).values())
        mean += (of_a_pair if most == 2 else POINTS[most]) / Fraction(6**5)
    return mean


def mean_by_the_referee(**options: object) -> Fraction:
    """Go through all throws of a first turn and, where the referee asks, keep the first part and throw on.

    All 216 re-throws are tried after each throw with another pair kept; the throws with the same one have their mean.
    """
    match = Match("three-or-more", ["Ann", "Ben"], **options)
    mean, after = Fraction(0), dict[tuple[int, ...], Fraction]()
    for faces in combinations_with_replacement(range(1, 7), 5):
        match.throw(faces)
        chance = Fraction(weight(faces), 6**5)
        if match.request.kind == "roll":
            mean += chance * match.scores["Ann"]
        else:
            kept = match.request.legal[0]
            if kept not in after:
                after[kept] = mean_of_a_rethrow(match)
            mean += chance * after[kept]
        match.undo()
    return mean


def mean_of_a_rethrow(match: Match) -> Fraction:
    match.keep(match.request.legal[0])
    mean = Fraction(0)
    for more in combinations_with_replacement(range(1, 7), 3):
        match.throw(more)
        mean += Fraction(weight(more), 6**3) * match.scores["Ann"]
        match.undo()
    match.undo()
    return mean


@pytest.mark.parametrize("only_kept", [False, True])
def test_the_mean_of_a_turn(*, only_kept: bool) -> None:
    """The referee gives the mean of the rule exactly: 1.80 points a turn; 1.76 where only the number kept counts."""
    mean = mean_by_the_rule(only_kept=only_kept)
    assert mean_by_the_referee(counting="kept" if only_kept else "all") == mean
    assert mean == (Fraction(4549, 2592) if only_kept else Fraction(779, 432))


def test_how_often_each_score_comes_at_once() -> None:
    """Of 7776 throws 720 have no pair, 1500 are three alike (full house too), 150 four, 6 five; the others a pair.

    Counted by hand: no pair 6*5*4*3*2; three alike 6 * 10 * 5 * 5; four alike 6 * 5 * 5; five alike 6.
    """
    match = Match("three-or-more", ["Ann", "Ben"])
    found: Counter[str] = Counter()
    for faces in combinations_with_replacement(range(1, 7), 5):
        match.throw(faces)
        found["pair" if match.request.kind == "keep" else str(match.scores["Ann"])] += weight(faces)
        match.undo()
    assert found == {"0": 720, "3": 1500, "6": 150, "12": 6, "pair": 5400}
