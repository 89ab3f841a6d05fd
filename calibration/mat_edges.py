"""The edges of a mat's markers in a picture, each to a small part of a pixel: where black cells meet white ones.

A marker has four corners, but some forty edges between black and white cells. Blur rounds a corner off and so moves
it inwards; an edge it leaves where it is. And of a marker that is partly covered the edges beside the cover are still
there. Pure.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.config.markers import DICTIONARY
from tabletop.config.mat import Mat

Floats = NDArray[np.float64]
Grey = NDArray[np.uint8]

CELLS = 6  # a side: four of the code and a black border, ArUco 4x4
ALONG = np.linspace(
    -0.42, 0.42, 11
)  # of a cell: where an edge is crossed; its ends are left out, other edges begin there
ACROSS = np.linspace(-0.45, 0.45, 37)  # of a cell: how far each crossing goes to both sides
PLATEAU = 6  # samples at each end of a crossing, for what is black and white there
LEAST_GREY = 20.0  # levels between black and white, below which there is no edge: noise
# Of the white beside it, above what is usual in this picture, whatever the light and the haze: a hand, wood or cloth
# that covers half a marker is not as black as its ink, and its edge would be taken for the marker's.
MORE_BLACK = 0.2
HALF = 0.5  # between black and white: where blur leaves an edge
SOFT = (0.06, 0.08, 0.11, 0.15, 0.2, 0.27)  # of a cell: standard deviations of the blur that are tried on all edges
ROUNDS, FARTHEST_STEP = 4, 0.1  # of fitting a crossing, each moving it by so much of a cell at most
SINGULAR = 1e-9  # keeps a crossing without any slope in it solvable


@dataclass(frozen=True, slots=True)
class Edges:
    """Places on edges: seen (N, 2) in pixels; places (N, 2) in mm of the tray on the edge's line; normals (N, 2).

    names (N,): the number of the marker that each is on.
    """

    seen: Floats
    places: Floats
    normals: Floats
    names: NDArray[np.int64]

    def only(self, which: NDArray[np.bool_]) -> "Edges":
        """Return those for which `which` (N,) is true."""
        return Edges(self.seen[which], self.places[which], self.normals[which], self.names[which])

    @classmethod
    def joined(cls, several: Sequence["Edges"]) -> "Edges":
        """Return them all as one; at least one."""
        parts = [(each.seen, each.places, each.normals, each.names) for each in several]
        return cls(*(np.concatenate(part) for part in zip(*parts, strict=True)))


@dataclass(frozen=True, slots=True)
class Segments:
    """Edges that are to be found: middles (N, 2) in mm, normals (N, 2), cells (N, 1) in mm, names (N,) of markers."""

    middles: Floats
    normals: Floats
    cells: Floats
    names: NDArray[np.int64]

    @classmethod
    def of(cls, name: int, side_mm: float, corner_mm: tuple[float, float]) -> "Segments":
        """Return those of an upright marker of this side, whose top left corner is there."""
        cell = side_mm / CELLS
        middles, normals = _segments(name)
        count = len(middles)
        return cls(middles * cell + corner_mm, normals, np.full((count, 1), cell), np.full(count, name))

    @classmethod
    def of_mat(cls, mat: Mat, names: Iterable[int]) -> "Segments":
        """Return those of these markers of a mat, at least one, in mm of its tray."""
        boxes = [(name, mat.markers[name]) for name in names]
        each = [cls.of(name, box.width, mat.on_tray((box.left, box.top))) for name, box in boxes]
        parts = [(one.middles, one.normals, one.cells, one.names) for one in each]
        return cls(*(np.concatenate(part) for part in zip(*parts, strict=True)))


def find_edges(grey: Grey, expected: Segments, pixels_of: Callable[[Floats], Floats]) -> Edges:
    """Return the edges that are seen near to where they are expected; none is possible.

    grey: (H, W); pixels_of: from (N, 2) mm to the pixels where they are expected, to 0.4 of a marker's cell. Most of
    the markers have to be uncovered.
    """
    places, normals, cells = expected.middles, expected.normals, expected.cells
    grid = (
        places[:, None, None]
        + (normals[:, ::-1] * cells)[:, None, None] * ALONG[None, :, None, None]
        + (normals * cells)[:, None, None] * ACROSS[None, None, :, None]
    )
    at = pixels_of(grid.reshape(-1, 2)).astype(np.float32).reshape(len(places), -1, 2)
    values = cv2.remap(grey, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    profiles = values.reshape(len(places), len(ALONG), len(ACROSS)).astype(np.float64).mean(axis=1)
    black, white = profiles[:, :PLATEAU].mean(axis=1), profiles[:, -PLATEAU:].mean(axis=1)
    share = black / np.maximum(white, 1.0)
    clear = (white - black > LEAST_GREY) & (share < np.median(share) + MORE_BLACK)
    stretched = (profiles[clear] - black[clear, None]) / (white - black)[clear, None]
    offsets = _crossing(stretched)[:, None] * cells[clear]
    seen = pixels_of(places[clear] + normals[clear] * offsets)
    return Edges(seen, places[clear], normals[clear], expected.names[clear])


def _crossing(share: Floats) -> Floats:
    """Return where each profile (N, 37), from 0 to 1, goes from black to white: in cells from its middle.

    A blurred step is fitted to the whole of each one, its levels free, which noise moves by half as much as the one
    passing of a half. How soft steps are is a matter of the lens: that which serves most of them best.
    """
    if not len(share):
        return np.empty(0)
    passing = _passing(share)
    return min((_fitted(share, passing, soft) for soft in SOFT), key=lambda fit: fit[0])[1]


def _fitted(share: Floats, at: Floats, soft: float) -> tuple[float, Floats]:
    """Return what most profiles are off from steps of this softness, and where these steps are.

    at: (N,) about where.
    """
    misfit = 0.0
    for _ in range(ROUNDS):
        away = (ACROSS - at[:, None]) / soft
        rises = np.tanh(np.sqrt(2 / np.pi) * (away + 0.044715 * away**3))  # nearly the normal distribution's, -1 to 1
        slope = -np.exp(-(away**2) / 2) / (soft * np.sqrt(2 * np.pi))
        off = share - (1 + rises) / 2
        misfit = float(np.median((off**2).mean(axis=1)))
        parts = np.stack([slope, np.ones_like(rises), rises], axis=1)
        squares = parts @ parts.transpose(0, 2, 1) + SINGULAR * np.eye(3)
        change = np.linalg.solve(squares, parts @ off[..., None])[:, 0, 0]
        at = np.clip(at + np.clip(change, -FARTHEST_STEP, FARTHEST_STEP), ACROSS[0], ACROSS[-1])
    return misfit, at


def _passing(share: Floats) -> Floats:
    """Return where each profile, from 0 to 1, passes one half: in cells from its middle; the passing nearest to it."""
    above = share >= HALF
    steps = (above[:, 1:] & ~above[:, :-1]).astype(np.float64)
    nearest = np.argmax(steps / (1 + np.abs(ACROSS[:-1])), axis=1)
    rows = np.arange(len(share))
    low, high = share[rows, nearest], share[rows, nearest + 1]
    part = np.clip((HALF - low) / np.where(high > low, high - low, 1.0), 0, 1)
    return np.asarray(ACROSS[nearest] + part * (ACROSS[1] - ACROSS[0]), np.float64)


@cache
def _segments(name: int) -> tuple[Floats, Floats]:
    """Return the edges' middles, in cells from the marker's top left, and their normals from black to white."""
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    drawn = cv2.aruco.generateImageMarker(dictionary, name, CELLS, borderBits=1) > 0
    white = np.pad(drawn, 1, constant_values=True)
    middles, normals = list[tuple[float, float]](), list[tuple[float, float]]()
    for row, column in np.argwhere(~white):
        for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            if white[row + down, column + right]:
                middles.append((column - 0.5 + right / 2, row - 0.5 + down / 2))
                normals.append((float(right), float(down)))
    return np.array(middles), np.array(normals)
