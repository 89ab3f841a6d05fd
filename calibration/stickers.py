"""From a tray's corners, shown by stickers, by dice or in a picture, to where the tray lies. Pure arithmetic.

Stickers are of a known size, so the tray between them need not be measured (`sticker_fit.py`). Dice are too, nearly:
where there is no printer, a die is laid into each corner, or somebody shows the corners in a picture with dice.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import atan2
from statistics import median
from typing import cast

import numpy as np
from numpy.typing import NDArray

from calibration.corners import profile_from
from calibration.mat_edges import Grey
from calibration.mat_fit import FOCAL_SHARE, USUAL_DIE_MM
from calibration.mat_pdf import STICKER_MM
from calibration.sticker_fit import fitted
from tabletop.config import plane
from tabletop.config.lens import BENDS
from tabletop.config.markers import MARKERS, Outlines
from tabletop.config.mat import PAPERS, RAILS, mat_of
from tabletop.config.profile import TRAY_MM
from tabletop.config.profile_check import px_per_mm_of
from tabletop.core.values import Matrix, Point, Profile, Quad

CORNERS = 4
SAME_MAT = 0.02  # of a side: a tray of stickers this near to a mat's is taken for that mat
LEAST_MM, MOST_MM = TRAY_MM
WORST_MM = 10.0  # in the worst place: more is no tray with stickers that lie flat


@dataclass(frozen=True, slots=True)
class TrayView:
    """A tray without a mat.

    profile: with dice of USUAL_DIE_MM. error_mm: how far off the worst place of the tray may be by its stickers, see
    `mat_solve`; 0 for dice, of which that is not known. misfit_mm: root mean square of what their edges are off.
    high_mm: of the camera above the tray's ground, where the corners lie on that; 0 where they are not known to.
    """

    profile: Profile
    error_mm: float = 0.0
    misfit_mm: float = 0.0
    high_mm: float = 0.0

    @property
    def filled(self) -> float:
        """Return the share of the picture that the tray takes."""
        ring = (*self.profile.tray_px, self.profile.tray_px[0])
        twice = sum(x * v - u * y for (x, y), (u, v) in pairwise(ring))
        return abs(twice) / 2 / (self.profile.width_px * self.profile.height_px)


@dataclass(frozen=True, slots=True)
class SeenDie:
    """A die in a corner of the tray: its middle and edge, in pixels."""

    x: float
    y: float
    size: float


def tray_of_stickers(outlines: Outlines, width_px: int, height_px: int, grey: Grey | None = None) -> TrayView | None:
    """Return the tray between four stickers, None if they are not all there or not at four corners.

    Each side of a sticker is STICKER_MM long on the tray; its length there is a quadratic form in the tray's width and
    height, so these come from linear least squares over the sixteen sides, however each sticker is turned. Then, with
    the picture (H, W) that shows them, all edges of the stickers make it exact, and say how the lens bends.
    """
    corners = _outer_corners(outlines)
    rough_mm = None if corners is None else _rough_mm(corners, outlines)
    if corners is None or rough_mm is None or _is_mat(np.array(rough_mm) / STICKER_MM):
        return None
    view, error_mm, misfit_mm = fitted(corners, rough_mm, outlines, width_px, height_px, grey)
    lens, (wide, high) = view.camera.lens, map(float, view.size_mm)
    tray_px = view.tray_px
    if not (BENDS[0] <= lens.bend <= BENDS[1] and error_mm <= WORST_MM) or plane.fault(tray_px):
        return None
    flat = Profile(
        width_px, height_px, tray_px, (wide, high), view.camera.homography, 1.0, USUAL_DIE_MM, lens_bend=lens.bend
    )
    return TrayView(replace(flat, px_per_mm=px_per_mm_of(flat)), error_mm, misfit_mm)


def is_nameless_mat(outlines: Outlines) -> bool:
    """Return whether these are the corners of a mat, whose fifth marker would say which one it is."""
    corners = _outer_corners(outlines)
    rough_mm = None if corners is None else _rough_mm(corners, outlines)
    return rough_mm is not None and _is_mat(np.array(rough_mm) / STICKER_MM)


def _outer_corners(outlines: Outlines) -> Quad | None:
    """Return the outer corners of four markers, clockwise; None if they are not all there or not at four corners."""
    if any(name not in outlines for name in MARKERS):
        return None
    corners = cast("Quad", tuple((float(outlines[n][n][0]), float(outlines[n][n][1])) for n in MARKERS))
    return None if plane.fault(corners) else corners


def _rough_mm(corners: Quad, outlines: Outlines) -> tuple[float, float] | None:
    """Return width and height of the tray, as if the markers were stickers; None if it would be none of any size."""
    onto = plane.homography(corners, (1.0, 1.0))
    sides = list[tuple[float, float]]()
    for name in MARKERS:
        placed = [plane.to_plane(onto, (float(x), float(y))) for x, y in outlines[name]]
        sides += [(u - x, v - y) for (x, y), (u, v) in pairwise((*placed, placed[0]))]
    squares = np.array(sides) ** 2
    found, *_ = np.linalg.lstsq(squares, np.full(len(squares), STICKER_MM**2), rcond=None)
    if not (found.min() >= LEAST_MM**2 and found.max() <= MOST_MM**2):
        return None
    return float(np.sqrt(found[0])), float(np.sqrt(found[1]))


def tray_of_dice(dice: Sequence[SeenDie], width_px: int, height_px: int) -> TrayView | None:
    """Return the tray in whose corners these four dice lie, None if they are at no four corners.

    The rectangle of their middles is half an edge smaller all round than the tray. How long it is by its width follows
    from the perspective of a usual lens (FOCAL_SHARE), how large it is from the dice. The plane is that of their top
    faces, on which dice are seen.
    """
    corners = clockwise([(die.x, die.y) for die in dice])
    return None if corners is None else _between(corners, dice, USUAL_DIE_MM / 2, (width_px, height_px))


def tray_of_corners(corners: Quad, dice: Sequence[SeenDie], width_px: int, height_px: int) -> TrayView | None:
    """Return the tray whose corners, clockwise, somebody has shown in a picture; None if it would be none of any size.

    dice: one at least, anywhere between them: they are the ruler. They stand on the plane of the corners, so their top
    faces are seen larger by how much nearer they are to a camera with a usual lens.
    """
    flat = _between(corners, dice, 0.0, (width_px, height_px))
    if flat is None:
        return None
    high_mm = FOCAL_SHARE * width_px / flat.profile.px_per_mm
    lower = [replace(die, size=die.size * (1 - USUAL_DIE_MM / 2 / high_mm)) for die in dice]
    tray = _between(corners, lower, 0.0, (width_px, height_px))
    return None if tray is None else replace(tray, high_mm=FOCAL_SHARE * width_px / tray.profile.px_per_mm)


def _between(corners: Quad, dice: Sequence[SeenDie], margin_mm: float, size_px: tuple[int, int]) -> TrayView | None:
    """Return the tray that goes beyond these corners by a margin, with the median of the dice as the ruler."""
    ratio = _ratio(corners, *size_px)
    unit = plane.homography(corners, (ratio, 1.0))
    edges = [die.size * plane.scale(unit, (die.x, die.y)) for die in dice]
    mm = USUAL_DIE_MM / median(edges)
    inner = plane.homography(corners, (ratio * mm, mm))
    back = cast("Matrix", np.linalg.inv(np.array(inner)).tolist())
    out, wide, high = margin_mm, ratio * mm, mm
    ends = ((-out, -out), (wide + out, -out), (wide + out, high + out), (-out, high + out))
    tray_px = cast("Quad", tuple(plane.to_plane(back, end) for end in ends))
    size_mm = wide + 2 * out, high + 2 * out
    if plane.fault(tray_px) or not all(LEAST_MM <= side <= MOST_MM for side in size_mm):
        return None
    return TrayView(profile_from(size_px, tray_px, size_mm, USUAL_DIE_MM))


def _is_mat(sides: NDArray[np.float64]) -> bool:
    """Return whether the tray, in sides of its markers, is a mat's, whose fifth marker is hidden: it says the scale."""
    mats = (mat_of(paper, rail) for paper in PAPERS for rail in RAILS)
    return any(
        bool(np.all(np.abs(sides * mat.markers[0].width / (mat.tray.width, mat.tray.height) - 1) < SAME_MAT))
        for mat in mats
    )


def clockwise(points: Sequence[Point]) -> Quad | None:
    """Return four corners clockwise as seen, from the one at the top left; None if they are no four corners."""
    if len(points) != CORNERS:
        return None
    x, y = (sum(point[axis] for point in points) / CORNERS for axis in (0, 1))
    ring = sorted(points, key=lambda point: atan2(point[1] - y, point[0] - x))
    first = min(range(CORNERS), key=lambda at: sum(ring[at]))
    corners = cast("Quad", tuple(ring[(first + step) % CORNERS] for step in range(CORNERS)))
    return None if plane.fault(corners) else corners


def _ratio(corners: Quad, width_px: int, height_px: int) -> float:
    """Return width by height of the rectangle seen at these corners, by a lens of FOCAL_SHARE.

    The columns of the matrix from the plane to the picture are the rectangle's sides as the camera sees them, each as
    long as the side is (Zhang, "A flexible new technique for camera calibration", 2000, section 2.3).
    """
    seen: NDArray[np.float64] = np.linalg.inv(np.array(plane.homography(corners, (1.0, 1.0))))
    focal = FOCAL_SHARE * width_px
    rays = np.array([[1 / focal, 0, -width_px / 2 / focal], [0, 1 / focal, -height_px / 2 / focal], [0, 0, 1]]) @ seen
    return float(np.linalg.norm(rays[:, 0]) / np.linalg.norm(rays[:, 1]))
