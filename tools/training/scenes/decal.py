"""Flat drawings on a ground: each is drawn upright in a square, then rotated, slanted and shaded.

A drawing is (side, side, 3) uint8 BGR with a cover (side, side) uint8; all lengths inside it are shares of `side`.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Floats = NDArray[np.floating]
Bgr = tuple[int, int, int]
Drawing = tuple[Picture, Picture]

FINE, FINE_BITS = 16, 4  # cv2 takes sixteenths of a pixel
SMALLEST_SIDE, LARGEST_SIDE = 20, 220  # pixels of a drawing; larger ones are enlarged


def empty(span_px: float, colour: Bgr | None = None) -> tuple[Picture, Picture, int]:
    """Return a drawing `span_px` wide, its cover and its side: black and uncovered, or a full sheet of `colour`."""
    side = int(np.clip(round(span_px), SMALLEST_SIDE, LARGEST_SIDE))
    drawing = np.empty((side, side, 3), np.uint8)
    drawing[:] = colour or (0, 0, 0)
    return drawing, np.full((side, side), 0 if colour is None else 255, np.uint8), side


def disc(drawing: Picture, x: float, y: float, radius: float, colour: Bgr | int, width: float = 0) -> None:
    """Draw a disc, or a ring of that line width; all in shares of the side. On a cover `colour` is a byte."""
    side = drawing.shape[0]
    thick = max(1, round(width * side)) if width else -1
    value = (colour,) if isinstance(colour, int) else colour
    at = (round(x * side * FINE), round(y * side * FINE))
    cv2.circle(drawing, at, max(1, round(radius * side * FINE)), value, thick, cv2.LINE_AA, FINE_BITS)


def area(drawing: Picture, corners: Sequence[tuple[float, float]] | Floats, colour: Bgr | int) -> None:
    """Fill a polygon given in shares of the side."""
    points = np.round(np.asarray(corners, np.float64) * drawing.shape[0] * FINE).astype(np.int32)
    value = (colour,) if isinstance(colour, int) else colour
    cv2.fillPoly(drawing, [points], value, cv2.LINE_AA, FINE_BITS)


def box(drawing: Picture, left: float, top: float, right: float, bottom: float, colour: Bgr | int) -> None:
    """Fill an upright rectangle given in shares of the side."""
    area(drawing, ((left, top), (right, top), (right, bottom), (left, bottom)), colour)


def write(drawing: Picture, text: str, x: float, y: float, high: float, colour: Bgr | int, font: int = 0) -> None:
    """Write text with its lower left corner at x, y and letters about `high` high, in shares of the side."""
    side = drawing.shape[0]
    scale = high * side / 22  # Hershey capitals are 22 px high at scale 1
    thick = max(1, round(high * side * 0.12))
    value = (colour,) if isinstance(colour, int) else colour
    cv2.putText(drawing, text, (round(x * side), round(y * side)), font, scale, value, thick, cv2.LINE_AA)


def relief(drawing: Picture, height: Floats, strength: float, rng: np.random.Generator) -> None:
    """Shade the drawing, in place, as if `height` (side, side; in shares of the side) were raised under one lamp."""
    angle = rng.uniform(0, 2 * np.pi)
    side = drawing.shape[0]
    slope_x = np.asarray(cv2.Sobel(height, cv2.CV_32F, 1, 0, scale=side / 8), np.float32)
    slope_y = np.asarray(cv2.Sobel(height, cv2.CV_32F, 0, 1, scale=side / 8), np.float32)
    light = 1 + strength * (np.cos(angle) * slope_x + np.sin(angle) * slope_y)
    drawing[:] = np.clip(drawing * np.clip(light, 0.2, 2.2)[:, :, None], 0, 255).astype(np.uint8)


def lay(
    frame: Picture,
    made: Drawing,
    at: tuple[float, float],
    span_px: float,
    rng: np.random.Generator,
    *,
    thick: float = 0.0,
    slant: float = 0.5,
) -> NDArray[np.bool_] | None:
    """Place a drawing on the frame, in place, at a random angle, squeezed to at least 1 - slant.

    span_px: its width. thick: its height, in shares of its width, for a shadow. Returns its area, (H, W) bool; None
    outside the frame.
    """
    drawing, cover = made
    side = drawing.shape[0]
    angle = rng.uniform(0, 2 * np.pi)
    squeeze, direction = 1 - slant * rng.random() ** 2, rng.uniform(0, np.pi)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    axis = np.array([np.cos(direction), np.sin(direction)])
    matrix = (np.eye(2) - (1 - squeeze) * np.outer(axis, axis)) @ turn * (span_px / side)
    reach = np.abs(matrix).sum(axis=1) * side / 2 + thick * span_px + 2
    height, width = frame.shape[:2]
    left, top = (max(0, int(at[i] - reach[i])) for i in (0, 1))
    right, bottom = (min((width, height)[i], int(at[i] + reach[i]) + 1) for i in (0, 1))
    if left >= right or top >= bottom:
        return None
    shift = np.array(at) - (left, top) - matrix @ np.full(2, side / 2)
    size = (right - left, bottom - top)
    warp = np.hstack([matrix, shift[:, None]])
    mask = np.asarray(cv2.warpAffine(cover, warp, size), np.float32) / 255
    patch = frame[top:bottom, left:right]
    if thick:
        away = rng.normal(0, 1, 2) * thick * span_px
        moved = warp + np.array([[0, 0, away[0]], [0, 0, away[1]]])
        shade = np.asarray(cv2.warpAffine(cover, moved, size), np.float32) / 255
        shade = np.asarray(cv2.GaussianBlur(shade, (0, 0), max(0.5, thick * span_px * rng.uniform(0.2, 1))), np.float32)
        patch[:] = (patch * (1 - rng.uniform(0.2, 0.6) * shade)[:, :, None]).astype(np.uint8)
    warped = cv2.warpAffine(drawing, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    patch[:] = (patch * (1 - mask)[:, :, None] + np.asarray(warped) * mask[:, :, None] + 0.5).astype(np.uint8)
    where = np.zeros((height, width), bool)
    where[top:bottom, left:right] = mask > 0.5  # noqa: PLR2004 - half covered
    return where
