"""The network: pixels in, one answer for each cell of 4 x 4 pixels out, and the dice that stand out among the cells."""

from dataclasses import dataclass, replace
from functools import cache
from importlib import resources

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]

STRIDE = 4  # pixels of the network's input for one cell of its output
NOMINAL_PX = 44.0  # the edge of a die at which the network's own size is 0 (log2); it was trained from 20 to 95
LOOK_PX = 46.0  # the edge that dice get before the network looks at them: larger reads better and costs its square
MIDDLE, SPREAD = 128.0, 64.0  # what the network takes for 0 and for 1
STEEP, LIFT = 2.7, 1.1  # the loss used in training makes the network too modest; measured on labelled photographs
FAINT = 0.1  # chance of being a die below which a cell is not looked at
APART = 0.62  # dice: of two nearer than that the fainter one is the same die


@dataclass(frozen=True, slots=True)
class Found:
    """What may be a die. x, y: the middle of its top face, size: its edge, in pixels of the frame.

    angle: degrees clockwise, 0 to 90. chance: that it is a die at all. faces: chance of each face, adding to 1.
    """

    x: float
    y: float
    size: float
    angle: float
    chance: float
    faces: tuple[float, ...]

    @property
    def face(self) -> int:
        """The likeliest face."""
        return self.faces.index(max(self.faces)) + 1

    @property
    def sureness(self) -> float:
        """The chance that it is a die and shows `face`."""
        return self.chance * max(self.faces)

    def moved(self, x: float, y: float) -> "Found":
        """Return the same, that much further right and down."""
        return replace(self, x=self.x + x, y=self.y + y)


class Network:
    """The trained network. Holds weights only: equal pictures give equal answers, whatever came before."""

    def __init__(self, weights: bytes) -> None:
        """Load weights in ONNX form."""
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(weights, np.uint8))

    def look(self, picture: Picture, die_px: float, at_px: float = LOOK_PX) -> tuple[Found, ...]:
        """Return what may be dice, likeliest first, in a picture (H, W, 3) whose dice have edges of about die_px.

        The picture is scaled so that they get edges of at_px.
        """
        zoom = at_px / die_px
        height, width = picture.shape[:2]
        wide, high = max(1, round(width * zoom)), max(1, round(height * zoom))
        small = cv2.resize(picture, (wide, high), interpolation=cv2.INTER_AREA if zoom < 1 else cv2.INTER_LINEAR)
        right, below = -wide % STRIDE, -high % STRIDE
        small = cv2.copyMakeBorder(small, 0, below, 0, right, cv2.BORDER_REPLICATE)
        self._net.setInput(cv2.dnn.blobFromImage(small, 1 / SPREAD, mean=(MIDDLE, MIDDLE, MIDDLE)))
        cells = np.asarray(self._net.forward()[0], np.float32)
        return peaks(cells, wide / width, high / height)


@cache
def shipped() -> Network:
    """Return the network that comes with the package, loaded once."""
    return Network(resources.files("tabletop.vision").joinpath("eye.onnx").read_bytes())


def peaks(cells: Floats, zoom_x: float, zoom_y: float) -> tuple[Found, ...]:
    """Return the dice in the network's raw output, likeliest first, each once.

    cells: (10, h, w): logit of a die, logits of six faces, log2 of the size in NOMINAL_PX, sine and cosine of four
    times the angle. zoom_x, zoom_y: pixels of the network's input for one of the frame.
    """
    logit = cells[0]
    limit = (float(np.log(FAINT / (1 - FAINT))) - LIFT) / STEEP
    top = (logit >= cv2.dilate(logit, np.ones((3, 3), np.uint8))) & (logit > limit)
    rows, columns = np.nonzero(top)
    order = np.argsort(-logit[rows, columns], kind="stable")
    kept: list[Found] = []
    for row, column in zip(rows[order].tolist(), columns[order].tolist(), strict=True):
        found = _found(cells, row, column, zoom_x, zoom_y)
        if all(np.hypot(found.x - other.x, found.y - other.y) >= APART * other.size for other in kept):
            kept.append(found)
    return tuple(kept)


def _found(cells: Floats, row: int, column: int, zoom_x: float, zoom_y: float) -> Found:
    cell = cells[:, row, column]
    faces = np.exp(cell[1:7] - cell[1:7].max())
    faces = faces / faces.sum()
    above, left = _lean(cells[0], row, column)
    x = ((column + left + 0.5) * STRIDE) / zoom_x - 0.5
    y = ((row + above + 0.5) * STRIDE) / zoom_y - 0.5
    return Found(
        x=x,
        y=y,
        size=NOMINAL_PX * 2.0 ** float(cell[7]) / ((zoom_x + zoom_y) / 2),
        angle=float(np.degrees(np.arctan2(cell[8], cell[9])) / 4 % 90),
        chance=float(1 / (1 + np.exp(-STEEP * cell[0] - LIFT))),
        faces=tuple(float(value) for value in faces),
    )


def _lean(logit: Floats, row: int, column: int) -> tuple[float, float]:
    """Return the balance point of the 3 x 3 cells round a peak, in cells from its middle."""
    patch = logit[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2]
    weight = 1 / (1 + np.exp(-patch))
    rows = np.arange(max(0, row - 1), max(0, row - 1) + patch.shape[0]) - row
    columns = np.arange(max(0, column - 1), max(0, column - 1) + patch.shape[1]) - column
    total = float(weight.sum())
    return float((weight.sum(axis=1) * rows).sum()) / total, float((weight.sum(axis=0) * columns).sum()) / total
