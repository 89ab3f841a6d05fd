"""Threes' odds: a turn that keeps 3s and 1s, exactly."""

from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import product

from turn_odds import odds_of_a_turn

from tabletop.rules import Match

Faces = tuple[int, ...]
WORTH = {1: 1, 2: 2, 3: 0, 4: 4, 5: 5, 6: 6}


def total(faces: Iterable[int]) -> int:
    """Add up dice, a 3 for nothing."""
    return sum(WORTH[face] for face in faces)


def gladly(thrown: Faces) -> Faces:
    """Return all 3s and 1s, or the die that counts least."""
    return tuple(face for face in thrown if face in (1, 3)) or (min(thrown, key=WORTH.__getitem__),)


@cache
def by_the_rule(dice: int) -> dict[int, Fraction]:
    """Return the odds of each total of a turn with so many dice left, keeping 3s and 1s."""
    odds = {0: Fraction(1)} if not dice else {}
    for thrown in product(range(1, 7), repeat=dice) if dice else ():
        kept = gladly(thrown)
        for rest, chance in by_the_rule(dice - len(kept)).items():
            points = total(kept) + rest
            odds[points] = odds.get(points, Fraction(0)) + chance / 6**dice
    return odds


def test_a_turn_that_keeps_3s_and_1s() -> None:
    """The referee has each total with the odds of the rule."""
    match = Match("threes", ["Ann", "Ben"], moon=False)

    def decide(match: Match) -> None:
        assert isinstance(match.thrown, tuple)
        match.keep(tuple(sorted(gladly(match.thrown))))

    odds = odds_of_a_turn(match, decide, lambda match: match.scores["Ann"])
    assert odds == by_the_rule(5)
    assert sum(odds.values()) == 1
