"""What a die's surface shows: pips, marble, light, and what it mirrors and what shines through it.

Colours are computed in linear light, where squaring a byte's value stands for the camera's gamma of 2. Arrays are
(3, N) float32 as in `ray`; colours are BGR, 0 to 1.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.render.material import body_at, linear, scratches
from tabletop.simulator.render.ray import Floats, Hits, dot, leave
from tabletop.simulator.render.values import Light, Look, Pane, PosedDie, faces_of

MOST_PIPS = 6
AWAY = 9.0  # half edges: a pip that is not there
EMBLEM_PX = 64
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
    pips = _pips(hits.place, look, 2 / die.size_px, hits)
    normal = hits.normal
    if look.dimple and not look.blank:
        normal = normal - np.float32(look.dimple * BOWL) * pips.bowl * pips.offset
        normal = normal / np.sqrt(dot(normal, normal))
    body = body_at(hits.place, look)
    pip = linear(look.pip)[:, None]
    for own, face in ((look.ace, 0), (look.four, 3)):
        if own is not None:
            pip = np.where(pips.face == face, linear(own)[:, None], pip)
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
    if look.clear:
        body = _shine_through(body, hits, look, 2 / die.size_px)
    colour = body * (1 - pips.paint) + pip * pips.paint
    back = view @ (hits.along - 2 * dot(hits.along, normal) * normal) if look.gloss or look.metal else None
    if back is not None and (look.metal or look.pip_metal):
        bare = look.metal * (1 - pips.paint) + look.pip_metal * pips.paint
        lit = lit * (1 - bare) + bare * _room(back) * (light.lamp + light.ambient)
    colour = colour * lit
    if look.gloss and back is not None:
        colour = colour + _mirrored(hits, normal, back, light, look.gloss)
    painted: Floats = colour.astype(np.float32)
    return painted


def _room(back: Floats) -> Floats:
    """Return how bright the room is in directions `back` (3, N), (N,): ceiling, a dark line of furniture, table."""
    height = back[2]
    band = np.float32(0.5) + np.float32(0.5) * np.sin(5 * back[0] + 3 * back[1])
    bright: Floats = 0.2 + np.clip(height, 0, 1) * (0.6 + 0.9 * band) + 0.25 * np.clip(-height, 0, 1)
    return bright


def pip_layout(look: Look) -> NDArray[np.float32]:
    """Return where the pips are, (6, 6, 2) float32: face - 1, pip, its place on the face in half edges, AWAY if none.

    The two coordinates of a face are the die's own axes that follow its normal's, in the order x, y, z, x.
    """
    step = 2 * look.pip_spacing
    layout = np.full((6, MOST_PIPS, 2), AWAY, np.float32)
    two, three, six = look.lay
    over_two, over_three = (-step if two else step), (-step if three else step)
    square = [(step, step), (step, -step), (-step, step), (-step, -step)]
    near = step * look.six_ratio
    rows = [(a * step, b * near) for a in (-1, 0, 1) for b in (-1, 1)]
    faces = (
        [(0.0, 0.0)],
        [(step, over_two), (-step, -over_two)],
        [(0.0, 0.0), (step, over_three), (-step, -over_three)],
        square,
        [*square, (0.0, 0.0)],
        [(b, a) for a, b in rows] if six else rows,
    )
    for index, places in enumerate(faces):
        layout[index, : len(places)] = places
    return layout


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
class _Pips:
    """The pips at N places.

    bowl, paint: (N,) how much of the place is hollow and painted. offset: (3, N) from the pip's middle in radii. face:
    (N,) 0 to 5.
    """

    bowl: Floats
    paint: Floats
    offset: Floats
    face: NDArray[np.intp]


def _pips(place: Floats, look: Look, pixel: float, hits: Hits | None) -> _Pips:
    """Return the pips (or what replaces them) at each place; pixel: its width in half edges."""
    count = place.shape[1]
    if look.blank:
        nothing = np.zeros(count, np.float32)
        return _Pips(nothing, nothing, np.zeros((3, count), np.float32), np.zeros(count, np.intp))
    face, u, v, axis = _face_at(place, look)
    layout = pip_layout(look)[face]
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
    bowl = np.clip((radius - distance) * share + 0.5, 0, 1)
    paint = bowl
    if look.off != (0.0, 0.0):
        painted = np.hypot(near_u - np.float32(2 * look.off[0]), near_v - np.float32(2 * look.off[1]))
        paint = np.clip((radius - painted) * share + 0.5, 0, 1)
    if look.ring:
        paint = paint * np.clip((distance - look.ring * radius) * share + 0.5, 0, 1)
    offset = np.zeros((3, count), np.float32)
    offset[(axis + 1) % 3, column] = near_u / radius
    offset[(axis + 2) % 3, column] = near_v / radius
    if look.numerals:
        bowl = paint = _digits(face, u, v)
        offset[:] = 0
    elif look.emblem:
        there = face == look.emblem_face - 1
        bowl = paint = np.where(there, _emblem(look.emblem, u, v), paint)
        offset[:, there] = 0
    if look.worn:
        paint = paint * (1 - np.float32(look.worn) * scratches(place, look.grain))
    return _Pips(bowl.astype(np.float32), paint.astype(np.float32), offset, face)


def _digits(face: NDArray[np.intp], u: Floats, v: Floats) -> Floats:
    """Return how much of each place is the printed number of its face (0 to 5, printed as 1 to 6)."""
    strip = np.zeros((EMBLEM_PX, EMBLEM_PX * 6), np.uint8)
    for digit in range(6):
        at = (digit * EMBLEM_PX + EMBLEM_PX // 2 - 15, EMBLEM_PX // 2 + 16)
        cv2.putText(strip, str(digit + 1), at, cv2.FONT_HERSHEY_DUPLEX, 1.5, 255, 4, cv2.LINE_AA)
    columns, rows = (((np.clip(c, -1, 1) * 0.5 + 0.5) * (EMBLEM_PX - 1)).astype(np.intp) for c in (u, v))
    covered: Floats = strip[rows, columns + face * EMBLEM_PX].astype(np.float32) / 255
    return covered


def _emblem(number: int, u: Floats, v: Floats) -> Floats:
    """Return how much of each place (in half edges) the drawing of that number covers: letters, stars, rings."""
    drawing = np.zeros((EMBLEM_PX, EMBLEM_PX), np.uint8)
    middle = EMBLEM_PX // 2
    kind, variant = number % 4, number // 4
    if kind == 0:
        letter = "ABCDEFGHKMNPRSTWXYZ8079"[variant % 23]
        cv2.putText(drawing, letter, (middle - 18, middle + 17), cv2.FONT_HERSHEY_DUPLEX, 1.7, 255, 4, cv2.LINE_AA)
    elif kind == 1:
        points = 4 + variant % 4
        corners = [
            (
                middle + (26 if i % 2 else 11) * np.cos(np.pi * i / points),
                middle + (26 if i % 2 else 11) * np.sin(np.pi * i / points),
            )
            for i in range(2 * points)
        ]
        cv2.fillPoly(drawing, [np.asarray(corners, np.int32)], 255, cv2.LINE_AA)
    elif kind == 2:  # noqa: PLR2004 - the third of four kinds
        cv2.circle(drawing, (middle, middle), 14 + variant % 9, 255, 3 + variant % 4, cv2.LINE_AA)
    else:
        for line in range(3 + variant % 3):
            y = 14 + line * 11
            cv2.line(drawing, (10, y), (40 + (variant * 7 + line * 5) % 14, y), 255, 3, cv2.LINE_AA)
    columns, rows = (((np.clip(c, -1, 1) * 0.5 + 0.5) * (EMBLEM_PX - 1)).astype(np.intp) for c in (u, v))
    covered: Floats = drawing[rows, columns].astype(np.float32) / 255
    return covered


def _shine_through(body: Floats, hits: Hits, look: Look, pixel: float) -> Floats:
    """Return the body's colour with the far faces' pips behind it; longer paths through it are darker."""
    behind = leave(hits)
    cover = _pips(behind, look, pixel * 3 + 0.35 * look.frost, None).paint * (1 - 0.4 * look.frost)
    deep = np.sqrt(dot(behind - hits.place, behind - hits.place))
    through = body * (1.5 * np.exp(-0.45 * deep) + 0.15)
    glow = 0.55 * through + 0.45 * linear(look.pip)[:, None] * np.sqrt(body)
    through = through * (1 - 0.7 * cover) + glow * (0.7 * cover)
    clear = np.float32(look.clear)
    seen: Floats = (1 - clear) * body + clear * through
    return seen


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
