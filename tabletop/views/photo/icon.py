"""The icon of the page as pixels, for home screens: an ivory five on felt, out to the edges, which phones cut round."""

import cv2
import numpy as np

FELT, IVORY, PIP = (74, 97, 23), (246, 253, 255), (32, 36, 28)  # BGR, as in `web/static/icon.svg`
DIE = (0.24, 0.76)  # the die's edges, as parts of the side: inside of what every phone leaves of an icon
CORNER = 0.11  # the radius of its corners, likewise
PIPS = ((0.37, 0.37), (0.63, 0.37), (0.5, 0.5), (0.37, 0.63), (0.63, 0.63))
PIP_RADIUS = 0.055
FINE = 4  # drawn this many times as large, then made smaller: smooth edges


def icon(side_px: int) -> bytes:
    """Return the icon as PNG, `side_px` pixels a side, without transparency."""
    side = side_px * FINE
    picture = np.full((side, side, 3), FELT, np.uint8)
    first, last, radius = (round(part * side) for part in (*DIE, CORNER))
    for inset_x, inset_y in ((radius, 0), (0, radius)):
        cv2.rectangle(picture, (first + inset_x, first + inset_y), (last - inset_x, last - inset_y), IVORY, cv2.FILLED)
    for x in (first + radius, last - radius):
        for y in (first + radius, last - radius):
            cv2.circle(picture, (x, y), radius, IVORY, cv2.FILLED)
    for across, down in PIPS:
        cv2.circle(picture, (round(across * side), round(down * side)), round(PIP_RADIUS * side), PIP, cv2.FILLED)
    small = cv2.resize(picture, (side_px, side_px), interpolation=cv2.INTER_AREA)
    return cv2.imencode(".png", small)[1].tobytes()
