"""Whether the pips of a die are lighter or darker than its body: light on dark, or dark on light. Pure arithmetic."""

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.network import EDGE_PX
from tabletop.vision.own_dice import LAYOUTS, SIDE_PX, SPACINGS, TWO_WAYS

Picture = NDArray[np.uint8]

LIGHT, DARK = "light", "dark"
INSIDE = 0.36  # edges from the middle: the top face without its rounded rim
PIP = 0.07  # edges: radius of what is looked at of a pip; the smallest pips sold have 0.08
LEAST_STEP = 8.0  # grey levels between body and pips: less says nothing, as for red pips on blue


def polarity(pixels: Picture, face: int) -> str:
    """Return LIGHT or DARK, "" if body and pips are alike in grey. pixels: a die upright, as in a `Sample`.

    The layout of the face is laid over the die, at the spacings that dice have and for a 2, 3 or 6 both ways round; the
    one at which pips and body differ most is the true one.
    """
    grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.float64)
    steps = (np.arange(SIDE_PX) - (SIDE_PX - 1) / 2) / EDGE_PX
    across, down = np.meshgrid(steps, steps)
    inside = np.maximum(np.abs(across), np.abs(down)) < INSIDE
    body = float(np.median(grey[inside]))
    best = 0.0
    for spacing in SPACINGS:
        for turned in (False, True) if face in TWO_WAYS else (False,):
            pips = np.zeros_like(inside)
            for x, y in LAYOUTS[face]:
                at_x, at_y = (-y, x) if turned else (x, y)
                pips |= np.hypot(across - spacing * at_x, down - spacing * at_y) < PIP
            step = float(grey[pips].mean()) - body
            best = step if abs(step) > abs(best) else best
    return "" if abs(best) < LEAST_STEP else LIGHT if best > 0 else DARK
