"""Grounds for random scenes: wood, paper, woven and patterned cloth, carpet, speckle.

Each function takes the size, a colour (BGR) and a generator and returns (height, width, 3) uint8; the same generator
state gives the same bytes. `period_px` is the size of its repeating pattern.
"""

from collections.abc import Callable

import cv2
import numpy as np

from tabletop.simulator.grounds import Bgr
from tools.room.chance import Picture, chance, felt, soft_noise, tinted


def plain(height: int, width: int, colour: Bgr, rng: np.random.Generator, period_px: float = 60) -> Picture:
    """Painted board or a table top: one colour with faint unevenness."""
    return tinted(colour, 0.03 * soft_noise(height, width, period_px * 3, rng))


def paper(height: int, width: int, colour: Bgr, rng: np.random.Generator, period_px: float = 60) -> Picture:
    """Paper or card: nearly plain, with a few folds."""
    share = 0.015 * rng.normal(0, 1, (height, width)).astype(np.float32)
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    for _ in range(int(rng.integers(0, 3))):
        angle, shift = rng.uniform(0, np.pi), rng.uniform(0.1, 0.9)
        away = np.cos(angle) * (columns - shift * width) + np.sin(angle) * (rows - shift * height)
        share += 0.06 * np.tanh(away / (period_px * 0.1)) * np.exp(-((away / period_px) ** 2))
    return tinted(colour, np.asarray(share, np.float32))


def wood(height: int, width: int, colour: Bgr, rng: np.random.Generator, period_px: float = 60) -> Picture:
    """Wood: long grain that wanders, in any direction."""
    angle = rng.uniform(0, np.pi)
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    along = np.cos(angle) * columns + np.sin(angle) * rows
    across = -np.sin(angle) * columns + np.cos(angle) * rows
    wander = soft_noise(height, width, period_px * 2.5, rng)
    rings = np.sin(across / period_px * 6 + 3.5 * wander + np.sin(along / period_px / 4))
    fine = np.sin(across / period_px * 45 + 9 * wander) * soft_noise(height, width, period_px / 3, rng)
    depth = rng.uniform(0.04, 0.2)
    return tinted(colour, np.asarray(depth * (0.6 * rings + 0.5 * fine), np.float32))


def weave(height: int, width: int, colour: Bgr, rng: np.random.Generator, period_px: float = 60) -> Picture:
    """Woven cloth or carpet: threads over and under, irregular."""
    thread = period_px * rng.uniform(0.06, 0.2)
    angle = rng.uniform(0, np.pi)
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    wobble = soft_noise(height, width, period_px / 4, rng) * thread * 0.8
    warp = np.sin((np.cos(angle) * columns + np.sin(angle) * rows + wobble) * np.pi / thread)
    weft = np.sin((-np.sin(angle) * columns + np.cos(angle) * rows + wobble) * np.pi / thread)
    share = rng.uniform(0.06, 0.4) * warp * weft + 0.1 * rng.normal(0, 1, (height, width))
    return tinted(colour, np.asarray(share, np.float32))


def carpet(height: int, width: int, colour: Bgr, rng: np.random.Generator, period_px: float = 60) -> Picture:
    """Carpet: loops of yarn with deep shade between them."""
    loops = soft_noise(height, width, period_px * rng.uniform(0.08, 0.18), rng)
    share = rng.uniform(0.15, 0.5) * loops + 0.06 * rng.normal(0, 1, (height, width))
    return tinted(colour, np.asarray(share, np.float32))


def stripes(height: int, width: int, colour: Bgr, rng: np.random.Generator, period_px: float = 60) -> Picture:
    """Striped or checked cloth in two colours."""
    other = _other(rng)
    angle = rng.uniform(0, np.pi)
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    band = period_px * rng.uniform(0.15, 1.2)
    across = -np.sin(angle) * columns + np.cos(angle) * rows
    share = (np.sin(across * np.pi / band) > rng.uniform(-0.5, 0.5)).astype(np.float32)
    if chance(rng, 0.4):
        along = np.cos(angle) * columns + np.sin(angle) * rows
        share = 0.5 * share + 0.5 * (np.sin(along * np.pi / band) > 0)
    return tinted(colour, np.asarray(share, np.float32), other)


def speckle(height: int, width: int, colour: Bgr, rng: np.random.Generator, period_px: float = 60) -> Picture:
    """Stone, terrazzo or printed speckle."""
    blots = soft_noise(height, width, period_px * rng.uniform(0.05, 0.3), rng)
    share = np.clip((blots - rng.uniform(0.1, 0.6)) * 6, 0, 1)
    return tinted(colour, np.asarray(share, np.float32), _other(rng))


def dots(height: int, width: int, colour: Bgr, rng: np.random.Generator, period_px: float = 60) -> Picture:
    """Polka-dotted cloth: the pattern most like pips."""
    picture = plain(height, width, colour, rng, period_px)
    other = _other(rng)
    step = period_px * rng.uniform(0.2, 0.9)
    radius = max(1, round(step * rng.uniform(0.12, 0.35)))
    angle = rng.uniform(0, np.pi)
    reach = int((height + width) / step) + 1
    for i in range(-reach, reach):
        for j in range(-reach, reach):
            x = width / 2 + step * (np.cos(angle) * i - np.sin(angle) * (j + 0.5 * (i % 2)))
            y = height / 2 + step * (np.sin(angle) * i + np.cos(angle) * (j + 0.5 * (i % 2)))
            if -radius < x < width + radius and -radius < y < height + radius:
                cv2.circle(picture, (round(x), round(y)), radius, other, -1, cv2.LINE_AA)
    return picture


def _other(rng: np.random.Generator) -> Bgr:
    blue, green, red = (int(value) for value in rng.integers(10, 250, 3))
    return blue, green, red


Ground = Callable[[int, int, Bgr, np.random.Generator, float], Picture]
GROUNDS: dict[str, Ground] = {
    "plain": plain,
    "felt": felt,
    "paper": paper,
    "wood": wood,
    "weave": weave,
    "carpet": carpet,
    "stripes": stripes,
    "speckle": speckle,
    "dots": dots,
}
