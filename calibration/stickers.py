"""From a tray's corners, shown by stickers, by dice or in a picture, to where the tray lies. Pure arithmetic.

Stickers are of a known size, so the tray between them need not be measured (`sticker_fit.py`). Dice are too, nearly:
where there is no printer, a die is laid into each corner, or somebody shows the corners in a picture with dice.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import atan, atan2, degrees
from statistics import median
from typing import cast

import numpy as np
from numpy.typing import NDArray

from calibration.corners import profile_from
from calibration.die_ruler import FOCAL_SHARE, SEEN_AT, Pinhole
from calibration.mat_edges import Grey
from calibration.mat_fit import USUAL_DIE_MM
from calibration.mat_pdf import STICKER_MM
from calibration.sticker_fit import fitted
from tabletop.config import plane
from tabletop.config.markers import MARKERS, Outlines
from tabletop.config.mat import PAPERS, RAILS, mat_of
from tabletop.config.plane import BENDS
from tabletop.config.profile import TRAY_MM, px_per_mm_of
from tabletop.core.values import Point, Profile, Quad

CORNERS = 4
# Of a side: a tray of stickers this near to a mat's is taken for that mat; by corners alone, and by all edges.
SAME_MAT, SAME_MAT_FITTED = 0.02, 0.007
SAME_DICE = 0.1  # of an edge: dice that differ by more from those in the corners are others; one die is 3 % off
LEAST_MM, MOST_MM = TRAY_MM
WORST_MM = 10.0  # in the worst place: more is no tray with stickers that lie flat


@dataclass(frozen=True, slots=True)
class TrayView:
    """A tray without a mat.

    profile: with dice of USUAL_DIE_MM. error_mm: how far off the worst place of the tray may be by its stickers, see
    `mat_solve`; 0 for dice, of which that is not known. misfit_mm: root mean square of what their edges are off.
    aside_deg: how far from straight above the outermost die in its corners is seen; 0 if no dice showed them.
    """

    profile: Profile
    error_mm: float = 0.0
    misfit_mm: float = 0.0
    aside_deg: float = 0.0

    def ruled_by(self, die_mm: float) -> "TrayView":
        """Return the tray in which dice that measured so are as large as its profile says.

        The same tray if it is known by stickers, or if these are no dice of that size (SAME_DICE).
        """
        share = self.profile.die_mm / die_mm
        if self.error_mm or abs(share - 1) > SAME_DICE:
            return self
        wide, high = self.profile.tray_mm
        size_px = self.profile.width_px, self.profile.height_px
        size_mm = wide * share, high * share
        return replace(self, profile=profile_from(size_px, self.profile.tray_px, size_mm, self.profile.die_mm))

    @property
    def filled(self) -> float:
        """Return the share of the picture that the tray takes."""
        ring = (*self.profile.tray_px, self.profile.tray_px[0])
        twice = sum(x * v - u * y for (x, y), (u, v) in pairwise(ring))
        return abs(twice) / 2 / (self.profile.width_px * self.profile.height_px)


@dataclass(frozen=True, slots=True)
class SeenDie:
    """A die in a corner of the tray: its middle and edge, in pixels. shade: see `die_ruler`."""

    x: float
    y: float
    size: float
    shade: float = 0.0


def tray_of_stickers(outlines: Outlines, width_px: int, height_px: int, grey: Grey | None = None) -> TrayView | None:
    """Return the tray between four stickers, None if they are not all there or not at four corners.

    Each side of a sticker is STICKER_MM long on the tray; its length there is a quadratic form in the tray's width and
    height, so these come from linear least squares over the sixteen sides, however each sticker is turned. Then, with
    the picture (H, W) that shows them, all edges of the stickers make it exact, and say how the lens bends.
    """
    corners = _outer_corners(outlines)
    rough_mm = None if corners is None else _rough_mm(corners, outlines)
    if corners is None or rough_mm is None:
        return None
    view, error_mm, misfit_mm = fitted(corners, rough_mm, outlines, width_px, height_px, grey)
    if _is_mat(view.size_mm / STICKER_MM, SAME_MAT if grey is None else SAME_MAT_FITTED):
        return None
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
    return rough_mm is not None and _is_mat(np.array(rough_mm) / STICKER_MM, SAME_MAT)


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

    The rectangle of their middles is half an edge smaller all round than the tray, and higher than its ground by
    SEEN_AT of an edge. How long it is by its width follows from the perspective of a usual lens, how large it is from
    the dice.
    """
    corners = clockwise([(die.x, die.y) for die in dice])
    if corners is None:
        return None
    ratio, mm = _ruled(corners, dice, 1 - SEEN_AT, (width_px, height_px))
    above = Pinhole.over(plane.homography(corners, (ratio * mm, mm)), width_px, height_px)
    half, wide, high = USUAL_DIE_MM / 2, ratio * mm, mm
    ends = np.array([(-half, -half), (wide + half, -half), (wide + half, high + half), (-half, high + half)])
    tray_px = cast("Quad", tuple(map(tuple, above.pixels(ends, -SEEN_AT * USUAL_DIE_MM).tolist())))
    tray = _tray(tray_px, (wide + 2 * half, high + 2 * half), (width_px, height_px))
    middles = np.array([(0.0, 0.0), (wide, 0.0), (wide, high), (0.0, high)]) - above.eye[:2]
    aside = float(np.hypot(*middles.T).max()) / above.high
    return None if tray is None else replace(tray, aside_deg=degrees(atan(aside)))


def tray_of_corners(corners: Quad, dice: Sequence[SeenDie], width_px: int, height_px: int) -> TrayView | None:
    """Return the tray whose corners, clockwise, somebody has shown in a picture; None if it would be none of any size.

    dice: one at least, anywhere between them, on the plane of the corners: they are the ruler.
    """
    ratio, mm = _ruled(corners, dice, 1.0, (width_px, height_px))
    return _tray(corners, (ratio * mm, mm), (width_px, height_px))


def _ruled(corners: Quad, dice: Sequence[SeenDie], standing: float, size_px: tuple[int, int]) -> tuple[float, float]:
    """Return width by height of the rectangle at these corners, and its height in mm, with the median die as the ruler.

    standing: how high above the rectangle the top faces of the dice are, in edges.
    """
    ratio = _ratio(corners, *size_px)
    unit = plane.homography(corners, (ratio, 1.0))
    camera = Pinhole.over(unit, *size_px)
    places = [(die.x, die.y) for die in dice]
    edges = [
        camera.edge(die.size * plane.scale(unit, at), plane.to_plane(unit, at), die.shade, standing)
        for die, at in zip(dice, places, strict=True)
    ]
    return ratio, USUAL_DIE_MM / median(edges)


def _tray(tray_px: Quad, size_mm: Point, size_px: tuple[int, int]) -> TrayView | None:
    """Return the tray of this size at these corners; None if there is none such."""
    if plane.fault(tray_px) or not all(LEAST_MM <= side <= MOST_MM for side in size_mm):
        return None
    return TrayView(profile_from(size_px, tray_px, size_mm, USUAL_DIE_MM))


def _is_mat(sides: NDArray[np.float64], share: float) -> bool:
    """Return whether the tray, in sides of its markers, is a mat's, whose fifth marker is hidden: it says the scale.

    share: of a side, by which it may differ.
    """
    mats = (mat_of(paper, rail) for paper in PAPERS for rail in RAILS)
    return any(
        bool(np.all(np.abs(sides * mat.markers[0].width / (mat.tray.width, mat.tray.height) - 1) < share))
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
