"""What a die's surface shows: pips, marble, light, and what is mirrored or shines through.

Colours are computed in linear light, where squaring a byte's value stands for the camera's gamma of 2. Arrays are
(3, N) float32 as in `still_surface`; colours are BGR, 0 to 1.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.still_look import Bgr, Light, Look, PosedDie, faces_of
from tabletop.simulator.still_surface import Floats, Hits, dot, leave

MOST_PIPS = 6
AWAY = 9.0  # half edges: a pip that is not there
EMBLEM_PX = 64
BOWL = 0.9  # slope of a deep dimple's rim
MIRROR = 0.55  # strength of the mirrored window on the most polished die
SHINE_POWER = 60.0  # exponent of the highlight (Blinn and Phong)


def paint(hits: Hits, die: PosedDie, light: Light, view: NDArray[np.float32]) -> Floats:
    """Return the colour of each hit, (3, N), 0 and more in linear light.

    view: (3, 3), from the die's own axes to the world's.
    """
    look = die.look
    pip_cover, pip_offset, ace = _pips(hits.place, look, 2 / die.size_px, hits)
    normal = hits.normal
    if look.dimple and not look.blank:
        normal = normal - np.float32(look.dimple * BOWL) * pip_cover * pip_offset
        normal = normal / np.sqrt(dot(normal, normal))
    body = _body(hits.place, look)
    pip = _linear(look.pip)[:, None]
    if look.ace is not None:
        pip = np.where(ace, _linear(look.ace)[:, None], pip)
    sun = (view.T @ light.towards())[:, None]
    up = view.T @ np.array([0, 0, 1], np.float32)
    facing = np.maximum(dot(normal, sun), 0)
    height = dot(up[:, None], hits.place)
    sky = 0.62 + 0.38 * dot(up[:, None], normal)
    buried = np.clip(0.75 + 0.25 * height, 0.35, 1)  # near the ground less light arrives
    tint = np.asarray(light.tint, np.float32)[:, None]
    lit = light.lamp * 1.25 * facing * tint + light.ambient * sky * buried
    if look.clear:
        body = _shine_through(body, hits, look, 2 / die.size_px)
    colour = (body * (1 - pip_cover) + pip * pip_cover) * lit
    if look.gloss:
        colour = colour + _mirrored(hits, normal, light, view, look.gloss)
    painted: Floats = colour.astype(np.float32)
    return painted


def _linear(colour: Bgr) -> Floats:
    value: Floats = np.square(np.asarray(colour, np.float32) / 255)
    return value


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


def _pips(place: Floats, look: Look, pixel: float, hits: Hits | None) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Return how much of each place is pip (N,), its offset from the pip's middle in radii (3, N), whether the 1."""
    count = place.shape[1]
    if look.blank:
        return np.zeros(count, np.float32), np.zeros((3, count), np.float32), np.zeros(count, bool)
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
    cover = np.clip((radius - distance) * slant / pixel + 0.5, 0, 1)
    offset = np.zeros((3, count), np.float32)
    offset[(axis + 1) % 3, column] = off_u[column, nearest] / radius
    offset[(axis + 2) % 3, column] = off_v[column, nearest] / radius
    if look.emblem:
        there = face == look.emblem_face - 1
        cover = np.where(there, _emblem(look.emblem, u, v), cover)
        offset[:, there] = 0
    return cover.astype(np.float32), offset, face == 0


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


def _body(place: Floats, look: Look) -> Floats:
    body = _linear(look.body)[:, None]
    if look.marble is None:
        return body
    chance = np.random.default_rng(look.grain)  # the veins belong to the die, whoever draws it
    wave = chance.normal(0, 2.2, (3, 3)).astype(np.float32)
    shift = chance.uniform(0, 6, 3).astype(np.float32)
    swirl = np.sin(wave[0] @ place + shift[0]) + 0.7 * np.sin(2 * (wave[1] @ place) + shift[1])
    vein = np.sin(wave[2] @ place * 1.5 + 2.2 * swirl + shift[2])
    share = np.clip(0.5 + 1.1 * vein, 0, 1)
    mixed: Floats = body * (1 - share) + _linear(look.marble)[:, None] * share
    return mixed


def _shine_through(body: Floats, hits: Hits, look: Look, pixel: float) -> Floats:
    """Return the body's colour with the far faces' pips behind it; deeper ways through it are darker."""
    behind = leave(hits)
    cover, _, _ = _pips(behind, look, pixel * 3, None)
    deep = np.sqrt(dot(behind - hits.place, behind - hits.place))
    through = body * (1.5 * np.exp(-0.45 * deep) + 0.15)
    glow = 0.55 * through + 0.45 * _linear(look.pip)[:, None] * np.sqrt(body)
    through = through * (1 - 0.7 * cover) + glow * (0.7 * cover)
    clear = np.float32(look.clear)
    seen: Floats = (1 - clear) * body + clear * through
    return seen


def _mirrored(hits: Hits, normal: Floats, light: Light, view: NDArray[np.float32], gloss: float) -> Floats:
    """Return the light that the varnish mirrors: the lamp as a highlight, and the window with its cross bar."""
    back = hits.along - 2 * dot(hits.along, normal) * normal
    world = view @ back
    lamp = light.towards()
    shine = np.maximum(lamp @ world, 0) ** np.float32(SHINE_POWER * (0.3 + gloss))
    pane = light.towards_window()
    side = np.cross(np.array([0, 0, 1], np.float32), pane)
    side = side / max(float(np.linalg.norm(side)), 1e-6)
    over = np.cross(pane, side)
    ahead = np.maximum(pane @ world, 1e-3)
    across, upward = np.abs(side @ world) / ahead, np.abs(over @ world) / ahead
    edge = np.float32(0.04)
    seen = np.clip((light.window_wide - across) / edge, 0, 1) * np.clip((light.window_high - upward) / edge, 0, 1)
    seen = seen * (ahead > 0.05)  # noqa: PLR2004 - behind the die there is no window
    glancing = 0.35 + 0.65 * (1 - np.abs(dot(hits.along, normal))) ** 2
    total = np.float32(gloss) * (light.lamp * 0.8 * shine + light.window * MIRROR * glancing * seen)
    mirrored: Floats = total[None, :].astype(np.float32)
    return mirrored
