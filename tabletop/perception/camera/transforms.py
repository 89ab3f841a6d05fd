"""Homographies between pictures of one plane, (3, 3): what maps the pixels of one picture to those of another."""

from dataclasses import replace
from math import atan2, cos, degrees, sin, sqrt
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from tabletop.core.values import Die, Reading, Unsure

Floats = NDArray[np.float64]
Homography = NDArray[np.float64]  # takes (x, y, 1) of one picture to (x, y, 1) times any number of another

IDENTITY: Homography = np.eye(3)
QUARTER_TURN_DEG = 90.0

One = TypeVar("One", Die, Unsure)


def from_affine(matrix: Floats) -> Homography:
    """Return the homography of a shift, a turn and a scale, given as (2, 3)."""
    return np.vstack([matrix, IDENTITY[2]])


def inverse(way: Homography) -> Homography:
    """Return the inverse."""
    return IDENTITY if way is IDENTITY else np.asarray(np.linalg.inv(way), np.float64)


def compose(first: Homography, then: Homography) -> Homography:
    """Return the homography that applies one and then the other."""
    return then if first is IDENTITY else then @ first


def apply_to_points(points: Floats, way: Homography) -> Floats:
    """Return (N, 2) points, mapped."""
    x, y, w = way @ np.column_stack([points, np.ones(len(points))]).T
    return np.column_stack([x / w, y / w])


def apply_to_reading(reading: Reading, way: Homography) -> Reading:
    """Return the reading with everything in it mapped; the same object if the homography moves nothing."""
    if way is IDENTITY:
        return reading
    dice = tuple(_turned(_carried(die, way), _local(die.x, die.y, way)[0]) for die in reading.dice)
    return replace(reading, dice=dice, unsure=tuple(_carried(one, way) for one in reading.unsure))


def _carried(one: One, way: Homography) -> One:
    x, y, w = way @ (one.x, one.y, 1.0)
    return replace(one, x=float(x / w), y=float(y / w), size=one.size * scale_at(way, one.x, one.y))


def _turned(die: Die, turn: float) -> Die:
    up = (cos(turn) * die.up[0] - sin(turn) * die.up[1], sin(turn) * die.up[0] + cos(turn) * die.up[1])
    return replace(die, angle=(die.angle + degrees(turn)) % QUARTER_TURN_DEG, up=up)


def scale_at(way: Homography, x: float, y: float) -> float:
    """Return how much larger a small thing at (x, y) becomes."""
    return _local(x, y, way)[1]


def _local(at_x: float, at_y: float, way: Homography) -> tuple[float, float]:
    """Return how far a small thing there is turned, in radians, and how much larger it becomes."""
    x, y, w = way @ (at_x, at_y, 1.0)
    (a, b), (c, d) = (way[:2, :2] - np.outer((x / w, y / w), way[2, :2])) / w
    return atan2(c - b, a + d), sqrt(abs(a * d - b * c))
