"""From the markers of a mat, as pictures show them, to where its tray lies. Pure.

First by the corners of the markers that were found, then by all edges of all of them (`mat_edges.py`): these are more,
blur does not move them, and a marker that is partly covered, and so was not found, still has some.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.mat_edges import Edges, Grey, Segments, find_edges
from calibration.mat_solve import Camera, error_mm, solved
from tabletop.config import plane
from tabletop.config.markers import MARKERS, Outlines
from tabletop.config.mat import Mat
from tabletop.config.plane import BENDS, Lens
from tabletop.core.values import Matrix, Point, Profile, Quad

Floats = NDArray[np.float64]

USUAL_DIE_MM = 16.0
LEAST_CORNERS = 3  # of the four corner markers: with fewer the far corner would be guessed
WORST_MM = 1.5  # between the markers' corners and where they belong: more is another mat, or one that does not lie flat
BENDS_TRIED = np.linspace(*BENDS, 41)
BEND_STEPS = 24  # of the golden section that follows: to 1e-6
GOLDEN = (5**0.5 - 1) / 2
# A bend is believed if it makes the markers fit this much better; what is not known of it counts in `error_mm`.
BEND_GAIN = 0.8
PASSES = 2  # of finding edges near to where they are expected, and fitting to them
SIDES = CORNERS = 4  # of a marker
LEAST_EDGES = 80  # in a picture: half of those that three corner markers and the fifth have
DEPTH_AT_FIRST = 1.0  # of the plane: `plane.homography` has it so, and so does the profile


@dataclass(frozen=True, slots=True)
class MatView:
    """A mat as one camera sees it.

    homography: from straight pixels (see `plane`) to millimetres of the tray. misfit_mm: root mean square of what
    the markers' corners are off. error_mm: how far off the worst place in the tray may be, see `mat_solve`. seen: the
    numbers of the markers.
    """

    mat: Mat
    width_px: int
    height_px: int
    homography: Matrix
    lens: Lens
    misfit_mm: float
    error_mm: float
    seen: tuple[int, ...]

    def pixel(self, on_sheet: Point) -> Point:
        """Return where the camera sees a place of the sheet."""
        back = cast("Matrix", np.linalg.inv(np.array(self.homography)).tolist())
        return self.lens.seen(plane.to_plane(back, self.mat.on_tray(on_sheet)))

    def profile(self, die_mm: float, ruler: float = 1.0) -> Profile:
        """Return the profile of this view. ruler: how many mm the sheet has for each that was meant."""
        tray = cast("Quad", tuple(self.pixel(corner) for corner in self.mat.tray.corners))
        rail = None
        if self.mat.rail is not None:
            rail = cast("Quad", tuple(self.pixel(corner) for corner in self.mat.rail.corners))
        top, left, below = self.homography
        matrix: Matrix = (_times(top, ruler), _times(left, ruler), below)
        middle = self.pixel(
            (self.mat.tray.left + self.mat.tray.width / 2, self.mat.tray.top + self.mat.tray.height / 2)
        )
        mm_per_px = plane.scale(matrix, self.lens.straight(middle)) * self.lens.stretch(middle)
        return Profile(
            self.width_px,
            self.height_px,
            tray,
            (self.mat.tray.width * ruler, self.mat.tray.height * ruler),
            matrix,
            1 / mm_per_px,
            die_mm,
            rail,
            self.lens.bend,
        )


def fit(
    mat: Mat, outlines: Outlines, width_px: int, height_px: int, greys: Sequence[NDArray[np.uint8]] = ()
) -> MatView:
    """Return the view in which the markers lie best; three corner markers or more, see LEAST_CORNERS.

    outlines: of the markers that were found; greys: (H, W) the pictures of them. Without pictures, and if the markers
    are further off than WORST_MM or hardly an edge is seen, it is the corners' fit.
    """
    names = [name for name in mat.markers if name in outlines]
    seen = np.concatenate([outlines[name] for name in names])
    places = np.array([mat.on_tray(corner) for name in names for corner in mat.markers[name].corners])
    straight = _fitted(seen, places, Lens(width_px, height_px, 0.0))
    bent = _fitted(seen, places, Lens(width_px, height_px, _best_bend(seen, places, width_px, height_px)))
    best = bent if bent.error_mm < BEND_GAIN * straight.error_mm else straight
    camera, misfit_mm, independent = Camera(best.homography, best.lens), best.error_mm, 2 * len(seen)
    edges = as_edges(seen, places, np.repeat(names, CORNERS))
    if greys and misfit_mm <= WORST_MM and (better := _by_edges(camera, mat, names, greys)):
        camera, edges = better
        misfit_mm = float(np.sqrt(((camera.places(seen) - places) ** 2).sum(axis=1).mean()))
        independent = SIDES * len(names)
    worst_mm = error_mm(camera, edges, _ends(mat), independent)
    return MatView(mat, width_px, height_px, camera.homography, camera.lens, misfit_mm, worst_mm, tuple(names))


def _by_edges(camera: Camera, mat: Mat, names: Sequence[int], greys: Sequence[Grey]) -> tuple[Camera, Edges] | None:
    """Return the camera by the edges of the markers that were found, then of all, and the edges that agree with it.

    None if there are too few edges: the pictures are too dark or too blurred.
    """
    edges = None
    for expected in (names, tuple(mat.markers)):
        for _ in range(PASSES):
            found = Edges.joined([find_edges(grey, Segments.of_mat(mat, expected), camera.pixels) for grey in greys])
            if len(found.seen) < LEAST_EDGES * len(greys):
                return None
            camera, kept = solved(camera, found)
            edges = found.only(kept)
    return None if edges is None else (camera, edges)


def as_edges(seen: Floats, places: Floats, names: NDArray[np.int64]) -> Edges:
    """Return corners, (N, 2) pixels and mm and (N,) markers, as places on an edge across and on one down."""
    across, down = (np.tile(normal, (len(seen), 1)) for normal in ((1.0, 0.0), (0.0, 1.0)))
    return Edges.joined([Edges(seen, places, across, names), Edges(seen, places, down, names)])


def _ends(mat: Mat) -> Floats:
    """Return the tray's corners and its middle, in mm of the tray."""
    wide, high = mat.tray.width, mat.tray.height
    return np.array([(0.0, 0.0), (wide, 0.0), (wide, high), (0.0, high), (wide / 2, high / 2)])


def averaged(seen: Sequence[Outlines]) -> tuple[Outlines, float]:
    """Return the markers of several pictures of one camera, each at its median, and how far one moved, in pixels."""
    together: Outlines = {}
    moved_px = 0.0
    for name in sorted({name for outlines in seen for name in outlines}):
        each = np.array([outlines[name] for outlines in seen if name in outlines])
        together[name] = np.asarray(np.median(each, axis=0), np.float64)
        moved_px = max(moved_px, float(np.abs(each - together[name]).max()))
    return together, moved_px


def missing_corners(outlines: Mapping[int, object]) -> list[int]:
    """Return the numbers of the corner markers that are not there."""
    return [name for name in MARKERS if name not in outlines]


@dataclass(frozen=True, slots=True)
class _Fit:
    homography: Matrix
    lens: Lens
    error_mm: float


def _fitted(seen: Floats, places: Floats, lens: Lens) -> _Fit:
    """Return the homography that takes what is seen through this lens to the places, by least squares."""
    straight = np.array([lens.straight((float(x), float(y))) for x, y in seen])
    matrix: object = cv2.findHomography(straight, places, 0)[0]
    rows = np.eye(3) if matrix is None else np.asarray(matrix, np.float64)
    at = np.column_stack([straight, np.ones(len(straight))]) @ rows.T
    off = at[:, :2] / at[:, 2:] - places
    rows = rows * (DEPTH_AT_FIRST / float(at[0, 2]))
    return _Fit(cast("Matrix", tuple(map(tuple, rows.tolist()))), lens, float(np.sqrt((off**2).sum(axis=1).mean())))


def _best_bend(seen: Floats, places: Floats, width_px: int, height_px: int) -> float:
    """Return the bend with which the markers fit best: the best of a coarse row, then a golden section around it."""

    def error(bend: float) -> float:
        return _fitted(seen, places, Lens(width_px, height_px, bend)).error_mm

    coarse = min(BENDS_TRIED, key=lambda bend: error(float(bend)))
    step = float(BENDS_TRIED[1] - BENDS_TRIED[0])
    low, high = float(coarse) - step, float(coarse) + step
    for _ in range(BEND_STEPS):
        left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        low, high = (low, right) if error(left) < error(right) else (left, high)
    return (low + high) / 2


def _times(row: tuple[float, float, float], factor: float) -> tuple[float, float, float]:
    return row[0] * factor, row[1] * factor, row[2] * factor
