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
from tabletop.core.errors import InputError
from tabletop.core.values import Quad

DICTIONARY = cv2.aruco.DICT_4X4_50
MARKERS = (0, 1, 2, 3)


Outlines = dict[int, NDArray[np.float64]]
"""By a marker's number: (4, 2), its corners clockwise from its own top left, in pixels."""


def find_markers(pixels: NDArray[np.uint8]) -> Outlines:
    """Return those of the four markers that are seen once in a BGR picture, corners to about a third of a pixel."""
    return {name: outline for name, outline in find_all(pixels).items() if name in MARKERS}


def find_all(pixels: NDArray[np.uint8]) -> Outlines:
    """Return every marker of the dictionary that is seen once in a BGR picture, the fifth one of a mat included."""
    return {name: _quad(outlines[0]) for name, outlines in _outlines(pixels).items() if len(outlines) == 1}


def find_doubles(pixels: NDArray[np.uint8]) -> tuple[int, ...]:
    """Return those of the four markers that are seen more than once in a BGR picture: of two mats, say."""
    outlines_of = _outlines(pixels)
    return tuple(name for name in MARKERS if len(outlines_of.get(name, ())) > 1)


def find_tray(pixels: NDArray[np.uint8]) -> Quad:
    """Return the tray's corners in a BGR picture, to about a third of a pixel, however the picture is turned.

    Raises InputError that names the markers which were not found, or found twice.
    """
    outlines_of = _outlines(pixels)
    if missing := [name for name in MARKERS if name not in outlines_of]:
        seen = " ".join(map(str, sorted(set(outlines_of) & set(MARKERS)))) or "none"
        raise InputError(
            f"expected the four printed markers 0 1 2 3 (ArUco 4x4_50), saw {seen}: "
            f"show {' '.join(map(str, missing))} flat, uncovered and with a white border, and light them evenly"
        )
    if double := [name for name in MARKERS if len(outlines_of[name]) > 1]:
        raise InputError(f"expected each printed marker once, saw {double[0]} several times: take the others away")
    corners = cast("Quad", tuple(_corner(outlines_of[name][0], name) for name in MARKERS))
    if fault := plane.fault(corners):
        raise InputError(f"expected the printed markers 0 1 2 3 clockwise at the tray's corners; {fault}")
    return corners


def _outlines(pixels: NDArray[np.uint8]) -> dict[int, list[object]]:
    """Return the outlines of all markers of the dictionary, by their numbers."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY), parameters)
    outlines, found, _ = detector.detectMarkers(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY))
    names = [int(name) for name in np.ravel(found)] if outlines else []  # without outlines OpenCV gives None, not empty
    outlines_of: dict[int, list[object]] = {}
    for name, outline in zip(names, outlines, strict=True):
        outlines_of.setdefault(name, []).append(outline)
    return outlines_of


def _corner(outline: object, number: int) -> tuple[float, float]:
    """Return the n-th corner of a marker, counted clockwise from its own top left."""
    x, y = _quad(outline)[number]
    return float(x), float(y)


def _quad(outline: object) -> NDArray[np.float64]:
    return np.reshape(np.asarray(outline, dtype=np.float64), (4, 2))
