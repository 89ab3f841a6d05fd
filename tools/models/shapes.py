"""Simple solids, built by manifold3d: plates with holes, boxes, and rounded outlines. Lengths in mm."""

from collections.abc import Iterable
from math import cos, pi

from manifold3d import CrossSection, JoinType, Manifold

from tools.drawings.stand import Hole, Piece, Slot

FACETS = 48  # of a circle
THROUGH = 1.0  # mm: a cut goes this much beyond the face that it opens


def circle(hole: Hole) -> CrossSection:
    """Return a hole as a polygon around the circle, so that a screw of this size fits."""
    return CrossSection.circle(hole.diameter / 2 / cos(pi / FACETS), FACETS).translate((hole.x, hole.y))


def rectangle(slot: Slot, radius: float = 0.0) -> CrossSection:
    """Return a rectangular outline with rounded corners."""
    inner = CrossSection.square((slot.width - 2 * radius, slot.height - 2 * radius))
    rounded = inner.offset(radius, JoinType.Round, circular_segments=FACETS) if radius else inner
    return rounded.translate((slot.left + radius, slot.top + radius))


def box(slot: Slot, bottom: float, top: float) -> Manifold:
    """Return an upright box over a rectangle."""
    return rectangle(slot).extrude(top - bottom).translate((0.0, 0.0, bottom))


def pin(hole: Hole, bottom: float, top: float) -> Manifold:
    """Return an upright cylinder, to add or to cut out."""
    return circle(hole).extrude(top - bottom).translate((0.0, 0.0, bottom))


def plate(piece: Piece, thickness: float) -> Manifold:
    """Return a flat part of the stand, extruded."""
    outline = CrossSection([list(piece.outline)])
    for slot in piece.slots:
        outline -= rectangle(slot)
    for hole in piece.holes:
        outline -= circle(hole)
    return outline.extrude(thickness)


def joined(solids: Iterable[Manifold]) -> Manifold:
    """Return the union of these solids."""
    return sum(solids, Manifold())
