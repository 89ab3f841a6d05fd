"""A film's next frame at a third of the cost: a coarse look at all of it, a sharp one only where dice may be.

The coarse look sees dice too small to read them but large enough to tell that something like a die is there.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.cells import APART, Found, Network

Picture = NDArray[np.uint8]

COARSE_PX = 24.0  # the edge of a die in the coarse look
WORTH = 0.02  # chance in the coarse look from which a place is looked at sharply
WINDOW = 2.4  # dice: side of what is looked at round such a place; the network sees 1.7 dice
NEAR = 0.8  # dice: what is found farther than this from every such place belongs to a window that shows it whole
MOST_SHARE = 0.6  # of the picture: where the windows cover more, one look at all of it costs no more


def glance(network: Network, picture: Picture, die_px: float) -> tuple[Found, ...]:
    """Return what may be dice, likeliest first, in a picture (H, W, 3) whose dice have edges of die_px."""
    height, width = picture.shape[:2]
    spots = [one for one in network.look(picture, die_px, at_px=COARSE_PX) if one.chance >= WORTH]
    marked = np.zeros((height, width), np.uint8)
    reach = WINDOW / 2 * die_px
    for one in spots:
        left, top = max(0, round(one.x - reach)), max(0, round(one.y - reach))
        marked[top : max(0, round(one.y + reach)), left : max(0, round(one.x + reach))] = 1
    count, _, boxes, _ = cv2.connectedComponentsWithStats(marked)
    areas = [int(box[cv2.CC_STAT_WIDTH]) * int(box[cv2.CC_STAT_HEIGHT]) for box in boxes[1:count]]
    if sum(areas) > MOST_SHARE * width * height:
        return network.look(picture, die_px)
    found: list[Found] = []
    for box in boxes[1:count]:
        left, top = int(box[cv2.CC_STAT_LEFT]), int(box[cv2.CC_STAT_TOP])
        right, bottom = left + int(box[cv2.CC_STAT_WIDTH]), top + int(box[cv2.CC_STAT_HEIGHT])
        seen = network.look(picture[top:bottom, left:right], die_px)
        found += [moved for moved in (one.moved(left, top) for one in seen) if _near(moved, spots, die_px)]
    return _each_once(found)


def _near(one: Found, spots: list[Found], die_px: float) -> bool:
    return any(np.hypot(one.x - spot.x, one.y - spot.y) < NEAR * die_px for spot in spots)


def _each_once(found: list[Found]) -> tuple[Found, ...]:
    kept: list[Found] = []
    for one in sorted(found, key=lambda one: -one.chance):
        if all(np.hypot(one.x - other.x, one.y - other.y) >= APART * other.size for other in kept):
            kept.append(one)
    return tuple(kept)
