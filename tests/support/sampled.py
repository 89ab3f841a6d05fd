"""A seeded sample of a long proof where somebody waits for it; the soak has the rest."""

from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

SEED = 48  # committed, so that everybody runs the same


def sampled(values: Iterable[Any], share: int = 2) -> list[Any]:
    """Return the values as parameters of a test: one of so many is slow, the others are for the soak."""
    all_values = list(values)
    drawn = set(Random(SEED).sample(range(len(all_values)), len(all_values) // share))
    return [
        pytest.param(value, marks=pytest.mark.slow if at in drawn else pytest.mark.soak)
        for at, value in enumerate(all_values)
    ]
