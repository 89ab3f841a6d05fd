"""Find candidate places: a small network looks at the whole picture, shrunk until dice are about 20 pixels wide.

It finds places and sizes but no faces, and rather too many than too few; the classifier then decides.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import log2

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.network import Network, resized, shipped_weights

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]

STRIDE = 4  # pixels of the network's input for one cell of its output
EDGE_PX = 20.0  # edge of a die in the network's input for which its size output is 0 (log2); trained from 9 to 38
MIDDLE, SPREAD = 128.0, 64.0  # bytes: the mean and the scale by which the network's input is normalised
# Logit below which a cell is no place: one labelled die in a hundred is below -0.5, or below -1.2 under a steep camera.
FAINT = -1.8
APART = 0.5  # edges of the smaller: two places nearer to each other are the same die, and the fainter is dropped
ALIKE = 0.8  # log2: two places whose sizes differ by more may be a die and one of its pips
SMALLEST_PX, LARGEST_PX = 18.0, 700.0  # dice that are looked for if no size was given
TINY_PX = 11.0  # the smallest that are looked for if none of these was found
LEAST_PX, MOST_PX = 13.0, 27.0  # edges in the network's input that one pass over a picture of unknown scale covers
FULL_SHARE = 1.1  # of the picture's shorter side: no die is larger; one that fills it may be measured as larger
# Pixels of the network's input: a larger pass is not made where another one saw dice of that size. At 1e5 one more of
# 156 photographs of others lacks a die, at 3e5 nothing changes.
DEAR_PX = 3.0e5
DEAREST_PX = 4.0e6  # pixels of the network's input: no finer pass is made over a picture of unknown scale
MOST_ZOOM = 1.0  # however small dice are said to be: enlarging a picture adds no detail
BAND_PX = 1.0e6  # pixels of the network's input at a time: about 55 bytes of memory each
MARGIN_PX = 36  # how far beyond a band its cells see, in whole cells
STEP = 1.5  # factor by which each pass is coarser; a die that one pass sees badly lies in the range of the next
FINE = 2  # passes, the finest, that are left out where larger dice are sure
MOST_PLACES = 60  # more are not classified: gravel, text, leaves


@dataclass(frozen=True, slots=True)
class CandidatePlace:
    """A possible place of a die. x, y: the centre of its top face, size: its edge, in pixels of the picture.

    logit: how likely; 0 is an even chance.
    """

    x: float
    y: float
    size: float
    logit: float


Passes = dict[float, list[CandidatePlace]]  # the places that a pass over a picture saw, by its zoom


class Detector(Network):
    """The trained detector network. Immutable weights: equal pictures give equal places."""

    def places(self, picture: Picture, die_px: float, seen: Passes | None = None) -> tuple[CandidatePlace, ...]:
        """Return places, likeliest first, in a picture (H, W, 3) whose dice have edges of 0.5 to 1.8 times die_px.

        seen: earlier passes over this picture; one of them replaces a pass that would be dear.
        """
        zoom = min(EDGE_PX / die_px, MOST_ZOOM)
        if seen and zoom * picture.shape[0] * zoom * picture.shape[1] > DEAR_PX:
            nearest = min(seen, key=lambda other: abs(log2(other / zoom)))
            if LEAST_PX <= nearest * die_px <= MOST_PX:
                return _non_max_suppression(seen[nearest])
        return _non_max_suppression(self._pass(picture, zoom))

    def coarse_to_fine(self, picture: Picture, seen: Passes) -> Iterator[tuple[CandidatePlace, ...]]:
        """Yield the places so far, likeliest first, after each pass for large dice, the largest first; fill `seen`.

        The FINE passes, which cost four times as much as all of these, are left to `everywhere`.
        """
        places: tuple[CandidatePlace, ...] = ()
        for zoom in reversed(_zooms(picture)[FINE:]):
            seen[zoom] = self._pass(picture, zoom)
            places = _non_max_suppression([*places, *_fitting(seen[zoom], zoom)])
            yield places

    def everywhere(self, picture: Picture, large: Sequence[CandidatePlace]) -> tuple[CandidatePlace, ...]:
        """Return places, likeliest first, of dice of any readable size. large: the places of the large ones."""
        return _non_max_suppression([*large, *self._places_at(picture, _zooms(picture)[:FINE])])

    def _places_at(self, picture: Picture, zooms: Sequence[float]) -> tuple[CandidatePlace, ...]:
        return _non_max_suppression([place for zoom in zooms for place in _fitting(self._pass(picture, zoom), zoom)])

    def tiny(self, picture: Picture) -> tuple[CandidatePlace, ...]:
        """Return places, likeliest first, of dice too small for `everywhere`; none if the picture is too large."""
        height, width = picture.shape[:2]
        zoom = LEAST_PX / TINY_PX
        if zoom * width * zoom * height > DEAREST_PX:
            return ()
        places = [place for place in self._pass(picture, zoom) if TINY_PX <= place.size <= SMALLEST_PX * STEP]
        return _non_max_suppression(places)

    def _pass(self, picture: Picture, zoom: float) -> list[CandidatePlace]:
        height, width = picture.shape[:2]
        wide, high = max(1, round(width * zoom)), max(1, round(height * zoom))
        small = cv2.copyMakeBorder(
            resized(picture, wide, high), 0, -high % STRIDE, 0, -wide % STRIDE, cv2.BORDER_REPLICATE
        )
        return peaks(self._cells(np.asarray(small, np.uint8)), wide / width, high / height)

    def _cells(self, small: Picture) -> Floats:
        """Return the network's raw output, (4, h, w), for (4h, 4w, 3), band by band where it is large."""
        high, wide = small.shape[:2]
        band = max(STRIDE, int(BAND_PX / wide) // STRIDE * STRIDE)
        parts = []
        for top in range(0, high, band):
            first, last = max(0, top - MARGIN_PX), min(high, top + band + MARGIN_PX)
            blob = cv2.dnn.blobFromImage(small[first:last], 1 / SPREAD, mean=(MIDDLE, MIDDLE, MIDDLE))
            begin, end = (top - first) // STRIDE, (min(high, top + band) - first) // STRIDE
            parts.append(self.answers(np.asarray(blob, np.float32))[0][:, begin:end])
        return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1)


@cache
def shipped() -> Detector:
    """Return the built-in detector, loaded once."""
    return Detector(shipped_weights("detector"))


def _zooms(picture: Picture) -> tuple[float, ...]:
    """Return the zooms at which dice of all sizes are seen, the finest first; none for a strip of a few pixels.

    The finest is as fine as the smallest dice need, but has at most DEAREST_PX pixels.
    """
    height, width = picture.shape[:2]
    coarsest = MOST_PX / min(LARGEST_PX, FULL_SHARE * min(width, height))
    if coarsest * width * coarsest * height > DEAREST_PX:
        return ()
    zooms = [max(coarsest, min(LEAST_PX / SMALLEST_PX, (DEAREST_PX / (width * height)) ** 0.5))]
    while zooms[-1] > coarsest:
        zooms.append(max(coarsest, zooms[-1] / STEP))
    return tuple(zooms)


def _fitting(places: Sequence[CandidatePlace], zoom: float) -> list[CandidatePlace]:
    """Return those of the sizes that a pass at this zoom covers."""
    return [place for place in places if LEAST_PX / zoom <= place.size <= MOST_PX / zoom]


def peaks(cells: Floats, zoom_x: float, zoom_y: float) -> list[CandidatePlace]:
    """Return the local maxima of the network's raw output, in any order, possibly with duplicates.

    cells: (4, h, w): logit of a die; offset from the cell's centre to the die's in edges, right and down; log2 of the
    edge in EDGE_PX. zoom_x, zoom_y: pixels of the network's input per pixel of the picture.
    """
    logit = cells[0]
    top = (logit >= cv2.dilate(logit, np.ones((3, 3), np.uint8))) & (logit > FAINT)
    rows, columns = np.nonzero(top)
    chance, right, down, scale = cells[:, rows, columns]
    edge = EDGE_PX * np.exp2(scale)
    x = (columns * STRIDE + STRIDE / 2 + right * edge) / zoom_x - 0.5
    y = (rows * STRIDE + STRIDE / 2 + down * edge) / zoom_y - 0.5
    size = edge / ((zoom_x + zoom_y) / 2)
    facts = zip(x.tolist(), y.tolist(), size.tolist(), chance.tolist(), strict=True)
    return [CandidatePlace(*fact) for fact in facts]


def _non_max_suppression(places: list[CandidatePlace]) -> tuple[CandidatePlace, ...]:
    """Return the likeliest MOST_PLACES places, likeliest first, without those that are the same die as a likelier."""
    left = sorted(places, key=lambda place: -place.logit)
    x, y, size = np.array([(place.x, place.y, place.size) for place in left], np.float64).reshape(-1, 3).T
    log_size, free = np.log2(size), np.ones(len(left), bool)
    kept: list[CandidatePlace] = []
    for index, place in enumerate(left):
        if not free[index]:
            continue
        kept.append(place)
        if len(kept) == MOST_PLACES:
            break
        near = np.hypot(x - place.x, y - place.y) < APART * np.minimum(size, place.size)
        free &= ~(near & (np.abs(log_size - log_size[index]) < ALIKE))
    return tuple(kept)
