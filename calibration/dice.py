"""The dice of a picture in calibration: how large they are. Pure.

A die's top face is nearer to the camera than the ground: it looks larger. By how much follows from where the camera
hangs, and that from the tray as it is seen, for a usual lens.
"""

from math import acos, degrees
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tabletop.config.profile import place
from tabletop.core.values import Die, Matrix, Point, Profile, Reading, Unsure, UnsureReason
from tabletop.perception.tray_filter import without_markers
from tabletop.vision.reader import read

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

USUAL_DIE_MM = 16.0
FOCAL_SHARE = 0.9  # of the picture's width, 58 degrees: Raspberry Pi's cameras see 54 to 66, webcams 50 to 70
# The edge that the reader says by that of the top face, on 900 rendered dice of six makes on 60 grounds, 280 to 650 mm
# below a camera: seen straight from above, and more where a side is seen too, by the tangent of the angle and up to a
# limit. One die is 5 % off, dark ones on a bright ground in the same direction.
STRAIGHT_SHARE, SIDE_SHARE, MOST_SIDE = 0.977, 0.11, 0.045


class Pinhole(NamedTuple):
    """A camera over a plane. below: the place straight below it; high: how high it hangs, both in the plane's unit.

    tilt_deg: between its line of sight and straight down.
    """

    below: Point
    high: float
    tilt_deg: float

    @classmethod
    def over(cls, homography: Matrix, width_px: int, height_px: int) -> "Pinhole":
        """Return the camera that sees a plane so. homography: from straight pixels (see `config.plane`) to places."""
        onto = rays(homography, width_px, height_px)
        onto = onto / np.sqrt(np.linalg.norm(onto[:, 0]) * np.linalg.norm(onto[:, 1]))
        onto = onto if onto[2, 2] > 0 else -onto
        down = np.cross(onto[:, 0], onto[:, 1])
        x, y, away = -np.linalg.solve(np.column_stack([onto[:, 0], onto[:, 1], down]), onto[:, 2])
        tilt = acos(min(1.0, abs(float(down[2])) / float(np.linalg.norm(down))))
        return cls((float(x), float(y)), -float(away), degrees(tilt))

    def edge(self, size: float, at: Point) -> float:
        """Return the edge of a die that the reader says is of this size, there, as if it were as flat as the plane."""
        aside = float(np.hypot(at[0] - self.below[0], at[1] - self.below[1])) / self.high
        top = size / (STRAIGHT_SHARE + min(SIDE_SHARE * aside, MOST_SIDE))
        return top / (1 + top / self.high)


def rays(homography: Matrix, width_px: int, height_px: int) -> Floats:
    """Return (3, 3): the plane's two sides and its first corner, as a camera of FOCAL_SHARE sees them.

    The columns are as long as the sides are (Zhang, "A flexible new technique for camera calibration", 2000, 2.3).
    """
    focal = FOCAL_SHARE * width_px
    inner = np.array([[focal, 0.0, width_px / 2], [0.0, focal, height_px / 2], [0.0, 0.0, 1.0]])
    return np.asarray(np.linalg.solve(inner, np.linalg.inv(np.array(homography))), np.float64)


def edges_mm(reading: Reading, profile: Profile) -> list[float]:
    """Return the edges in mm of the dice of a reading in pixels that lie in the tray, or on its rail."""
    camera = Pinhole.over(profile.homography, profile.width_px, profile.height_px)
    return [camera.edge(die.size, (die.x, die.y)) for die in place(reading, profile).dice if die.where != "outside"]


def dice_in(pixels: Picture) -> tuple[Die | Unsure, ...]:
    """Return what lies in a picture (H, W, 3) and is a die, its face known or not, in pixels; markers are none."""
    reading = without_markers(pixels, read(pixels))
    return (*reading.dice, *(thing for thing in reading.unsure if thing.reason is not UnsureReason.MAY_BE_NO_DIE))
