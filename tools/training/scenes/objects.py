"""Solid objects other than dice: coins, buttons, magnets, keys, screws, beads, studs, leaves, stones, game pieces.

Each function takes the width in pixels and a generator and returns a drawing as in `decal`.
"""

from collections.abc import Callable

import cv2
import numpy as np

from tabletop.simulator.grounds import any_colour
from tools.room.chance import chance, soft_noise
from tools.training.scenes.decal import Bgr, Drawing, area, box, disc, empty, relief, write

COINS: tuple[Bgr, ...] = ((70, 140, 175), (60, 95, 150), (175, 180, 180), (90, 160, 190), (110, 120, 125))
SIGNS = "ABCDEFGHJKLMNPRSTUVWXYZ0123456789&@?!%#*+;:.,"


def signs(rng: np.random.Generator, most: int) -> str:
    """Return one to `most` letters or digits."""
    return "".join(SIGNS[int(i)] for i in rng.integers(0, len(SIGNS), int(rng.integers(1, most + 1))))


def coin(span_px: float, rng: np.random.Generator) -> Drawing:
    """Draw a coin: metal, a raised rim, a head or numeral in relief, dots around, sometimes a hole."""
    drawing, cover, _ = empty(span_px)
    tone = np.asarray(COINS[int(rng.integers(len(COINS)))]) + rng.normal(0, 14, 3)
    drawing[:] = np.clip(tone, 10, 245).astype(np.uint8)
    disc(cover, 0.5, 0.5, 0.49, 255)
    height = np.zeros_like(cover)
    disc(height, 0.5, 0.5, 0.46, 160, 0.04)
    if chance(rng, 0.5):
        write(height, str(int(rng.choice((1, 2, 5, 10, 20, 50)))), rng.uniform(0.25, 0.4), 0.66, 0.35, 200)
    else:
        for _ in range(5):
            disc(
                height,
                0.5 + rng.normal(0, 0.1),
                0.5 + rng.normal(0, 0.1),
                rng.uniform(0.05, 0.16),
                int(rng.integers(90, 220)),
            )
    for step in range(int(rng.choice((0, 12, 20)))):
        angle = step * 2 * np.pi / 12
        disc(height, 0.5 + 0.39 * np.cos(angle), 0.5 + 0.39 * np.sin(angle), 0.016, 200)
    if chance(rng, 0.08):
        disc(cover, 0.5, 0.5, 0.1, 0)
    relief(drawing, height.astype(np.float32) / 255 * 0.05, rng.uniform(1, 5), rng)
    _shine(drawing, rng)
    return drawing, cover


def _shine(drawing: np.typing.NDArray[np.uint8], rng: np.random.Generator) -> None:
    """Lay a bright soft band over a drawing, in place."""
    side = drawing.shape[0]
    line = np.linspace(-1, 1, side, dtype=np.float32)
    band = np.cos(a := rng.uniform(0, np.pi)) * line[None, :] + np.sin(a) * line[:, None] - rng.uniform(-0.6, 0.6)
    glow = rng.uniform(0, 130) * np.exp(-((band / rng.uniform(0.08, 0.5)) ** 2))
    drawing[:] = np.clip(drawing + glow[:, :, None], 0, 255).astype(np.uint8)


def button(span_px: float, rng: np.random.Generator) -> Drawing:
    """Draw a shirt button: a disc with a rim and two or four holes."""
    colour = any_colour(rng)
    drawing, cover, _ = empty(span_px)
    drawing[:] = colour
    disc(cover, 0.5, 0.5, 0.49, 255)
    height = np.zeros_like(cover)
    disc(height, 0.5, 0.5, rng.uniform(0.3, 0.43), 200, rng.uniform(0.02, 0.1))
    relief(drawing, height.astype(np.float32) / 255 * 0.05, rng.uniform(1, 5), rng)
    holes = int(rng.choice((2, 4, 4, 4)))
    far, radius, hole = rng.uniform(0.1, 0.17), rng.uniform(0.035, 0.07), any_colour(rng)
    turn = rng.uniform(0, np.pi)
    for index in range(holes):
        angle = turn + index * 2 * np.pi / holes
        disc(drawing, 0.5 + far * np.cos(angle), 0.5 + far * np.sin(angle), radius, hole)
    if chance(rng, 0.5):
        _shine(drawing, rng)
    return drawing, cover


def eye(span_px: float, rng: np.random.Generator) -> Drawing:
    """Draw concentric rings: printed eyes, targets, lenses, washers, knobs."""
    drawing, cover, _ = empty(span_px)
    disc(cover, 0.5, 0.5, 0.48, 255)
    rings = sorted(rng.uniform(0.06, 0.48, int(rng.integers(2, 6))), reverse=True)
    for radius in (0.49, *rings):
        disc(drawing, 0.5, 0.5, float(radius), any_colour(rng))
    if chance(rng, 0.4):
        disc(drawing, 0.5 + rng.normal(0, 0.08), 0.5 + rng.normal(0, 0.08), 0.05, (245, 245, 245))
    return drawing, cover


def block(span_px: float, rng: np.random.Generator) -> Drawing:
    """Draw a magnet, a tile, an eraser or a keyboard key: a rounded block, blank, or with a few signs or dots."""
    drawing, cover, side = empty(span_px)
    colour = any_colour(rng)
    drawing[:] = colour
    high, round_by = rng.uniform(0.3, 0.49), rng.uniform(0.0, 0.12)
    box(cover, 0.02, 0.5 - high, 0.98, 0.5 + high, 255)
    if round_by > 0.03:  # noqa: PLR2004 - below that a corner looks sharp
        cover[:] = np.where(cv2.GaussianBlur(cover, (0, 0), round_by * side) > 95, 255, 0)  # noqa: PLR2004 - byte
    height = np.asarray(cv2.GaussianBlur(cover, (0, 0), max(0.6, rng.uniform(0.01, 0.07) * side)), np.float32) / 255
    relief(drawing, height * 0.06, rng.uniform(0.5, 4), rng)
    kind = rng.random()
    if kind < 0.45:  # noqa: PLR2004 - shares of lettered and of dotted blocks
        write(drawing, signs(rng, 3), rng.uniform(0.1, 0.4), 0.6, rng.uniform(0.1, 0.4), any_colour(rng))
    elif kind < 0.6:  # noqa: PLR2004
        ink = any_colour(rng)
        for _ in range(int(rng.integers(1, 3))):
            disc(drawing, rng.uniform(0.2, 0.8), rng.uniform(0.4, 0.6), rng.uniform(0.03, 0.2), ink)
    if chance(rng, 0.4):
        _shine(drawing, rng)
    return drawing, cover


def screw(span_px: float, rng: np.random.Generator) -> Drawing:
    """Draw a screw's head: metal with a slot, a cross or a hexagon."""
    drawing, cover, _ = empty(span_px)
    drawing[:] = (int(grey := rng.integers(70, 220)), int(grey), int(grey))
    disc(cover, 0.5, 0.5, 0.48, 255)
    dark = (25, 25, 25)
    if chance(rng, 0.3):
        angles = np.arange(6) * np.pi / 3
        area(drawing, 0.5 + 0.24 * np.stack([np.cos(angles), np.sin(angles)], axis=1), dark)
    else:
        box(drawing, 0.12, 0.45, 0.88, 0.55, dark)
        if chance(rng, 0.6):
            box(drawing, 0.45, 0.12, 0.55, 0.88, dark)
    _shine(drawing, rng)
    return drawing, cover


def studs(span_px: float, rng: np.random.Generator) -> Drawing:
    """Draw a building brick or a blister pack: round studs in rows, of the brick's own colour."""
    drawing, cover, _ = empty(span_px)
    drawing[:] = any_colour(rng)
    rows, columns = int(rng.integers(1, 5)), int(rng.integers(2, 5))
    step = 0.96 / max(rows, columns)
    box(cover, 0.02, 0.02, 0.02 + step * columns, 0.02 + step * rows, 255)
    height = np.zeros_like(cover)
    for row in range(rows):
        for column in range(columns):
            disc(height, 0.02 + step * (column + 0.5), 0.02 + step * (row + 0.5), step * 0.3, 255)
    soft = np.asarray(cv2.GaussianBlur(height, (0, 0), 1.0), np.float32) / 255
    drawing[:] = np.clip(drawing * (1 + rng.uniform(-0.15, 0.15) * soft[:, :, None]), 0, 255).astype(np.uint8)
    relief(drawing, soft * 0.08, rng.uniform(1.5, 5), rng)
    return drawing, cover


def beads(span_px: float, rng: np.random.Generator) -> Drawing:
    """Draw beads, sweets, pegs: shaded balls, scattered or in a row."""
    drawing, cover, _ = empty(span_px)
    colours = [any_colour(rng) for _ in range(int(rng.integers(1, 4)))]
    radius, row = rng.uniform(0.04, 0.16), chance(rng, 0.4)
    for index in range(int(rng.integers(2, 10))):
        x, y = (0.1 + index * 2.1 * radius, 0.5) if row else tuple(rng.uniform(0.16, 0.84, 2))
        colour = colours[index % len(colours)]
        disc(cover, x, y, radius, 255)
        blue, green, red = (int(value * 0.6) for value in colour)
        disc(drawing, x, y, radius * 1.1, (blue, green, red))
        disc(drawing, x - 0.15 * radius, y - 0.15 * radius, radius * 0.75, colour)
        disc(drawing, x - 0.3 * radius, y - 0.3 * radius, radius * 0.2, (250, 250, 250))
    return drawing, cover


def leaf(span_px: float, rng: np.random.Generator) -> Drawing:
    """Draw a leaf, a feather, a pen's cap: a pointed or blunt oval with a line along it."""
    drawing, cover, _ = empty(span_px)
    colour = any_colour(rng)
    drawing[:] = colour
    turn = np.linspace(0, 2 * np.pi, 24)
    wide, point = rng.uniform(0.08, 0.35), rng.uniform(0.6, 2)
    outline = np.stack(
        [0.5 + 0.48 * np.cos(turn), 0.5 + wide * np.sign(np.sin(turn)) * np.abs(np.sin(turn)) ** point], 1
    )
    area(cover, outline, 255)
    blue, green, red = (int(value * rng.uniform(0.5, 1.4)) % 256 for value in colour)
    box(drawing, 0.0, 0.48, 1.0, 0.52, (blue, green, red))
    for share in np.arange(0.15, 0.9, rng.uniform(0.08, 0.3)):
        area(drawing, ((share, 0.5), (share + 0.12, 0.1), (share + 0.14, 0.1), (share + 0.03, 0.5)), (blue, green, red))
        area(drawing, ((share, 0.5), (share + 0.12, 0.9), (share + 0.14, 0.9), (share + 0.03, 0.5)), (blue, green, red))
    return drawing, cover


def stone(span_px: float, rng: np.random.Generator) -> Drawing:
    """Draw a stone, a crumb, a crumpled paper: an uneven lump with its own shade."""
    drawing, cover, side = empty(span_px)
    drawing[:] = any_colour(rng)
    turn = np.linspace(0, 2 * np.pi, 14, endpoint=False)
    reach = 0.42 + rng.normal(0, 0.05, 14)
    area(cover, np.stack([0.5 + reach * np.cos(turn), 0.5 + reach * np.sin(turn) * rng.uniform(0.6, 1)], axis=1), 255)
    ball = np.asarray(cv2.GaussianBlur(cover, (0, 0), side * 0.12), np.float32) / 255
    lumps = soft_noise(side, side, side * rng.uniform(0.1, 0.4), rng)
    relief(drawing, (ball * 0.25 + 0.03 * lumps).astype(np.float32), rng.uniform(1, 3), rng)
    return drawing, cover


def pawn(span_px: float, rng: np.random.Generator) -> Drawing:
    """Draw a game piece from above or a bottle cap: a ball on a foot."""
    drawing, cover, _ = empty(span_px)
    colour = any_colour(rng)
    blue, green, red = (int(value * 0.55) for value in colour)
    drawing[:] = (blue, green, red)
    disc(cover, 0.42, 0.5, 0.4, 255)
    disc(drawing, 0.42, 0.5, 0.36, colour)
    top = rng.uniform(0.5, 0.75)
    disc(cover, top, 0.5, 0.22, 255)
    disc(drawing, top, 0.5, 0.22, (blue, green, red))
    disc(drawing, top - 0.02, 0.49, 0.19, colour)
    disc(drawing, top - 0.06, 0.43, 0.05, (245, 245, 245))
    return drawing, cover


def house_key(span_px: float, rng: np.random.Generator) -> Drawing:
    """Draw a door key: a bow with a hole and a toothed blade."""
    drawing, cover, _ = empty(span_px)
    drawing[:] = COINS[int(rng.integers(len(COINS)))]
    disc(cover, 0.2, 0.5, 0.18, 255)
    box(cover, 0.3, 0.45, 0.97, 0.55, 255)
    for at in np.arange(0.6, 0.95, 0.08):
        box(cover, at, 0.5, at + 0.05, 0.55 + rng.uniform(0.01, 0.08), 255)
    disc(cover, 0.12, 0.5, rng.uniform(0.03, 0.08), 0)
    _shine(drawing, rng)
    return drawing, cover


OBJECTS: tuple[Callable[[float, np.random.Generator], Drawing], ...] = (
    coin, coin, button, button, eye, eye, block, block, block, screw, studs, beads, leaf, stone, pawn, house_key,
)  # fmt: skip
