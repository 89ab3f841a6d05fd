"""Objects between the camera and the dice: hands and sleeves, the rim of a cup, a sheet, a finger.

Each function draws over the frame in place and returns the area, (H, W) bool.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.grounds import any_colour
from tabletop.simulator.hands import HALF, SKINS, Picture, lay, limb
from tools.room.chance import chance, soft_noise

SLEEVE = 0.3  # share of hands whose cuff is seen


def add_cover(frame: Picture, die_px: float, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Draw a hand, a cup's rim, or a sheet that reaches into the frame."""
    kind = rng.random()
    if kind < 0.65:  # noqa: PLR2004 - shares of hands, cups, sheets
        return add_hand(frame, die_px, rng)
    return add_cup(frame, die_px, rng) if kind < 0.85 else add_sheet(frame, die_px, rng)  # noqa: PLR2004


def add_cup(frame: Picture, die_px: float, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Draw a cup from above, standing or lying in part over the frame: a wide rim, dark inside."""
    height, width = frame.shape[:2]
    radius = die_px * rng.uniform(1.0, 2.5)
    angle = rng.uniform(0, 2 * np.pi)
    away = rng.uniform(0.2, 0.6) * max(height, width) + radius * 0.6
    middle = (width / 2 + away * np.cos(angle), height / 2 + away * np.sin(angle))
    colour, tilt, squeeze = any_colour(rng), rng.uniform(0, 180), rng.uniform(0.6, 1)
    mask = np.zeros((height, width), np.uint8)
    _oval(mask, middle, radius, squeeze, tilt, 255)
    shadow = np.roll(mask, (rng.normal(0, 0.15, 2) * die_px).astype(int), (0, 1))
    dark = np.asarray(cv2.GaussianBlur(shadow, (0, 0), max(1.0, die_px * 0.15)), np.float32)[:, :, None] / 255
    frame[:] = (frame * (1 - 0.5 * dark)).astype(np.uint8)
    inner = radius * rng.uniform(0.75, 0.95)
    for share, gain in ((1.0, 1.0), (inner / radius, rng.uniform(0.3, 0.8)), (inner / radius * 0.85, 0.25)):
        blue, green, red = (int(value * gain) for value in colour)
        _oval(frame, middle, radius * share, squeeze, tilt, (blue, green, red))
    return mask > HALF


def _oval(
    drawing: NDArray[np.uint8],
    middle: tuple[float, float],
    radius: float,
    squeeze: float,
    tilt: float,
    colour: int | tuple[int, int, int],
) -> None:
    value = (colour,) if isinstance(colour, int) else colour
    cv2.ellipse(drawing, (middle, (2 * radius, 2 * radius * squeeze), tilt), value, -1, cv2.LINE_AA)


def add_sheet(frame: Picture, die_px: float, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Draw the straight edge of a nearer object: a sheet, a wall of the tray, a box."""
    height, width = frame.shape[:2]
    angle = rng.uniform(0, 2 * np.pi)
    normal = np.array([np.cos(angle), np.sin(angle)])
    along = np.array([-normal[1], normal[0]])
    foot = np.array([width / 2, height / 2]) + normal * rng.uniform(0.1, 0.45) * max(height, width)
    far = float(height + width)
    corners = np.stack(
        [foot - along * far, foot + along * far, foot + (along + normal) * far, foot + (normal - along) * far]
    )
    mask = np.zeros((height, width), np.uint8)
    cv2.fillPoly(mask, [np.round(corners).astype(np.int32)], (255,), cv2.LINE_AA)
    dark = np.asarray(cv2.GaussianBlur(mask, (0, 0), max(1.0, die_px * rng.uniform(0.03, 0.3))), np.float32) / 255
    share = mask.astype(np.float32)[:, :, None] / 255
    shaded = frame * (1 - 0.5 * dark[:, :, None])
    frame[:] = (shaded * (1 - share) + np.asarray(any_colour(rng)) * share).astype(np.uint8)
    return mask > HALF


def add_hand(frame: Picture, die_px: float, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Draw some fingers, sometimes with nails, the palm behind them and a sleeve."""
    height, width = frame.shape[:2]
    tone = np.asarray(rng.choice(SKINS), np.float32) * rng.uniform(0.8, 1.15)
    mask = np.zeros((height, width), np.uint8)
    shade = np.zeros((height, width), np.float32)
    angle = rng.uniform(0, 2 * np.pi)
    back, side = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    tip = np.array([width / 2, height / 2]) + rng.uniform(0.05, 0.45) * max(height, width) * back
    thick = die_px * rng.uniform(0.55, 1.2)
    nails = []
    for finger in range(int(rng.integers(1, 5))):
        lean = angle + rng.normal(0, 0.15)
        along = np.array([np.cos(lean), np.sin(lean)])
        fingertip = tip + side * (finger - 1) * thick * 1.1 + rng.normal(0, 0.4, 2) * die_px
        limb(mask, shade, fingertip, fingertip + along * (height + width), thick)
        nails.append((fingertip + along * thick * 0.05, np.degrees(lean)))
    palm = tip + back * die_px * rng.uniform(1.5, 4)
    if chance(rng, 0.5):
        limb(mask, shade, palm, palm + back * (height + width), thick * 3.5)
    texture = 1 + 0.05 * soft_noise(height, width, die_px * 0.3, rng)
    lay(frame, mask, tone * (shade * texture)[:, :, None])
    if chance(rng, 0.5):
        blue, green, red = (int(value) for value in np.clip(tone * 1.1 + 15, 0, 255))
        for middle, degrees in nails:
            oval = ((float(middle[0]), float(middle[1])), (thick * 0.6, thick * 0.45), float(degrees))
            cv2.ellipse(frame, oval, (blue, green, red), -1, cv2.LINE_AA)
    if chance(rng, SLEEVE):
        cuff, folds = np.zeros_like(mask), np.zeros_like(shade)
        foot = palm + back * die_px
        limb(cuff, folds, foot, foot + back * (height + width), thick * rng.uniform(3.5, 5))
        cloth = np.asarray(any_colour(rng), np.float32) * (folds * (1 + 0.1 * texture))[:, :, None]
        lay(frame, cuff, cloth)
        mask = np.maximum(mask, cuff)
    return mask > 0
