"""The still renderer: dice of any look and pose, with their shadows, over a given ground.

One call, `compose`, and its truth: `face_up`, `top_centre`. Only each die's and each shadow's bounding box is touched.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.render.look import Bgr, Look
from tabletop.simulator.render.ray import meet, rays_of
from tabletop.simulator.render.shading import paint
from tabletop.simulator.render.values import (
    UNTURNED,
    Light,
    Pane,
    PosedDie,
    Rotation,
    Viewpoint,
    as_rotation,
    face_up,
    faces_of,
    from_quaternion,
    lean_deg,
    lying,
    top_centre,
    turn_about,
)

__all__ = [
    "UNTURNED",
    "Bgr",
    "Light",
    "Look",
    "Pane",
    "PosedDie",
    "Rotation",
    "Viewpoint",
    "as_rotation",
    "compose",
    "drawing_order",
    "face_up",
    "faces_of",
    "from_quaternion",
    "lean_deg",
    "lying",
    "top_centre",
    "turn_about",
]

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

    The distance is that of the place where a die stands (or hovers), not of its middle: of two dice on the ground the
    one whose foot is nearer hides the other, whatever their sizes.
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
    whole = max(light.lamp + light.second + light.ambient, 1e-6)
    lamps = [(light.towards(), light.lamp / whole)]
    if light.second:
        lamps.append((light.towards_second(), light.second / whole))
    shadows = []
    for towards, softness, dark in (
        *((lamp, light.softness + 0.3 * lifted, lamp_dark * 0.9) for lamp, lamp_dark in lamps),
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
