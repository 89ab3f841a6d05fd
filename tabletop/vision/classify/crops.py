"""Square crops of a picture round a place, scaled to its die: what the networks look at."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.detect.resize import resized

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]

CROP_SIDE_PX = 64  # side of a crop, pixels of the classifier's input
# Edge of the die in its crop, so that 1.6 dice fit in: the whole die at any turn, and what is beside it.
EDGE_PX = 40.0
# Byte: a crop whose brightness has a smaller standard deviation is not stretched more; noise would look like pips.
FLATTEST = 12.0


@dataclass(frozen=True, slots=True, eq=False)
class Crop:
    """pixels: (side_px, side_px, 3) uint8. x, y: its middle in the picture. step: the picture's pixels per pixel."""

    pixels: Picture
    x: float
    y: float
    step: float


def crop(
    picture: Picture, x: float, y: float, size: float, side_px: int = CROP_SIDE_PX, edge_px: float = EDGE_PX
) -> Crop:
    """Return the crop round (x, y) for a die of edge `size`, all in pixels of the picture (H, W, 3).

    side_px: the side of the crop. edge_px: the edge that the die gets in it. Outside the picture its border is
    repeated. The picture must hold at least one pixel.
    """
    height, width = picture.shape[:2]
    side = max(2, round(size * side_px / edge_px))
    side += side % 2 if side >= 2 * side_px else 0  # an even side can be halved, which takes half the time
    left, top = round(x - (side - 1) / 2), round(y - (side - 1) / 2)
    rows = slice(min(max(top, 0), height - 1), max(min(top + side, height), 1))
    columns = slice(min(max(left, 0), width - 1), max(min(left + side, width), 1))
    cut: Picture = picture[rows, columns]
    if cut.shape[:2] != (side, side):
        above, before = min(max(-top, 0), side - cut.shape[0]), min(max(-left, 0), side - cut.shape[1])
        below, after = side - cut.shape[0] - above, side - cut.shape[1] - before
        cut = np.asarray(cv2.copyMakeBorder(cut, above, below, before, after, cv2.BORDER_REPLICATE), np.uint8)
    return Crop(resized(cut, side_px, side_px), left + (side - 1) / 2, top + (side - 1) / 2, side / side_px)


def normalised(pixels: Picture) -> Floats:
    """Return crops (N, side, side, 3) as the classifier takes them, (N, 3, side, side) float32; side: CROP_SIDE_PX.

    Each has mean 0 and, unless it is nearly uniform, standard deviation 1: neither dusk nor weak contrast matters.
    """
    return np.concatenate([_normalised(each) for each in pixels])


def _normalised(pixels: Picture) -> Floats:
    """Return one crop (side, side, 3) as (1, 3, side, side)."""
    means, spreads = (values.ravel().tolist() for values in cv2.meanStdDev(pixels))
    mean = sum(means) / len(means)
    square = sum(each**2 for each in (*means, *spreads)) / len(means)
    spread = max(square - mean**2, FLATTEST**2) ** 0.5
    return np.asarray(cv2.dnn.blobFromImage(pixels, 1 / spread, mean=(mean, mean, mean)), np.float32)
