"""Grounds that look like photographs without dice: rooms, gravel, fur and grass, lights at night, noise, woodpiles.

They have the form of those in `grounds`: size, a colour, a generator and the size of the repeating pattern.
"""

import cv2
import numpy as np

from tabletop.simulator.grounds import Bgr, any_colour
from tools.room.chance import Picture, chance, soft_noise
from tools.training.scenes.grounds import Ground

OCTAVES = (0.15, 0.4, 1.0, 2.5)  # periods of fractal noise, in dice
MOST_STROKES, MOST_CELLS = 500, 1500


def rooms(height: int, width: int, colour: Bgr, rng: np.random.Generator, period_px: float = 60) -> Picture:
    """Paint large patches with gradients and soft shadows: walls, furniture, screens, folded cloth."""
    picture = _fading(height, width, colour, rng)
    for _ in range(int(rng.integers(2, 14))):
        middle = rng.uniform(-0.1, 1.1, 2) * (width, height)
        span = period_px * np.exp(rng.uniform(-0.5, 2.2))
        corners = int(rng.choice((3, 4, 4, 4, 5, 8)))
        angles = np.sort(rng.uniform(0, 2 * np.pi, corners)) if chance(rng, 0.4) else _even(corners, rng)
        outline = middle + span * np.stack([np.cos(angles), np.sin(angles) * rng.uniform(0.3, 1)], axis=1)
        mask = np.zeros((height, width), np.uint8)
        cv2.fillPoly(mask, [np.round(outline * 16).astype(np.int32)], (255,), cv2.LINE_AA, 4)
        if chance(rng, 0.5):  # raised areas cast a shadow
            shadow = cv2.GaussianBlur(np.roll(mask, rng.integers(-9, 10, 2), (0, 1)), (0, 0), rng.uniform(1, 8))
            picture[:] = (picture * (1 - np.asarray(shadow, np.float32)[:, :, None] / 255 * 0.4)).astype(np.uint8)
        if chance(rng, 0.3):  # out of focus
            mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), rng.uniform(1, 6)), np.uint8)
        share = mask[:, :, None].astype(np.float32) / 255
        picture[:] = (picture * (1 - share) + _fading(height, width, any_colour(rng), rng) * share).astype(np.uint8)
    return picture


def _even(corners: int, rng: np.random.Generator) -> np.typing.NDArray[np.float64]:
    return np.asarray(np.arange(corners) * 2 * np.pi / corners + rng.uniform(0, np.pi), np.float64)


def _fading(height: int, width: int, colour: Bgr, rng: np.random.Generator) -> Picture:
    """Return a sheet whose colour fades into a darker or lighter one across the frame."""
    down, right = np.linspace(-0.5, 0.5, height), np.linspace(-0.5, 0.5, width)
    lean = rng.normal(0, 0.4, 2)
    ramp = (1 + lean[0] * down)[:, None] * (1 + lean[1] * right)[None, :]
    fading: Picture = np.clip(ramp[:, :, None] * np.asarray(colour), 0, 255).astype(np.uint8)
    return fading


def gravel(height: int, width: int, colour: Bgr, rng: np.random.Generator, period_px: float = 60) -> Picture:
    """Paint stones, pebbles, tiles, nuts, leather: cells of many tones with dark seams."""
    span = period_px * np.exp(rng.uniform(-1.8, 0.2))
    count = int(np.clip(height * width / span**2, 4, MOST_CELLS))
    seeds = np.full((height, width), 255, np.uint8)
    seeds[rng.integers(0, height, count), rng.integers(0, width, count)] = 0
    away, cell = cv2.distanceTransformWithLabels(seeds, cv2.DIST_L2, 3, labelType=cv2.DIST_LABEL_PIXEL)
    tone = np.asarray(colour) * np.exp(rng.normal(0, rng.uniform(0.05, 0.45), (count + 2, 1)))
    tone = tone + rng.normal(0, rng.uniform(0, 25), (count + 2, 3))
    shade = 1.15 - rng.uniform(0.2, 0.8) * np.minimum(away / span, 1.2)
    lumps = 1 + 0.1 * soft_noise(height, width, span / 3, rng)
    lit = tone.astype(np.float32)[np.minimum(cell, count + 1)] * (shade * lumps)[:, :, None]
    stones: Picture = np.clip(lit, 0, 255).astype(np.uint8)
    return stones


def fur(height: int, width: int, colour: Bgr, rng: np.random.Generator, period_px: float = 60) -> Picture:
    """Paint grass, fur, hair, straw, a brush: many thin strokes along a wandering direction."""
    picture = np.empty((height, width, 3), np.uint8)
    blue, green, red = (int(value * 0.55) for value in colour)
    picture[:] = (blue, green, red)
    long = period_px * rng.uniform(0.2, 1.2)
    count = int(np.clip(6 * height * width / (long * period_px * 0.12), 50, MOST_STROKES))
    main, spread = rng.uniform(0, np.pi), rng.uniform(0.1, 0.9)
    ends = rng.uniform(0, 1, (count, 2)) * (width, height)
    angle = main + rng.normal(0, spread, count) + np.sin(ends[:, 0] / period_px + main)
    tips = ends + long * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    tone = np.clip(np.asarray(colour) * np.exp(rng.normal(0, 0.3, (count, 1))), 0, 255)
    wide = max(1, round(period_px * rng.uniform(0.01, 0.08)))
    for end, tip, shade in zip(ends.astype(int).tolist(), tips.astype(int).tolist(), tone.tolist(), strict=True):
        cv2.line(picture, end, tip, shade, wide, cv2.LINE_AA)
    return picture


def lights(height: int, width: int, colour: Bgr, rng: np.random.Generator, period_px: float = 60) -> Picture:
    """Paint lamps with halos, stars, a window at night, spots out of focus."""
    dark = rng.uniform(0.05, 0.7)
    blue, green, red = (int(value * dark) for value in colour)
    picture = _fading(height, width, (blue, green, red), rng).astype(np.float32)
    same = any_colour(rng) if chance(rng, 0.5) else None
    soft = period_px * np.exp(rng.uniform(-3.5, -1))
    layer = np.zeros((height, width, 3), np.float32)
    for _ in range(int(rng.integers(2, 40))):
        x, y = rng.uniform(0, width), rng.uniform(0, height)
        radius = period_px * np.exp(rng.normal(-2.2, 0.5))
        tone = tuple(0.4 * value + 150.0 for value in (same or any_colour(rng)))
        if chance(rng, 0.9):
            cv2.circle(layer, (round(x * 16), round(y * 16)), round(radius * 16), tone, -1, cv2.LINE_AA, 4)
        else:
            corner = (round(x + 4 * radius), round(y + 6 * radius))
            cv2.rectangle(layer, (round(x), round(y)), corner, tone, -1)
    glow = np.asarray(cv2.GaussianBlur(layer, (0, 0), max(0.5, soft)), np.float32)
    halo = np.asarray(cv2.GaussianBlur(layer, (0, 0), max(1.0, 5 * soft)), np.float32)
    lit: Picture = np.clip(picture + glow + rng.uniform(0, 1.5) * halo, 0, 255).astype(np.uint8)
    return lit


def fractal(height: int, width: int, colour: Bgr, rng: np.random.Generator, period_px: float = 60) -> Picture:
    """Paint noise at several scales in two or three colours: foliage, clouds, rust, crumpled foil, a blurred crowd."""
    slope = rng.uniform(-0.3, 0.9)  # negative: the fine structure is the strongest
    field = np.zeros((height, width, 2), np.float32)
    for layer in range(2):
        for period in OCTAVES:
            field[:, :, layer] += period**slope * soft_noise(height, width, period * period_px, rng)
    field /= max(float(field.std()), 1e-6)
    hard = np.exp(rng.uniform(-1, 2))
    share = np.clip(0.5 + 0.5 * hard * field, 0, 1)
    base, first, second = (np.asarray(tone, np.float32) for tone in (colour, any_colour(rng), any_colour(rng)))
    mixed = base + share[:, :, :1] * (first - base)
    mixed += share[:, :, 1:] * (second - mixed) * rng.uniform(0, 1)
    painted: Picture = np.clip(mixed, 0, 255).astype(np.uint8)
    return painted


ROOMS: dict[str, Ground] = {"rooms": rooms, "gravel": gravel, "fur": fur, "lights": lights, "fractal": fractal}
