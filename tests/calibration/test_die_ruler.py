"""Dice as the ruler, rendered under a camera that is near to them; OpenCV says where everything is."""

from random import Random
from typing import cast

import numpy as np
import pytest
from dice_scenes import RED, DiceCamera, in_corners
from mat_camera import Floats, printed

from calibration.die_ruler import Pinhole, shade_of
from calibration.from_mat import edges_mm, print_scale, see_mat, sizes_mm
from calibration.guided.checks import Throw, checks_of_tray
from calibration.guided.run import dice_in
from calibration.guided.state import Guided
from calibration.stickers import tray_of_corners, tray_of_dice
from tabletop.config import plane
from tabletop.config.mat import mat_of
from tabletop.core.ports import Press
from tabletop.core.values import Quad
from tabletop.simulator.scene import Look
from tabletop.vision.reader import read

TRAY_MM = (240.0, 170.0)
VIEWS = [(300.0, 0.0, 0.0), (300.0, 12.0, 40.0), (400.0, 20.0, 70.0), (500.0, 20.0, 0.0)]  # high, tilt, towards
NAMES = ["300 mm", "300 mm, leaning", "400 mm, leaning", "500 mm, leaning"]
BLACK = Look(body=(30, 30, 30), pip=(235, 235, 235))


def as_quad(corners: Floats) -> Quad:
    """Return four corners as the product has them."""
    return cast("Quad", tuple(map(tuple, corners.tolist())))


def thrown(chance: Random, tray_mm: tuple[float, float], count: int) -> list[tuple[int, float, float, float]]:
    """Return dice that lie apart, anywhere but at the border."""
    cells = chance.sample([(column, row) for column in range(4) for row in range(3)], count)
    wide, high = ((side - 48) / parts for side, parts in zip(tray_mm, (4, 3), strict=True))
    return [
        (
            chance.randint(1, 6),
            24 + (column + chance.uniform(0.2, 0.8)) * wide,
            24 + (row + chance.uniform(0.2, 0.8)) * high,
            chance.uniform(0, 90),
        )
        for column, row in cells
    ]


@pytest.mark.parametrize("view", VIEWS, ids=NAMES)
def test_a_camera_is_known_by_the_tray_it_sees(view: tuple[float, float, float]) -> None:
    """Where it hangs, and where it sees what stands above the ground, as OpenCV projects it."""
    camera = DiceCamera(TRAY_MM, *view)
    known = Pinhole.over(plane.homography(as_quad(camera.corners_px), TRAY_MM), 1280, 960)
    assert known.high == pytest.approx(view[0], rel=1e-6)
    spots = np.array([(20.0, 30.0), (200.0, 150.0), (120.0, 85.0)])
    above = np.column_stack([spots, np.full(3, 16.0)])
    assert known.pixels(spots, 16.0) == pytest.approx(camera.see(above), abs=1e-6)


@pytest.mark.parametrize("view", VIEWS, ids=NAMES)
def test_a_tray_with_dice_in_its_corners(view: tuple[float, float, float]) -> None:
    """Its corners on the ground are found to 2 mm, though the dice's tops are seen up to 8 mm further out."""
    camera = DiceCamera(TRAY_MM, *view)
    dice = dice_in(camera.photograph(in_corners(TRAY_MM, 16.0, Random(6))))
    found = tray_of_dice(dice, 1280, 960)
    assert found is not None
    mm_px = TRAY_MM[0] / float(np.hypot(*(camera.corners_px[1] - camera.corners_px[0])))
    off = np.hypot(*(np.array(found.profile.tray_px) - camera.corners_px).T)
    assert off.max() * mm_px < 2.0
    assert found.profile.tray_mm == pytest.approx(TRAY_MM, rel=0.035)  # one die is read to 3 per cent


def test_a_corner_seen_too_far_from_the_side_is_told() -> None:
    """Straight below 300 mm all is well; from 350 mm, leaning by 20 degrees, one die is read by its side: 9 mm off."""
    for view, angle_deg, told in (((300.0, 0.0, 0.0), 25.4, ""), ((350.0, 20.0, 21.0), None, "straighter, or higher")):
        camera, corners = DiceCamera(TRAY_MM, *view), in_corners(TRAY_MM, 16.0, Random(6))
        laid = [(face, x, y, turned) for face, (_, x, y, turned) in zip((1, 3, 1, 1), corners, strict=True)]
        found = tray_of_dice(dice_in(camera.photograph(laid, looks=(BLACK,))), 1280, 960)
        assert found is not None
        (check,) = [check for check in checks_of_tray(found) if check.text.startswith("dice seen at")]
        assert told in check.advice
        assert check.good == (not told)
        if angle_deg:  # of a die's top, 135.9 mm from the middle and 285.6 mm below the lens
            assert found.aside_deg == pytest.approx(angle_deg, abs=1.0)


def test_dice_thrown_are_a_better_ruler_than_four() -> None:
    """Four dice in corners read 6 per cent too large: with fifteen that were thrown the tray is right to 2.5."""
    camera, chance = DiceCamera(TRAY_MM, 400.0, 12.0, 40.0), Random(8)
    corners = dice_in(camera.photograph(in_corners(TRAY_MM, 16.0, chance), looks=(BLACK,)))
    wrong = [(die.x, die.y, die.size * 1.06, die.shade) for die in corners]
    state = Guided(("markers", "dice")).laid([type(corners[0])(*die) for die in wrong], 1280, 960)
    assert state.tray is not None
    small = state.tray.profile
    assert small.tray_mm[0] < 0.97 * TRAY_MM[0]
    for _ in range(3):
        picture = camera.photograph(thrown(chance, TRAY_MM, 5), looks=(BLACK,))
        state = state.threw(Throw(5, (), tuple(edges_mm(read(picture), small, picture)), ("black",) * 5))
    done = state.press(Press("bank"))
    assert done.tray is not None
    assert done.tray.profile.tray_mm == pytest.approx(TRAY_MM, rel=0.025)
    assert done.tray.profile.tray_px == small.tray_px
    assert done.die_mm == pytest.approx(16.0)
    wide, high = (round(side) for side in done.tray.profile.tray_mm)
    assert [check.text for check in done.checks if "tray of" in check.text] == [f"tray of {wide} x {high} mm"]


def test_other_dice_than_those_in_the_corners_are_no_ruler() -> None:
    """Dice of 12 mm thrown into a tray whose corners dice of 16 mm showed: it stays as large as it is."""
    camera = DiceCamera(TRAY_MM, 400.0)
    state = Guided(("markers", "dice")).laid(
        dice_in(camera.photograph(in_corners(TRAY_MM, 16.0, Random(6)))), 1280, 960
    )
    before = state.tray
    done = state.threw(Throw(3, (), (12.0,) * 3, ("red",) * 3)).press(Press("bank"))
    assert before is not None
    assert done.tray == before
    assert done.die_mm == pytest.approx(12.0)


def test_corners_shown_by_hand_with_dice_between_them() -> None:
    """The true corners and three dice 300 mm below a camera that leans: the tray to 3.5 per cent."""
    camera = DiceCamera(TRAY_MM, 300.0, 12.0, 40.0)
    dice = dice_in(camera.photograph(thrown(Random(2), TRAY_MM, 3)))
    found = tray_of_corners(as_quad(camera.corners_px), dice, 1280, 960)
    assert found is not None
    assert found.profile.tray_mm == pytest.approx(TRAY_MM, rel=0.035)


def test_a_die_darker_than_its_ground_is_known() -> None:
    """Grey levels drawn by hand: a die of 40 on paper of 200 is darker by 0.8, on black by nothing."""
    picture = np.full((100, 100), 200, np.uint8)
    picture[40:60, 40:60] = 40
    assert shade_of(picture, 50.0, 50.0, 20.0) == pytest.approx(0.8)
    assert shade_of(255 - picture, 50.0, 50.0, 20.0) == 0.0
    assert shade_of(picture, 50.0, 50.0, 500.0) == 0.0


@pytest.mark.slow
@pytest.mark.parametrize(("printed_at", "told"), [(1.0, 1.0), (0.94, 0.94)])
def test_the_scale_of_a_print_by_rendered_dice(printed_at: float, told: float) -> None:
    """Dice of 16 mm, fifteen in three pictures, on a mat printed right and on one printed at 94 per cent."""
    mat, chance = mat_of("A4", "left"), Random(4)
    sheet_mm = mat.width_mm * printed_at, mat.height_mm * printed_at
    camera = DiceCamera(sheet_mm, 420.0, 8.0, 60.0, 1640)
    sheet = (printed(mat, 150) * 0.86).astype(np.uint8)
    inner = mat.tray.width * printed_at, mat.tray.height * printed_at
    aside = mat.tray.left * printed_at, mat.tray.top * printed_at
    pictures = [
        camera.photograph(
            [(face, x + aside[0], y + aside[1], turned) for face, x, y, turned in thrown(chance, inner, 5)],
            looks=(RED,),
            sheet=sheet,
        )
        for _ in range(3)
    ]
    die_mm, scale = print_scale(sizes_mm(see_mat(pictures), pictures), None)
    assert die_mm == 16.0
    assert scale == pytest.approx(told, abs=0.025)
