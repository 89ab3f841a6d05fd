"""The labelled photographs held out of training for measurements. Needs no PyTorch.

Every Nth photograph of a source, except where neighbours show the same dice on the same ground: `trays` are held out by
the colour of the tray, `scope` in runs of RUN numbers.
"""

import re
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.image_io import open_picture

TRAYS, SCOPE = "trays", "scope"
RUN = 50  # numbers of `scope` that stay together
BLACK, RED, PURPLE, TAN = range(4)  # colours of the trays; those of even number are left out of every second
DARK = 75  # byte: the median of a black tray's brightest channel is below
RED_HUE, TAN_HUE = (155, 5), (6, 30)  # OpenCV's hue, 0 to 179; red crosses 0; everything else is purple
RING = (0.75, 1.5)  # of a box's longer side: where the tray is seen round a die


def kept_apart(folder: Path, entry: dict[str, Any], number: int, every: int) -> bool:
    """Return whether a photograph is held out.

    folder: of the photographs. entry: the number-th of the manifest. every: one of this many is held out, 0: none.
    """
    if not every:
        return False
    source, _, name = str(entry["file"]).partition("/")
    if source == TRAYS:
        return tray_colour(open_picture(folder / entry["file"]), entry) % every == 0
    if source == SCOPE:
        return int(re.findall(r"\d+", name)[0]) // RUN % every == 0
    return number % every == 0


def tray_colour(picture: NDArray[np.uint8], entry: dict[str, Any]) -> int:
    """Return the colour of the tray around a photograph's dice: BLACK, RED, PURPLE or TAN."""
    height, width = picture.shape[:2]
    ground, dice = np.zeros((height, width), np.uint8), np.zeros((height, width), np.uint8)
    for die in entry["dice"]:
        left, top, right, bottom = die["box"]
        middle = (round((left + right) / 2), round((top + bottom) / 2))
        side = max(right - left, bottom - top)
        cv2.circle(ground, middle, round(RING[1] * side), 1, -1)
        cv2.circle(dice, middle, round(RING[0] * side), 1, -1)
    seen = cv2.cvtColor(picture, cv2.COLOR_BGR2HSV)[(ground > 0) & (dice == 0)]
    if not len(seen) or np.median(seen[:, 2]) < DARK:
        return BLACK
    hue = float(np.median((seen[:, 0].astype(int) + 90) % 180) - 90) % 180  # the cut lies opposite to red
    if hue >= RED_HUE[0] or hue <= RED_HUE[1]:
        return RED
    return TAN if TAN_HUE[0] <= hue <= TAN_HUE[1] else PURPLE
