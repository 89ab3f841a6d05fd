"""Data augmentation of crops: rotation, mirroring and zoom, then colours, light, blur, noise and JPEG."""

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.room.chance import chance

Picture = NDArray[np.uint8]

SHRINKING = 0.7  # below that zoom the picture is blurred first, so that nothing flickers
BYTE = 255.0
LEANS = 0.26  # sine of 15 degrees: a camera that leans more shows side faces
TURNED = 0.12  # share of leaning cameras that are held at any turn
ASKEW_DEG = 35.0  # by which upright cameras may be turned


def turn_of(rng: np.random.Generator, up: tuple[float, float] | None = None) -> tuple[float, float]:
    """Return a rotation in degrees and 1 or, mirrored, -1: any, or one that holds a tilted camera upright.

    up: the direction of tops in the picture, as in `Scenes`; None if it does not matter. People hold cameras upright,
    so that under a steep one the upper of two faces is the top. A camera with little tilt may be held at any angle.
    """
    mirror = -1.0 if chance(rng, 0.5) else 1.0
    if up is None or float(np.hypot(*up)) < LEANS or chance(rng, TURNED):
        return float(rng.uniform(0, 360)), mirror
    now = float(np.degrees(np.arctan2(up[1], mirror * up[0])))
    return (-90.0 - now + float(rng.uniform(-ASKEW_DEG, ASKEW_DEG))) % 360, mirror


def cut(
    pixels: Picture, middle: tuple[float, float], zoom: float, turn: tuple[float, float], side: int, border: int
) -> tuple[Picture, NDArray[np.float64], NDArray[np.float64]]:
    """Return side x side pixels around `middle` of a picture, rotated and zoomed, and the map that was applied.

    A point p of the picture is mapped to `map @ p + shift` in the crop. border: how OpenCV extends the picture beyond
    its border.
    """
    degrees, mirror = turn
    cosine, sine = np.cos(np.radians(degrees)) * zoom, np.sin(np.radians(degrees)) * zoom
    matrix = np.array([[cosine * mirror, -sine], [sine * mirror, cosine]])
    shift = (side - 1) / 2 - matrix @ np.array(middle)
    if zoom < SHRINKING:
        pixels = np.asarray(cv2.GaussianBlur(pixels, (0, 0), 0.4 / zoom), np.uint8)
    whole = np.hstack([matrix, shift[:, None]]).astype(np.float32)
    cutting = cv2.warpAffine(pixels, whole, (side, side), flags=cv2.INTER_LINEAR, borderMode=border)
    return np.asarray(cutting, np.uint8), matrix, shift


def recoloured(cutting: Picture, rng: np.random.Generator) -> Picture:
    """Return the crop with channels swapped, inverted, grey, out of focus, small, dark, noisy or heavily compressed.

    The face stays the same, as long as the pips are visible.
    """
    side = cutting.shape[0]
    if chance(rng, 0.4):
        cutting = cutting[:, :, rng.permutation(3)]
    if chance(rng, 0.12):
        cutting = 255 - cutting
    if chance(rng, 0.12):
        cutting = np.repeat(cutting.mean(axis=2, keepdims=True), 3, axis=2).astype(np.uint8)
    cutting = np.ascontiguousarray(cutting)
    if chance(rng, 0.3):
        cutting = np.asarray(cv2.GaussianBlur(cutting, (0, 0), rng.uniform(0.3, 1.6)), np.uint8)
    if chance(rng, 0.15):
        few = max(8, round(side * rng.uniform(0.4, 0.9)))
        small = cv2.resize(cutting, (few, few), interpolation=cv2.INTER_AREA)
        cutting = np.asarray(cv2.resize(small, (side, side), interpolation=cv2.INTER_LINEAR), np.uint8)
    light: NDArray[np.floating] = cutting.astype(np.float32)
    if chance(rng, 0.5):
        light = light * rng.uniform(0.5, 1.35) + rng.uniform(-30, 30)
    if chance(rng, 0.25):
        light = BYTE * (np.clip(light, 0, BYTE) / BYTE) ** rng.uniform(0.6, 1.6)
    if chance(rng, 0.3):
        light = light + rng.normal(0, rng.uniform(1, 12), light.shape)
    cutting = np.clip(light, 0, BYTE).astype(np.uint8)
    if chance(rng, 0.15):
        _, packed = cv2.imencode(".jpg", cutting, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(20, 80))])
        cutting = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return cutting


def as_filed(cutting: Picture, rng: np.random.Generator, share: float = 0.5, least: float = 0.42) -> Picture:
    """Return a share of the crops, (N, N, 3), like small dice in a file: shrunk, compressed and enlarged again.

    JPEG stores one colour for several pixels, so the colour of small dice is smeared. least: the smallest size that a
    crop is shrunk to, as a share of its side.
    """
    if not share or chance(rng, 1 - share):
        return cutting
    side = cutting.shape[0]
    few = round(side * rng.uniform(least, 1))
    small = cv2.resize(cutting, (few, few), interpolation=cv2.INTER_AREA)
    _, packed = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 93))])
    small = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return np.asarray(cv2.resize(small, (side, side), interpolation=cv2.INTER_LINEAR), np.uint8)
