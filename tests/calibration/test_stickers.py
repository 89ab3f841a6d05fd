"""Trays without a mat: the tray between four printed stickers, seen by a camera that leans, and what is no tray."""

from math import cos, radians, sin

import numpy as np
import pytest
from mat_camera import Floats, MatCamera
from sticker_scenes import scenes

from calibration.mat_pdf import STICKER_MM
from calibration.stickers import SeenDie, is_nameless_mat, tray_of_dice, tray_of_stickers
from tabletop.config.mat import mat_of
from tabletop.config.profile import place
from tabletop.core.values import Die, Reading

WIDE, HIGH = 300.0, 220.0
VIEWS = [(0.0, 0.0, 0.0), (15.0, 30.0, 0.0), (25.0, 200.0, 8.0)]  # tilt, towards, roll


def camera(tilt_deg: float, turn_deg: float, roll_deg: float) -> MatCamera:
    """Return a camera over a tray of WIDE x HIGH mm."""
    return MatCamera((WIDE, HIGH), tilt_deg, turn_deg, roll_deg, width_px=1280, height_px=960, filled=0.75)


def square(x: float, y: float, turn_deg: float) -> Floats:
    """Return a sticker's corners, its top left one at (x, y), turned about its middle."""
    half = STICKER_MM / 2
    along, across = cos(radians(turn_deg)), sin(radians(turn_deg))
    offsets = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    return np.asarray(offsets @ np.array([(along, across), (-across, along)]) + (x + half, y + half), np.float64)


def stickers(turn_deg: float) -> dict[int, Floats]:
    """Return four stickers in the tray's corners, in mm, one of them laid a little askew."""
    far_x, far_y = WIDE - STICKER_MM, HIGH - STICKER_MM
    places = ((0.0, 0.0), (far_x, 0.0), (far_x, far_y), (0.0, far_y))
    return {name: square(x, y, turn_deg if name == 2 else 0.0) for name, (x, y) in enumerate(places)}


@pytest.mark.parametrize("view", VIEWS, ids=["above", "leaning", "leaning and turned"])
def test_the_tray_between_stickers_needs_no_ruler(view: tuple[float, float, float]) -> None:
    """Corners alone, seen to a fifth of a pixel: width and height to a hundredth, dice to what is said, 3 mm or so."""
    eye, rng = camera(*view), np.random.default_rng(5)
    seen = {name: eye.see(outline) + rng.normal(0, 0.2, (4, 2)) for name, outline in stickers(0.0).items()}
    found = tray_of_stickers(seen, 1280, 960)
    assert found is not None
    assert found.profile.tray_mm == pytest.approx((WIDE, HIGH), rel=0.01)
    spots = np.array([(40.0, 40.0), (150.0, 110.0), (260.0, 180.0)])
    dice = tuple(Die(1, float(x), float(y), 40.0, 0.0, "red", 1.0) for x, y in eye.see(spots))
    placed = place(Reading(0.0, 1280, 960, dice), found.profile).dice
    assert np.array([(die.x, die.y) for die in placed]) == pytest.approx(spots, abs=found.error_mm)
    assert found.error_mm < 4


def test_stickers_are_measured_however_they_are_turned() -> None:
    """A sticker that was laid askew is as long as the others; the tray's corner is where its own corner is."""
    found = tray_of_stickers({name: camera(0, 0, 0).see(each) for name, each in stickers(4.0).items()}, 1280, 960)
    assert found is not None
    assert found.profile.tray_mm == pytest.approx((WIDE, HIGH), rel=0.02)


def test_all_edges_of_stickers_say_where_the_tray_is_and_how_surely() -> None:
    """A rendered picture of a tilted, bent camera that looks at stickers laid askew: true to what is stated."""
    scene = next(scenes(72, 1))
    view = scene.view
    assert view is not None
    assert max(map(abs, scene.turns_deg)) > 1
    assert scene.worst_mm(view) < view.error_mm < 0.5
    assert view.profile.tray_mm == pytest.approx(scene.size_mm, abs=0.3)


def test_a_mat_whose_fifth_marker_is_hidden_is_no_tray_of_stickers() -> None:
    """Its markers are smaller than stickers: everything would be a third too large."""
    mat = mat_of("A4", "left")
    eye = MatCamera((mat.width_mm, mat.height_mm), 10.0, 40.0)
    seen = {name: eye.see(np.array(mat.markers[name].corners)) for name in range(4)}
    assert tray_of_stickers(seen, 1280, 960) is None
    assert is_nameless_mat(seen)
    assert not is_nameless_mat({name: eye.see(each) for name, each in stickers(0.0).items()})
    assert tray_of_stickers({name: seen[name] for name in range(3)}, 1280, 960) is None


def test_dice_in_a_row_are_no_corners() -> None:
    """Nor are three, or four in a heap with one in its middle."""
    assert tray_of_dice([SeenDie(100.0 * n, 300.0, 40.0) for n in range(1, 5)], 1280, 960) is None
    assert tray_of_dice([SeenDie(100.0, 100.0, 40.0)] * 3, 1280, 960) is None
    heap = [(100, 100), (500, 100), (300, 500), (300, 220)]
    assert tray_of_dice([SeenDie(x, y, 40.0) for x, y in heap], 1280, 960) is None
