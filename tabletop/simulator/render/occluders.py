"""Hands and arms between the camera and the dice: round limbs, laid over the frame in place."""

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
HALF = 127  # of a mask's byte
SKINS = ((150, 175, 225), (120, 150, 205), (90, 120, 175), (60, 80, 125), (40, 55, 90))  # BGR, from light to dark


def limb(
    mask: NDArray[np.uint8],
    shade: NDArray[np.float32],
    start: NDArray[np.float64],
    end: NDArray[np.float64],
    thick: float,
) -> None:
    """Add a round limb from one place to another to the mask, with its shade: lighter along its middle."""
    layer = np.zeros_like(mask)
    points = tuple(start.round().astype(int).tolist()), tuple(end.round().astype(int).tolist())
    cv2.line(layer, points[0], points[1], (255,), max(2, round(thick)), cv2.LINE_AA)
    away = cv2.distanceTransform((layer > HALF).astype(np.uint8), cv2.DIST_L2, 3) / max(thick / 2, 1)
    shade[:] = np.where(layer > 0, 0.55 + 0.45 * np.sqrt(np.clip(away, 0, 1)), shade)
    mask[:] = np.maximum(mask, layer)


def lay(frame: Picture, mask: NDArray[np.uint8], colour: NDArray[np.floating]) -> None:
    """Lay a colour, (H, W, 3) or (3,), over the frame in place, blended by the mask (H, W)."""
    share = (mask.astype(np.float32) / 255)[:, :, None]
    frame[:] = np.clip(frame * (1 - share) + colour * share, 0, 255).astype(np.uint8)
