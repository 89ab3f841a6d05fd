"""Final poses of thrown dice that do not lie flat: leaning on a wall or another die, or lying on another die.

A leaning die stands on one lower edge; the opposite one rests on the wall or on the side of another die, so that its
face looks away from its support. (Leaning the other way, its weight would be behind the edge: it would fall flat.)
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Literal

import numpy as np

from tabletop.simulator.physics import GAPS, Area, End, Place, apart, flat
from tabletop.simulator.scene import PosedDie, as_rotation, turn_about

# A die stays leaning from the angle at which friction holds it like a ladder, tan a = (1/2 - km) / (1/2 + k) with
# k = m / (1 + m * m): 18 degrees for m = 0.5, plastic on felt. From 45 degrees on it falls over to the other side.
LEAN_DEG = (18.0, 44.0)
OFF_EDGES = (0.05, 0.4)  # how far a die lies off the middle of the one below: its weight must be over that one
TOUCHING_PX = 0.5
TRIES = 300

LeanOn = Literal["wall", "die"]


def at_wall(area: Area, taken: Sequence[Place], die: PosedDie, face: int, chance: Random) -> End:
    """Return the die leaning on the upper or lower wall.

    If every place at a wall is taken, the last one tried is returned; the die then leans over its neighbour.
    """
    size_px, end = die.size_px, None
    for _ in range(TRIES):
        upper = chance.random() < 0.5  # noqa: PLR2004 - as likely as the other
        tilt_deg = chance.uniform(*LEAN_DEG)
        away = _half_edges(tilt_deg) * size_px
        place = Place(
            chance.uniform(area.left + size_px, area.right - size_px),
            area.top + away if upper else area.bottom - away,
            chance.choice((0.0, 90.0)),
        )
        end = End(place, _tilted(flat(die.look, face, place, size_px), 90.0 if upper else 270.0, tilt_deg))
        if all(apart(place, other, size_px, GAPS[0] * size_px) for other in taken):
            return end
    assert end is not None
    return end


def at_die(
    area: Area, supports: Sequence[Place], taken: Sequence[Place], die: PosedDie, face: int, chance: Random
) -> End | None:
    """Return the die leaning on the side of one of the flat dice at `supports`; None if there is no room."""
    size_px = die.size_px
    for _ in range(TRIES if supports else 0):
        support = chance.choice(supports)
        direction_deg = support.angle_deg + chance.choice((0.0, 90.0, 180.0, 270.0))
        tilt_deg = chance.uniform(*LEAN_DEG)
        away = (0.5 + _half_edges(tilt_deg)) * size_px + TOUCHING_PX
        direction, along = math.radians(direction_deg), chance.uniform(-0.3, 0.3) * size_px
        place = Place(
            support.x + away * math.cos(direction) - along * math.sin(direction),
            support.y + away * math.sin(direction) + along * math.cos(direction),
            direction_deg,
        )
        others = [other for other in taken if other != support]
        if area.holds(place.x, place.y, size_px * 0.75) and all(
            apart(place, other, size_px, GAPS[0] * size_px) for other in others
        ):
            return End(place, _tilted(flat(die.look, face, place, size_px), direction_deg, tilt_deg))
    return None


def on_die(
    supports: Sequence[Place], die: PosedDie, face: int, camera_px: tuple[float, float, float], chance: Random
) -> End | None:
    """Return the die lying flat on one of the dice at `supports`; None if there are none.

    camera_px: the frame's point below the camera (x, y) and the camera's distance; nearer dice look larger.
    """
    if not supports:
        return None
    size_px, support = die.size_px, chance.choice(supports)
    off = [chance.choice((-1, 1)) * chance.uniform(*OFF_EDGES) * size_px for _ in range(2)]
    place = Place(support.x + off[0], support.y + off[1], chance.uniform(0.0, 90.0))
    eye_x, eye_y, distance_px = camera_px
    larger = 1.0 + size_px / distance_px
    rest = replace(
        flat(die.look, face, place, size_px * larger),
        x=eye_x + (place.x - eye_x) * larger,
        y=eye_y + (place.y - eye_y) * larger,
        lift_px=size_px,
    )
    return End(place, rest)


def _half_edges(tilt_deg: float) -> float:
    """Return half the width of a die that leans this far, in edges, seen from above."""
    return (math.cos(math.radians(tilt_deg)) + math.sin(math.radians(tilt_deg))) / 2


def _tilted(die: PosedDie, direction_deg: float, tilt_deg: float) -> PosedDie:
    """Return the die with its face tipped towards a direction of the frame (0 right, 90 down)."""
    direction = math.radians(direction_deg)
    turn = turn_about((-math.sin(direction), math.cos(direction), 0.0), tilt_deg)
    return replace(die, rotation=as_rotation(turn @ np.asarray(die.rotation, np.float32)))
