"""Dice as the ruler, rendered under a camera that is near to them; OpenCV says where everything is.

The renderer draws what a camera sees that looks straight down, its plane that of the dice's middles; a camera that
leans at the same place sees the same through a homography.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
import pytest
from mat_camera import Floats, Picture

from calibration.corners import Pinhole, dice_in, pips_of, tray_of_corners
from tabletop.config import plane
from tabletop.core.values import Die, Quad
from tabletop.simulator.render import compose
from tabletop.simulator.scene import Look, PosedDie, Viewpoint, lying

FOCAL_SHARE = 0.9  # of the picture's width: 58 degrees
FELT, TABLE = (60, 95, 40), (70, 95, 110)  # BGR
RED = Look(body=(40, 40, 190), pip=(240, 240, 240))
OVERSEEN = 1.4  # the picture that looks straight down is larger by this on each side than that of the camera
TRAY_MM = (240.0, 170.0)
THROWN = [(1, 60.0, 40.0, 10.0), (4, 130.0, 110.0, 55.0), (6, 190.0, 60.0, 30.0)]  # face, x, y, turned
VIEWS = [(300.0, 0.0, 0.0), (300.0, 12.0, 40.0), (400.0, 20.0, 70.0), (500.0, 20.0, 0.0)]  # high, tilt, towards


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

    def photograph(self, dice: Sequence[tuple[int, float, float, float]], die_mm: float = 16.0) -> Picture:
        """Return the picture of dice, each a face, the place of its middle in mm of the tray and how it is turned."""
        rotation, eye, matrix = self._pose()
        above = self.high_mm - die_mm / 2
        focal, size = FOCAL_SHARE * self.width_px, int(2 * OVERSEEN * self.width_px)
        foot = size / 2
        middles = [
            PosedDie(
                foot + (x - eye[0]) * focal / above,
                foot + (y - eye[1]) * focal / above,
                die_mm * focal / above,
                lying(face, turned, RED),
                RED,
            )
            for face, x, y, turned in dice
        ]
        ground = np.full((size, size, 3), TABLE, np.uint8)
        wide, high = self.tray_mm
        flat = np.array([(0.0, 0.0), (wide, 0.0), (wide, high), (0.0, high)])
        inside = (flat - eye[:2]) * focal / self.high_mm + foot
        cv2.fillPoly(ground, [np.round(inside * 16).astype(np.int32)], FELT, cv2.LINE_AA, 4)
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


def corners_of(camera: DiceCamera) -> Quad:
    return cast("Quad", tuple(map(tuple, camera.corners_px.tolist())))


@pytest.mark.parametrize("view", VIEWS, ids=str)
def test_a_camera_is_known_by_the_tray_it_sees(view: tuple[float, float, float]) -> None:
    """How high it hangs and how far it leans, as it was set up for OpenCV."""
    camera = Pinhole.over(plane.homography(corners_of(DiceCamera(TRAY_MM, *view)), TRAY_MM), 1280, 960)
    assert camera.high == pytest.approx(view[0], rel=1e-6)
    assert camera.tilt_deg == pytest.approx(view[1], abs=1e-3)


def test_corners_shown_by_hand_with_dice_between_them() -> None:
    """The true corners and three dice 300 mm below a camera that leans: the tray to 3.5 per cent."""
    camera = DiceCamera(TRAY_MM, 300.0, 12.0, 40.0)
    dice = dice_in(camera.photograph(THROWN))
    found = tray_of_corners(corners_of(camera), dice, 1280, 960)
    assert found is not None
    assert found.tray_mm == pytest.approx(TRAY_MM, rel=0.035)
    assert np.array(found.tray_px) == pytest.approx(camera.corners_px)


@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize(
    ("look", "pips"),
    [
        (RED, "light"),
        (Look(), "dark"),
        (Look(body=(20, 20, 20), pip=(230, 230, 230)), "light"),
        (Look(body=(60, 200, 230), pip=(30, 30, 30)), "dark"),
        (Look(body=(90, 90, 90), pip=(90, 90, 90), dimple=0.0), ""),
    ],
    ids=["red", "white", "black", "yellow", "blank"],
)
def test_pips_are_light_or_dark_by_the_body(look: Look, pips: str, face: int) -> None:
    """On each face of a drawn die."""
    ground = np.full((100, 100, 3), FELT, np.uint8)
    picture = compose(ground, [PosedDie(50.0, 50.0, 40.0, lying(face, 20.0, look), look)])
    assert pips_of(picture, Die(face, 50.0, 50.0, 40.0, 20.0, "", 1.0)) == pips
