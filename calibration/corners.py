"""Make a profile from a tray's four corners: given as points, or tapped in a picture with dice, which set the scale.

A die's top face is nearer to the camera than the ground, so it looks larger. The factor follows from the camera's
position, which follows from the view of the tray, for a typical lens.
"""

import argparse
import re
from collections.abc import Sequence
from math import acos, atan2, degrees, isfinite, nan
from pathlib import Path
from statistics import median
from typing import NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.cameras.files import PICTURE_SUFFIXES, Photographs
from tabletop.config import plane
from tabletop.config.profile import DARK, DIE_MM, LIGHT, TRAY_MM, die_px, place, save_profile
from tabletop.core.errors import InputError
from tabletop.core.ports import Frame
from tabletop.core.values import Die, Matrix, Point, Profile, Quad, Reading, Unsure, UnsureReason
from tabletop.perception.tray_filter import without_markers
from tabletop.vision import colour, reader

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

USUAL_DIE_MM = 16.0
FOCAL_SHARE = 0.9  # of the picture's width, 58 degrees: Raspberry Pi's cameras see 54 to 66, webcams 50 to 70
# The edge that the reader says by that of the top face, on 900 rendered dice of six makes on 60 grounds, 280 to 650 mm
# below a camera: seen straight from above, and more where a side is seen too, by the tangent of the angle and up to a
# limit. One die is 5 % off, dark ones on a bright ground in the same direction.
STRAIGHT_SHARE, SIDE_SHARE, MOST_SIDE = 0.977, 0.11, 0.045
# Pips cover 3 to 40 % of a top face, so that its median is the body. Laying each face's pips over 526 dice of labelled
# photographs says the same of 93 %.
DARKEST_TO_LIGHTEST = (3, 50, 97)  # per cent
LEAST_STEP = 25.0  # grey levels between body and pips: less says nothing, as for red pips on blue


class Pinhole(NamedTuple):
    """A camera over a plane. below: the point straight below it; high: its height, both in the plane's unit.

    tilt_deg: between its line of sight and straight down.
    """

    below: Point
    high: float
    tilt_deg: float

    @classmethod
    def over(cls, homography: Matrix, width_px: int, height_px: int) -> "Pinhole":
        """Return the camera with this view of a plane.

        homography: from undistorted pixels (see `config.plane`) to the plane.
        """
        onto = rays(homography, width_px, height_px)
        onto = onto / np.sqrt(np.linalg.norm(onto[:, 0]) * np.linalg.norm(onto[:, 1]))
        onto = onto if onto[2, 2] > 0 else -onto
        down = np.cross(onto[:, 0], onto[:, 1])
        x, y, away = -np.linalg.solve(np.column_stack([onto[:, 0], onto[:, 1], down]), onto[:, 2])
        tilt = acos(min(1.0, abs(float(down[2])) / float(np.linalg.norm(down))))
        return cls((float(x), float(y)), -float(away), degrees(tilt))

    def edge(self, size: float, at: Point) -> float:
        """Return the true edge of a die whose apparent size and place the reader reports."""
        aside = float(np.hypot(at[0] - self.below[0], at[1] - self.below[1])) / self.high
        top = size / (STRAIGHT_SHARE + min(SIDE_SHARE * aside, MOST_SIDE))
        return top / (1 + top / self.high)


def rays(homography: Matrix, width_px: int, height_px: int) -> Floats:
    """Return (3, 3): the plane's two sides and its first corner, as a camera of FOCAL_SHARE sees them.

    The lengths of the columns are those of the sides (Zhang, "A flexible new technique for camera calibration", 2000,
    2.3).
    """
    focal = FOCAL_SHARE * width_px
    inner = np.array([[focal, 0.0, width_px / 2], [0.0, focal, height_px / 2], [0.0, 0.0, 1.0]])
    return np.asarray(np.linalg.solve(inner, np.linalg.inv(np.array(homography))), np.float64)


def edges_mm(reading: Reading, profile: Profile) -> list[float]:
    """Return the edges in mm of the dice in a reading (in pixels) that lie in the tray, or on its rail."""
    camera = Pinhole.over(profile.homography, profile.width_px, profile.height_px)
    return [camera.edge(die.size, (die.x, die.y)) for die in place(reading, profile).dice if die.where != "outside"]


def dice_in(pixels: Picture) -> tuple[Die | Unsure, ...]:
    """Return the dice in a picture (H, W, 3), with or without a sure face, in pixels; markers are excluded."""
    reading = without_markers(pixels, reader.read(pixels))
    return (*reading.dice, *(thing for thing in reading.unsure if thing.reason is not UnsureReason.MAY_BE_NO_DIE))


def pips_of(pixels: Picture, die: Die) -> str:
    """Return whether a die in a picture (H, W, 3) has LIGHT or DARK pips, "" if body and pips have a similar grey."""
    grey = cv2.cvtColor(colour.top_face(pixels, die.x, die.y, die.size, die.angle), cv2.COLOR_BGR2GRAY)
    darkest, body, lightest = np.percentile(grey, DARKEST_TO_LIGHTEST)
    if max(lightest - body, body - darkest) < LEAST_STEP:
        return ""
    return LIGHT if lightest - body > body - darkest else DARK


CORNERS = 4
LEAST_PX_PER_MM = 0.1  # a die of 16 mm has 2 pixels then
SMALLEST_DIE_PX = 25  # below this the reader gives no promise (contract of `tabletop read`)


def calibrate(options: argparse.Namespace) -> str:
    """Make the profile described on the command line; return a one-line summary."""
    out, frame = profile_to_write(options.out), picture_of(Path(options.picture))
    height_px, width_px = frame.pixels.shape[:2]
    tray_px = _quad("--corners", options.corners, width_px, height_px)
    rail_px = _quad("--rail", options.rail, width_px, height_px) if options.rail else None
    if rail_px is not None and plane.holds(rail_px, plane.middle(tray_px)):
        raise InputError("expected --rail as the strip beside the tray, it covers the tray's middle")
    profile = profile_from(
        (width_px, height_px), tray_px, _size_mm(options.size), number("--die-mm", options.die_mm, DIE_MM), rail_px
    )
    if profile.px_per_mm < LEAST_PX_PER_MM:
        raise InputError(f"expected --corners farther apart for a tray of {options.size} mm: they span a few pixels")
    save_profile(profile, out)
    return summary(profile, options.out)


def profile_from(
    picture_px: tuple[int, int], tray_px: Quad, tray_mm: tuple[float, float], die_mm: float, rail_px: Quad | None = None
) -> Profile:
    """Return the profile of a tray whose corners, clockwise and without `plane.fault`, are seen at tray_px."""
    matrix = plane.homography(tray_px, tray_mm)
    px_per_mm = 1 / plane.scale(matrix, plane.middle(tray_px))
    return Profile(*picture_px, tray_px, tray_mm, matrix, px_per_mm, die_mm, rail_px)


def tray_of_corners(corners: Quad, dice: Sequence[Die | Unsure], width_px: int, height_px: int) -> Profile | None:
    """Return the profile of a tray whose corners, clockwise, were tapped in a picture; None for an implausible size.

    dice: at least one between the corners, in pixels; their median sets the scale. The aspect ratio of the tray follows
    from the perspective of a typical lens.
    """
    sides = np.linalg.norm(rays(plane.homography(corners, (1.0, 1.0)), width_px, height_px), axis=0)
    ratio = float(sides[0] / sides[1])
    unit = plane.homography(corners, (ratio, 1.0))
    camera = Pinhole.over(unit, width_px, height_px)
    places = [(die.x, die.y) for die in dice]
    edges = [
        camera.edge(die.size * plane.scale(unit, at), plane.to_plane(unit, at))
        for die, at in zip(dice, places, strict=True)
    ]
    high_mm = USUAL_DIE_MM / median(edges)
    size_mm = ratio * high_mm, high_mm
    if not all(TRAY_MM[0] <= side <= TRAY_MM[1] for side in size_mm):
        return None
    return profile_from((width_px, height_px), corners, size_mm, USUAL_DIE_MM)


def clockwise(points: Sequence[Point]) -> Quad | None:
    """Return four corners clockwise as seen, starting at the top left; None if they do not form a quadrilateral."""
    if len(points) != CORNERS:
        return None
    x, y = (sum(point[axis] for point in points) / CORNERS for axis in (0, 1))
    ring = sorted(points, key=lambda point: atan2(point[1] - y, point[0] - x))
    first = min(range(CORNERS), key=lambda at: sum(ring[at]))
    corners = cast("Quad", tuple(ring[(first + step) % CORNERS] for step in range(CORNERS)))
    return None if plane.fault(corners) else corners


def summary(profile: Profile, out: str) -> str:
    """Return a one-line summary of a profile."""
    wide, high = profile.tray_mm
    edge_px = die_px(profile, profile.width_px, profile.height_px)
    line = (
        f"{out}: a tray of {wide:g} x {high:g} mm{' with a rail' if profile.rail_px else ''}, "
        f"{profile.px_per_mm:.2f} px per mm; a die of {profile.die_mm:g} mm is {edge_px:.0f} px"
    )
    if edge_px < SMALLEST_DIE_PX:
        line += f", fewer than {SMALLEST_DIE_PX}: bring the camera nearer or take larger pictures"
    return line


def picture_of(path: Path) -> Frame:
    """Return a photograph; raises InputError if the file is not a picture."""
    if not path.is_file():
        raise InputError(f"expected a picture of the tray, there is no file {path}")
    return cast("Frame", Photographs((path,)).read())


def _quad(name: str, words: list[str], width_px: int, height_px: int) -> Quad:
    corners = cast("Quad", tuple(_point(name, word) for word in words))
    for x, y in corners:
        if not (0 <= x <= width_px and 0 <= y <= height_px):
            raise InputError(f"expected {name} within the picture of {width_px}x{height_px}, got {x:g},{y:g}")
    if fault := plane.fault(corners):
        raise InputError(f"expected {name} to go clockwise round a rectangle; {fault}")
    return corners


def _point(name: str, word: str) -> Point:
    try:
        x, y = map(float, word.split(","))
    except ValueError:  # no numbers, or not two of them
        x = y = nan
    if not (isfinite(x) and isfinite(y)):
        raise InputError(f"expected {name} as four points X,Y in pixels (like 52,40), got {word!r}")
    return x, y


def _size_mm(word: str) -> tuple[float, float]:
    found = re.fullmatch(r"(\d+(?:\.\d+)?)[x×](\d+(?:\.\d+)?)(?:mm)?", word)  # noqa: RUF001 - people type both
    if not found:
        raise InputError(f"expected --size as WIDTHxHEIGHT in mm (like 300x200), got {word!r}")
    return number("--size", found[1], TRAY_MM), number("--size", found[2], TRAY_MM)


def profile_to_write(word: str) -> Path:
    """Return the path given by --out; raises InputError for a picture's name, to avoid overwriting it."""
    path = Path(word)
    if path.suffix.lower() in PICTURE_SUFFIXES:
        raise InputError(f"expected --out as the profile to write (like tray.toml), got a picture: {word}")
    return path


def number(name: str, word: str, limits: tuple[float, float]) -> float:
    """Parse a number of mm on the command line; raises InputError outside the limits."""
    try:
        value = float(word)
    except ValueError:
        value = nan
    if not limits[0] <= value <= limits[1]:
        raise InputError(f"expected {name} from {limits[0]:g} to {limits[1]:g} mm, got {word!r}")
    return value
