"""Square cuttings of a picture round a place, scaled to its die: what the classifier looks at."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.detect.resize import resized

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]

PATCH_PX = 64  # side of a patch, pixels of the classifier's input
EDGE_PX = (
    40.0  # edge that the die gets in its patch, so that 1.6 dice are seen: all of it at any turn, and what is beside
)
FLATTEST = (
    12.0  # byte: a patch whose brightness spreads less than that is not spread further; noise would look like pips
)


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """pixels: (side_px, side_px, 3) uint8. x, y: its middle in the picture. step: pixels of the picture for one."""

    pixels: Picture
    x: float
    y: float
    step: float


def patch(
    picture: Picture, x: float, y: float, size: float, side_px: int = PATCH_PX, edge_px: float = EDGE_PX
) -> Patch:
    """Return the patch round (x, y) for a die of edge `size`, all in pixels of the picture (H, W, 3).

    side_px: the side of the patch. edge_px: the edge that the die gets in it. Outside of the picture its border is
    repeated. The picture must hold at least one pixel.
    """
    height, width = picture.shape[:2]
    side = max(2, round(size * side_px / edge_px))
    side += side % 2 if side >= 2 * side_px else 0  # what can be halved is made smaller in half the time
    left, top = round(x - (side - 1) / 2), round(y - (side - 1) / 2)
    rows = slice(min(max(top, 0), height - 1), max(min(top + side, height), 1))
    columns = slice(min(max(left, 0), width - 1), max(min(left + side, width), 1))
    cut: Picture = picture[rows, columns]
    if cut.shape[:2] != (side, side):
        above, before = min(max(-top, 0), side - cut.shape[0]), min(max(-left, 0), side - cut.shape[1])
        below, after = side - cut.shape[0] - above, side - cut.shape[1] - before
        cut = np.asarray(cv2.copyMakeBorder(cut, above, below, before, after, cv2.BORDER_REPLICATE), np.uint8)
    return Patch(resized(cut, side_px, side_px), left + (side - 1) / 2, top + (side - 1) / 2, side / side_px)


def normalised(pixels: Picture) -> Floats:
    """Return patches (N, PATCH_PX, PATCH_PX, 3) as the classifier takes them, (N, 3, PATCH_PX, PATCH_PX) float32.

    Each has the mean 0 and, unless it is nearly flat, the spread 1: neither dusk nor a weak contrast matters.
    """
    planes = np.ascontiguousarray(pixels.transpose(0, 3, 1, 2)).astype(np.float32)
    mean = planes.mean(axis=(1, 2, 3), keepdims=True)
    spread = planes.std(axis=(1, 2, 3), keepdims=True)
    return np.asarray((planes - mean) / np.maximum(spread, FLATTEST), np.float32)
