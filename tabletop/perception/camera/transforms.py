"""Homographies between pictures of one plane, (3, 3): they map the pixels of one picture to those of another."""

from dataclasses import replace
from math import atan2, cos, degrees, sin, sqrt
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from tabletop.core.values import Die, Reading, Unsure

Floats = NDArray[np.float64]
Homography = NDArray[np.float64]  # maps (x, y, 1) in one picture to (x, y, 1) in another, up to a factor

IDENTITY: Homography = np.eye(3)
QUARTER_TURN_DEG = 90.0

DieOrUnsure = TypeVar("DieOrUnsure", Die, Unsure)


def from_affine(matrix: Floats) -> Homography:
    """Return the homography of a shift, a turn and a scale, given as (2, 3)."""
    return np.vstack([matrix, IDENTITY[2]])


def inverse(homography: Homography) -> Homography:
    """Return the inverse."""
    return IDENTITY if homography is IDENTITY else np.asarray(np.linalg.inv(homography), np.float64)


def compose(first: Homography, then: Homography) -> Homography:
    """Return the homography that applies `first`, then `then`."""
    return then if first is IDENTITY else then @ first


def apply_to_points(points: Floats, homography: Homography) -> Floats:
    """Return (N, 2) points, mapped."""
    x, y, w = homography @ np.column_stack([points, np.ones(len(points))]).T
    return np.column_stack([x / w, y / w])


def apply_to_reading(reading: Reading, homography: Homography) -> Reading:
    """Return the reading with everything in it mapped; the same object if the homography moves nothing."""
    if homography is IDENTITY:
        return reading
    dice = tuple(_turned(_mapped(die, homography), _local(die.x, die.y, homography)[0]) for die in reading.dice)
    return replace(reading, dice=dice, unsure=tuple(_mapped(unsure, homography) for unsure in reading.unsure))


def _mapped(die: DieOrUnsure, homography: Homography) -> DieOrUnsure:
    x, y, w = homography @ (die.x, die.y, 1.0)
    return replace(die, x=float(x / w), y=float(y / w), size=die.size * scale_at(homography, die.x, die.y))


def _turned(die: Die, turn: float) -> Die:
    up = (cos(turn) * die.up[0] - sin(turn) * die.up[1], sin(turn) * die.up[0] + cos(turn) * die.up[1])
    return replace(die, angle=(die.angle + degrees(turn)) % QUARTER_TURN_DEG, up=up)


def scale_at(homography: Homography, x: float, y: float) -> float:
    """Return the factor by which a small object at (x, y) is enlarged."""
    return _local(x, y, homography)[1]


def _local(at_x: float, at_y: float, homography: Homography) -> tuple[float, float]:
    """Return the angle, in radians, by which a small object at this place is turned, and the factor of its size."""
    x, y, w = homography @ (at_x, at_y, 1.0)
    (a, b), (c, d) = (homography[:2, :2] - np.outer((x / w, y / w), homography[2, :2])) / w
    return atan2(c - b, a + d), sqrt(abs(a * d - b * c))
