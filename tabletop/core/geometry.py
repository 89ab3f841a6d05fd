"""Distances between dice in die edges, so that near and far cameras, pixels and millimetres behave alike. Pure."""

from collections.abc import Iterable
from math import hypot
from typing import Protocol

SAME_DIE_EDGES = 0.5  # two dice cannot be nearer to each other: what is nearer is the same die
UNMOVED_EDGES = 0.2  # a die this near to where it lay has not moved; fingers over it shift its place by less
STEADY_EDGES = 0.15  # from frame to frame the reader's places of a still die differ by less
TINIEST = 1e-9  # keeps a thing without a size from dividing by zero


class Placed(Protocol):
    """Anything with a place and a size, in the same unit: a die, an unsure thing, a remembered place."""

    @property
    def x(self) -> float:
        """Right."""

    @property
    def y(self) -> float:
        """Down."""

    @property
    def size(self) -> float:
        """The edge."""


def distance_in_edges(thing: Placed, other: Placed) -> float:
    """Return how far apart the middles of two things are, in edges of the larger one."""
    return hypot(thing.x - other.x, thing.y - other.y) / max(thing.size, other.size, TINIEST)


def point_distance_in_edges(x: float, y: float, thing: Placed) -> float:
    """Return how far a point is from the middle of a thing, in edges of the thing."""
    return hypot(x - thing.x, y - thing.y) / max(thing.size, TINIEST)


def is_at_one_of(thing: Placed, others: Iterable[Placed]) -> bool:
    """Return whether a thing is where one of the others is: two dice cannot be that near."""
    return any(distance_in_edges(thing, other) <= SAME_DIE_EDGES for other in others)
