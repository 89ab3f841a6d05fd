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
ALONG = np.linspace(-0.3, 0.3, 7)  # of a cell: where an edge is crossed; its ends are left out, other edges begin there
ACROSS = np.linspace(-0.45, 0.45, 37)  # of a cell: how far each crossing goes to both sides
PLATEAU = 6  # samples at each end of a crossing, for what is black and white there
LEAST_GREY = 20.0  # levels between black and white, below which there is no edge: noise
# Of the white beside it, above what is usual in this picture, whatever the light and the haze: a hand, wood or cloth
# that covers half a marker is not as black as its ink, and its edge would be taken for the marker's.
MORE_BLACK = 0.2
HALF = 0.5  # between black and white: where blur leaves an edge


@dataclass(frozen=True, slots=True)
class Edges:
    """Places on edges: seen (N, 2) in pixels; places (N, 2) in mm of the tray on the edge's line; normals (N, 2)."""

    seen: Floats
    places: Floats
    normals: Floats

    def only(self, which: NDArray[np.bool_]) -> "Edges":
        """Return those for which `which` (N,) is true."""
        return Edges(self.seen[which], self.places[which], self.normals[which])

    @classmethod
    def joined(cls, several: Sequence["Edges"]) -> "Edges":
        """Return them all as one; at least one."""
        parts = [(each.seen, each.places, each.normals) for each in several]
        return cls(*(np.concatenate(part) for part in zip(*parts, strict=True)))


def find_edges(grey: Grey, mat: Mat, names: Iterable[int], pixels_of: Callable[[Floats], Floats]) -> Edges:
    """Return the edges of these markers, at least one, that are seen near to where they are expected; none is possible.

    grey: (H, W); pixels_of: from (N, 2) mm of the tray to the pixels where they are expected, to 0.4 of a marker's
    cell. Most of the markers have to be uncovered.
    """
    markers = [_on_mat(mat, name) for name in names]
    places, normals, cells = (np.concatenate(part) for part in zip(*markers, strict=True))
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
    return Edges(pixels_of(places[clear] + normals[clear] * offsets), places[clear], normals[clear])


def _on_mat(mat: Mat, name: int) -> tuple[Floats, Floats, Floats]:
    """Return of a marker's edges the middles in mm of the tray, the normals, and (N, 1) the side of a cell in mm."""
    box = mat.markers[name]
    cell = box.width / CELLS
    middles, normals = _segments(name)
    return middles * cell + mat.on_tray((box.left, box.top)), normals, np.full((len(middles), 1), cell)


def _crossing(share: Floats) -> Floats:
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
