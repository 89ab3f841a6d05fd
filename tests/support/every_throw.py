"""All throws of so many dice with their odds, for the tests that work a figure out exactly."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod

Faces = tuple[int, ...]


@cache
def every_throw(dice: int) -> tuple[tuple[Faces, Fraction], ...]:
    """Return each different throw of so many dice, its faces sorted, with the odds of it; the odds add up to 1."""
    return tuple(
        (faces, Fraction(factorial(dice), prod(map(factorial, Counter(faces).values())) * 6**dice))
        for faces in combinations_with_replacement(range(1, 7), dice)
    )
