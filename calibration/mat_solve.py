"""The plane and the lens that lay the edges of a mat's markers where they belong, and how surely they do. Pure.

Nine numbers: eight of the homography, whose last one stays as it is, and the bend of the lens (`plane`).
"""

from dataclasses import dataclass
from typing import Protocol, Self, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from calibration.mat_edges import Edges
from tabletop.config.plane import Lens
from tabletop.core.values import Matrix

Floats = NDArray[np.float64]

STEP_SHARE, STEP_FLOOR = 1e-4, 1e-6  # of a number, for slopes by differences
ROUNDS = 4  # of Gauss and Newton: from 2 mm off to less than 0.001 mm
OUTLYING, LEAST_OUTLYING_MM = 3.0, 0.1  # standard deviations, at least so much: such an edge is another thing's
# How far off the worst place of the tray is said to be. Chosen on 219 views (`tests/mat_views.py`, seeds 301 to 303),
# of which 0.9 % are further off. LENS_MM is for what one radial term cannot show of a lens.
STANDARD_ERRORS, LENS_MM = 3.0, 0.05


@dataclass(frozen=True, slots=True)
class Caution:
    """How an error is stated.

    standard_errors: so many of them. lens_mm: added, for what pixels and a lens hide. hidden_share: of what the next
    radial term may move, see `Camera.next_term_mm`, added as well: it is no chance.
    """

    standard_errors: float = STANDARD_ERRORS
    lens_mm: float = LENS_MM
    hidden_share: float = 0.0


CAUTION = Caution()
DEVIATION_OF_MEDIAN = 1.4826  # normal distribution: from the median of absolute values to the standard deviation


class View(Protocol):
    """Some numbers that say where what a camera sees lies on the tray: a `Camera`, or one with what else is unknown."""

    @property
    def numbers(self) -> Floats:
        """What is sought."""

    def with_numbers(self, numbers: Floats) -> Self:
        """Return the same with other numbers."""

    def places(self, seen: Floats) -> Floats:
        """Return (N, 2) mm of the tray for (N, 2) pixels."""

    def pixels(self, places: Floats) -> Floats:
        """Return (N, 2) pixels for (N, 2) mm of the tray; the inverse of `places`."""

    def off_mm(self, edges: Edges) -> Floats:
        """Return (N,) how far each place on an edge is from its line."""

    def next_term_mm(self, places: Floats) -> float:
        """Return how far the lens's next radial term may move these places (N, 2) of the tray."""


AnyView = TypeVar("AnyView", bound=View)


@dataclass(frozen=True, slots=True)
class Camera:
    """How one camera sees the tray. homography: from straight pixels (see `plane`) to millimetres of the tray."""

    homography: Matrix
    lens: Lens

    @property
    def numbers(self) -> Floats:
        """The nine numbers."""
        return np.array([*np.array(self.homography).ravel()[:8], self.lens.bend])

    def with_numbers(self, numbers: Floats) -> "Camera":
        """Return the camera that has these nine."""
        rows = np.append(numbers[:8], self.homography[2][2]).reshape(3, 3)
        lens = Lens(self.lens.width_px, self.lens.height_px, float(numbers[8]))
        return Camera(cast("Matrix", tuple(map(tuple, rows.tolist()))), lens)

    def places(self, seen: Floats) -> Floats:
        """Return (N, 2) mm of the tray for (N, 2) pixels."""
        away, unit = self._from_middle(seen)
        share = 1 / (1 + self.lens.bend * (away**2).sum(axis=1, keepdims=True) / unit**2)
        return _through(np.array(self.homography), away * share + self._middle)

    def pixels(self, places: Floats) -> Floats:
        """Return (N, 2) pixels for (N, 2) mm of the tray; the inverse of `places`."""
        away, unit = self._from_middle(_through(np.linalg.inv(np.array(self.homography)), places))
        bent = 4 * self.lens.bend * (away**2).sum(axis=1, keepdims=True) / unit**2
        return np.asarray(away * 2 / (1 + np.sqrt(np.maximum(0.0, 1 - bent))) + self._middle, np.float64)

    def off_mm(self, edges: Edges) -> Floats:
        """Return (N,) how far each place on an edge is from its line."""
        return np.asarray(((self.places(edges.seen) - edges.places) * edges.normals).sum(axis=1), np.float64)

    def next_term_mm(self, places: Floats) -> float:
        """Return how far the next radial term, as large as the square of the first, would move these places (N, 2).

        That is the square of the bend times the fourth power of how far out they are seen, of half of what they span.
        """
        away, unit = self._from_middle(self.pixels(places))
        span_mm = float(np.hypot(*np.ptp(places, axis=0)))
        farthest = float(np.hypot(*away.T).max()) / unit
        return self.lens.bend**2 * farthest**4 * span_mm / 2

    @property
    def _middle(self) -> Floats:
        return np.array([self.lens.width_px / 2, self.lens.height_px / 2])

    def _from_middle(self, pixels: Floats) -> tuple[Floats, float]:
        return pixels - self._middle, float(np.hypot(*self._middle))


def solved(camera: AnyView, edges: Edges) -> tuple[AnyView, NDArray[np.bool_]]:
    """Return the camera for which the edges are least off, and which (N,) of them are not another thing's.

    camera: near to it, to 2 mm. With fewer edges than numbers the smallest change that serves is taken.
    """
    for _ in range(ROUNDS):
        off = camera.off_mm(edges)
        kept = _kept(off)
        steps = _steps(camera)
        slopes = _slopes(camera, steps, edges)
        change = np.linalg.lstsq(slopes[kept], -off[kept], rcond=None)[0]
        camera = camera.with_numbers(camera.numbers + change * steps)
    return camera, _kept(camera.off_mm(edges))


def error_mm(camera: View, edges: Edges, places: Floats, independent: int, caution: Caution = CAUTION) -> float:
    """Return how far off the worst of these places (N, 2) of the tray may be: in 19 of 20 views it is less.

    So many standard errors of it as caution says, the bend being unknown as well, and what it adds.

    The usual linear theory of least squares: the covariance of the numbers from what the edges are off.
    independent: how many of the edges err independently; those of one side of a marker err together, by what one radial
    term cannot show of a lens.
    """
    steps, count = _steps(camera), len(edges.seen)
    off, slopes = camera.off_mm(edges), _slopes(camera, steps, edges)
    spread = float((off**2).sum()) / max(1, count - len(steps)) * max(1.0, count / max(1, independent))
    covariance = spread * np.linalg.pinv(slopes.T @ slopes)
    pixels = camera.pixels(places)
    moved = [_by(camera, step).places(pixels) - _by(camera, -step).places(pixels) for step in np.diag(steps)]
    shown = np.stack([each / 2 for each in moved], axis=2)
    errors = [float(np.sqrt(np.trace(each @ covariance @ each.T))) for each in shown]
    hidden_mm = caution.hidden_share * camera.next_term_mm(places)
    return caution.lens_mm + caution.standard_errors * max(errors) + hidden_mm


def _kept(off: Floats) -> NDArray[np.bool_]:
    deviation = DEVIATION_OF_MEDIAN * float(np.median(np.abs(off)))
    return np.abs(off) < max(LEAST_OUTLYING_MM, OUTLYING * deviation)


def _steps(camera: View) -> Floats:
    return np.asarray(STEP_SHARE * np.maximum(np.abs(camera.numbers), STEP_FLOOR), np.float64)


def _by(camera: AnyView, change: Floats) -> AnyView:
    return camera.with_numbers(camera.numbers + change)


def _slopes(camera: View, steps: Floats, edges: Edges) -> Floats:
    """Return (N, 9) how much what the edges are off changes with a step of each number."""
    moved = [_by(camera, step).off_mm(edges) - _by(camera, -step).off_mm(edges) for step in np.diag(steps)]
    return np.stack([each / 2 for each in moved], axis=1)


def _through(matrix: Floats, points: Floats) -> Floats:
    met = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(met[:, :2] / met[:, 2:], np.float64)
