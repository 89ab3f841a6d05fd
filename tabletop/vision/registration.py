"""Estimate the motion of the fixed parts of a picture: the tray's rim, the cloth, the table; not dice or hands.

Distinctive points are tracked from one picture to another (B. Lucas, T. Kanade 1981, in pyramids after J. Bouguet 2000,
as implemented by OpenCV), on small, evened pictures, so that light does not matter. The motion that most parts of the
picture agree on is the picture's: a shift, a rotation and a small scale. Hands and thrown dice do not agree with it: a
hand has many points, but in few parts of the picture.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]
Moved = NDArray[np.float64]  # (2, 3): maps (x, y, 1) of one picture to the same spot in another

LONG_PX = 320  # the longer side of the small picture
EVEN_PX = 15  # side of the square whose mean brightness each pixel is divided by
MIDDLE = 96.0  # grey level that a uniform area has afterwards
LIFT = 4.0  # grey levels added before, so that the noise of a black picture is not amplified
POINTS, POINTS_APART_PX, POINTS_QUALITY = 300, 8, 0.003
POINTS_A_CELL = 8  # only the strongest, so that a hand's edges give no more points than bare cloth
WINDOW_PX, LEVELS = 15, 3  # the window tracked around a point; the pyramid reaches about sixty small pixels
OFF_PX = 1.0  # small pixels: a point that is further off does not agree
KNOWN_POINTS = 12  # with fewer points a picture cannot be recognised
LEAST_POINTS, LEAST_SHARE = 8, 0.25  # how many points, and which share of all, must agree
CELLS, LEAST_CELLS = 4, 3  # the picture is divided into 4 x 4 cells; agreeing points must lie in at least 3 of them
LEAST_CELLS_SHARE = 0.45  # of the cells with points; a hand and its shadow have a third. Not required if nothing moved
ROUNDS = 3  # how many motions are looked for: a hand's, its shadow's and the camera's
MOST_SCALE = 0.1  # change of scale; a nudged camera changes its distance by less


@dataclass(frozen=True, slots=True)
class FixedParts:
    """The fixed parts of one picture. evened: the picture small and evened. points: (N, 2) in small pixels.

    zoom: small pixels per pixel of the picture.
    """

    evened: Picture
    points: Floats
    zoom: float


def fixed_parts(picture: Picture, excluded: Sequence[tuple[float, float, float]] = ()) -> FixedParts:
    """Return the fixed parts of a picture (H, W, 3). excluded: circles that may move (x, y, radius in pixels)."""
    evened, zoom = small_and_even(picture)
    mask = np.full(evened.shape, 255, np.uint8)
    for x, y, radius in excluded:
        cv2.circle(mask, (round(x * zoom), round(y * zoom)), round(radius * zoom) + 1, 0, -1)
    found: object = cv2.goodFeaturesToTrack(evened, POINTS, POINTS_QUALITY, POINTS_APART_PX, mask=mask)
    points = np.zeros((0, 2), np.float32) if found is None else np.asarray(found, np.float32).reshape(-1, 2)
    return FixedParts(evened, _spread(points, evened), zoom)


def small_and_even(picture: Picture) -> tuple[Picture, float]:
    """Return the picture in grey, at most LONG_PX long and divided by its local mean; and small pixels per pixel."""
    zoom = min(1.0, LONG_PX / max(picture.shape[:2]))
    step = max(1, int(0.5 / zoom))  # for a large picture every second pixel is enough
    grey = cv2.cvtColor(picture[::step, ::step], cv2.COLOR_BGR2GRAY)
    height, width = picture.shape[:2]
    if zoom < 1:
        grey = cv2.resize(grey, (round(width * zoom), round(height * zoom)), interpolation=cv2.INTER_AREA)
    grey = cv2.add(grey, np.full(1, LIFT))
    return np.asarray(cv2.divide(grey, cv2.blur(grey, (EVEN_PX, EVEN_PX)), scale=MIDDLE), np.uint8), zoom


def known(parts: FixedParts) -> bool:
    """Return whether there are enough points to recognise the picture."""
    return len(parts.points) >= KNOWN_POINTS and _cells(parts.points, parts.evened) >= LEAST_CELLS


def moved(parts: FixedParts, evened: Picture, guess: Moved) -> Moved | None:
    """Return the map from the pixels of `parts`' picture to those of another one; None if too little of it is seen.

    evened: the other picture by `small_and_even`. guess: an estimate, from the previous frame.
    """
    if evened.shape != parts.evened.shape or not len(parts.points):
        return None
    guessed = _through(parts.points, _small(guess, parts.zoom))
    ended, found, _ = cv2.calcOpticalFlowPyrLK(
        parts.evened,
        evened,
        parts.points,
        guessed.copy(),
        winSize=(WINDOW_PX, WINDOW_PX),
        maxLevel=LEVELS,
        flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
    )
    good = np.ravel(found).astype(bool)
    if good.sum() < LEAST_POINTS:
        return None
    here, there = parts.points[good], ended[good]
    stayed = np.hypot(*(there - guessed[good]).T) <= OFF_PX
    matrix = _agreed(here, there, stayed, parts, LEAST_CELLS)
    if matrix is None:
        matrix = _most_agreed(here, there, parts)
    return None if matrix is None else _large(matrix, parts.zoom)


def _most_agreed(here: Floats, there: Floats, parts: FixedParts) -> Moved | None:
    """Return the motion on which the most cells of the picture agree, None if they are too few."""
    left = np.ones(len(here), bool)
    best, most = None, 0
    for _ in range(ROUNDS):
        if left.sum() < LEAST_POINTS:
            break
        matrix = _fitted(here[left], there[left])
        if matrix is None:
            break
        agree = _off(here, there, matrix) <= OFF_PX
        if (cells := _cells(here[agree], parts.evened)) > most:
            best, most = agree, cells
        left &= ~agree
    if best is None:
        return None
    least = LEAST_CELLS_SHARE * _cells(parts.points, parts.evened)
    return _agreed(here, there, best, parts, max(LEAST_CELLS, least))


def _agreed(here: Floats, there: Floats, agree: NDArray[np.bool_], parts: FixedParts, cells: float) -> Moved | None:
    """Return the motion of these points, None if they are too few, lie in too few cells, or change scale too much."""
    enough = agree.sum() >= max(LEAST_POINTS, LEAST_SHARE * len(parts.points))
    if not enough or _cells(here[agree], parts.evened) < cells:
        return None
    matrix = _fitted(here[agree], there[agree])
    if matrix is not None:  # points that agree with the first fit count as well
        agree = _off(here, there, matrix) <= OFF_PX
        matrix = _fitted(here[agree], there[agree])
    if matrix is None or abs(float(np.hypot(matrix[0, 0], matrix[1, 0])) - 1) > MOST_SCALE:
        return None
    return matrix


def _fitted(here: Floats, there: Floats) -> Moved | None:
    """Return the shift, turn and scale that most of these points agree on."""
    found: object = cv2.estimateAffinePartial2D(here, there, ransacReprojThreshold=OFF_PX)[0]
    return None if found is None else np.asarray(found, np.float64)


def _off(here: Floats, there: Floats, matrix: Moved) -> Floats:
    """Return how far each point ended from where the motion takes it, in small pixels."""
    return np.asarray(np.hypot(*(_through(here, matrix) - there).T), np.float32)


def _spread(points: Floats, evened: Picture) -> Floats:
    """Return the strongest POINTS_A_CELL points of each cell. points: the strongest first."""
    kept, full = list[int](), Counter[tuple[int, int]]()
    for at, cell in enumerate(_cells_of(points, evened)):
        full[cell] += 1
        if full[cell] <= POINTS_A_CELL:
            kept.append(at)
    return points[kept]


def shifted(parts: FixedParts, evened: Picture) -> Moved | None:
    """Return the pure shift that fits the two pictures best, as a guess for `moved` without a previous frame."""
    if evened.shape != parts.evened.shape:
        return None
    (right, down), _ = cv2.phaseCorrelate(
        np.asarray(parts.evened, np.float32), np.asarray(evened, np.float32), _window(parts.evened.shape)
    )
    return np.array([[1.0, 0.0, right / parts.zoom], [0.0, 1.0, down / parts.zoom]])


@cache
def _window(shape: tuple[int, ...]) -> Floats:
    return np.asarray(cv2.createHanningWindow(shape[::-1], cv2.CV_32F), np.float32)


def _cells(points: Floats, evened: Picture) -> int:
    return len(set(_cells_of(points, evened)))


def _cells_of(points: Floats, evened: Picture) -> list[tuple[int, int]]:
    height, width = evened.shape
    return [(int(x * CELLS / width), int(y * CELLS / height)) for x, y in points]


def _through(points: Floats, matrix: Moved) -> Floats:
    return np.asarray(points @ matrix[:, :2].T + matrix[:, 2], np.float32)


def _small(matrix: Moved, zoom: float) -> Moved:
    return np.column_stack([matrix[:, :2], matrix[:, 2] * zoom])


def _large(matrix: Moved, zoom: float) -> Moved:
    return np.column_stack([matrix[:, :2], matrix[:, 2] / zoom])
