"""The printed mat: places of tray, rail, markers and ruler on its sheet, in millimetres; marker detection. Pure.

The mat is printed from these places, and pictures of it are interpreted with them. A sheet lies on its long side;
places are measured from its top left corner, x to the right, y down. The corner markers (ArUco, DICT_4X4_50) are 0 to
3, clockwise from the top left, each with a white border of at least a quarter of its side; their outer corners are the
tray's corners. A fifth marker below the tray identifies the mat (`mat_of_code`), and, being nearer to the centre,
reveals the lens distortion.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.core import errors, values

PAPERS = {"A4": (297.0, 210.0), "letter": (279.4, 215.9), "A3": (420.0, 297.0)}  # mm, ISO 216 and ANSI/ASME Y14.1
NO_RAIL = "none"
RAILS = (NO_RAIL, "left", "right", "bottom")
RULER_MM = 100.0
# Numbers of the fifth marker, one for each mat. Of the fifty of the dictionary these are hardly ever taken for a die by
# the reader; the corners' 0 to 3 are given, and 0 is (perception/tray_filter.py drops it).
CODES = (7, 9, 10, 22, 23, 28, 33, 34, 37, 38, 47, 49)
QUIET_SHARE = 0.25  # of a marker's side that must stay white around it: OpenCV's detector needs a cell, a sixth
RAIL_MM = 28.0  # wide: dice of up to 25 mm
STRIP_GAP_MM = 5.0  # between the tray, or the rail below it, and the strip with ruler and words


@dataclass(frozen=True, slots=True)
class Box:
    """An upright rectangle on the sheet, in mm."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right side."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """The lower side."""
        return self.top + self.height

    @property
    def corners(self) -> values.Quad:
        """The corners, clockwise from the top left."""
        return ((self.left, self.top), (self.right, self.top), (self.right, self.bottom), (self.left, self.bottom))


@dataclass(frozen=True, slots=True)
class _Size:
    """What depends on the paper, in mm. margin: no printer needs more than 6, and the markers' white border fits in."""

    margin: float
    marker: float
    code_marker: float


_SIZES = {"A4": _Size(8.0, 24.0, 18.0), "letter": _Size(8.0, 24.0, 18.0), "A3": _Size(10.0, 32.0, 24.0)}


@dataclass(frozen=True, slots=True)
class Mat:
    """One mat.

    tray, rail: the areas; strip: the area below them for ruler and text; code: number of the fifth marker.
    """

    paper: str
    rail_side: str
    width_mm: float
    height_mm: float
    tray: Box
    rail: Box | None
    strip: Box
    code: int
    markers: Mapping[int, Box] = field(hash=False)

    def on_tray(self, point: values.Point) -> values.Point:
        """Return a place in millimetres of the tray, whose first corner is the origin."""
        return point[0] - self.tray.left, point[1] - self.tray.top


def mat_of(paper: str, rail_side: str = NO_RAIL) -> Mat:
    """Return the mat for this paper (one of PAPERS, in any case) and rail (one of RAILS).

    Raises InputError for any other value.
    """
    paper = next((word for word in PAPERS if word.lower() == paper.lower()), paper)
    rail_side = next((word for word in RAILS if word == rail_side.lower()), rail_side)
    if paper not in PAPERS:
        raise errors.InputError(f"expected --paper {', '.join(PAPERS)}, got {paper!r}")
    if rail_side not in RAILS:
        raise errors.InputError(f"expected --rail {', '.join(RAILS[1:])}, got {rail_side!r}")
    (width, height), size = PAPERS[paper], _SIZES[paper]
    inner = width - 2 * size.margin
    strip = Box(size.margin, height - size.margin - size.code_marker, inner, size.code_marker)
    tray, rail = _areas(rail_side, Box(size.margin, size.margin, inner, strip.top - STRIP_GAP_MM - size.margin), size)
    code = CODES[list(PAPERS).index(paper) * len(RAILS) + RAILS.index(rail_side)]
    side, code_side = size.marker, size.code_marker
    right, bottom = tray.right - side, tray.bottom - side
    markers = {
        0: Box(tray.left, tray.top, side, side),
        1: Box(right, tray.top, side, side),
        2: Box(right, bottom, side, side),
        3: Box(tray.left, bottom, side, side),
        code: Box((width - code_side) / 2, strip.top, code_side, code_side),
    }
    return Mat(paper, rail_side, width, height, tray, rail, strip, code, markers)


def mat_of_code(code: int) -> Mat | None:
    """Return the mat with this number on its fifth marker, None if there is none."""
    if code not in CODES:
        return None
    at = CODES.index(code)
    return mat_of(list(PAPERS)[at // len(RAILS)], RAILS[at % len(RAILS)])


def _areas(rail_side: str, room: Box, size: _Size) -> tuple[Box, Box | None]:
    """Divide the room above the strip into the tray and, if there is one, the rail."""
    taken = RAIL_MM + size.marker * QUIET_SHARE
    left, top, width, height = room.left, room.top, room.width, room.height
    if rail_side == "left":
        return Box(left + taken, top, width - taken, height), Box(left, top, RAIL_MM, height)
    if rail_side == "right":
        return Box(left, top, width - taken, height), Box(room.right - RAIL_MM, top, RAIL_MM, height)
    if rail_side == "bottom":
        return Box(left, top, width, height - taken), Box(left, room.bottom - RAIL_MM, width, RAIL_MM)
    return room, None


DICTIONARY = cv2.aruco.DICT_4X4_50
MARKERS = (0, 1, 2, 3)


Outlines = dict[int, NDArray[np.float64]]
"""By a marker's number: (4, 2), its corners clockwise from its own top left, in pixels."""


def find_markers(pixels: NDArray[np.uint8]) -> Outlines:
    """Return the corner markers that appear exactly once in a BGR picture, with a precision of a third of a pixel."""
    return {name: outline for name, outline in find_all(pixels).items() if name in MARKERS}


def find_all(pixels: NDArray[np.uint8]) -> Outlines:
    """Return all markers that appear exactly once in a BGR picture, including the fifth one of a mat."""
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
