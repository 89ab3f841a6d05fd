"""What lies between dice and pixels: uneven light, white balance, lens, motion, sensor, gamma, JPEG."""

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.still_grounds import happens, soft_noise

Picture = NDArray[np.uint8]
Floats = NDArray[np.floating]


def wear(frame: Picture, die_px: float, rng: np.random.Generator) -> Picture:
    """Return the frame as some camera in some light would have taken it, (H, W, 3) uint8 BGR."""
    height, width = frame.shape[:2]
    seen = _lens(_lit(frame, rng), die_px, rng)
    few = happens(rng, 0.35)  # a camera with too few pixels, whose picture is enlarged afterwards
    if few:
        share = rng.uniform(0.4, 0.95)
        small = (max(4, round(width * share)), max(4, round(height * share)))
        seen = _floats(cv2.resize(seen, small, interpolation=cv2.INTER_AREA))
    taken = _stored(_sensed(seen, die_px, rng), rng)
    if few:
        way = cv2.INTER_LINEAR if happens(rng, 0.7) else cv2.INTER_CUBIC
        taken = np.asarray(cv2.resize(taken, (width, height), interpolation=way), np.uint8)
    return taken


def _lit(frame: Picture, rng: np.random.Generator) -> Floats:
    """Return the frame in light that is uneven, tinted, weak or strong, (H, W, 3), 0 to 255."""
    height, width = frame.shape[:2]
    light = frame.astype(np.float32)
    if happens(rng, 0.5):  # a light that falls off to one side
        rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
        angle = rng.uniform(0, 2 * np.pi)
        ramp = (np.cos(angle) * (columns / width - 0.5) + np.sin(angle) * (rows / height - 0.5)) * rng.uniform(0, 0.9)
        light *= np.clip(1 + ramp, 0.2, 2)[:, :, None]
    if happens(rng, 0.15):  # a large shadow falls across
        blot = np.clip(soft_noise(height, width, max(height, width) * 0.5, rng) * 6, -1, 1)
        light *= (1 + rng.uniform(0.1, 0.35) * blot)[:, :, None]
    light *= rng.uniform(0.85, 1.15, 3) if happens(rng, 0.7) else rng.uniform(0.65, 1.3, 3)
    light *= rng.uniform(0.7, 1.2) if happens(rng, 0.8) else rng.uniform(0.3, 1.5)
    return np.clip(light, 0, 255)


def _lens(frame: Floats, die_px: float, rng: np.random.Generator) -> Floats:
    """Return the frame out of focus or moved; widths are shares of the die."""
    if happens(rng, 0.6):
        frame = _floats(cv2.GaussianBlur(frame, (0, 0), max(0.25, die_px * rng.uniform(0.005, 0.04))))
    if happens(rng, 0.12):
        length = max(2, round(die_px * rng.uniform(0.03, 0.14)))
        angle = rng.uniform(0, np.pi)
        across, down = round(length / 2 * np.cos(angle)), round(length / 2 * np.sin(angle))
        kernel = np.zeros((2 * length + 1, 2 * length + 1), np.float32)
        cv2.line(kernel, (length - across, length - down), (length + across, length + down), 1.0, 1)
        frame = _floats(cv2.filter2D(frame, -1, kernel / kernel.sum()))
    return frame


def _sensed(frame: Floats, die_px: float, rng: np.random.Generator) -> Floats:
    """Return the frame sharpened, with another gamma and saturation, and with noise."""
    height, width = frame.shape[:2]
    worn = frame
    if happens(rng, 0.25):
        soft = _floats(cv2.GaussianBlur(worn, (0, 0), max(0.5, die_px * 0.025)))
        worn = worn + rng.uniform(0.3, 1.5) * (worn - soft)
    worn = 255 * np.clip(worn / 255, 0, 1) ** rng.uniform(0.65, 1.5)
    if happens(rng, 0.3):
        grey = worn.mean(axis=2, keepdims=True)
        worn = grey + (worn - grey) * rng.uniform(0.0, 1.5)
    if happens(rng, 0.6):
        worn = worn + rng.normal(0, rng.uniform(0.5, 10), worn.shape)
        if happens(rng, 0.3):
            worn = worn + soft_noise(height, width, 3, rng)[:, :, None] * rng.normal(0, 6, 3)
    return worn


def _stored(frame: Floats, rng: np.random.Generator) -> Picture:
    """Return the frame as bytes, mostly after JPEG."""
    finished: Picture = np.clip(frame, 0, 255).astype(np.uint8)
    if happens(rng, 0.7):
        quality = int(rng.integers(25, 96))
        _, packed = cv2.imencode(".jpg", finished, [cv2.IMWRITE_JPEG_QUALITY, quality])
        finished = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return finished


def _floats(frame: NDArray[np.generic]) -> Floats:
    return np.asarray(frame, np.float32)
