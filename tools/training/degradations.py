"""Degraded versions of labelled photographs, each with one fault of cameras and light at a table."""

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Entry = dict[str, Any]  # of the photographs' manifest

BLUR = 0.035  # of the die's edge: standard deviation of the blur
DIM = 0.28  # share of the light that is left
NOISE = 18.0  # byte: standard deviation of the noise
WARM, COLD = (0.62, 0.92, 1.15), (1.2, 1.0, 0.7)  # of blue, green, red: a bulb, and the sky, on a camera set for noon
HARD_JPEG = 15  # quality of 100
SMALL_PX = 30.0  # die_px after a photograph was made small
TILT_DEG = 20.0
FAR = 2.0  # widths of the picture: how far the tilted picture is from the camera
SEED = 7
BYTE = 255


def degraded_picture(kind: str, picture: Picture, entry: Entry) -> tuple[Picture, Entry]:
    """Return the picture, (H, W, 3) uint8 BGR, with this degradation, and its entry with labels moved."""
    height, width = picture.shape[:2]
    if kind in DEGRADATIONS:
        return DEGRADATIONS[kind](picture, float(entry["die_px"])), entry
    if kind == "small":
        return reduced_picture(SMALL_PX, picture, entry)
    move = _tilt(width, height)
    moved = cv2.warpPerspective(picture, move, (width, height), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8), _moved(entry, move, (width, height))


def reduced_picture(die_px: float, picture: Picture, entry: Entry) -> tuple[Picture, Entry]:
    """Return the picture, (H, W, 3) uint8 BGR, reduced until a die has this size, and its entry with labels moved.

    A picture whose dice are no larger is unchanged.
    """
    height, width = picture.shape[:2]
    zoom = min(1.0, die_px / entry["die_px"])
    extent = (max(1, round(width * zoom)), max(1, round(height * zoom)))
    moved = cv2.resize(picture, extent, interpolation=cv2.INTER_AREA)
    return np.asarray(moved, np.uint8), _moved(entry, np.diag([extent[0] / width, extent[1] / height, 1.0]), extent)


def _moved(entry: Entry, move: NDArray[np.float64], extent: tuple[int, int]) -> Entry:
    share = _share(move, entry["width"] / 2, entry["height"] / 2)
    dice = [{**die, "box": _box(die["box"], move)} for die in entry["dice"]]
    return {**entry, "dice": dice, "die_px": entry["die_px"] * share, "width": extent[0], "height": extent[1]}


def _tilt(width: int, height: int) -> NDArray[np.float64]:
    """Return the homography of a picture seen by a camera tilted back by TILT_DEG, filling the same frame."""
    focal = FAR * width
    lean = np.radians(TILT_DEG)
    to_middle = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1]])
    turn = np.array([[1, 0, 0], [0, np.cos(lean), 0], [0, np.sin(lean), focal]])
    back = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
    return np.asarray(back @ turn @ to_middle)


def _point(move: NDArray[np.float64], x: float, y: float) -> tuple[float, float]:
    a, b, c = move @ np.array([x, y, 1.0])
    return float(a / c), float(b / c)


def _share(move: NDArray[np.float64], x: float, y: float) -> float:
    """Return the factor by which lengths grow at a point."""
    left, right, up, down = (_point(move, x + i, y + j) for i, j in ((-1, 0), (1, 0), (0, -1), (0, 1)))
    return float(np.sqrt(abs((right[0] - left[0]) * (down[1] - up[1]))) / 2)


def _box(box: list[float], move: NDArray[np.float64]) -> list[float]:
    middle = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    x, y = _point(move, *middle)
    half = _share(move, *middle) * (box[2] - box[0]) / 2
    return [x - half, y - half, x + half, y + half]


def _bytes(light: NDArray[np.floating]) -> Picture:
    return np.asarray(np.clip(light, 0, BYTE), np.uint8)


def _blurred(picture: Picture, die_px: float) -> Picture:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), max(0.5, BLUR * die_px)), np.uint8)


def _dark(picture: Picture, _: float) -> Picture:
    return _bytes(picture * DIM)


def _noisy(picture: Picture, _: float) -> Picture:
    return _bytes(picture + np.random.default_rng(SEED).normal(0, NOISE, picture.shape))


def _warm(picture: Picture, _: float) -> Picture:
    return _bytes(picture * np.array(WARM))


def _cold(picture: Picture, _: float) -> Picture:
    return _bytes(picture * np.array(COLD))


def _packed(picture: Picture, _: float) -> Picture:
    _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, HARD_JPEG])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


DEGRADATIONS: dict[str, Callable[[Picture, float], Picture]] = {
    "blurred": _blurred,
    "dark": _dark,
    "noisy": _noisy,
    "warm": _warm,
    "cold": _cold,
    "hard JPEG": _packed,
}
KINDS = (*DEGRADATIONS, "small", "tilted")
