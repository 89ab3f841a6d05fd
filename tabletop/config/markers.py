"""Finding the mat: four printed ArUco markers whose outer corners are the tray's corners.

Dictionary DICT_4X4_50, markers 0, 1, 2 and 3 printed upright and clockwise from the top left, each with a white border
of at least a quarter of its side. The tray's first corner is the top left corner of marker 0, the second the top right
one of marker 1, then the bottom right one of marker 2 and the bottom left one of marker 3.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

DICTIONARY = cv2.aruco.DICT_4X4_50
MARKERS = (0, 1, 2, 3)


Outlines = dict[int, NDArray[np.float64]]
"""By a marker's number: (4, 2), its corners clockwise from its own top left, in pixels."""


def find_markers(pixels: NDArray[np.uint8]) -> Outlines:
    """Return those of the four markers that are seen once in a BGR picture, corners to about a third of a pixel."""
    return {name: outline for name, outline in find_all(pixels).items() if name in MARKERS}


def find_all(pixels: NDArray[np.uint8]) -> Outlines:
    """Return every marker of the dictionary that is seen once in a BGR picture, the fifth one of a mat included."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY), parameters)
    outlines, found, _ = detector.detectMarkers(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY))
    names = [int(name) for name in np.ravel(found)] if outlines else []  # without outlines OpenCV gives None, not empty
    return {
        name: np.reshape(np.asarray(outline, np.float64), (4, 2))
        for name, outline in zip(names, outlines, strict=True)
        if names.count(name) == 1
    }
