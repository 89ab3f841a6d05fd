"""What a lens bends, made straight: one radial term around the middle of the picture. Pure.

The division model (A. Fitzgibbon, "Simultaneous linear estimation of multiple view geometry and lens distortion", CVPR
2001): a point seen r half diagonals from the middle belongs at r / (1 + bend * r * r). A negative bend is a barrel, as
wide lenses have; 0 changes nothing.
"""

from dataclasses import dataclass
from math import hypot, sqrt

from tabletop.core.values import Point

BENDS = (-0.4, 0.4)  # beyond, a lens is a fisheye, for which one term is not enough


@dataclass(frozen=True, slots=True)
class Lens:
    """The lens of pictures of this size."""

    width_px: int
    height_px: int
    bend: float

    def straight(self, seen: Point) -> Point:
        """Return where a point would be seen, in pixels, without the bend."""
        if not self.bend:
            return seen
        x, y = self._from_middle(seen)
        share = 1 / (1 + self.bend * (x * x + y * y) / self._unit**2)
        return self.width_px / 2 + x * share, self.height_px / 2 + y * share

    def seen(self, straight: Point) -> Point:
        """Return where the lens shows a point that is straight at this place; the inverse of `straight`."""
        if not self.bend:
            return straight
        x, y = self._from_middle(straight)
        away = hypot(x, y) / self._unit
        # bend * far * seen**2 - seen + far = 0 has this root near `far`.
        share = 2 / (1 + sqrt(max(0.0, 1 - 4 * self.bend * away * away)))
        return self.width_px / 2 + x * share, self.height_px / 2 + y * share

    def stretch(self, seen: Point) -> float:
        """Return how many straight pixels one seen pixel spans at this point (the root of the area)."""
        x, y = self._from_middle(seen)
        bent = self.bend * (x * x + y * y) / self._unit**2
        return sqrt(max(0.0, (1 - bent) / (1 + bent) ** 3))

    @property
    def _unit(self) -> float:
        """Half the diagonal, in pixels."""
        return hypot(self.width_px, self.height_px) / 2

    def _from_middle(self, point: Point) -> Point:
        return point[0] - self.width_px / 2, point[1] - self.height_px / 2
