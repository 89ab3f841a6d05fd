"""The plane of the tray: four corners in a picture, and the matrix from pixels to millimetres. Arithmetic only.

The matrix from four corners is P. Heckbert's closed form ("Fundamentals of Texture Mapping and Image Warping", 1989,
section 2.2.3): the unit square mapped to a quadrilateral, inverted, then scaled to millimetres. Lens distortion is
first removed with the division model (A. Fitzgibbon, CVPR 2001): a point seen r half diagonals from the centre of the
picture belongs at r / (1 + bend * r * r). A negative bend is a barrel distortion, as in wide lenses; 0 changes nothing.
"""

from dataclasses import dataclass
from itertools import pairwise
from math import atan2, cos, degrees, hypot, radians, sin, sqrt

from tabletop.core.values import Matrix, Point, Quad

# Sine of the angle by which the outline turns at a corner. A camera 3 degrees above the table would see less than this,
# and no die's top face; so it is a slip of the hand.
LEAST_TURN = 0.05
BENDS = (-0.4, 0.4)  # beyond, a lens is a fisheye, for which one term is not enough
LEAST_DEPTH = 1e-9  # of the visible side of the plane, where the tray's first corner has 1; below is the horizon


def homography(corners_px: Quad, size_mm: tuple[float, float]) -> Matrix:
    """Return the matrix from pixels to millimetres of a rectangle whose corners (clockwise) are seen at corners_px.

    Its depth (the third row) is 1 at the first corner and positive wherever the plane is visible. The corners must be
    without `fault`.
    """
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = corners_px
    dx1, dx2, sx = x1 - x2, x3 - x2, x0 - x1 + x2 - x3
    dy1, dy2, sy = y1 - y2, y3 - y2, y0 - y1 + y2 - y3
    below = dx1 * dy2 - dx2 * dy1
    g, h = (sx * dy2 - dx2 * sy) / below, (dx1 * sy - sx * dy1) / below
    square = (x1 - x0 + g * x1, x3 - x0 + h * x3, x0), (y1 - y0 + g * y1, y3 - y0 + h * y3, y0), (g, h, 1.0)
    rows = _adjugate(square)
    rows = _scaled(rows[0], size_mm[0]), _scaled(rows[1], size_mm[1]), rows[2]
    depth = rows[2][0] * x0 + rows[2][1] * y0 + rows[2][2]
    return _scaled(rows[0], 1 / depth), _scaled(rows[1], 1 / depth), _scaled(rows[2], 1 / depth)


def to_plane(matrix: Matrix, point: Point) -> Point:
    """Map a point through the matrix; a point on or beyond the horizon maps very far away, without an error."""
    x, y, w = _times(matrix, point)
    return x / w, y / w


def turned(matrix: Matrix, point: Point, angle_deg: float) -> float:
    """Return the direction on the plane, 0 to 90 degrees, of an edge at this point and angle."""
    (xx, xy), (yx, yy) = _slopes(matrix, point)
    along, across = cos(radians(angle_deg)), sin(radians(angle_deg))
    return degrees(atan2(yx * along + yy * across, xx * along + xy * across)) % 90


def scale(matrix: Matrix, point: Point) -> float:
    """Return how many units of the plane one pixel spans at this point (the root of the area)."""
    (xx, xy), (yx, yy) = _slopes(matrix, point)
    return sqrt(abs(xx * yy - xy * yx))


def middle(corners: Quad) -> Point:
    """Return the intersection of the diagonals: the visible place of a rectangle's centre, however oblique the view."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = corners
    dx, dy, ex, ey = x2 - x0, y2 - y0, x3 - x1, y3 - y1
    along = ((x1 - x0) * ey - (y1 - y0) * ex) / (dx * ey - dy * ex)
    return x0 + along * dx, y0 + along * dy


def holds(corners: Quad, point: Point) -> bool:
    """Return whether a point lies within the corners (convex, clockwise with y down), border included."""
    return all(_cross(a, b, point) >= 0 for a, b in pairwise((*corners, corners[0])))


def fault(corners: Quad) -> str:
    """Return why four corners cannot be a rectangle's, clockwise as seen; empty if they can."""
    turns = []
    ring = (*corners, *corners[:2])
    for before, at, after in zip(ring, ring[1:], ring[2:], strict=False):
        sides = hypot(at[0] - before[0], at[1] - before[1]) * hypot(after[0] - at[0], after[1] - at[1])
        if sides == 0:
            return "two of them are the same point"
        turns.append(_cross(before, at, after) / sides)
    if all(turn < -LEAST_TURN for turn in turns):
        return "they go round anticlockwise: give them clockwise, as the picture shows them"
    if min(turns) < -LEAST_TURN:
        return "their outline crosses itself or has a dent: go round the tray from corner to corner"
    if min(turns) <= LEAST_TURN:
        return "three of them lie on one line"
    return ""


def _cross(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])


def _times(matrix: Matrix, point: Point) -> tuple[float, float, float]:
    x, y, w = (row[0] * point[0] + row[1] * point[1] + row[2] for row in matrix)
    return x, y, max(w, LEAST_DEPTH)


def _slopes(matrix: Matrix, point: Point) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the derivatives of the plane's x, then y, by the picture's x and y."""
    x, y, w = _times(matrix, point)
    top, left, below = matrix
    across = (top[0] - below[0] * x / w) / w, (top[1] - below[1] * x / w) / w
    down = (left[0] - below[0] * y / w) / w, (left[1] - below[1] * y / w) / w
    return across, down


def _adjugate(m: Matrix) -> Matrix:
    (a, b, c), (d, e, f), (g, h, i) = m
    return (
        (e * i - f * h, c * h - b * i, b * f - c * e),
        (f * g - d * i, a * i - c * g, c * d - a * f),
        (d * h - e * g, b * g - a * h, a * e - b * d),
    )


def _scaled(row: tuple[float, float, float], factor: float) -> tuple[float, float, float]:
    return row[0] * factor, row[1] * factor, row[2] * factor


@dataclass(frozen=True, slots=True)
class Lens:
    """The lens distortion in pictures of this size."""

    width_px: int
    height_px: int
    bend: float

    def straight(self, seen: Point) -> Point:
        """Return the place of a point, in pixels, without distortion."""
        if not self.bend:
            return seen
        x, y = self._from_middle(seen)
        share = 1 / (1 + self.bend * (x * x + y * y) / self._unit**2)
        return self.width_px / 2 + x * share, self.height_px / 2 + y * share

    def seen(self, straight: Point) -> Point:
        """Return the distorted place of a point; the inverse of `straight`."""
        if not self.bend:
            return straight
        x, y = self._from_middle(straight)
        away = hypot(x, y) / self._unit
        # bend * far * seen**2 - seen + far = 0 has this root near `far`.
        share = 2 / (1 + sqrt(max(0.0, 1 - 4 * self.bend * away * away)))
        return self.width_px / 2 + x * share, self.height_px / 2 + y * share

    def stretch(self, seen: Point) -> float:
        """Return how many undistorted pixels one pixel spans at this point (the root of the area)."""
        x, y = self._from_middle(seen)
        bent = self.bend * (x * x + y * y) / self._unit**2
        return sqrt(max(0.0, (1 - bent) / (1 + bent) ** 3))

    @property
    def _unit(self) -> float:
        return hypot(self.width_px, self.height_px) / 2

    def _from_middle(self, point: Point) -> Point:
        return point[0] - self.width_px / 2, point[1] - self.height_px / 2
