"""A die cut out of a picture: its top face upright, the face it shows, and the name of its set of dice."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.classify.crops import CROP_SIDE_PX, EDGE_PX, crop

Picture = NDArray[np.uint8]

SIDE_PX = CROP_SIDE_PX  # side of an upright crop, in which the die's edge is EDGE_PX
WIDE_PX = 92  # side of the crop that is turned: more than SIDE_PX times the root of 2, so that no corner is missing


class Place(Protocol):
    """Where a die lies: its middle, edge and turn, in pixels of the picture and degrees clockwise."""

    @property
    def x(self) -> float:
        """To the right."""

    @property
    def y(self) -> float:
        """Down."""

    @property
    def size(self) -> float:
        """The edge."""

    @property
    def angle(self) -> float:
        """The turn, 0 to 90."""


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """One die with a known face.

    pixels: (SIDE_PX, SIDE_PX, 3) uint8, BGR, upright. face: 1 to 6. look: the name of the set of dice it belongs to.
    """

    pixels: Picture
    face: int
    look: str


def upright(picture: Picture, die: Place) -> Picture:
    """Return the top face of a die in a picture (H, W, 3), turned upright: (SIDE_PX, SIDE_PX, 3) uint8."""
    seen = crop(picture, die.x, die.y, die.size, WIDE_PX, EDGE_PX)
    return turned(seen.pixels, die.angle, (die.x - seen.x) / seen.step, (die.y - seen.y) / seen.step)


def turned(pixels: Picture, angle: float, right: float = 0.0, down: float = 0.0) -> Picture:
    """Return the middle of a square picture turned anticlockwise by an angle in degrees, (SIDE_PX, SIDE_PX, 3) uint8.

    right, down: where the point lies that gets to the middle, from the picture's own middle, in pixels.
    """
    middle = (pixels.shape[0] - 1) / 2
    matrix = cv2.getRotationMatrix2D((middle + right, middle + down), angle, 1.0)
    matrix[:, 2] += (SIDE_PX - 1) / 2 - middle - np.array([right, down])
    result = cv2.warpAffine(pixels, matrix, (SIDE_PX, SIDE_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(result, np.uint8)


def stacked(samples: Sequence[Sample]) -> NDArray[np.uint8]:
    """Return the pixels of samples, (N, SIDE_PX, SIDE_PX, 3)."""
    return np.stack([sample.pixels for sample in samples]) if samples else np.zeros((0, SIDE_PX, SIDE_PX, 3), np.uint8)
