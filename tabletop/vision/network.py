"""A trained network: an ONNX file, run by OpenCV's `dnn` module on both a Raspberry Pi and a PC.

ONNX Runtime gives the same answers except for rounding. It takes 0.6 of the time on a PC, 1.5 times the instructions on
a Pi, and four more packages (docs/accuracy.md); so the tested reader is the one that is used.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from threading import Lock

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]
Thing = tuple[float, float, float]  # its middle, right and down, and its edge, in pixels of a picture

AT_ONCE = 16  # crops in one pass


def resized(picture: Picture, width: int, height: int) -> Picture:
    """Resize a picture (H, W, 3) to (height, width, 3), averaging areas when it shrinks.

    OpenCV averages areas of whole pixels ten times as fast as fractional ones, so a picture is halved while it stays
    larger than requested; only the last step is fractional.

    The whole picture is used. If a side with an odd number of pixels is halved, its last pixel is dropped, which moves
    nothing by more than half a pixel of the result.
    """
    while _halves(picture.shape[1], width) and _halves(picture.shape[0], height):
        high, wide = picture.shape[0] // 2, picture.shape[1] // 2
        even = picture[: 2 * high, : 2 * wide]
        picture = np.asarray(cv2.resize(even, (wide, high), interpolation=cv2.INTER_AREA), np.uint8)
    if picture.shape[:2] == (height, width):
        return picture
    shrinks = width < picture.shape[1]
    interpolation = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, (width, height), interpolation=interpolation), np.uint8)


def _halves(side: int, wanted: int) -> bool:
    return side >= (4 if side % 2 else 2) * wanted


CROP_SIDE_PX = 64  # side of a crop, pixels of the classifier's input
# Edge of the die in its crop, which holds 1.6 dice: the whole die at any rotation, and some surroundings.
EDGE_PX = 40.0
# Byte: a crop whose brightness has a smaller standard deviation is not stretched more; noise would look like pips.
FLATTEST = 12.0


@dataclass(frozen=True, slots=True, eq=False)
class Crop:
    """A square part of a picture. pixels: (side_px, side_px, 3) uint8. x, y: its centre.

    step: picture pixels per pixel.
    """

    pixels: Picture
    x: float
    y: float
    step: float


def crop(
    picture: Picture, x: float, y: float, size: float, side_px: int = CROP_SIDE_PX, edge_px: float = EDGE_PX
) -> Crop:
    """Return the crop around (x, y) for a die of edge `size`, all in pixels of the picture (H, W, 3).

    side_px: the side of the crop. edge_px: the edge of the die in it. The border is repeated outside the picture, which
    must have at least one pixel.
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
    """Return crops (N, side, side, 3) as input for the classifier, (N, 3, side, side) float32; side: CROP_SIDE_PX.

    Each has mean 0 and, unless it is nearly uniform, standard deviation 1, so brightness and contrast do not matter.
    """
    return np.concatenate([_normalised(each) for each in pixels])


def _normalised(pixels: Picture) -> Floats:
    """Return one crop (side, side, 3) as (1, 3, side, side)."""
    means, spreads = (values.ravel().tolist() for values in cv2.meanStdDev(pixels))
    mean = sum(means) / len(means)
    square = sum(each**2 for each in (*means, *spreads)) / len(means)
    spread = max(square - mean**2, FLATTEST**2) ** 0.5
    return np.asarray(cv2.dnn.blobFromImage(pixels, 1 / spread, mean=(mean, mean, mean)), np.float32)


class Network:
    """A trained network: equal pixels give equal answers. Thread-safe."""

    def __init__(self, weights: bytes) -> None:
        """Load weights in ONNX form."""
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(weights, np.uint8))
        self._lock = Lock()

    def answers(self, pixels: Floats) -> Floats:
        """Return the network's raw output, float32, for an input (N, channels, H, W) float32 as in training."""
        with self._lock:
            self._net.setInput(pixels)
            return np.array(self._net.forward(), np.float32)

    def looks(
        self,
        picture: Picture,
        things: Sequence[Thing],
        side_px: int = CROP_SIDE_PX,
        edge_px: float = EDGE_PX,
        shown: Callable[[Picture], Floats] = normalised,
    ) -> Iterator[tuple[Crop, Floats]]:
        """Yield the crop around each thing in a picture (H, W, 3), and its raw answer, in order.

        side_px, edge_px: as in `crop`. shown: converts crops (N, side_px, side_px, 3) uint8 to the network's input.
        """
        for start in range(0, len(things), AT_ONCE):
            crops = [crop(picture, *thing, side_px, edge_px) for thing in things[start : start + AT_ONCE]]
            yield from zip(crops, self.answers(shown(np.stack([cut.pixels for cut in crops]))), strict=True)


def shipped_weights(name: str) -> bytes:
    """Return the content of `weights/NAME.onnx`."""
    return resources.files("tabletop.vision").joinpath("weights", f"{name}.onnx").read_bytes()
