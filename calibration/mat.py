"""Locate the tray in pictures of the printed mat. Pure.

OpenCV finds the corners of the five markers. Nine parameters are fitted to their places on the mat: eight of the
homography and one of the lens distortion (`config.plane`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.config import plane
from tabletop.config.mat import MARKERS, Mat, Outlines, find_all, mat_of_code
from tabletop.config.plane import BENDS, Lens
from tabletop.core.errors import InputError
from tabletop.core.values import Matrix, Point, Profile, Quad

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

PROMISED_MM = 1.0  # of a place in the tray
STEADY_PX = 3.0  # a marker's corner moves by less between pictures of a camera that stands still
LEAST_CORNERS = 3  # of the four corner markers: with fewer the far corner would be guessed
WORST_MM = 1.5  # between the markers' corners and where they belong: more is another mat, or one that does not lie flat
FOUR_CORNERS = "or give the tray's corners: tabletop calibrate corners PICTURE --corners ..."
ROUNDS = 6  # of Gauss and Newton: from a lens without a bend to less than 0.001 mm
STEP = 1e-6  # of each number, for slopes by differences
# How far off the worst place of the tray may be, as stated: so many standard errors, and what blur and one radial term
# hide. Chosen on the scenes of test_mat_proof.py from seed 301 on; measured on other seeds in docs/calibration.md.
STANDARD_ERRORS, HIDDEN_MM = 2.5, 0.1


@dataclass(frozen=True, slots=True)
class MatView:
    """A camera's view of a mat.

    homography: from undistorted pixels (see `config.plane`) to millimetres of the tray. misfit_mm: root mean square
    error of the markers' corners. error_mm: the largest possible error in the tray.
    """

    mat: Mat
    width_px: int
    height_px: int
    homography: Matrix
    lens: Lens
    misfit_mm: float
    error_mm: float

    def pixel(self, on_sheet: Point) -> Point:
        """Return the pixel at which the camera sees a place of the sheet."""
        back = cast("Matrix", np.linalg.inv(np.array(self.homography)).tolist())
        return self.lens.seen(plane.to_plane(back, self.mat.on_tray(on_sheet)))

    def profile(self, die_mm: float, ruler: float = 1.0) -> Profile:
        """Return the profile of this view. ruler: true mm of the printed sheet per nominal mm."""
        tray, rail = self.mat.tray, self.mat.rail
        matrix = _rows(np.diag([ruler, ruler, 1.0]) @ np.array(self.homography))
        middle = self.pixel((tray.left + tray.width / 2, tray.top + tray.height / 2))
        return Profile(
            self.width_px,
            self.height_px,
            cast("Quad", tuple(self.pixel(corner) for corner in tray.corners)),
            (tray.width * ruler, tray.height * ruler),
            matrix,
            1 / (plane.scale(matrix, self.lens.straight(middle)) * self.lens.stretch(middle)),
            die_mm,
            None if rail is None else cast("Quad", tuple(self.pixel(corner) for corner in rail.corners)),
            self.lens.bend,
        )


def see_mat(pictures: Sequence[Picture]) -> MatView:
    """Return one camera's view of a mat. pictures: (H, W, 3) BGR, of equal size.

    Raises InputError with the problem: hidden markers, a mirrored picture, a moving camera, or errors larger than
    PROMISED_MM.
    """
    height_px, width_px = pictures[0].shape[:2]
    if others := [picture.shape for picture in pictures if picture.shape[:2] != (height_px, width_px)]:
        got = f"{others[0][1]}x{others[0][0]}"
        raise InputError(
            f"expected pictures of one size, got {width_px}x{height_px} and {got}: give those of one camera"
        )
    outlines, moved_px = averaged([find_all(picture) for picture in pictures])
    missing = missing_corners(outlines)
    if len(MARKERS) - len(missing) < LEAST_CORNERS:
        raise _too_few(missing, outlines, pictures)
    if moved_px > STEADY_PX:
        raise InputError(
            f"expected pictures from one place, the camera moved by {moved_px:.0f} pixels between them: "
            "fix its arm, or give pictures from after it was moved"
        )
    mat = mat_in(outlines)
    if mat is None:
        raise InputError(
            "expected the fifth marker, the small one below the tray, which says what mat it is: uncover it"
        )
    view = fit(mat, outlines, width_px, height_px)
    _check(view, missing)
    return view


def fit(mat: Mat, outlines: Outlines, width_px: int, height_px: int) -> MatView:
    """Return the best fit to the markers found; needs three corner markers or more, see LEAST_CORNERS."""
    names = [name for name in mat.markers if name in outlines]
    unit, middle = float(np.hypot(width_px, height_px)) / 2, np.array([width_px, height_px]) / 2
    seen = (np.concatenate([outlines[name] for name in names]) - middle) / unit
    places = np.array([mat.on_tray(corner) for name in names for corner in mat.markers[name].corners])
    found: object = cv2.findHomography(seen, places)[0]
    start = np.eye(3) if found is None else np.asarray(found, np.float64)
    numbers = np.append((start / start[2, 2]).ravel()[:8], 0.0)
    for _ in range(ROUNDS):
        change = np.linalg.lstsq(_slopes(numbers, seen), (places - _placed(numbers, seen)).ravel(), rcond=None)[0]
        numbers = numbers + change
        numbers[8] = np.clip(numbers[8], *BENDS)
    off = (places - _placed(numbers, seen)).ravel()
    matrix = _matrix(numbers) @ np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, unit]]) / unit
    depth = float((matrix @ [*(seen[0] * unit + middle), 1.0])[2])  # 1 at the first corner, as in `plane.homography`
    lens = Lens(width_px, height_px, float(numbers[8]))
    view = MatView(mat, width_px, height_px, _rows(matrix / depth), lens, float(np.sqrt((off**2).mean() * 2)), 0.0)
    ends = (np.array([view.pixel(corner) for corner in mat.tray.corners]) - middle) / unit
    error_mm = HIDDEN_MM + STANDARD_ERRORS * _standard_error(numbers, seen, off, ends)
    return replace(view, error_mm=error_mm)


def _standard_error(numbers: Floats, seen: Floats, off: Floats, ends: Floats) -> float:
    """Return the standard error of the worst of these places, in mm, by the linear theory of least squares."""
    slopes = _slopes(numbers, seen)
    covariance = float((off**2).sum()) / max(1, len(off) - len(numbers)) * np.linalg.pinv(slopes.T @ slopes)
    moved = _slopes(numbers, ends).reshape(len(ends), 2, len(numbers))
    return max(float(np.sqrt(np.trace(each @ covariance @ each.T))) for each in moved)


def _placed(numbers: Floats, seen: Floats) -> Floats:
    """Return (N, 2) mm of places seen (N, 2), in half diagonals from the middle. numbers: see `fit`."""
    straight = seen / (1 + numbers[8] * (seen**2).sum(axis=1, keepdims=True))
    met = np.column_stack([straight, np.ones(len(straight))]) @ _matrix(numbers).T
    return np.asarray(met[:, :2] / met[:, 2:], np.float64)


def _slopes(numbers: Floats, seen: Floats) -> Floats:
    """Return (2N, 9): how each place changes with each number."""
    steps = STEP * np.maximum(np.abs(numbers), 1.0)
    moved = [
        (_placed(numbers + step, seen) - _placed(numbers - step, seen)).ravel() / (2 * step.sum())
        for step in np.diag(steps)
    ]
    return np.stack(moved, axis=1)


def _matrix(numbers: Floats) -> Floats:
    return np.append(numbers[:8], 1.0).reshape(3, 3)


def _rows(matrix: Floats) -> Matrix:
    return cast("Matrix", tuple(map(tuple, matrix.tolist())))


def averaged(seen: Sequence[Outlines]) -> tuple[Outlines, float]:
    """Return the markers of several pictures by one camera, each at its median, and the largest movement in pixels."""
    together: Outlines = {}
    moved_px = 0.0
    for name in sorted({name for outlines in seen for name in outlines}):
        each = np.array([outlines[name] for outlines in seen if name in outlines])
        together[name] = np.asarray(np.median(each, axis=0), np.float64)
        moved_px = max(moved_px, float(np.abs(each - together[name]).max()))
    return together, moved_px


def missing_corners(outlines: Mapping[int, object]) -> list[int]:
    """Return the numbers of the missing corner markers."""
    return [name for name in MARKERS if name not in outlines]


def mat_in(outlines: Mapping[int, object]) -> Mat | None:
    """Return the mat identified by the fifth marker, None without that marker."""
    return next((mat for name in outlines if (mat := mat_of_code(name)) is not None), None)


def _too_few(missing: Sequence[int], outlines: Outlines, pictures: Sequence[Picture]) -> InputError:
    """Return the error for hidden markers; a mirrored picture has none either."""
    flipped = (np.ascontiguousarray(picture[:, ::-1]) for picture in pictures)
    mirrored = [name for picture in flipped for name in find_all(picture) if name in MARKERS]
    if len(set(mirrored)) >= LEAST_CORNERS:
        return InputError(
            "expected a picture as people see the mat, this one is mirrored: switch mirroring off in the camera's "
            "settings, or print the mat without it"
        )
    seen = " ".join(str(name) for name in MARKERS if name in outlines) or "none"
    return InputError(
        f"expected the mat's corner markers 0 1 2 3, saw {seen}: show {' '.join(map(str, missing))} whole, flat and "
        f"evenly lit, {FOUR_CORNERS}"
    )


def _check(view: MatView, missing: Sequence[int]) -> None:
    if view.misfit_mm > WORST_MM:
        raise InputError(
            f"expected the markers of the mat {view.mat.paper} with rail {view.mat.rail_side}, they are off by "
            f"{view.misfit_mm:.1f} mm: lay the mat flat"
        )
    if view.error_mm > PROMISED_MM:
        hidden = f"uncover marker {' '.join(map(str, missing))}" if missing else "bring the camera nearer"
        raise InputError(
            f"expected places in the tray to {PROMISED_MM} mm, these pictures may be off by {view.error_mm:.1f} mm: "
            f"{hidden}, focus it, add light, or take larger or more pictures"
        )
