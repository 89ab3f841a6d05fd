"""What lies between dice and pixels: uneven light, white balance, lens, motion, sensor, gamma, JPEG."""

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.still_grounds import happens, soft_noise

Picture = NDArray[np.uint8]


def wear(frame: Picture, die_px: float, rng: np.random.Generator) -> Picture:
    """Return the frame as some camera in some light would have taken it, (H, W, 3) uint8 BGR."""
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
    worn = _blurred(np.clip(light, 0, 255), die_px, rng)
    if happens(rng, 0.25):  # a camera that sharpens
        soft = cv2.GaussianBlur(worn, (0, 0), max(0.5, die_px * 0.025))
        worn = worn + rng.uniform(0.3, 1.5) * (worn - soft)
    worn = 255 * np.clip(worn / 255, 0, 1) ** rng.uniform(0.65, 1.5)
    if happens(rng, 0.3):
        grey = worn.mean(axis=2, keepdims=True)
        worn = grey + (worn - grey) * rng.uniform(0.0, 1.5)
    if happens(rng, 0.6):
        worn = worn + rng.normal(0, rng.uniform(0.5, 10), worn.shape)
        if happens(rng, 0.3):
            worn = worn + soft_noise(height, width, 3, rng)[:, :, None] * rng.normal(0, 6, 3)
    finished = np.clip(worn, 0, 255).astype(np.uint8)
    if happens(rng, 0.7):
        quality = int(rng.integers(25, 96))
        _, packed = cv2.imencode(".jpg", finished, [cv2.IMWRITE_JPEG_QUALITY, quality])
        finished = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return finished


def _blurred(frame: NDArray[np.floating], die_px: float, rng: np.random.Generator) -> NDArray[np.floating]:
    """Return the frame out of focus, moved, or seen by too few pixels; widths are shares of the die."""
    height, width = frame.shape[:2]
    if happens(rng, 0.6):
        frame = _floats(cv2.GaussianBlur(frame, (0, 0), max(0.25, die_px * rng.uniform(0.005, 0.04))))
    if happens(rng, 0.12):
        length = max(2, round(die_px * rng.uniform(0.03, 0.14)))
        angle = rng.uniform(0, np.pi)
        kernel = np.zeros((2 * length + 1, 2 * length + 1), np.float32)
        end = (length + length / 2 * np.cos(angle), length + length / 2 * np.sin(angle))
        cv2.line(
            kernel, (round(2 * length - end[0]), round(2 * length - end[1])), (round(end[0]), round(end[1])), 1.0, 1
        )
        frame = _floats(cv2.filter2D(frame, -1, kernel / kernel.sum()))
    if happens(rng, 0.35):
        share = rng.uniform(0.45, 0.95)
        small = (max(4, round(width * share)), max(4, round(height * share)))
        few = cv2.resize(frame, small, interpolation=cv2.INTER_AREA)
        frame = _floats(
            cv2.resize(few, (width, height), interpolation=cv2.INTER_LINEAR if happens(rng, 0.5) else cv2.INTER_CUBIC)
        )
    return frame


def _floats(frame: NDArray[np.generic]) -> NDArray[np.floating]:
    return np.asarray(frame, np.float32)
