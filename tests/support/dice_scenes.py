"""Dice on a flat tray under a pinhole camera that leans: a picture, and where everything is in truth.

The renderer draws what a camera sees that looks straight down, its plane that of the dice's middles; a camera that
leans at the same place sees the same through a homography. Where the tray is, OpenCV says.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import cv2
import numpy as np
from mat_camera import Floats, Picture

from tabletop.simulator.render import compose
from tabletop.simulator.scene import Look, PosedDie, Viewpoint, lying

FOCAL_SHARE = 0.9  # of the picture's width: 58 degrees
FELT, TABLE = (60, 95, 40), (70, 95, 110)  # BGR
RED = Look(body=(40, 40, 190), pip=(240, 240, 240))
OVERSEEN = 1.4  # the picture that looks straight down is larger by this on each side than that of the camera


@dataclass(frozen=True)
class DiceCamera:
    """A camera high_mm above the tray's ground, over its middle or aside, that looks at the middle.

    tilt_deg: off the vertical, towards turn_deg; the height is that of the lens. width_px: of pictures of 4:3.
    """

    tray_mm: tuple[float, float]
    high_mm: float
    tilt_deg: float = 0.0
    turn_deg: float = 0.0
    width_px: int = 1280

    def see(self, points_mm: Floats) -> Floats:
        """Return (N, 2) pixels of points (N, 3), mm of the tray and above its ground."""
        rotation, eye, matrix = self._pose()
        # x right and y down the tray make z point into the table
        into = np.column_stack([points_mm[:, :2], -points_mm[:, 2]])
        shift = -rotation @ eye
        seen = cv2.projectPoints(into, cv2.Rodrigues(rotation)[0], shift, matrix, np.zeros(4))[0]
        return np.asarray(seen, np.float64).reshape(-1, 2)

    @property
    def corners_px(self) -> Floats:
        """Where the tray's corners are seen, (4, 2), clockwise from its first one."""
        wide, high = self.tray_mm
        return self.see(np.array([(0.0, 0.0, 0.0), (wide, 0.0, 0.0), (wide, high, 0.0), (0.0, high, 0.0)]))

    def photograph(
        self,
        dice: Sequence[tuple[int, float, float, float]],
        die_mm: float = 16.0,
        looks: Sequence[Look] = (RED,),
        sheet: Picture | None = None,
    ) -> Picture:
        """Return the picture of dice, each a face, the place of its middle in mm of the tray and how it is turned.

        sheet: what the whole tray's ground shows, (H, W, 3) BGR from straight above; felt if None.
        """
        rotation, eye, matrix = self._pose()
        above = self.high_mm - die_mm / 2
        focal, size = FOCAL_SHARE * self.width_px, int(2 * OVERSEEN * self.width_px)
        foot = size / 2
        middles = [
            PosedDie(
                foot + (x - eye[0]) * focal / above,
                foot + (y - eye[1]) * focal / above,
                die_mm * focal / above,
                lying(face, turned, looks[at % len(looks)]),
                looks[at % len(looks)],
            )
            for at, (face, x, y, turned) in enumerate(dice)
        ]
        ground = np.full((size, size, 3), TABLE, np.uint8)
        wide, high = self.tray_mm
        flat = np.array([(0.0, 0.0), (wide, 0.0), (wide, high), (0.0, high)])
        inside = (flat - eye[:2]) * focal / self.high_mm + foot
        if sheet is None:
            cv2.fillPoly(ground, [np.round(inside * 16).astype(np.int32)], FELT, cv2.LINE_AA, 4)
        else:
            _spread(sheet, inside, ground)
        down = compose(ground, middles, None, Viewpoint(distance_px=focal, x=foot, y=foot))
        straight = np.array([[focal, 0.0, foot], [0.0, focal, foot], [0.0, 0.0, 1.0]])
        turned = matrix @ rotation @ np.linalg.inv(straight)
        seen = cv2.warpPerspective(down, turned, (self.width_px, self.width_px * 3 // 4), flags=cv2.INTER_AREA)
        return np.asarray(cv2.GaussianBlur(seen, (0, 0), 0.6), np.uint8)

    def _pose(self) -> tuple[Floats, Floats, Floats]:
        """Return the rotation into the camera, where it is in mm (z into the table), and its matrix."""
        axis = np.array([np.cos(np.radians(self.turn_deg)), np.sin(np.radians(self.turn_deg)), 0.0])
        rotation = np.asarray(cv2.Rodrigues(axis * np.radians(self.tilt_deg))[0], np.float64)
        ahead = rotation.T @ np.array([0.0, 0.0, 1.0])
        eye = np.array([*self.tray_mm, 0.0]) / 2 - ahead * self.high_mm / ahead[2]
        focal = FOCAL_SHARE * self.width_px
        matrix = np.array([[focal, 0, self.width_px / 2], [0, focal, self.width_px * 3 / 8], [0, 0, 1.0]])
        return rotation, eye, matrix


def _spread(sheet: Picture, inside: Floats, ground: Picture) -> None:
    """Draw the sheet onto the ground between these corners (4, 2)."""
    high, wide = sheet.shape[:2]
    ends = np.array([(0, 0), (wide, 0), (wide, high), (0, high)]) - 0.5
    onto = cv2.getPerspectiveTransform(ends.astype(np.float32), inside.astype(np.float32))
    size, share = ground.shape[1::-1], wide / float(np.hypot(*(inside[1] - inside[0])))
    soft = cv2.GaussianBlur(sheet, (0, 0), max(0.3, 0.45 * share))  # no finer than the pixels: no jagged edges
    drawn = cv2.warpPerspective(soft, onto, size, flags=cv2.INTER_LINEAR)
    covered = cv2.warpPerspective(np.ones((high, wide), np.uint8), onto, size, flags=cv2.INTER_NEAREST) > 0
    ground[covered] = drawn[covered]


def in_corners(tray_mm: tuple[float, float], die_mm: float, chance: Random) -> list[tuple[int, float, float, float]]:
    """Return dice that lie in the corners of a tray, their sides along its own."""
    wide, high = tray_mm
    near, far_x, far_y = die_mm / 2, wide - die_mm / 2, high - die_mm / 2
    places = ((near, near), (far_x, near), (far_x, far_y), (near, far_y))
    return [(chance.randint(1, 6), *place, 0.0) for place in places]
