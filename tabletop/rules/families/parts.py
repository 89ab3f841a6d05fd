"""Parts of a throw: what may be set aside."""

from functools import lru_cache
from itertools import combinations

from tabletop.rules.requests import Faces

MOST_THROWS = 1 << 12  # more than the 923 multisets of up to six dice, with room for games with more


@lru_cache(maxsize=MOST_THROWS)
def parts_of(hand: Faces) -> tuple[Faces, ...]:
    """Return every different part of a sorted hand, each sorted, the whole hand first and () last."""
    sizes = range(len(hand), -1, -1)
    return tuple(part for size in sizes for part in sorted(set(combinations(hand, size))))
