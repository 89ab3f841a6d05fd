"""The places of simulated dice, and their motion: thrown, pushed along the ground, or lifted away.

Pure functions of time. Kinematics, not physics: a path that looks right and ends exactly in the drawn pose.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

import numpy as np

from tabletop.core.errors import InputError
from tabletop.simulator.scene import Look, PosedDie, as_rotation, lying, turn_about

HALF_DIAGONAL = 0.71  # edges: at this distance from a wall a die can be turned any way
RAIL_STEP, RAIL_MARGIN, RAIL_DEG = 1.25, 0.6, 8.0  # dice on the rail: edges from one to the next, to the wall; turn
NUDGE_EDGES, NUDGE_DEG = (0.25, 0.6), 35.0  # how far a nudged die moves and turns
NUDGE_TRIES, NUDGE_GAP_PX = 60, 2.0
TRIES = 300  # draws of a place before dice may lie closer to one another
GAPS = (0.35, 0.15, 0.05)  # edges of a die between two dice: roomy first, close where the tray fills up


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of the frame, in pixels; right and bottom are exclusive."""

    left: int
    top: int
    right: int
    bottom: int

    def holds(self, x: float, y: float, margin: float = 0.0) -> bool:
        """Return whether a point is inside, at least `margin` away from the sides."""
        return self.left + margin <= x <= self.right - margin and self.top + margin <= y <= self.bottom - margin


@dataclass(frozen=True, slots=True)
class Place:
    """A die's square on the ground: its centre in pixels and its rotation, degrees clockwise."""

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
    """Return `count` random places in the area, apart from one another and from `taken`.

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
    """Return the new place of a pushed die: moved and rotated a little, less if there is little room.

    narrow: in a strip it is only pushed along, and hardly rotated. If no place is free, it stays.
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


@dataclass(frozen=True, slots=True)
class End:
    """The end of a die's motion. place: its square on the ground, for finding room; rest: its pose."""

    place: Place
    rest: PosedDie


def flat(look: Look, face: int, place: Place, size_px: float) -> PosedDie:
    """Return a die lying flat on the felt."""
    return PosedDie(place.x, place.y, size_px, lying(face, place.angle_deg, look), look)


AIRBORNE = 0.72  # part of a throw's time after which the die no longer leaves the ground
ROLLING = 0.88  # part of a throw's time after which it lies on its face and only slides and turns
HOPS = 2.5  # half a hop from the hand, then two bounces; the half makes it end on the ground
HOP_EDGES = 2.2  # height of the hand above the ground, in edges of the die


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """A die's motion between two times; before `start_s` it stays at its start, from `end_s` on at its end.

    at: the pose, by the time and the completed part of the motion, 0 to 1. leaves: whether it leads out of the frame,
    into a hand.
    """

    start_s: float
    end_s: float
    at: Callable[[float, float], PosedDie]
    leaves: bool = False

    def pose(self, time_s: float) -> PosedDie:
        """Return the pose of the die; time_s is clipped to start and end."""
        now_s = min(max(time_s, self.start_s), self.end_s)
        return self.at(now_s, (now_s - self.start_s) / (self.end_s - self.start_s))


def tumble_to(rest: PosedDie, hand: tuple[float, float], start_s: float, end_s: float, chance: Random) -> Motion:
    """Return a throw from the hand at (x, y), in hops, rolling over its edges, ever slower, until it lies as `rest`.

    chance: draws the appearance of the flight: rolling, rotation, and the curve of the path.
    """
    along_x, along_y = rest.x - hand[0], rest.y - hand[1]
    length = math.hypot(along_x, along_y)
    # A die that rolls without sliding turns by its path over half its edge; thrown dice slide for much of the path.
    roll_deg = math.degrees(length / (rest.size_px / 2)) * chance.uniform(0.5, 0.8)
    spin_deg, bend_px = chance.uniform(-200.0, 200.0), chance.uniform(-1.0, 1.0) * rest.size_px
    length = length or 1.0
    along_x, along_y = along_x / length, along_y / length

    def at(_: float, part: float) -> PosedDie:
        if part >= 1.0:
            return rest
        left = (1.0 - part) ** 2
        side = bend_px * math.sin(math.pi * part) * (1.0 - part)
        rolling = 1.0 - min(part / ROLLING, 1.0)
        # The top moves ahead, so the axis is perpendicular to the path; the die still has to roll the rest about it.
        roll = turn_about((-along_y, along_x, 0.0), -roll_deg * rolling**1.4)
        spin = turn_about((0.0, 0.0, 1.0), -spin_deg * left)
        flying = min(part / AIRBORNE, 1.0)
        hop = abs(math.cos(math.pi * HOPS * flying)) * (1.0 - flying) ** 1.5
        return replace(
            rest,
            x=rest.x - along_x * length * left - along_y * side,
            y=rest.y - along_y * length * left + along_x * side,
            rotation=as_rotation(roll @ spin @ np.asarray(rest.rotation, np.float32)),
            lift_px=rest.lift_px + HOP_EDGES * rest.size_px * hop,
        )

    return Motion(start_s, end_s, at)


def slide(begin: PosedDie, rest: PosedDie, turn_deg: float, carry_px: float, start_s: float, end_s: float) -> Motion:
    """Return the motion of a die pushed or carried low by a hand, to another flat pose with the same face up.

    carry_px: the largest lift.
    """

    def at(_: float, part: float) -> PosedDie:
        if part >= 1.0:
            return rest
        eased = part * part * (3.0 - 2.0 * part)
        turn = turn_about((0.0, 0.0, 1.0), -turn_deg * (1.0 - eased))
        return replace(
            rest,
            x=begin.x + (rest.x - begin.x) * eased,
            y=begin.y + (rest.y - begin.y) * eased,
            rotation=as_rotation(turn @ np.asarray(rest.rotation, np.float32)),
            lift_px=begin.lift_px * (1.0 - eased) + rest.lift_px * eased + carry_px * math.sin(math.pi * part),
        )

    return Motion(start_s, end_s, at)


def lift(begin: PosedDie, to: tuple[float, float], start_s: float, end_s: float) -> Motion:
    """Return the motion of a die taken away by a hand to (x, y) outside the frame, ever higher and faster."""

    def at(_: float, part: float) -> PosedDie:
        return replace(
            begin,
            x=begin.x + (to[0] - begin.x) * part**2,
            y=begin.y + (to[1] - begin.y) * part**2,
            lift_px=begin.lift_px + HOP_EDGES * begin.size_px * part,
        )

    return Motion(start_s, end_s, at, leaves=True)
