"""What a die's surface shows: pips, light, and what it mirrors.

Colours are computed in linear light, where squaring a byte's value stands for the camera's gamma of 2. Arrays are
(3, N) float32 as in `ray`; colours are BGR, 0 to 1.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.render.look import Floats, Hits, Look, Marks
from tabletop.simulator.render.ray import dot
from tabletop.simulator.render.values import Light, Pane, PosedDie, faces_of

BOWL = 0.9  # slope of a deep dimple's rim
MIRROR = 0.55  # strength of the mirrored window on the most polished die
PANE_EDGE = np.float32(0.04)  # tangent: softness of a mirrored edge
STRAIGHT_UP = 1e-4  # a pane nearer to the zenith than this has no side of its own
SHINE_POWER = 60.0  # exponent of the highlight (Blinn and Phong)


def paint(hits: Hits, die: PosedDie, light: Light, view: NDArray[np.float32]) -> Floats:
    """Return the colour of each hit, (3, N), 0 and more in linear light.

    view: (3, 3), from the die's own axes to the world's.
    """
    look = die.look
    pips = pips_at(hits.place, look, 2 / die.size_px, hits)
    normal = hits.normal
    if look.dimple:
        normal = normal - np.float32(look.dimple * BOWL) * pips.bowl * pips.offset
        normal = normal / np.sqrt(dot(normal, normal))
    body = look.seen_through(look.body_at(hits.place), hits, 2 / die.size_px)
    pip = look.pip_colour(pips.face)
    up = view.T @ np.array([0, 0, 1], np.float32)
    height = dot(up[:, None], hits.place)
    sky = 0.62 + 0.38 * dot(up[:, None], normal)
    buried = np.clip(0.75 + 0.25 * height, 0.35, 1)  # near the ground less light arrives
    tint = np.asarray(light.tint, np.float32)[:, None]
    sun = (view.T @ light.towards())[:, None]
    facing = light.lamp * np.maximum(dot(normal, sun), 0)
    if light.second:
        facing = facing + light.second * np.maximum(dot(normal, (view.T @ light.towards_second())[:, None]), 0)
    lit = 1.25 * facing * tint + light.ambient * sky * buried
    colour = body * (1 - pips.paint) + pip * pips.paint
    back = view @ (hits.along - 2 * dot(hits.along, normal) * normal) if look.shines else None
    if back is not None:
        lit = look.lit_as_metal(lit, pips.paint, back, light.lamp + light.ambient)
    colour = colour * lit
    if look.gloss and back is not None:
        colour = colour + _mirrored(hits, normal, back, light, look.gloss)
    painted: Floats = colour.astype(np.float32)
    return painted


def _face_at(place: Floats, look: Look) -> tuple[NDArray[np.intp], Floats, Floats, NDArray[np.intp]]:
    """Return for each place its face's index (0 to 5), the two coordinates on it, and the axis of its normal."""
    size = np.abs(place)
    axis = size.argmax(axis=0)
    column = np.arange(place.shape[1])
    plus, minus = faces_of(look)
    positive = place[axis, column] > 0
    face = np.where(positive, np.asarray(plus)[axis], np.asarray(minus)[axis]) - 1
    return face, place[(axis + 1) % 3, column], place[(axis + 2) % 3, column], axis


@dataclass(frozen=True, slots=True, eq=False)
class Pips:
    """The pips at N places.

    bowl, paint: (N,) how much of the place is hollow and painted. offset: (3, N) from the pip's middle in radii. face:
    (N,) 0 to 5.
    """

    bowl: Floats
    paint: Floats
    offset: Floats
    face: NDArray[np.intp]


def pips_at(place: Floats, look: Look, pixel: float, hits: Hits | None) -> Pips:
    """Return the pips (or what replaces them) at each place; pixel: its width in half edges."""
    count = place.shape[1]
    face, u, v, axis = _face_at(place, look)
    layout = look.pip_places()[face]
    off_u, off_v = u[:, None] - layout[:, :, 0], v[:, None] - layout[:, :, 1]
    far = off_u * off_u + off_v * off_v
    nearest = far.argmin(axis=1)
    column = np.arange(count)
    radius = np.where(face == 0, 2 * look.pip_radius * look.ace_scale, 2 * look.pip_radius).astype(np.float32)
    distance = np.sqrt(far[column, nearest])
    # A slanted face squeezes more of itself into one pixel.
    slant = 1.0 if hits is None else np.maximum(np.abs(dot(hits.normal, hits.along)), 0.25)
    share = slant / np.float32(pixel)
    near_u, near_v = off_u[column, nearest], off_v[column, nearest]
    offset = np.zeros((3, count), np.float32)
    offset[(axis + 1) % 3, column] = near_u / radius
    offset[(axis + 2) % 3, column] = near_v / radius
    bowl = np.clip((radius - distance) * share + 0.5, 0, 1)
    marks = Marks(place, face, u, v, near_u, near_v, distance, radius, share, bowl, offset)
    bowl, paint = look.painted(marks)
    return Pips(bowl.astype(np.float32), paint.astype(np.float32), offset, face)


def _mirrored(hits: Hits, normal: Floats, back: Floats, light: Light, gloss: float) -> Floats:
    """Return the light that the varnish mirrors: the lamps as highlights, and the panes; back: (3, N), world axes."""
    power = np.float32(SHINE_POWER * (0.3 + gloss))
    shine = light.lamp * np.maximum(light.towards() @ back, 0) ** power
    if light.second:
        shine = shine + light.second * np.maximum(light.towards_second() @ back, 0) ** power
    glancing = 0.35 + 0.65 * (1 - np.abs(dot(hits.along, normal))) ** 2
    total = 0.8 * shine
    for pane in light.mirrored():
        total = total + np.float32(pane.strength * MIRROR) * glancing * _pane(pane, back)
    mirrored: Floats = (np.float32(gloss) * total)[None, :].astype(np.float32)
    return mirrored


def _pane(pane: Pane, back: Floats) -> Floats:
    """Return how much of the pane is seen in directions `back` (3, N), (N,) 0 to 1."""
    middle = pane.towards()
    side = np.cross(np.array([0, 0, 1], np.float32), middle)
    length = float(np.linalg.norm(side))
    side = side / length if length > STRAIGHT_UP else np.array([1, 0, 0], np.float32)
    over = np.cross(middle, side)
    roll = np.radians(pane.roll_deg)
    side, over = side * np.cos(roll) + over * np.sin(roll), over * np.cos(roll) - side * np.sin(roll)
    ahead = middle @ back
    inverse = 1 / np.maximum(ahead, np.float32(1e-3))
    across, upward = (side.astype(np.float32) @ back) * inverse, (over.astype(np.float32) @ back) * inverse
    if pane.ring:
        away = np.abs(np.sqrt(across * across + upward * upward) - np.float32(pane.wide))
        half = np.clip(0.6 + upward / np.float32(pane.wide), 0, 1)  # a ring is seldom equally bright all round
        seen = np.clip((pane.high - away) / PANE_EDGE + 0.5, 0, 1) * half
    else:
        seen = np.clip((pane.wide - np.abs(across)) / PANE_EDGE, 0, 1)
        seen = seen * np.clip((pane.high - np.abs(upward)) / PANE_EDGE, 0, 1)
    lit: Floats = seen * (ahead > 0.05)  # noqa: PLR2004 - behind the die there is no pane
    return lit
