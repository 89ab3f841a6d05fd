"""Finding the mat: four printed ArUco markers whose outer corners are the tray's corners.

Dictionary DICT_4X4_50, markers 0, 1, 2 and 3 printed upright and clockwise from the top left, each with a white border
of at least a quarter of its side. The tray's first corner is the top left corner of marker 0, the second the top right
one of marker 1, then the bottom right one of marker 2 and the bottom left one of marker 3.
"""

from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.config import plane
from tabletop.dice import Quad
from tabletop.errors import InputError

DICTIONARY = cv2.aruco.DICT_4X4_50
MARKERS = (0, 1, 2, 3)


def find_tray(pixels: NDArray[np.uint8]) -> Quad:
    """Return the tray's corners in a BGR picture, to about a third of a pixel, however the picture is turned.

    Raises InputError that names the markers which were not found, or found twice.
    """
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY), parameters)
    outlines, found, _ = detector.detectMarkers(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY))
    names = [int(name) for name in np.ravel(found)] if outlines else []  # without outlines OpenCV gives None, not empty
    if missing := [name for name in MARKERS if name not in names]:
        seen = " ".join(map(str, sorted(set(names) & set(MARKERS)))) or "none"
        raise InputError(
            f"expected the four printed markers 0 1 2 3 (ArUco 4x4_50), saw {seen}: "
            f"show {' '.join(map(str, missing))} flat, uncovered and with a white border, and light them evenly"
        )
    if double := [name for name in MARKERS if names.count(name) > 1]:
        raise InputError(f"expected each printed marker once, saw {double[0]} several times: take the others away")
    outline_of = dict(zip(names, outlines, strict=True))
    corners = cast("Quad", tuple(_corner(outline_of[name], name) for name in MARKERS))
    if fault := plane.fault(corners):
        raise InputError(f"expected the printed markers 0 1 2 3 clockwise at the tray's corners; {fault}")
    return corners


def _corner(outline: object, number: int) -> tuple[float, float]:
    """Return the n-th corner of a marker, counted clockwise from its own top left."""
    x, y = np.reshape(np.asarray(outline, dtype=np.float64), (4, 2))[number]
    return float(x), float(y)
