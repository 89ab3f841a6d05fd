"""How large a die is by what the reader says of it, and where a camera sees what stands above the tray's ground. Pure.

A die's top face is nearer to the camera than the ground: it looks larger, and further out. By how much follows from
where the camera hangs, and that from the tray as it is seen, for a usual lens.

    camera = Pinhole.over(profile.homography, profile.width_px, profile.height_px)
    camera.edge(die.size, (die.x, die.y), shade)    # of a die of a reading in millimetres
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from tabletop.core.values import Matrix, Point

Floats = NDArray[np.float64]

FOCAL_SHARE = 0.9  # of the picture's width, 58 degrees: Raspberry Pi's cameras see 54 to 66, webcams 50 to 70
# What the reader says of 900 rendered dice of six makes on 60 grounds, 280 to 650 mm below a camera, by what they are:
# the middle of the top face, but for a tenth of an edge of height; an edge of so much of the top face's where that is
# seen straight from above, more where a side is seen too, by the tangent of the angle and up to a limit, and more where
# a die is darker than its ground, as its shadow's seam is taken for it. One die is 3 % off, the median of fifteen 2 %.
SEEN_AT = 0.9
STRAIGHT_SHARE, SIDE_SHARE, MOST_SIDE, SHADE_SHARE = 0.955, 0.11, 0.045, 0.045
BODY, AROUND = 0.4, (0.95, 1.25)  # edges from a die's middle: its body, and the ground beside it


@dataclass(frozen=True, slots=True)
class Pinhole:
    """A camera over a plane whose places are in mm (or any other unit).

    eye: where it hangs, (3,): the place below it and how high. projection: (3, 3) from what is ahead of it, x and y as
    on the plane and z down, to straight pixels (see `plane`).
    """

    eye: Floats
    projection: Floats

    @classmethod
    def over(cls, homography: Matrix, width_px: int, height_px: int) -> Self:
        """Return the camera that sees a plane so. homography: from straight pixels to places."""
        focal = FOCAL_SHARE * width_px
        inner = np.array([[focal, 0.0, width_px / 2], [0.0, focal, height_px / 2], [0.0, 0.0, 1.0]])
        onto = np.linalg.solve(inner, np.linalg.inv(np.array(homography)))
        onto = onto / np.sqrt(np.linalg.norm(onto[:, 0]) * np.linalg.norm(onto[:, 1]))
        onto = onto if onto[2, 2] > 0 else -onto
        turn = np.column_stack([onto[:, 0], onto[:, 1], np.cross(onto[:, 0], onto[:, 1])])
        x, y, below = -np.linalg.solve(turn, onto[:, 2])
        return cls(np.array([x, y, -below]), inner @ turn)

    @property
    def high(self) -> float:
        """How high it hangs above the plane."""
        return float(self.eye[2])

    def pixels(self, places: Floats, above: float) -> Floats:
        """Return (N, 2) straight pixels of places (N, 2) so far above the plane, or below it."""
        ahead = np.column_stack([places - self.eye[:2], np.full(len(places), self.high - above)])
        met = ahead @ self.projection.T
        return np.asarray(met[:, :2] / met[:, 2:], np.float64)

    def edge(self, size: float, place: Point, shade: float, standing: float = 1.0) -> float:
        """Return the edge of a die that the reader says is of this size, there, as if both were on the plane.

        shade: see `shade_of`. standing: how high above the plane its top face is, in edges: 1 for one standing on it.
        """
        aside = float(np.hypot(*(np.array(place) - self.eye[:2]))) / self.high
        top = size / (STRAIGHT_SHARE + min(SIDE_SHARE * aside, MOST_SIDE) + SHADE_SHARE * shade)
        return top / (1 + standing * top / self.high)


def shade_of(grey: NDArray[np.uint8], x: float, y: float, size: float) -> float:
    """Return by how much a die is darker than the ground beside it, 0 to 1: 0 if it is not, or fills the picture.

    grey: (H, W); x, y, size: of the die in it, in pixels.
    """
    reach = AROUND[1] * size
    left, top = max(0, int(x - reach)), max(0, int(y - reach))
    part = grey[top : max(0, int(y + reach) + 1), left : max(0, int(x + reach) + 1)]
    rows, columns = np.ogrid[top : top + part.shape[0], left : left + part.shape[1]]
    away = np.hypot(columns - x, rows - y) / size
    body, ground = part[away < BODY], part[(away > AROUND[0]) & (away < AROUND[1])]
    if not (body.size and ground.size):
        return 0.0
    beside = max(float(np.median(ground)), 1.0)
    return float(np.clip((beside - np.median(body)) / beside, 0.0, 1.0))
