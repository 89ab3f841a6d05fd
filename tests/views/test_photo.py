"""What was read, drawn into photographs."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tabletop.core.values import Die, Reading, Unsure, UnsureReason
from tabletop.views import photo
from tabletop.views.photo import LEAST_SIDE_PX

Picture = NDArray[np.uint8]
Bgr = tuple[int, int, int]

# What people see who lack one kind of cone: G. Machado et al., "A Physiologically-based Model for Simulation of Color
# Vision Deficiency", IEEE TVCG 15 (2009), table 1, severity 1; on linear RGB
DEFICIENCIES = {
    "none": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
    "no colour": [[0.2126, 0.7152, 0.0722]] * 3,
}
CLEARLY_APART = 20  # of CIE 1976's Delta E, where 2.3 is just noticeable


def linear(colour: Bgr) -> NDArray[np.float64]:
    """Return linear RGB of a colour (IEC 61966-2-1)."""
    part = np.array(colour[::-1]) / 255
    rgb: NDArray[np.float64] = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    return rgb


@pytest.mark.parametrize("kind", DEFICIENCIES)
def test_colours_for_everybody(kind: str) -> None:
    """Sure and unsure stay clearly apart for each kind of colour vision."""
    seen = np.clip(np.array([linear(photo.BLUE), linear(photo.ORANGE)]) @ np.array(DEFICIENCIES[kind]).T, 0, 1)
    coded = np.where(seen <= 0.0031308, 12.92 * seen, 1.055 * seen ** (1 / 2.4) - 0.055)
    lab = cv2.cvtColor(coded[None].astype(np.float32), cv2.COLOR_RGB2LAB)[0]
    assert float(np.linalg.norm(lab[0] - lab[1])) > CLEARLY_APART


@pytest.mark.parametrize("pair", [photo.SURE, photo.DOUBT])
def test_letters_stand_out(pair: tuple[Bgr, Bgr]) -> None:
    """The contrast of letters on their tags is at least 4.5 (WCAG 2.2, success criterion 1.4.3)."""
    light = sorted(float(linear(colour) @ [0.2126, 0.7152, 0.0722]) for colour in pair)
    assert (light[1] + 0.05) / (light[0] + 0.05) >= 4.5


def near(picture: Picture, colour: Bgr) -> NDArray[np.bool_]:
    distance: NDArray[np.bool_] = np.abs(picture.astype(int) - colour).max(axis=2) < 40
    return distance


def along(mask: NDArray[np.bool_], corners: NDArray[np.float64]) -> float:
    wide = cv2.dilate(mask.astype(np.uint8), np.ones((5, 5), np.uint8))
    sides = zip(corners, np.roll(corners, -1, axis=0), strict=True)
    points = np.concatenate([start + np.linspace(0, 1, 200)[:, None] * (end - start) for start, end in sides])
    columns, rows = np.rint(points).astype(int).T
    return float(wide[rows, columns].mean())


def test_outlines_lie_on_the_dice() -> None:
    """A sure die has a solid turned square of its place, size and angle, an unsure one a dashed square."""
    frame = np.full((1000, 1200, 3), 120, np.uint8)
    die = Die(5, 400, 500, 200, 30, "white", 0.98)
    doubt = Unsure(900, 500, 180, UnsureReason.TWO_FACES, faces=(4, 5))
    picture = photo.marked(frame, Reading(0, 1200, 1000, (die,), (doubt,)))
    assert picture.shape == frame.shape
    corner = 500 + 100 * np.array([-np.cos(np.pi / 6) + np.sin(np.pi / 6), -np.sin(np.pi / 6) - np.cos(np.pi / 6)])
    assert photo.outline(die)[0] == pytest.approx(corner - [100, 0])
    assert along(near(picture, photo.BLUE), photo.outline(die)) > 0.98
    assert 0.3 < along(near(picture, photo.ORANGE), photo.outline(doubt)) < 0.85
    assert not near(picture, photo.ORANGE)[:, :650].any()
    assert (picture[440:560, 340:460] == 120).all(), "the pips stay to be seen"
    assert (frame == 120).all(), "the frame itself is not changed"


@pytest.mark.parametrize(("width", "height", "die_px"), [(200, 150, 25.0), (640, 480, 60.0), (4000, 3000, 300.0)])
def test_letters_fit_the_picture(width: int, height: int, die_px: float) -> None:
    """From 200 pixels to 12 million, tags are between 1/64 and 1/8 of the picture's longer side, and fit into it."""
    unsure = (Unsure(width - 1, height - 1, die_px, UnsureReason.OUTSIDE_PICTURE),)
    picture = photo.marked(np.full((height, width, 3), 120, np.uint8), Reading(0, width, height, (), unsure))
    side = max(picture.shape[:2])
    assert side >= LEAST_SIDE_PX
    assert picture.shape[0] * width == picture.shape[1] * height
    corner = near(picture[-side // 4 :, -side // 2 :], photo.ORANGE)
    assert corner.any()
    ground = cv2.morphologyEx(corner.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(ground)
    tag_high = max(int(part[cv2.CC_STAT_HEIGHT]) for part in stats[1:] if part[cv2.CC_STAT_WIDTH] > side / 8)
    assert side / 64 <= tag_high <= side / 8


@settings(max_examples=20, deadline=None)
@given(
    st.integers(1, 90),
    st.integers(1, 90),
    st.lists(st.tuples(st.floats(-20, 120), st.floats(-20, 120), st.floats(1, 200)), max_size=6),
)
def test_any_reading_is_drawn(width: int, height: int, places: list[tuple[float, float, float]]) -> None:
    """Dice partly or wholly outside, larger than the picture, in pictures of one pixel: drawn without an error."""
    dice = tuple(Die(1 + i % 6, x, y, size, 3 * i, "red", 0.9) for i, (x, y, size) in enumerate(places[::2]))
    unsure = tuple(Unsure(x, y, size, UnsureReason.TOO_DARK) for x, y, size in places[1::2])
    picture = photo.marked(np.zeros((height, width, 3), np.uint8), Reading(0, width, height, dice, unsure))
    assert picture.shape[0] * width == picture.shape[1] * height
    assert max(picture.shape) >= LEAST_SIDE_PX


def test_paste_cuts_off_what_lies_outside() -> None:
    """A patch over a corner shows its own corner; one outside changes nothing."""
    patch = np.arange(27, dtype=np.uint8).reshape(3, 3, 3) + 1
    picture = np.zeros((5, 5, 3), np.uint8)
    photo.paste(picture, patch, -1, 3)
    assert (picture[3:, :2] == patch[:2, 1:]).all()
    assert picture[:3].max() == 0
    for left, top in ((5, 0), (0, -3), (-99, 99)):
        before = picture.copy()
        photo.paste(picture, patch, left, top)
        assert (picture == before).all()
