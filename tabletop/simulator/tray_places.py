"""Where dice can lie in the simulated tray without touching one another or the walls."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from tabletop.errors import InputError

TRIES = 300  # draws of a place before dice may lie closer to one another
GAPS = (0.35, 0.15, 0.05)  # edges of a die between two dice: roomy first, close where the tray fills up


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of the frame, in pixels; right and bottom are just outside."""

    left: int
    top: int
    right: int
    bottom: int

    def holds(self, x: float, y: float, margin: float = 0.0) -> bool:
        """Return whether a point lies inside, at least `margin` away from the sides."""
        return self.left + margin <= x <= self.right - margin and self.top + margin <= y <= self.bottom - margin


@dataclass(frozen=True, slots=True)
class Place:
    """A die's square on the ground: its centre in pixels and its turn, degrees clockwise."""

    x: float
    y: float
    angle_deg: float


def apart(one: Place, other: Place, size_px: float, gap_px: float) -> bool:
    """Return whether two squares of edge `size_px` leave at least about `gap_px` between them.

    The separating axis theorem for two squares: they are apart where their shadows on one of the four side directions
    are. The gap is exact for sides that face each other and never smaller than asked.
    """
    away_x, away_y = other.x - one.x, other.y - one.y
    if math.hypot(away_x, away_y) >= size_px * math.sqrt(2) + gap_px:
        return True
    between = math.radians((other.angle_deg - one.angle_deg) % 90.0)
    reach = size_px / 2 * (1.0 + math.cos(between) + math.sin(between)) + gap_px
    for angle_deg in (one.angle_deg, one.angle_deg + 90.0, other.angle_deg, other.angle_deg + 90.0):
        angle = math.radians(angle_deg)
        if abs(away_x * math.cos(angle) + away_y * math.sin(angle)) >= reach:
            return True
    return False


def scatter(area: Area, count: int, taken: Sequence[Place], size_px: float, chance: Random) -> list[Place]:
    """Return `count` places in the area, apart from one another and from those taken, drawn from `chance`.

    Raises InputError where so many dice do not fit.
    """
    margin = size_px * 0.8  # half the diagonal is 0.71
    for gap in GAPS:
        found: list[Place] = []
        for _ in range(TRIES * count):
            if len(found) == count:
                return found
            place = Place(
                chance.uniform(area.left + margin, area.right - margin),
                chance.uniform(area.top + margin, area.bottom - margin),
                chance.uniform(0.0, 90.0),
            )
            if all(apart(place, other, size_px, gap * size_px) for other in (*taken, *found)):
                found.append(place)
        if len(found) == count:
            return found
    raise InputError(f"expected dice that fit into the tray, got {count} more beside {len(taken)}: use fewer dice")


def in_column(area: Area, size_px: float) -> list[tuple[float, float]]:
    """Return the centres of the places for dice set aside in a narrow strip, from the top down."""
    step = size_px * 1.25
    count = max(int((area.bottom - area.top) / step), 0)
    middle = (area.left + area.right) / 2
    return [(middle, area.top + step * (row + 0.5)) for row in range(count)]
