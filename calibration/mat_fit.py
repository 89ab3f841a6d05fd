"""From the markers of a mat, as pictures show them, to where its tray lies. Pure arithmetic on the markers' corners."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.config import plane
from tabletop.config.lens import BENDS, Lens
from tabletop.config.markers import MARKERS, Outlines
from tabletop.config.mat import Mat
from tabletop.core.values import Matrix, Point, Profile, Quad

Floats = NDArray[np.float64]

FOCAL_SHARE = 0.9  # of the picture's width, 58 degrees: Raspberry Pi's cameras see 54 to 66, webcams 50 to 70
USUAL_DIE_MM = 16.0
LEAST_CORNERS = 3  # of the four corner markers: with fewer the far corner would be guessed
WORST_MM = 1.5  # between the markers' corners and where they belong: more is another mat, or one that does not lie flat
BENDS_TRIED = np.linspace(*BENDS, 41)
BEND_STEPS = 24  # of the golden section that follows: to 1e-6
GOLDEN = (5**0.5 - 1) / 2
# A bend is believed if it makes the markers fit this much better; what is not known of it counts in `doubt_mm`.
BEND_GAIN = 0.8
STEP_SHARE, STEP_FLOOR = 1e-4, 1e-6  # of a parameter, for slopes by differences
DEPTH_AT_FIRST = 1.0  # of the plane: `plane.homography` has it so, and so does the profile


@dataclass(frozen=True, slots=True)
class MatView:
    """A mat as one camera sees it.

    homography: from straight pixels (see `config.lens`) to millimetres of the tray. error_mm: root mean square of what
    the markers' corners are off. doubt_mm: how far off a place in the tray may be. seen: the numbers of the markers.
    """

    mat: Mat
    width_px: int
    height_px: int
    homography: Matrix
    lens: Lens
    error_mm: float
    doubt_mm: float
    seen: tuple[int, ...]

    def pixel(self, on_sheet: Point) -> Point:
        """Return where the camera sees a place of the sheet."""
        back = cast("Matrix", np.linalg.inv(np.array(self.homography)).tolist())
        return self.lens.seen(plane.to_plane(back, self.mat.on_tray(on_sheet)))

    @property
    def high_mm(self) -> float:
        """How high the camera is above the mat: by its scale and a usual lens (FOCAL_SHARE)."""
        return FOCAL_SHARE * self.width_px / self.profile(USUAL_DIE_MM).px_per_mm

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


def fit(mat: Mat, outlines: Outlines, width_px: int, height_px: int) -> MatView:
    """Return the view in which the markers lie best; three corner markers or more, see LEAST_CORNERS."""
    names = [name for name in mat.markers if name in outlines]
    seen = np.concatenate([outlines[name] for name in names])
    places = np.array([mat.on_tray(corner) for name in names for corner in mat.markers[name].corners])
    straight = _fitted(seen, places, Lens(width_px, height_px, 0.0))
    bent = _fitted(seen, places, Lens(width_px, height_px, _best_bend(seen, places, width_px, height_px)))
    best = bent if bent.error_mm < BEND_GAIN * straight.error_mm else straight
    doubt_mm = _doubt_mm(best, seen, places, mat)
    return MatView(mat, width_px, height_px, best.homography, best.lens, best.error_mm, doubt_mm, tuple(names))


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


def _doubt_mm(best: _Fit, seen: Floats, places: Floats, mat: Mat) -> float:
    """Return twice the standard error of the worst place in the tray, the bend being unknown as well.

    The usual linear theory of least squares: the covariance of the nine parameters from the markers' residuals.
    """
    names = np.array([*np.array(best.homography).ravel()[:8], best.lens.bend])
    depth = best.homography[2][2]
    steps = STEP_SHARE * np.maximum(np.abs(names), STEP_FLOOR)

    def at(parameters: Floats, pixels: Floats) -> Floats:
        lens = Lens(best.lens.width_px, best.lens.height_px, float(parameters[8]))
        straight = np.array([(*lens.straight((float(x), float(y))), 1.0) for x, y in pixels])
        met = straight @ np.append(parameters[:8], depth).reshape(3, 3).T
        return np.asarray(met[:, :2] / met[:, 2:], np.float64)

    def slopes(pixels: Floats) -> Floats:
        moved = [at(names + step, pixels) - at(names - step, pixels) for step in np.diag(steps)]
        return np.stack([(each / (2 * step)).ravel() for each, step in zip(moved, steps, strict=True)], axis=1)

    off = (at(names, seen) - places).ravel()
    spread = float((off**2).sum()) / max(1, len(off) - len(names))
    scaled = slopes(seen) * steps
    covariance = spread * np.linalg.pinv(scaled.T @ scaled)
    back = np.linalg.inv(np.array(best.homography))
    wide, high = mat.tray.width, mat.tray.height
    ends = [(0.0, 0.0), (wide, 0.0), (wide, high), (0.0, high), (wide / 2, high / 2)]
    pixels = [best.lens.seen(plane.to_plane(cast("Matrix", back.tolist()), end)) for end in ends]
    shown = (slopes(np.array(pixels)) * steps).reshape(len(ends), 2, len(names))
    return float(max(2 * np.sqrt(np.trace(each @ covariance @ each.T)) for each in shown))


def _times(row: tuple[float, float, float], factor: float) -> tuple[float, float, float]:
    return row[0] * factor, row[1] * factor, row[2] * factor
