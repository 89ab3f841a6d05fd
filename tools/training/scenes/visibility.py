"""Compute how much of each die's top face is covered, which the reader cannot be expected to read."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.render import CORNERS, drawing_order
from tabletop.simulator.scene import PosedDie, Viewpoint

FINE, FINE_BITS = 16, 4  # cv2 takes sixteenths of a pixel


@dataclass(frozen=True, slots=True)
class Hidden:
    """Covered share of a die within the frame: of its top face, and of its whole outline; 0 to 1.

    Both are 0 if none of it lies in the frame.
    """

    top: float
    whole: float


def hidden_shares(
    layers: Sequence[Sequence[PosedDie]], camera: Viewpoint, covered: NDArray[np.bool_]
) -> list[list[Hidden]]:
    """Return how much of each die is hidden, in the form of `layers`.

    layers: in the order of drawing. covered: (H, W), what was drawn over them all. Edges are assumed to be sharp.
    """
    height, width = covered.shape
    shares = [[Hidden(0.0, 0.0)] * len(layer) for layer in layers]
    above = covered.astype(np.uint8)
    for number in reversed(range(len(layers))):
        layer = layers[number]
        for index in reversed(drawing_order(layer, camera, (width, height))):
            die = layer[index]
            seen = _seen_corners(die, camera, width, height)
            hull = np.asarray(cv2.convexHull(seen), np.float32).reshape(-1, 2)
            shares[number][index] = Hidden(_share(_top(die, seen), above), _share(hull, above))
            cv2.fillConvexPoly(above, _fine(hull), (1,), cv2.LINE_8, FINE_BITS)
    return shares


def _seen_corners(die: PosedDie, camera: Viewpoint, width: int, height: int) -> NDArray[np.float32]:
    """Return where the eight corners of the cube are seen, (8, 2) float32, in the order of CORNERS."""
    eye = np.array([width / 2 if camera.x is None else camera.x, height / 2 if camera.y is None else camera.y])
    turn = camera.turn() @ np.asarray(die.rotation, np.float32)
    at = CORNERS @ turn.T * (die.size_px / 2)
    flat = at[:, :2] + (die.x, die.y)
    nearer = 1 - at[:, 2:] / camera.distance_px
    return np.asarray(eye + (flat - eye) / np.maximum(nearer, 0.1), np.float32)


def _top(die: PosedDie, seen: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the corners of the top face in the frame, (4, 2), in order round it."""
    up = die.rotation[2]
    axis = max(range(3), key=lambda i: abs(up[i]))
    on_top = CORNERS[:, axis] * np.sign(up[axis]) > 0
    return np.asarray(cv2.convexHull(seen[on_top]), np.float32).reshape(-1, 2)


def _share(outline: NDArray[np.float32], above: NDArray[np.uint8]) -> float:
    """Return how much of a polygon's pixels within the frame are set in `above`."""
    height, width = above.shape
    left, top = np.maximum(np.floor(outline.min(axis=0)).astype(int), 0)
    right, bottom = np.minimum(np.ceil(outline.max(axis=0)).astype(int) + 1, (width, height))
    if left >= right or top >= bottom:
        return 0.0
    patch = np.zeros((bottom - top, right - left), np.uint8)
    cv2.fillConvexPoly(patch, _fine(outline - (left, top)), (1,), cv2.LINE_8, FINE_BITS)
    whole = int(patch.sum())
    return float((patch & above[top:bottom, left:right]).sum()) / whole if whole else 0.0


def _fine(points: NDArray[np.generic]) -> NDArray[np.int32]:
    return np.round(np.asarray(points, np.float32) * FINE).astype(np.int32)
