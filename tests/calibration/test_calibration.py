"""Calibration: corners seen through a known projection give that projection back."""

from pathlib import Path
from typing import cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.corners import profile_from
from tabletop.cli.main import main
from tabletop.config import plane
from tabletop.config.profile import load_profile, place
from tabletop.core.values import Die, Profile, Quad, Reading

TRAY_MM = (300, 200)
WIDTH, HEIGHT = 1280, 960
VIEWS = [(0.0, 0.0, 0.0), (0.5, 0.2, 0.3), (-0.6, 0.0, 2.0), (0.3, -0.4, -2.8), (0.0, 0.6, 1.57)]  # rotations, radians


class Lens:
    """The oracle: OpenCV's own projection of points in space, from a pose of its own."""

    def __init__(self, view: tuple[float, float, float]) -> None:
        tilt_x, tilt_y, turn = view
        lean = cv2.Rodrigues(np.array([tilt_x, tilt_y, 0.0]))[0]
        roll = cv2.Rodrigues(np.array([0.0, 0.0, turn]))[0]
        self._rotation = roll @ lean
        self._shift = np.array([0.0, 0.0, 520.0]) - self._rotation @ np.array([150.0, 100.0, 0.0])
        self._matrix = np.array([[1100.0, 0, WIDTH / 2], [0, 1100.0, HEIGHT / 2], [0, 0, 1]])

    def see(self, points_mm: list[tuple[float, float]]) -> NDArray[np.float64]:
        """Return (N, 2) pixels of points on the ground."""
        ground = np.array([(x, y, 0.0) for x, y in points_mm])
        turn = cv2.Rodrigues(self._rotation)[0]
        seen = cv2.projectPoints(ground, turn, self._shift, self._matrix, np.zeros(4))[0]
        return np.asarray(seen, dtype=np.float64).reshape(-1, 2)


def worst_mm(profile: Profile, lens: Lens) -> float:
    spots = [(x, y) for x in (5.0, 80.0, 150.0, 295.0) for y in (5.0, 100.0, 195.0)]
    dice = tuple(Die(1, float(x), float(y), 30, 0, "red", 1.0) for x, y in lens.see(spots))
    placed = place(Reading(0, WIDTH, HEIGHT, dice), profile).dice
    assert all(die.where == "tray" for die in placed)
    return max(float(np.hypot(die.x - x, die.y - y)) for die, (x, y) in zip(placed, spots, strict=True))


@pytest.mark.parametrize("view", VIEWS)
def test_points_and_rail(tmp_path: Path, capsys: pytest.CaptureFixture[str], view: tuple[float, float, float]) -> None:
    """From four points, given to a tenth of a pixel, the profile is the projection; the rail is found."""
    lens, picture, out = Lens(view), tmp_path / "tray.png", tmp_path / "tray.toml"
    cv2.imwrite(str(picture), np.full((HEIGHT, WIDTH, 3), 128, np.uint8))
    corners = words(lens, [(0, 0), (300, 0), (300, 200), (0, 200)])
    rail = words(lens, [(0, 205), (300, 205), (300, 225), (0, 225)])
    asked = ["calibrate", "corners", str(picture), "--corners", *corners, "--rail", *rail, "--size", "300x200"]
    assert main([*asked, "--die-mm", "12.5", "--out", str(out)]) == 0
    profile = load_profile(out)
    assert worst_mm(profile, lens) < 0.2
    assert profile.die_mm == 12.5
    x, y = lens.see([(100, 215)])[0]
    (kept,) = place(Reading(0, WIDTH, HEIGHT, (Die(1, x, y, 30, 0, "red", 1.0),)), profile).dice
    assert kept.where == "rail"
    said = capsys.readouterr().out
    assert said.count("\n") == 1
    assert "300 x 200 mm with a rail" in said


def words(lens: Lens, spots_mm: list[tuple[float, float]]) -> list[str]:
    return [f"{x:.1f},{y:.1f}" for x, y in lens.see(spots_mm)]


def test_px_per_mm_is_measured_in_the_middle() -> None:
    """Straight from above, the scale is focal length by distance: 1100 px / 520 mm."""
    tray = cast("Quad", tuple(map(tuple, Lens((0, 0, 0)).see([(0, 0), (300, 0), (300, 200), (0, 200)]).tolist())))
    profile = profile_from((WIDTH, HEIGHT), tray, (300, 200), 16)
    assert profile.px_per_mm == pytest.approx(1100 / 520)
    assert plane.middle(tray) == pytest.approx((WIDTH / 2, HEIGHT / 2))


SQUARE = ["--corners", "10,10", "90,10", "90,90", "10,90"]


@pytest.mark.parametrize(
    ("asked", "complaint"),
    [
        ([*SQUARE, "--size", "300"], "expected --size as WIDTHxHEIGHT in mm (like 300x200), got '300'"),
        ([*SQUARE, "--size", "3x2"], "expected --size from 20 to 3000 mm, got '3'"),
        ([*SQUARE, "--size", "300x200", "--die-mm", "huge"], "expected --die-mm from 4 to 60 mm, got 'huge'"),
        (["--corners", "10,10", "90,10", "90,90", "10", "--size", "300x200"], "got '10'"),
        (["--corners", "10,10", "90,10", "90,90", "10,nan", "--size", "300x200"], "got '10,nan'"),
        (["--corners", "10,10", "90,10", "90,900", "10,90", "--size", "300x200"], "within the picture of 100x100"),
        (["--corners", "10,10", "90,10", "10,90", "90,90", "--size", "300x200"], "crosses itself"),
        (["--corners", "10,10", "10,90", "90,90", "90,10", "--size", "300x200"], "anticlockwise"),
        (["--corners", "10,10", "50,10", "90,10", "10,90", "--size", "300x200"], "three of them lie on one line"),
        (["--corners", "10,10", "10,10", "90,90", "10,90", "--size", "300x200"], "two of them are the same point"),
        ([*SQUARE, "--size", "300x200", "--rail", "1,1", "1,1", "2,2", "3,3"], "expected --rail to go clockwise"),
        ([*SQUARE, "--size", "300x200", "--rail", *SQUARE[1:]], "--rail as the strip beside the tray, it covers"),
        (["--corners", "10,10", "15,10", "15,15", "10,15", "--size", "300x200"], "expected --corners farther apart"),
    ],
)
def test_mistakes_are_told_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], asked: list[str], complaint: str
) -> None:
    """A wrong word ends with status 2 and one line; nothing is written."""
    picture, out = tmp_path / "grey.png", tmp_path / "tray.toml"
    cv2.imwrite(str(picture), np.full((100, 100, 3), 128, np.uint8))
    assert main(["calibrate", "corners", str(picture), *asked, "--out", str(out)]) == 2
    told = capsys.readouterr().err
    assert complaint in told
    assert told.count("\n") == 1
    assert not out.exists()


@pytest.mark.parametrize("how", ["mat", "corners"])
def test_a_picture_is_not_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str], how: str) -> None:
    """A picture named behind --out is still there afterwards."""
    picture = tmp_path / "tray.PNG"
    cv2.imwrite(str(picture), np.full((100, 100, 3), 128, np.uint8))
    before = picture.read_bytes()
    words = [*SQUARE, "--size", "300x200"] if how == "corners" else []
    assert main(["calibrate", how, str(picture), *words, "--out", str(picture)]) == 2
    assert "expected --out as the profile to write (like tray.toml), got a picture" in capsys.readouterr().err
    assert picture.read_bytes() == before


def test_pictures_that_are_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A missing picture and a file of something else are named."""
    text = tmp_path / "letter.jpg"
    text.write_text("Dear Ann,")
    for path in (tmp_path / "none.png", text):
        assert main(["calibrate", "corners", str(path), *SQUARE, "--size", "300x200", "--out", "x"]) == 2
        told = capsys.readouterr().err
        assert str(path) in told
        assert told.count("\n") == 1
