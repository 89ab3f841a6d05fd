"""How sharp a picture is: how many pixels its clearest edges take from dark to light. Pure."""

import cv2
import numpy as np
from numpy.typing import NDArray

REACH_PX = 10  # an edge that takes longer than twice this from dark to light is no edge
CLEAREST = 99.0  # percentile of the steepest pixels: the edges of dice and pips, not what shades the tray
LEAST_CONTRAST = 25.0  # grey levels: below, there is nothing in the picture that has an edge
SOBEL_SUM = 8.0  # of Sobel's weights: divided by it, the filter gives grey levels a pixel
PERCENTILE_OF_WIDTHS = 25.0  # the sharper edges: others are soft by themselves, as shadows are


def edge_width_px(pixels: NDArray[np.uint8]) -> float | None:
    """Return the width of the clearest edges, in pixels: contrast over steepness. 1 is as sharp as can be.

    pixels: (H, W, 3) uint8 BGR. A step blurred by a Gaussian of s px is 2.5 s wide. None without anything in view.
    """
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    if min(grey.shape) <= REACH_PX:
        return None
    smooth = cv2.GaussianBlur(grey, (0, 0), 0.7).astype(np.float32)  # noise is no edge
    steep = np.hypot(cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1)) / SOBEL_SUM
    around = np.ones((2 * REACH_PX + 1, 2 * REACH_PX + 1), np.uint8)
    contrast = cv2.dilate(smooth, around) - cv2.erode(smooth, around)
    chosen = (steep >= np.percentile(steep, CLEAREST)) & (contrast >= LEAST_CONTRAST)
    if not chosen.any():
        return None
    return float(np.percentile(contrast[chosen] / steep[chosen], PERCENTILE_OF_WIDTHS))
