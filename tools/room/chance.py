"""Random ingredients of pictures: soft noise, tints, felt, rotations. Equal generators give equal bytes."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.scene import Bgr, Floats, Rotation

Picture = NDArray[np.uint8]


def chance(rng: np.random.Generator, share: float) -> bool:
    """Return True with that probability."""
    return bool(rng.random() < share)


def soft_noise(height: int, width: int, period_px: float, rng: np.random.Generator) -> Floats:
    """Return smooth noise, (height, width) float32, about -1 to 1, with blots of about `period_px`."""
    rows, columns = max(2, round(height / period_px) + 2), max(2, round(width / period_px) + 2)
    small = rng.uniform(-1, 1, (rows, columns)).astype(np.float32)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


def tinted(colour: Bgr, share: Floats, other: Bgr | None = None) -> Picture:
    """Return colour * (1 + share), or blended towards another colour by share (0 to 1)."""
    base = np.asarray(colour, np.float32)
    towards = base if other is None else np.asarray(other, np.float32) - base
    mixed = base + share[:, :, None] * towards
    tinted: Picture = np.clip(mixed, 0, 255).astype(np.uint8)
    return tinted


def felt(height: int, width: int, colour: Bgr, rng: np.random.Generator, period_px: float = 60) -> Picture:
    """Return felt, (height, width, 3) uint8 BGR: fine fibres, and a few darker blots of about `period_px`."""
    fibre = rng.normal(0, 1, (height, width)).astype(np.float32)
    share = 0.08 * cv2.GaussianBlur(fibre, (0, 0), 0.8) + 0.05 * soft_noise(height, width, period_px, rng)
    return tinted(colour, np.asarray(share, np.float32))


def from_quaternion(w: float, x: float, y: float, z: float) -> Rotation:
    """Return the rotation of a non-zero quaternion."""
    length = math.sqrt(w * w + x * x + y * y + z * z)
    w, x, y, z = w / length, x / length, y / length, z / length
    return (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )
