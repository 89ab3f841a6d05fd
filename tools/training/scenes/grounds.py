"""Grounds for random scenes: wood, paper, woven and patterned cloth, carpet, speckle.

Each function takes the size, a colour (BGR) and a generator and returns (height, width, 3) uint8; the same generator
state gives the same bytes. `period_px` is the size of its repeating pattern.
"""

from collections.abc import Callable

import cv2
import numpy as np

from tabletop.simulator.grounds import Bgr
from tools.room.chance import Picture, chance, felt, soft_noise, tinted

LETTER_PX = 22  # height of a letter of OpenCV's font at scale 1


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


def grille(height: int, width: int, colour: Bgr, rng: np.random.Generator, period_px: float = 60) -> Picture:
    """Wires or slats that cross over a dark depth, often with rings, often overexposed."""
    light, dark = rng.uniform(0.5, 3.0), rng.uniform(0.0, 0.35)
    bars = np.zeros((height, width), np.float32)
    middle, reach = rng.uniform(0, 1, 2) * (width, height), float(height + width)
    angle, step = rng.uniform(0, np.pi), period_px * rng.uniform(0.15, 0.6)
    wide = max(1, round(step * rng.uniform(0.1, 0.5)))
    for turn in (angle, angle + np.pi / 2 + rng.normal(0, 0.05))[: 1 if chance(rng, 0.2) else 2]:
        along = np.array([np.cos(turn), np.sin(turn)])
        for shift in np.arange(-reach, reach, step):
            start = middle + shift * np.array([-along[1], along[0]])
            ends = [(round(float(x)), round(float(y))) for x, y in (start - reach * along, start + reach * along)]
            cv2.line(bars, ends[0], ends[1], (1.0,), wide, cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 4))):
        at = (round(float(middle[0])), round(float(middle[1])))
        cv2.circle(bars, at, round(period_px * rng.uniform(0.3, 3)), (1.0,), 2 * wide, cv2.LINE_AA)
    bars += rng.uniform(0, 0.6) * cv2.GaussianBlur(bars, (0, 0), max(1.0, wide * rng.uniform(0.5, 3)))
    return tinted(colour, np.asarray(dark - 1 + bars * (1 - dark + light), np.float32))


def lettering(height: int, width: int, colour: Bgr, rng: np.random.Generator, period_px: float = 60) -> Picture:
    """Cloth or card with letters as large as dice, or larger."""
    picture, ink = plain(height, width, colour, rng, period_px), _other(rng)
    scale = period_px * rng.uniform(0.5, 3) / LETTER_PX
    step = max(8.0, LETTER_PX * scale * rng.uniform(0.8, 1.3))
    for row in np.arange(0, height + step, step):
        text = "".join(chr(65 + int(letter)) for letter in rng.integers(0, 26, 1 + int(width / step) * 2))
        at = (round(-step * rng.uniform(0, 1)), round(float(row)))
        cv2.putText(picture, text, at, cv2.FONT_HERSHEY_DUPLEX, scale, ink, max(1, round(4 * scale)), cv2.LINE_AA)
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
    "grille": grille,
    "lettering": lettering,
}
