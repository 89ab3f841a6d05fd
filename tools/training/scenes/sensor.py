"""Imaging faults: uneven light, white balance, lens, motion, sensor, gamma, JPEG.

Most frames have a few mild faults. Some also have one severe fault, a few have two, such that a person can still read
nearly all readable dice.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.room.chance import chance, soft_noise

Picture = NDArray[np.uint8]
Floats = NDArray[np.floating]

GRAVE = ("blurred", "moved", "dark", "noisy", "small", "cast", "hazy", "packed", "glare")
GRAVE_SHARES = (0.62, 0.32, 0.06)  # of frames with none, one and two grave faults
MILD_QUALITY, GRAVE_QUALITY = (30, 97), (12, 30)  # of JPEG
SMEARED_DIE_PX = 36.0  # a median filter would wipe the pips of smaller dice away
SMALL_DIE_PX = (13.0, 20.0)  # a die in a picture with too few pixels


def wear(frame: Picture, die_px: float, rng: np.random.Generator) -> Picture:
    """Return the frame as taken by a random camera in random light, (H, W, 3) uint8 BGR."""
    height, width = frame.shape[:2]
    grave = set(rng.choice(GRAVE, int(rng.choice(3, p=GRAVE_SHARES)), replace=False).tolist())
    seen = _lens(_lit(frame, grave, die_px, rng), grave, die_px, rng)
    few = chance(rng, 0.3) or "small" in grave  # too few pixels, and the picture is enlarged afterwards
    if few:
        share = rng.uniform(0.4, 0.95)
        if "small" in grave:
            share = min(0.95, rng.uniform(*SMALL_DIE_PX) / die_px)
        small = (max(4, round(width * share)), max(4, round(height * share)))
        seen = _floats(cv2.resize(seen, small, interpolation=cv2.INTER_AREA))
    taken = _stored(_sensed(seen, grave, die_px, rng), grave, rng)
    if few:
        interpolation = cv2.INTER_LINEAR if chance(rng, 0.7) else cv2.INTER_CUBIC
        taken = np.asarray(cv2.resize(taken, (width, height), interpolation=interpolation), np.uint8)
    return taken


def _lit(frame: Picture, grave: set[str], die_px: float, rng: np.random.Generator) -> Floats:
    """Return the frame in light that is uneven, tinted, weak or strong, (H, W, 3), 0 to 255."""
    height, width = frame.shape[:2]
    light = frame.astype(np.float32)
    if chance(rng, 0.5):  # a light that falls off to one side
        down = np.linspace(-0.5, 0.5, height, dtype=np.float32)[:, None]
        right = np.linspace(-0.5, 0.5, width, dtype=np.float32)[None, :]
        angle = rng.uniform(0, 2 * np.pi)
        ramp = np.float32(rng.uniform(0, 0.9)) * (np.float32(np.cos(angle)) * right + np.float32(np.sin(angle)) * down)
        light *= np.clip(1 + ramp, 0.2, 2)[:, :, None]
    if chance(rng, 0.15):  # a large shadow falls across the frame
        blot = np.clip(soft_noise(height, width, max(height, width) * 0.5, rng) * 6, -1, 1)
        light *= (1 + np.float32(rng.uniform(0.1, 0.35)) * blot)[:, :, None]
    gain = rng.uniform(0.75, 1.2) * rng.uniform(0.88, 1.12, 3)
    if "cast" in grave:
        warm = rng.uniform(0.35, 0.75)
        gain = gain * (np.array([1 - warm, 1.0, 1 + 0.5 * warm])[:: 1 if chance(rng, 0.6) else -1])
    if "dark" in grave:
        gain = gain * rng.uniform(0.2, 0.45)
    light *= gain.astype(np.float32)
    if "glare" in grave:  # overexposed in one place, as by a lamp close by
        _add_glow(light, die_px, rng)
    if "hazy" in grave:
        light = light * np.float32(rng.uniform(0.35, 0.65)) + np.float32(rng.uniform(20, 110))
    return np.clip(light, 0, 255)


def _add_glow(light: Floats, die_px: float, rng: np.random.Generator) -> None:
    """Add a bright soft spot, in place."""
    height, width = light.shape[:2]
    down = np.arange(height, dtype=np.float32)[:, None] - np.float32(rng.uniform(0, height))
    right = np.arange(width, dtype=np.float32)[None, :] - np.float32(rng.uniform(0, width))
    wide = np.float32(die_px * rng.uniform(0.4, 2.5))
    glow = np.float32(rng.uniform(60, 230)) * np.exp(-(down * down + right * right) / (2 * wide * wide))
    light += glow[:, :, None]


def _lens(frame: Floats, grave: set[str], die_px: float, rng: np.random.Generator) -> Floats:
    """Return the frame out of focus or moved; widths are shares of the die."""
    if "blurred" in grave or chance(rng, 0.55):
        soft = rng.uniform(0.035, 0.07) if "blurred" in grave else rng.uniform(0.005, 0.03)
        frame = _floats(cv2.GaussianBlur(frame, (0, 0), max(0.25, die_px * soft)))
    if "moved" in grave or chance(rng, 0.06):
        length = max(2, round(die_px * (rng.uniform(0.1, 0.22) if "moved" in grave else rng.uniform(0.03, 0.1))))
        angle = rng.uniform(0, np.pi)
        across, down = round(length / 2 * np.cos(angle)), round(length / 2 * np.sin(angle))
        half = length // 2 + 1
        kernel = np.zeros((2 * half + 1, 2 * half + 1), np.float32)
        cv2.line(kernel, (half - across, half - down), (half + across, half + down), (1.0,), 1)
        frame = _floats(cv2.filter2D(frame, -1, kernel / kernel.sum()))
    return frame


def _sensed(frame: Floats, grave: set[str], die_px: float, rng: np.random.Generator) -> Floats:
    """Return the frame sharpened, with another gamma and saturation, with noise, or with noise smeared away."""
    height, width = frame.shape[:2]
    worn = frame
    if chance(rng, 0.25):
        soft = _floats(cv2.GaussianBlur(worn, (0, 0), max(0.5, die_px * 0.025)))
        worn = worn + np.float32(rng.uniform(0.3, 1.5)) * (worn - soft)
    worn = 255 * np.clip(worn / 255, 0, 1) ** np.float32(rng.uniform(0.65, 1.5))
    if chance(rng, 0.3):
        grey = worn.mean(axis=2, keepdims=True)
        worn = grey + (worn - grey) * np.float32(rng.uniform(0.0, 1.5))
    if "noisy" in grave or chance(rng, 0.5):
        strength = rng.uniform(12, 28) if "noisy" in grave else rng.uniform(0.5, 8)
        worn = worn + np.float32(strength) * rng.standard_normal(worn.shape, np.float32)
        if chance(rng, 0.3):
            worn = worn + soft_noise(height, width, 3, rng)[:, :, None] * rng.normal(0, 6, 3).astype(np.float32)
        if "small" not in grave and die_px > SMEARED_DIE_PX and chance(rng, 0.3):  # telephones do so against noise
            worn = _floats(cv2.medianBlur(np.clip(worn, 0, 255).astype(np.uint8), 3))
    return worn


def _stored(frame: Floats, grave: set[str], rng: np.random.Generator) -> Picture:
    """Return the frame as bytes, mostly after JPEG."""
    finished: Picture = np.clip(frame, 0, 255).astype(np.uint8)
    if "packed" in grave or chance(rng, 0.65):
        quality = int(rng.integers(*(GRAVE_QUALITY if "packed" in grave else MILD_QUALITY)))
        _, packed = cv2.imencode(".jpg", finished, [cv2.IMWRITE_JPEG_QUALITY, quality])
        finished = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return finished


def _floats(frame: NDArray[np.generic]) -> Floats:
    return np.asarray(frame, np.float32)
