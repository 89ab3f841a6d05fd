"""The tray without dice: a wooden frame, felt, and the rail at the left; and random colours for other objects."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.physics import Area

Bgr = tuple[int, int, int]

GRAIN_SEED = 20  # the felt always has the same grain: only dice are drawn by chance

FELT = (52, 96, 44)  # colours in BGR
RAIL_FELT = (58, 74, 40)
WOOD = (52, 84, 122)
BRIGHTEST = 250  # of a byte: nothing on a table is pure white
GRAIN = 0.10  # standard deviation of the weave's lightness, as a share


@dataclass(frozen=True, slots=True)
class Layout:
    """The tray in the frame: the frame's size, the felt where dice are thrown, the rail, and pixels per mm."""

    width_px: int
    height_px: int
    felt: Area
    rail: Area
    px_per_mm: float


def layout(width_px: int, height_px: int, size_px: float, edge_mm: float = 16.0) -> Layout:
    """Return the tray for a frame and dice of `size_px` pixels, which are `edge_mm` wide in reality.

    A wooden frame all around, the rail 1.45 dice wide at the left behind a wooden bar, felt in the rest.
    """
    wood = round(size_px * 0.3)
    bar = round(size_px * 0.18)
    rail = Area(wood, wood, wood + round(size_px * 1.45), height_px - wood)
    felt = Area(rail.right + bar, wood, width_px - wood, height_px - wood)
    return Layout(width_px, height_px, felt, rail, size_px / edge_mm)


def paint_ground(
    tray: Layout, felt: Bgr = FELT, rail: Bgr = RAIL_FELT, wood: Bgr = WOOD, grain: float = GRAIN
) -> NDArray[np.uint8]:
    """Return the empty tray, (height, width, 3) uint8 BGR; the same for the same arguments.

    felt, rail, wood: colours. grain: how uneven the weave is.
    """
    chance = np.random.default_rng(GRAIN_SEED)
    size = (tray.height_px, tray.width_px)
    rings = cv2.GaussianBlur(chance.normal(0, 1, size).astype(np.float32), (0, 0), sigmaX=40, sigmaY=0.9)
    ground = np.asarray(wood, np.float32) * (1 + 1.1 * rings[:, :, None])
    weave = cv2.GaussianBlur(chance.normal(0, 1, size).astype(np.float32), (0, 0), 1.1)
    cloud = cv2.GaussianBlur(chance.normal(0, 1, size).astype(np.float32), (0, 0), 35)
    shades = 1 + grain * weave + 1.2 * cloud
    for area, colour in ((tray.felt, felt), (tray.rail, rail)):
        rows, columns = slice(area.top, area.bottom), slice(area.left, area.right)
        ground[rows, columns] = np.asarray(colour, np.float32) * shades[rows, columns, None]
        _shade_walls(ground, area)
    return np.clip(ground, 0, 255).astype(np.uint8)


def _shade_walls(ground: NDArray[np.float32], area: Area, reach_px: int = 14) -> None:
    """Darken the cloth beside the upper and the left wall, away from the lamp; light up the wood's edge there."""
    fade = np.linspace(0.55, 1.0, reach_px, dtype=np.float32)
    ground[area.top : area.top + reach_px, area.left : area.right] *= fade[:, None, None]
    ground[area.top : area.bottom, area.left : area.left + reach_px] *= fade[None, :, None]
    ground[area.bottom : area.bottom + 2, area.left : area.right] *= 1.35
    ground[area.top : area.bottom, area.right : area.right + 2] *= 1.35


def any_colour(rng: np.random.Generator) -> Bgr:
    """Return a random colour; a third are greys and a third dull, since most objects are not colourful."""
    full = rng.integers(5, BRIGHTEST, 3)
    dull = float(rng.choice((0.0, 0.35, 1.0)))
    blue, green, red = (int(full[1] + dull * (value - full[1])) for value in full)
    return blue, green, red
