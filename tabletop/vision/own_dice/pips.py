"""The pips of a table's own dice, known by their colours.

From dice whose faces are known a small linear model learns, pixel by pixel, how colours that belong to a pip differ
from those of the body around it: for each die that is asked about, from the known dice of a like body most of all. It
turns a die into a map of how much each pixel looks like a pip, and the map is compared with the six layouts of pips.
Red pips on blue marble, which are hardly darker than it, then stand out as black ones on white do.
"""

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.classify.crops import EDGE_PX
from tabletop.vision.own_dice.sample import SIDE_PX

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]

SIDE = SIDE_PX // 2  # pixels of the map
EDGE = EDGE_PX / 2  # edge of the die in the map, pixels
INSIDE = 0.40  # edges from the middle: what is farther away may be beside the top face
BODY = slice(6, 26)  # rows and columns of the map whose median is the colour of the body
MIDDLE, LAB_STEP = 128.0, 40.0  # bytes of a Lab channel that are 0, and that are 1
FINE_PX, WIDE_PX = 1.6, 5.0  # standard deviations of the blurs that a pixel is compared with: a pip, half a face
FEATURES = 16  # of a pixel: its colour, products of it, how it differs from its surroundings, and 1
RIDGE = 0.03  # added to each variance of the features, as share of the pixels
# Lab steps: how far the bodies of two dice of one look differ; half as much tells nell's dice apart less well, twice as
# much puts all of its kinds of dice into one.
ALIKE = 0.25
LIGHT = 0.6  # factor of lightness in that: a tray's far side is darker than its near one
LOW, HIGH = 15, 85  # per cent: a body is described by its median colour, and by these percentiles
OWN_THROW = 1e9  # distance between dice of one throw, so that they never judge each other
PASSES = 2  # after the first guess of where the pips lie, each from the map before
# Edges: where pips lie from the middle, and their radius as a standard deviation; where the layout may be off, and its
# turn in radians, since the networks place a die to a twentieth of its edge and 7 degrees.
SPACINGS, PIP = (0.17, 0.21, 0.25, 0.29), 0.075
OFF, TURN = (-0.06, 0.0, 0.06), (-0.12, 0.12)
CORNERS, SIDES = ((-1, -1), (1, 1), (-1, 1), (1, -1)), ((-1, 0), (1, 0))
LAYOUTS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: CORNERS[:2],
    3: (*CORNERS[:2], (0, 0)),
    4: CORNERS,
    5: (*CORNERS, (0, 0)),
    6: (*CORNERS, *SIDES),
}
TWO_WAYS = (2, 3, 6)  # faces that look different after a quarter of a turn
FACES = tuple(LAYOUTS)


class PipColours:
    """Known dice, and what their pips look like.

    pixels: (N, SIDE_PX, SIDE_PX, 3) uint8, upright, N at least 1. faces: (N,) int, 1 to 6. throws: (N,) int, equal for
    dice of one throw.
    """

    def __init__(self, pixels: Picture, faces: NDArray[np.int_], throws: NDArray[np.int_]) -> None:
        self._features, self.bodies = described(pixels)
        self._throws = throws
        self._squares = np.einsum("npf,npg->nfg", self._features, self._features)
        maps = np.linalg.norm(self._features[:, :, :3], axis=2)  # at first: whatever is not of the body's colour
        layouts, layout_faces = _layouts()
        for _ in range(PASSES + 1):
            fits = np.where(layout_faces == faces[:, None], _alike(maps), -np.inf)
            self._sums = np.einsum("npf,np->nf", self._features, layouts[fits.argmax(axis=1)])
            maps = self._maps(self._features, self.distances(self.bodies, throws))

    def known_fits(self) -> Floats:
        """Return for each known die how well the layouts fit, judged by dice of other throws: (N, 6), -1 to 1."""
        return _best(self._maps(self._features, self.distances(self.bodies, self._throws)))

    def fits(self, pixels: Picture) -> tuple[Floats, Floats]:
        """Return how well the layout of each face fits dice, and the distance of their bodies from those known.

        pixels: (M, SIDE_PX, SIDE_PX, 3) uint8, upright. Fits: correlations, (M, 6), -1 to 1. Distances: squared Lab
        steps, (M, N).
        """
        features, bodies = described(pixels)
        apart = self.distances(bodies)
        return _best(self._maps(features, apart)), apart

    def distances(self, bodies: Floats, throws: NDArray[np.int_] | None = None) -> Floats:
        """Return how far bodies, (M, 9), are from the known ones, (M, N); throws: of the M dice."""
        apart = np.asarray(((self.bodies[None] - bodies[:, None]) ** 2).sum(axis=2), np.float32)
        if throws is not None:
            apart[throws[:, None] == self._throws] = OWN_THROW
        return apart

    def _maps(self, features: Floats, apart: Floats) -> Floats:
        """Return maps of what looks like a pip, (M, pixels), by the known dice, the likest most of all."""
        weights = likeness(apart - apart.min(axis=1, keepdims=True))
        ridge = RIDGE * features.shape[1] * np.eye(FEATURES, dtype=np.float32)
        squares = np.einsum("mn,nfg->mfg", weights, self._squares) + ridge
        model = np.linalg.solve(squares, (weights @ self._sums)[:, :, None])
        return np.asarray(np.einsum("mpf,mf->mp", features, model[:, :, 0]), np.float32)


def likeness(apart: Floats) -> Floats:
    """Return weights from squared distances of bodies: 1 for the same body, near 0 for another look."""
    return np.asarray(np.exp(-apart / (2 * ALIKE**2)), np.float32)


def described(pixels: Picture) -> tuple[Floats, Floats]:
    """Return for dice (N, SIDE_PX, SIDE_PX, 3) the features of their pixels, (N, pixels, FEATURES), and bodies (N, 9).

    A body is told by its colour and by how much it varies, in Lab steps.
    """
    count = len(pixels)
    features = np.zeros((count, int(_inside().sum()), FEATURES), np.float32)
    bodies = np.zeros((count, 9), np.float32)
    for index, each in enumerate(pixels):
        lab = np.asarray(cv2.cvtColor(each, cv2.COLOR_BGR2LAB), np.float32)
        lab = (np.asarray(cv2.resize(lab, (SIDE, SIDE), interpolation=cv2.INTER_AREA)) - MIDDLE) / LAB_STEP
        body = np.median(lab[BODY, BODY].reshape(-1, 3), axis=0)
        lab = (lab - body).astype(np.float32)
        fine, wide = (np.asarray(cv2.GaussianBlur(lab, (0, 0), width)) for width in (FINE_PX, WIDE_PX))
        products = [lab[:, :, a] * lab[:, :, b] for a in range(3) for b in range(a, 3)]
        planes = [lab, np.stack(products, axis=2), lab - fine, fine - wide, np.ones((SIDE, SIDE, 1), np.float32)]
        features[index] = np.concatenate(planes, axis=2)[_inside()]
        spread = np.percentile(lab[BODY, BODY].reshape(-1, 3), (LOW, HIGH), axis=0)
        bodies[index] = np.concatenate([body * (LIGHT, 1, 1), LIGHT * spread.ravel()])
    return features, bodies


def _best(maps: Floats) -> Floats:
    """Return for each map the best correlation with a layout of each face, (M, 6)."""
    alike, (_, faces) = _alike(maps), _layouts()
    return np.stack([alike[:, faces == face].max(axis=1) for face in FACES], axis=1)


def _alike(maps: Floats) -> Floats:
    return np.asarray(_normed(maps) @ _normed(_layouts()[0]).T, np.float32)


def _normed(rows: Floats) -> Floats:
    rows = rows - rows.mean(axis=1, keepdims=True)
    return np.asarray(rows / (np.linalg.norm(rows, axis=1, keepdims=True) + 1e-6), np.float32)


@cache
def _inside() -> NDArray[np.bool_]:
    right, down = _grid()
    return np.asarray((np.abs(right) < INSIDE) & (np.abs(down) < INSIDE))


@cache
def _grid() -> tuple[Floats, Floats]:
    """Return how far each pixel of the map is to the right of and below the middle, in edges, each (SIDE, SIDE)."""
    steps = ((np.arange(SIDE) - (SIDE - 1) / 2) / EDGE).astype(np.float32)
    right, down = np.meshgrid(steps, steps)
    return right, down


@cache
def _layouts() -> tuple[Floats, NDArray[np.int_]]:
    """Return maps of all layouts at all spacings, turns and offsets, (L, pixels), and their faces, (L,)."""
    maps, faces = [], []
    for face, pips in LAYOUTS.items():
        for quarter in (0, 1) if face in TWO_WAYS else (0,):
            for spacing in SPACINGS:
                for off_right in OFF:
                    for off_down in OFF:
                        for turn in TURN:
                            angle = turn + quarter * np.pi / 2
                            maps.append(_layout(pips, spacing, angle, off_right, off_down))
                            faces.append(face)
    return np.stack(maps), np.array(faces)


def _layout(
    pips: tuple[tuple[int, int], ...], spacing: float, angle: float, off_right: float, off_down: float
) -> Floats:
    right, down = (axis[_inside()] for axis in _grid())
    result = np.zeros(right.shape, np.float32)
    for column, row in pips:
        x = spacing * (column * np.cos(angle) - row * np.sin(angle)) + off_right
        y = spacing * (column * np.sin(angle) + row * np.cos(angle)) + off_down
        result = np.maximum(result, np.exp(-((right - x) ** 2 + (down - y) ** 2) / (2 * PIP**2)))
    return result
