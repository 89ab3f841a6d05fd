"""The still renderer: dice of any look and pose, with their shadows, over a given ground.

`compose` touches only the bounding box of each die and shadow. The cube is a box with rounded edges, cut by a ball if
the look has one; rays march along its distance field (sphere tracing, J. C. Hart 1996). Arrays are float32 of shape (3,
N) or (N,), one column per ray, in the die's own axes with half an edge as the unit. Colours are BGR, 0 to 1, computed
in linear light, with squaring in place of the camera's gamma of 2.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.scene import Floats, Hits, Light, Look, Marks, Pane, PosedDie, Viewpoint, faces_of

FIRST_STEPS = 2  # that all rays make
STEPS = 9  # enough for the roundest edge; flat faces need one
THERE = 5e-4  # half edges: a ray this near has arrived
REACHED = 0.02  # half edges: nearer than this is on the surface
FLAT = np.float32(1e-6)  # keeps divisions by a ray's zero component finite
BOX_CORNER = 1.75  # half the diagonal of the cube (sqrt 3) and a little, in half edges


@dataclass(frozen=True, slots=True, eq=False)
class Rays:
    """The rays of a patch of pixels. left, top, width, height: the patch in the frame. start, along: (3, N)."""

    left: int
    top: int
    width: int
    height: int
    start: Floats
    along: Floats


def rays_of(die: PosedDie, camera: Viewpoint, width: int, height: int) -> Rays | None:
    """Return the rays of the die's bounding square within a frame of that size, None if it is outside."""
    reach = BOX_CORNER * die.size_px / 2 * (1 + die.size_px / camera.distance_px) + 1
    left, right = max(0, int(die.x - reach)), min(width, int(die.x + reach) + 2)
    top, bottom = max(0, int(die.y - reach)), min(height, int(die.y + reach) + 2)
    if left >= right or top >= bottom:
        return None
    grid = np.meshgrid(np.arange(left, right, dtype=np.float32), np.arange(top, bottom, dtype=np.float32))
    columns, rows = grid[0].ravel(), grid[1].ravel()
    centre_x = width / 2 if camera.x is None else camera.x
    centre_y = height / 2 if camera.y is None else camera.y
    along = np.stack(
        [columns - np.float32(centre_x), rows - np.float32(centre_y), np.full_like(rows, -camera.distance_px)]
    )
    along /= np.sqrt(dot(along, along))
    unit = np.float32(2 / die.size_px)
    start = np.stack([(columns - np.float32(die.x)) * unit, (rows - np.float32(die.y)) * unit, np.zeros_like(rows)])
    to_own = (camera.turn() @ np.asarray(die.rotation, np.float32)).T
    start = to_own @ start
    along = to_own @ along
    return Rays(left, top, right - left, bottom - top, start - 3 * along, along)


def meet(rays: Rays, look: Look, size_px: float) -> Hits:
    """Return the hits of the rays on the die, its outline smoothed over one pixel."""
    pixel_unit = 2 / size_px
    wide = np.float32(1 + 1.5 * pixel_unit)
    along = np.where(np.abs(rays.along) < FLAT, FLAT, rays.along)
    inverse = 1 / along
    low, high = (-wide - rays.start) * inverse, (wide - rays.start) * inverse
    near = np.maximum.reduce(np.minimum(low, high))
    far = np.minimum.reduce(np.maximum(low, high))
    pixel = np.flatnonzero(near < far)
    along = along[:, pixel]
    place = rays.start[:, pixel] + near[pixel] * along
    half = np.float32(pixel_unit / 2)  # the outline's smooth step is half outside
    walk = _March(place, near[pixel], np.full(pixel.size, 9.0, np.float32), place)
    walk = walk.on(along, look, half, FIRST_STEPS)
    # Only rays near rounded edges have not arrived yet; they are few, so only they go on.
    end = far[pixel] + np.float32(0.5)
    late = np.flatnonzero((np.abs(walk.closest) > THERE) & (walk.walked < end))
    if late.size:
        further = walk.part(late).on(along[:, late], look, half, STEPS - FIRST_STEPS)
        walk.closest[late], walk.walked[late], walk.best[:, late] = further.closest, further.walked, further.best
    closest, walked, best = walk.closest, walk.walked, walk.best
    cover = np.clip(1 - (closest - REACHED / 2) / np.float32(pixel_unit), 0, 1)
    seen = np.flatnonzero((cover > 0) & (walked < end))
    best = best[:, seen]
    return Hits(pixel[seen], best, _normal(best, look), along[:, seen], cover[seen])


@dataclass(frozen=True, slots=True, eq=False)
class _March:
    """Rays under way: place (3, N), walked (N,), the least distance so far (N,) and where that was (3, N)."""

    place: Floats
    walked: Floats
    closest: Floats
    best: Floats

    def part(self, chosen: NDArray[np.intp]) -> "_March":
        """Return only some of the rays."""
        return _March(self.place[:, chosen], self.walked[chosen], self.closest[chosen], self.best[:, chosen])

    def on(self, along: Floats, look: Look, outside: np.float32, steps: int) -> "_March":
        """Return the rays after this many steps towards the surface that lies `outside` inside the die's."""
        place, walked, closest, best = self.place, self.walked, self.closest, self.best.copy()
        for _ in range(steps):
            distance = _distance(place, look) + outside
            nearer = distance < closest
            closest = np.minimum(distance, closest)
            np.copyto(best, place, where=nearer)
            walked = walked + distance
            place = place + distance * along
        return _March(place, walked, closest, best)


def dot(first: Floats, second: Floats) -> Floats:
    """Return the dot products of two (3, N) arrays, (N,); several times faster than a sum over the short axis."""
    product: Floats = first[0] * second[0] + first[1] * second[1] + first[2] * second[2]
    return product


def _distance(place: Floats, look: Look) -> Floats:
    radius = np.float32(2 * look.edge_radius)
    out = np.abs(place) - (1 - radius)
    over = np.maximum(out, 0)
    distance: Floats = np.sqrt(dot(over, over)) + np.minimum(np.maximum.reduce(out), 0) - radius
    if look.ball_radius:
        ball = np.sqrt(dot(place, place)) - np.float32(2 * look.ball_radius)
        distance = np.maximum(distance, ball)
    return distance


def _normal(place: Floats, look: Look) -> Floats:
    radius = np.float32(2 * look.edge_radius)
    over = np.maximum(np.abs(place) - (1 - radius), 0)
    length = np.sqrt(dot(over, over))
    top = np.maximum.reduce(np.abs(place))
    over = np.where(length > FLAT, over, (np.abs(place) >= top).astype(np.float32))
    normal = np.sign(place) * over
    if look.ball_radius:
        reach = np.sqrt(dot(place, place))
        corner = np.clip((reach - 2 * look.ball_radius) / 0.03 + 1, 0, 1)  # a softened seam
        normal = normal / np.maximum(np.sqrt(dot(normal, normal)), FLAT)
        normal = (1 - corner) * normal + corner * place / reach
    bulged: Floats = normal / np.maximum(np.sqrt(dot(normal, normal)), FLAT) + np.float32(look.bulge) * place
    bulged /= np.maximum(np.sqrt(dot(bulged, bulged)), FLAT)
    return bulged


BOWL = 0.9  # slope of a deep dimple's rim
MIRROR = 0.55  # strength of the mirrored window on the most polished die
PANE_EDGE = np.float32(0.04)  # tangent: softness of a mirrored edge
STRAIGHT_UP = 1e-4  # a pane nearer to the zenith than this has no side of its own
SHINE_POWER = 60.0  # exponent of the highlight (Blinn and Phong)


def paint(hits: Hits, die: PosedDie, light: Light, view: NDArray[np.float32]) -> Floats:
    """Return the colour of each hit, (3, N), at least 0, in linear light.

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
    facing = sum(strength * np.maximum(dot(normal, (view.T @ lamp)[:, None]), 0) for lamp, strength in light.lamps())
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

    bowl, paint: (N,) how hollow and how painted the place is. offset: (3, N) from the pip's centre in radii. face: (N,)
    0 to 5.
    """

    bowl: Floats
    paint: Floats
    offset: Floats
    face: NDArray[np.intp]


def pips_at(place: Floats, look: Look, pixel: float, hits: Hits | None) -> Pips:
    """Return the pips (or their replacements) at each place; pixel: its width in half edges."""
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
    shine = np.asarray(sum(strength * np.maximum(lamp @ back, 0) ** power for lamp, strength in light.lamps()))
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


Picture = NDArray[np.uint8]

CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32)
SHADOW_CORNER = 0.93  # rounded corners throw a little less shadow than sharp ones
CONTACT_SOFTNESS = 0.10  # edges: the dark seam where a die touches the ground
CONTACT_DARK = 0.45
COARSE_SOFT_PX = 2.0  # a shadow this soft, in its own coarse pixels, is still smooth when it is enlarged
LEAST_SOFT_PX = 0.3  # no edge in a picture is sharper
AMBIENT_SPREAD = 0.25  # edges: how far a die keeps the light of the room from the ground
AMBIENT_DARK = 0.25


def compose(
    ground: Picture, dice: Sequence[PosedDie], light: Light | None = None, camera: Viewpoint | None = None
) -> Picture:
    """Return a copy of the ground with the dice and their shadows on it.

    ground: (H, W, 3) uint8 BGR, already as the camera sees it. Dice may lie partly or wholly outside. The same
    arguments give the same bytes.
    """
    light = light or Light()
    camera = camera or Viewpoint()
    frame = ground.copy()
    height, width = frame.shape[:2]
    for die in dice:
        _cast(frame, die, light, camera)
    for index in drawing_order(dice, camera, (width, height)):
        _draw(frame, dice[index], light, camera, (width, height))
    return frame


def drawing_order(dice: Sequence[PosedDie], camera: Viewpoint, size: tuple[int, int]) -> list[int]:
    """Return the indices of the dice, the farthest from the camera first; size: width and height of the frame.

    The distance is that of the place where a die stands (or hovers), not of its centre: of two dice on the ground, the
    one whose foot is nearer hides the other, regardless of size.
    """
    turn = camera.turn()
    own = turn.T
    eye_x = size[0] / 2 if camera.x is None else camera.x
    eye_y = size[1] / 2 if camera.y is None else camera.y
    up = turn[:, 2]
    lean = max(float(up[2]), 0.2)

    def away(index: int) -> float:
        die = dice[index]
        across, down = die.x - eye_x, die.y - eye_y
        middle = die.lift_px + die.size_px / 2
        nearer = (middle - across * float(up[0]) - down * float(up[1])) / lean
        foot = own @ np.array([across, down, nearer]) - (0, 0, die.size_px / 2)
        return float(np.linalg.norm(foot - own @ np.array([0, 0, camera.distance_px])))

    return sorted(range(len(dice)), key=away, reverse=True)


def _draw(frame: Picture, die: PosedDie, light: Light, camera: Viewpoint, size: tuple[int, int]) -> None:
    rays = rays_of(die, camera, *size)
    if rays is None:
        return
    hits = meet(rays, die.look, die.size_px)
    if not hits.pixel.size:
        return
    colour = paint(hits, die, light, np.asarray(die.rotation, np.float32))
    patch = frame[rays.top : rays.top + rays.height, rays.left : rays.left + rays.width]
    flat = patch.reshape(-1, 3)
    below = flat[hits.pixel].astype(np.float32)
    seen = np.sqrt(np.clip(colour, 0, 1)).T * 255
    cover = hits.cover[:, None]
    flat[hits.pixel] = (below * (1 - cover) + seen * cover + 0.5).astype(np.uint8)
    patch[:] = flat.reshape(patch.shape)


def _cast(frame: Picture, die: PosedDie, light: Light, camera: Viewpoint) -> None:
    """Darken the ground by the lamp's shadow, the dark seam of contact and the light of the room kept away."""
    turn = camera.turn()
    corners = CORNERS @ np.asarray(die.rotation, np.float32).T * (die.size_px / 2 * SHADOW_CORNER)
    above = corners[:, 2] - corners[:, 2].min() + die.lift_px
    lifted = die.lift_px / die.size_px
    straight = np.array([0, 0, 1], np.float32)
    lamps = light.lamps()
    whole = max(sum(strength for _, strength in lamps) + light.ambient, 1e-6)
    shadows = []
    for towards, softness, dark in (
        *((lamp, light.softness + 0.3 * lifted, strength / whole * 0.9) for lamp, strength in lamps),
        (straight, CONTACT_SOFTNESS + 0.5 * lifted, CONTACT_DARK / (1 + 6 * lifted)),
        (straight, AMBIENT_SPREAD + 0.5 * lifted, AMBIENT_DARK / (1 + 2 * lifted)),
    ):
        fallen = corners - towards * (above / max(float(towards[2]), 0.2))[:, None]
        seen = fallen @ turn.T
        shadows.append(_Shadow(seen[:, :2] + (die.x, die.y), softness * die.size_px, dark))
    _darken(frame, shadows, die.look.stain())


@dataclass(frozen=True, slots=True, eq=False)
class _Shadow:
    """The hull of `outline` (N, 2), blurred by soft_px (a standard deviation); dark: share of light taken, 0 to 1."""

    outline: NDArray[np.float32]
    soft_px: float
    dark: float

    def box(self, width: int, height: int) -> tuple[int, int, int, int]:
        """Return left, top, right and bottom of the area it can darken within a frame of that size."""
        reach = 2.5 * self.soft_px + 2
        low, high = self.outline.min(axis=0) - reach, self.outline.max(axis=0) + reach
        left, top = max(0, math.floor(low[0])), max(0, math.floor(low[1]))
        return left, top, min(width, math.ceil(high[0])), min(height, math.ceil(high[1]))

    def mask(self, left: int, top: int, right: int, bottom: int) -> NDArray[np.float32]:
        """Return how much of it falls on each pixel of a box, 0 to `dark`."""
        hull = np.asarray(cv2.convexHull(self.outline.astype(np.float32)))
        fine = 16  # cv2 takes sixteenths of a pixel with shift=4
        # A soft shadow is drawn smaller and enlarged: that looks the same and is far cheaper than a wide blur.
        coarse = max(1, int(self.soft_px / COARSE_SOFT_PX))
        size = -(-(right - left) // coarse), -(-(bottom - top) // coarse)
        filled = np.zeros((size[1], size[0]), np.float32)
        points = np.round(((hull - (left, top) + 0.5) / coarse - 0.5) * fine).astype(np.int32)
        cv2.fillConvexPoly(filled, points, (float(self.dark),), cv2.LINE_8, shift=4)
        soft = cv2.GaussianBlur(filled, (0, 0), max(self.soft_px, LEAST_SOFT_PX) / coarse)
        if coarse > 1:
            soft = cv2.resize(soft, (size[0] * coarse, size[1] * coarse))
        return np.asarray(soft, np.float32)[: bottom - top, : right - left]


def _darken(frame: Picture, shadows: Sequence[_Shadow], stain: NDArray[np.float32]) -> None:
    """Take the shadows' light from the frame, in place; stain: how much of each colour they take, (1,) or (3,)."""
    height, width = frame.shape[:2]
    boxes = [(shadow, shadow.box(width, height)) for shadow in shadows]
    boxes = [(shadow, box) for shadow, box in boxes if box[0] < box[2] and box[1] < box[3]]
    if not boxes:
        return
    left, top = (min(box[side] for _, box in boxes) for side in (0, 1))
    right, bottom = (max(box[side] for _, box in boxes) for side in (2, 3))
    left_over = np.ones((bottom - top, right - left, stain.size), np.float32)
    for shadow, box in boxes:
        part = left_over[box[1] - top : box[3] - top, box[0] - left : box[2] - left]
        part *= 1 - shadow.mask(*box)[:, :, None] * stain
    patch = frame[top:bottom, left:right]
    patch[:] = (patch * left_over + np.float32(0.5)).astype(np.uint8)
