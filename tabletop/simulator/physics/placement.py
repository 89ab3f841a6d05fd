"""Where dice can lie in the simulated tray without touching one another or the walls."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from tabletop.core.errors import InputError

HALF_DIAGONAL = 0.71  # edges: at this distance from a wall a die can be turned any way
RAIL_STEP, RAIL_MARGIN, RAIL_DEG = 1.25, 0.6, 8.0  # dice on the rail: edges from one to the next, to the wall; turn
NUDGE_EDGES, NUDGE_DEG = (0.25, 0.6), 35.0  # how far a nudged die moves and turns
NUDGE_TRIES, NUDGE_GAP_PX = 60, 2.0
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


def apart(place: Place, other: Place, size_px: float, gap_px: float) -> bool:
    """Return whether two squares of edge `size_px` leave at least about `gap_px` between them.

    The separating axis theorem for two squares: they are apart if their projections on one of the four side directions
    are. The gap is exact for sides that face each other and never smaller than `gap_px`.
    """
    away_x, away_y = other.x - place.x, other.y - place.y
    if math.hypot(away_x, away_y) >= size_px * math.sqrt(2) + gap_px:
        return True
    between = math.radians((other.angle_deg - place.angle_deg) % 90.0)
    reach = size_px / 2 * (1.0 + math.cos(between) + math.sin(between)) + gap_px
    for angle_deg in (place.angle_deg, place.angle_deg + 90.0, other.angle_deg, other.angle_deg + 90.0):
        angle = math.radians(angle_deg)
        if abs(away_x * math.cos(angle) + away_y * math.sin(angle)) >= reach:
            return True
    return False


def scatter(area: Area, count: int, taken: Sequence[Place], size_px: float, chance: Random) -> list[Place]:
    """Return `count` places in the area, apart from one another and from `taken`, drawn from `chance`.

    Raises InputError if this many dice do not fit.
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


def on_rail(rail: Area, taken: Sequence[Place], size_px: float, chance: Random) -> Place | None:
    """Return the uppermost free place in a strip that is one die wide, None if it is full."""
    step = size_px * RAIL_STEP
    for row in range(int((rail.bottom - rail.top) / step)):
        x, y = (rail.left + rail.right) / 2, rail.top + step * (row + 0.5)
        if all(math.hypot(other.x - x, other.y - y) > size_px for other in taken):
            return Place(x, y, chance.uniform(-RAIL_DEG, RAIL_DEG))
    return None


def nudged(area: Area, place: Place, others: Sequence[Place], size_px: float, chance: Random, *, narrow: bool) -> Place:
    """Return where a pushed die comes to lie: moved and turned a little, less if there is little room.

    narrow: in a strip it is only pushed along, and hardly turned. If no place is free, it stays.
    """
    margin = RAIL_MARGIN if narrow else HALF_DIAGONAL
    for count in range(NUDGE_TRIES):
        direction = chance.choice((-0.5, 0.5)) * math.pi if narrow else chance.uniform(0.0, 2 * math.pi)
        far = chance.uniform(*NUDGE_EDGES) * size_px * (1 - count / NUDGE_TRIES)
        x, y = place.x + far * math.cos(direction), place.y + far * math.sin(direction)
        turn_deg = chance.uniform(-1.0, 1.0)
        turned = Place(x, y, RAIL_DEG * turn_deg if narrow else place.angle_deg + NUDGE_DEG * turn_deg)
        free = all(apart(turned, neighbour, size_px, NUDGE_GAP_PX) for neighbour in others)
        if free and area.holds(x, y, size_px * margin):
            return turned
    return place
