"""The solid of a die: where the rays of a few thousand pixels meet a rounded cube.

All arrays are float32 of shape (3, N) or (N,), one column a ray, in the die's own axes with half an edge as the unit.
The cube is a box with rounded edges, cut by a ball if the look has one; rays walk along its distance field (sphere
tracing, J. C. Hart 1996). Flat faces touch the bounding box, so most rays arrive after one step.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.render.look import Floats, Hits, Look
from tabletop.simulator.render.values import PosedDie, Viewpoint

FIRST_STEPS = 2  # that all rays make
STEPS = 9  # enough for the roundest edge; flat faces need one
THERE = 5e-4  # half edges: a ray this near has arrived
REACHED = 0.02  # half edges: nearer than this is on the surface
FLAT = np.float32(1e-6)  # keeps divisions by a ray's zero component finite
BOX_CORNER = 1.75  # half the diagonal of the cube (sqrt 3) and a little, in half edges


@dataclass(frozen=True, slots=True, eq=False)
class Rays:
    """Rays of a patch of pixels. left, top, width, height: the patch in the frame. start, along: (3, N)."""

    left: int
    top: int
    width: int
    height: int
    start: Floats
    along: Floats


def rays_of(die: PosedDie, camera: Viewpoint, width: int, height: int) -> Rays | None:
    """Return the rays of the die's bounding square within a frame of that size, None if it lies outside."""
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
    """Return where the rays meet the die, its outline smoothed over one pixel."""
    pixel_unit = 2 / size_px
    wide = np.float32(1 + 1.5 * pixel_unit)
    along = np.where(np.abs(rays.along) < FLAT, FLAT, rays.along)
    inverse = 1 / along
    low, high = (-wide - rays.start) * inverse, (wide - rays.start) * inverse
    near = _most(np.minimum(low, high))
    far = -_most(-np.maximum(low, high))
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
    """Return the scalar products of two (3, N) arrays, (N,); several times faster than a sum over the short axis."""
    product: Floats = first[0] * second[0] + first[1] * second[1] + first[2] * second[2]
    return product


def _most(values: Floats) -> Floats:
    """Return the largest of the three in each column."""
    largest: Floats = np.maximum(np.maximum(values[0], values[1]), values[2])
    return largest


def _distance(place: Floats, look: Look) -> Floats:
    radius = np.float32(2 * look.edge_radius)
    out = np.abs(place) - (1 - radius)
    over = np.maximum(out, 0)
    distance: Floats = np.sqrt(dot(over, over)) + np.minimum(_most(out), 0) - radius
    if look.ball_radius:
        ball = np.sqrt(dot(place, place)) - np.float32(2 * look.ball_radius)
        distance = np.maximum(distance, ball)
    return distance


def _normal(place: Floats, look: Look) -> Floats:
    radius = np.float32(2 * look.edge_radius)
    over = np.maximum(np.abs(place) - (1 - radius), 0)
    length = np.sqrt(dot(over, over))
    top = _most(np.abs(place))
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
