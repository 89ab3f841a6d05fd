"""A baseline for comparison: the dice reader that most people write first, blobs in clusters, well tuned.

Pips are round blobs, dark on light dice or light on dark ones; pips near one another are a face. It takes every cluster
for a die and is never unsure. Only `make bench` uses it; the table never does.

Constants without a source are the usual tuning of such readers, documented for this comparison: pictures at 90 px a
die, median filter 5, pips of 0.1 to 0.35 die, inertia from 0.6, clusters within 0.6 die. Everything else uses OpenCV's
defaults (thresholds from 50 to 220 by 10, seen at two of them, convexity from 0.95).
"""

import math
from functools import cache
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.core.values import Die, Reading

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

DIE_PX = 90.0  # edge of a die in the picture that is searched
MEDIAN_PX = 5  # side of the median filter there: takes grain and small glints away
LEAST_PIP, LARGEST_PIP = 0.1, 0.35  # dice: diameters of pips
LEAST_INERTIA = 0.6  # of a blob, 1 for a circle: pips of side faces are flatter
REACH = 0.6  # dice: pips of one face lie so near to its middle; measured better than chains of pips 0.6 apart
MOST_PIPS = 6  # on a face of a die
DARK, LIGHT = 0, 255  # bytes: OpenCV's names for the two polarities
PEER_COLOUR = "unknown"  # it does not read colours
PEER_CONFIDENCE = 1.0  # nor doubts


def read(frame: Picture, *, die_px: float) -> Reading:
    """Return the dice in a frame (H, W, 3) uint8 BGR whose dice have edges of about die_px; nothing is ever unsure."""
    height, width = frame.shape[:2]
    zoom = DIE_PX / die_px
    wide, high = max(1, round(width * zoom)), max(1, round(height * zoom))
    scaled = cv2.resize(frame, (wide, high), interpolation=cv2.INTER_AREA if zoom < 1 else cv2.INTER_LINEAR)
    grey = np.asarray(cv2.medianBlur(cv2.cvtColor(scaled, cv2.COLOR_BGR2GRAY), MEDIAN_PX), np.uint8)
    faces = [face for polarity in (DARK, LIGHT) for face in clusters(_pips(grey, polarity))]
    dice = []
    for face in _each_once(faces):
        x, y = (face.mean(axis=0) + 0.5) / zoom - 0.5
        dice.append(Die(len(face), float(x), float(y), die_px, 0.0, PEER_COLOUR, PEER_CONFIDENCE))
    return Reading(0.0, width, height, tuple(dice))


def clusters(pips: Floats) -> list[Floats]:
    """Group pips into faces, each (n, 2) with n from 1 to 6.

    pips: (N, 2), x and y at DIE_PX a die. The nearest clusters join first, as long as all pips of both lie within REACH
    of their common centre.
    """
    faces = [pips[n : n + 1] for n in range(len(pips))]
    while True:
        middles = [face.mean(axis=0) for face in faces]
        near = [
            (math.dist(middles[one], middles[other]), one, other) for one, other in combinations(range(len(faces)), 2)
        ]
        for apart, one, other in sorted(near):
            if apart > 2 * REACH * DIE_PX:
                return faces
            if _is_face(joined := np.concatenate([faces[one], faces[other]])):
                faces = [face for n, face in enumerate(faces) if n not in (one, other)] + [joined]
                break
        else:
            return faces


def _is_face(pips: Floats) -> bool:
    away = np.hypot(*(pips - pips.mean(axis=0)).T)
    return len(pips) <= MOST_PIPS and float(away.max()) <= REACH * DIE_PX


def _each_once(faces: list[Floats]) -> list[Floats]:
    """Return the faces without those that lie where one with more pips lies: glints on dark pips, gaps between them."""
    kept: list[Floats] = []
    for face in sorted(faces, key=len, reverse=True):
        middle = face.mean(axis=0)
        if all(math.dist(middle, other.mean(axis=0)) > REACH * DIE_PX for other in kept):
            kept.append(face)
    return kept


def _pips(grey: Picture, polarity: int) -> Floats:
    found = _detector(polarity).detect(grey)
    return np.array([pip.pt for pip in found], np.float64).reshape(-1, 2)


@cache
def _detector(polarity: int) -> cv2.SimpleBlobDetector:
    wanted = cv2.SimpleBlobDetector.Params()
    wanted.filterByColor, wanted.blobColor = True, polarity
    wanted.filterByArea, wanted.minArea, wanted.maxArea = True, _area(LEAST_PIP), _area(LARGEST_PIP)
    wanted.filterByInertia, wanted.minInertiaRatio = True, LEAST_INERTIA
    return cv2.SimpleBlobDetector.create(wanted)


def _area(diameter: float) -> float:
    return math.pi / 4 * (diameter * DIE_PX) ** 2
