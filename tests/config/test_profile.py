"""The profile: millimetres and places against a camera whose geometry is known, and files with mistakes in them."""

import math
from dataclasses import replace
from pathlib import Path
from typing import cast

import cv2
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tabletop.config import plane
from tabletop.config.profile import as_text, die_px, load_profile, place, save_profile
from tabletop.core.errors import InputError
from tabletop.core.values import Die, Point, Profile, Quad, Reading, SetUp, Unsure, UnsureReason

TRAY_MM = (300.0, 200.0)
SEEN = SetUp(120.5, 0.2, 15, 0.0667, ("white", "red"), ("dark", ""))
WIDTH, HEIGHT = 640, 480


class PinholeCamera:
    """The oracle: a pinhole camera (textbook projection, no homography) looking at the tray's middle from aside."""

    def __init__(self, tilt_deg: float, turn_deg: float, above_mm: float = 450.0, focal_px: float = 600.0) -> None:
        """tilt_deg: of the view from straight down. turn_deg: of the picture about the view."""
        tilt, turn = math.radians(tilt_deg), math.radians(turn_deg)
        lean = np.array([[1, 0, 0], [0, math.cos(tilt), -math.sin(tilt)], [0, math.sin(tilt), math.cos(tilt)]])
        roll = np.array([[math.cos(turn), -math.sin(turn), 0], [math.sin(turn), math.cos(turn), 0], [0, 0, 1]])
        self._pose, self._above_mm, self._focal_px = roll @ lean, above_mm, focal_px

    def see(self, x_mm: float, y_mm: float) -> Point:
        x, y, z = self._pose @ np.array([x_mm - TRAY_MM[0] / 2, y_mm - TRAY_MM[1] / 2, 0.0]) + [0, 0, self._above_mm]
        return WIDTH / 2 + self._focal_px * x / z, HEIGHT / 2 + self._focal_px * y / z

    def quad(self, left: float, top: float, right: float, bottom: float) -> Quad:
        corners = [self.see(x, y) for x, y in ((left, top), (right, top), (right, bottom), (left, bottom))]
        return cast("Quad", tuple(corners))


def profile_of(camera: PinholeCamera) -> Profile:
    """Return the profile that a perfect calibration of this camera would give; the rail lies below the tray."""
    tray = camera.quad(0, 0, *TRAY_MM)
    matrix = plane.homography(tray, TRAY_MM)
    near = plane.scale(matrix, plane.middle(tray))
    return Profile(WIDTH, HEIGHT, tray, TRAY_MM, matrix, 1 / near, 16.0, camera.quad(0, 210, 300, 250))


def reading_of(*dice: Die, width: int = WIDTH, height: int = HEIGHT) -> Reading:
    return Reading(0.0, width, height, dice)


def die_at(point: Point, size: float = 20.0, angle: float = 0.0) -> Die:
    return Die(3, point[0], point[1], size, angle, "white", 0.9)


def seen_deg(camera: PinholeCamera, at_mm: Point, angle_deg: float) -> float:
    """Return the direction in the picture, 0 to 360 degrees, of a short line on the ground that points this way."""
    far = 0.05  # mm: so short that perspective along it does not matter
    angle = math.radians(angle_deg)
    here, ahead = camera.see(*at_mm), camera.see(at_mm[0] + far * math.cos(angle), at_mm[1] + far * math.sin(angle))
    return math.degrees(math.atan2(ahead[1] - here[1], ahead[0] - here[0])) % 360


CAMERAS = st.builds(PinholeCamera, st.floats(-50, 50), st.floats(0, 360))


@given(CAMERAS, st.floats(0, 300), st.floats(0, 200))
def test_a_die_is_placed_where_it_lies(camera: PinholeCamera, x_mm: float, y_mm: float) -> None:
    """The millimetres of a die are those of the point that the camera projected."""
    (die,) = place(reading_of(die_at(camera.see(x_mm, y_mm))), profile_of(camera)).dice
    assert (die.x, die.y) == pytest.approx((x_mm, y_mm), abs=1e-6)
    assert die.where == "tray"


@given(CAMERAS, st.floats(20, 280), st.floats(20, 180), st.floats(0, 90, exclude_max=True))
def test_size_and_angle_are_those_on_the_ground(
    camera: PinholeCamera, x_mm: float, y_mm: float, angle_deg: float
) -> None:
    """A short edge on the ground, projected, comes back with its direction; a square's size with its area."""
    profile = profile_of(camera)
    here = camera.see(x_mm, y_mm)
    seen = [seen_deg(camera, (x_mm, y_mm), angle_deg + quarter) for quarter in (0, 90, 180, 270)]
    assume(any(angle <= 90 for angle in seen))  # of an oblique square's edges sometimes none is seen within 0 to 90
    angle = next(angle for angle in seen if angle <= 90)
    corners = np.array(camera.quad(x_mm - 8, y_mm - 8, x_mm + 8, y_mm + 8), np.float32)
    seen_px = math.sqrt(abs(cv2.contourArea(corners)))
    (die,) = place(reading_of(die_at(here, seen_px, angle)), profile).dice
    apart = abs(die.angle - angle_deg)
    assert min(apart, 90 - apart) < 0.1
    assert 0 <= die.angle <= 90
    assert die.size == pytest.approx(16, rel=0.01)


@given(CAMERAS)
def test_the_matrix_is_that_of_opencv(camera: PinholeCamera) -> None:
    """Our closed form and OpenCV's linear solution are the same homography."""
    corners = camera.quad(0, 0, *TRAY_MM)
    places = np.array([(0, 0), (300, 0), (300, 200), (0, 200)], np.float32)
    theirs = cv2.getPerspectiveTransform(np.array(corners, np.float32), places)
    ours = np.array(plane.homography(corners, TRAY_MM))
    probes = np.array([[camera.see(x, y) for x in (10, 150, 290) for y in (10, 190)]])
    assert np.allclose(cv2.perspectiveTransform(probes, ours), cv2.perspectiveTransform(probes, theirs), atol=0.05)


def test_tray_rail_and_outside_are_told_apart() -> None:
    """A die leaning on the wall is in the tray, one on the strip is on the rail, one on the table is outside."""
    camera = PinholeCamera(25, 170)
    spots = {(150, 100): "tray", (305, 100): "tray", (150, 230): "rail", (330, 100): "outside", (-60, 230): "outside"}
    reading = reading_of(*(die_at(camera.see(*spot)) for spot in spots))
    reading = replace(reading, unsure=(Unsure(*camera.see(150, 230), 20, UnsureReason.GLARE),))
    placed = place(reading, profile_of(camera))
    assert [die.where for die in placed.dice] == list(spots.values())
    assert placed.unsure[0].where == "rail"
    assert placed.faces == (3, 3)
    assert placed.unit == "mm"
    assert place(placed, profile_of(camera)) is placed


def test_a_larger_picture_of_the_same_view_gives_the_same_millimetres() -> None:
    """A profile of 640x480 serves 1640x1232; a picture of another shape is refused with both sizes."""
    camera = PinholeCamera(10, 5)
    profile = profile_of(camera)
    x, y = camera.see(70, 50)
    zoom = 1640 / 640
    (die,) = place(reading_of(die_at((x * zoom, y * zoom)), width=1640, height=1232), profile).dice
    assert (die.x, die.y) == pytest.approx((70, 50), abs=0.5)
    assert die_px(profile, 1640, 1232) == pytest.approx(die_px(profile, 640, 480) * zoom, rel=0.002)
    with pytest.raises(InputError, match="640x480, got 1920x1080"):
        place(reading_of(width=1920, height=1080), profile)


def test_die_px_is_what_a_straight_camera_sees() -> None:
    """Straight from above, 16 mm at 450 mm and 600 px focal length are 16 * 600 / 450 px."""
    assert die_px(profile_of(PinholeCamera(0, 0)), WIDTH, HEIGHT) == pytest.approx(16 * 600 / 450)


@given(CAMERAS, st.booleans())
def test_a_profile_comes_back_from_its_file(
    tmp_path_factory: pytest.TempPathFactory, camera: PinholeCamera, full: bool
) -> None:
    """Writing and reading gives the same profile, to the last bit."""
    path = tmp_path_factory.getbasetemp() / "tray.toml"
    part = {"setup": SEEN} if full else {"rail_px": None}
    profile = replace(profile_of(camera), **part)
    save_profile(profile, path)
    assert load_profile(path) == profile


@given(st.integers(0), st.floats(0, 1), st.integers(0, 6), st.text(st.characters(max_codepoint=126), max_size=8))
def test_any_garbled_line_is_read_or_told(
    tmp_path_factory: pytest.TempPathFactory, number: int, where: float, gone: int, junk: str
) -> None:
    """A piece of a line replaced by anything: a good profile, or one line with file and remedy; never a traceback."""
    path = tmp_path_factory.getbasetemp() / "tray.toml"
    lines = as_text(replace(profile_of(PinholeCamera(20, 0)), setup=SEEN)).splitlines()
    line = lines[number % len(lines)]
    at = round(where * len(line))
    lines[number % len(lines)] = line[:at] + junk + line[at + gone :]
    path.write_text("\n".join(lines))
    try:
        profile = load_profile(path)
    except InputError as error:
        said = str(error)
        assert "\n" not in said
        assert said.startswith(str(path))
        assert "expected" in said
        assert "`tabletop calibrate`" in said
    else:
        save_profile(profile, path)
        assert load_profile(path) == profile


@pytest.mark.parametrize(
    ("key", "line", "complaint"),
    [
        ("die_mm", "die_mm = 160", r"line \d+: expected die_mm to be a number from 4.0 to 60.0, got 160"),
        ("die_mm", 'die_mm = "16"', r"line \d+: expected die_mm to be a number .* got '16'"),
        ("die_mm", "die_mm = nan", r"line \d+: .* got nan"),
        ("die_mm", "die_mmm = 16", r"line \d+: expected a known key, got die_mmm; did you mean die_mm\?"),
        ("die_mm", "die_mm 16", r"line \d+: expected key = value"),
        ("die_mm", "", r"expected a line die_mm = \.\.\., a number from 4.0 to 60.0; there is none"),
        ("version", "version = 0", r"line \d+: .* got 0; .* make the profile again"),
        ("width_px", "width_px = true", r"line \d+: .* got true"),
        ("tray_mm", "tray_mm = [300.0]", r"line \d+: expected tray_mm to be 2 numbers in brackets, .* got \[300.0\]"),
        ("tray_px", "tray_px = [[0, 0], [9, 0], [0, 9], [9, 9]]", r"line \d+: .* crosses itself"),
        ("tray_px", "tray_px = [[0, 0], [0, 9], [9, 9], [9, 0]]", r"line \d+: .* anticlockwise"),
        ("tray_px", "tray_px = [[0, 0], [9, 0], [9, 0], [0, 9]]", r"line \d+: .* the same point"),
        ("tray_px", "tray_px = [[0, 0], [5, 0], [9, 0], [0, 9]]", r"line \d+: .* one line"),
        ("tray_px", "tray_px = [[0, 0], [9, 0], [9, 9]]", r"line \d+: expected tray_px to be 4 rows of 2 numbers"),
        ("homography", "homography = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]", r"line \d+: .* a matrix that takes"),
        ("rail_px", "rail_px = [[0, 0], [640, 0], [640, 480], [0, 480]]", r"line \d+: .* a strip beside the tray"),
        ("version", "version = 99", r"line \d+: .*a newer program made this"),
        ("dice", "dice = 15.5", r"line \d+: expected dice to be a whole number from 0 to 1000, got 15.5"),
        ("light_level", "light_level = 0.0", r"line \d+: .* a number from 1.0 to 255.0, got 0.0"),
        ("light_level", "", r"expected a line light_level = \.\.\. below \[setup\]"),
        ("marker_error_mm", "marker_error_mm = 60.2", r"line \d+: .* a number from 0.0 to 1.0, got 60.2"),
        ("die_colours", 'die_colours = [""]', r"line \d+: .* colours, "),
        ("die_pips", 'die_pips = ["pale", ""]', r"line \d+: .* one of .light., .dark. or "),
        ("die_pips", 'die_pips = ["light"]', r"line \d+: .* for each of die_colours"),
        ("tray_middle", "tray_middle = [0.5, 0.6]", r"line \d+: expected tray_middle to be .* by the other lines"),
        ("rail_px", "rail_px = []", r"expected rail_middle to be \[\], by the other lines"),
        ("setup_seen", "setup_seen = false", r"line \d+: expected setup_seen to be true, by the other lines"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, key: str, line: str, complaint: str) -> None:
    """Each mistake gives one line with the file, the number of the line and what belongs there."""
    path = tmp_path / "tray.toml"
    save_profile(replace(profile_of(PinholeCamera(20, 0)), setup=SEEN), path)
    lines = path.read_text().splitlines()
    path.write_text("\n".join(line if entry.startswith(f"{key} =") else entry for entry in lines) + "\n")
    with pytest.raises(InputError, match=complaint) as caught:
        load_profile(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_earlier_versions_say_less(tmp_path: Path) -> None:
    """Without colours and pips, and without the lines that check others: the rest is read."""
    path, full = tmp_path / "tray.toml", replace(profile_of(PinholeCamera(20, 0)), setup=SEEN)
    for less, seen in (
        (("tray_middle", "rail_middle", "setup_seen"), SEEN),
        (("die_pips",), replace(SEEN, die_pips=("", ""))),
        (("die_pips", "die_colours"), replace(SEEN, die_colours=(), die_pips=())),
    ):
        text = as_text(full).replace("version = 5", "version = 2")
        path.write_text("".join(line for line in text.splitlines(keepends=True) if not line.startswith(less)))
        assert load_profile(path) == replace(full, setup=seen)


def test_files_that_cannot_be_read_or_written(tmp_path: Path) -> None:
    """A missing file, a folder, bytes that are no text and a place that is none are told in one line."""
    with pytest.raises(InputError, match="there is none of this name"):
        load_profile(tmp_path / "no.toml")
    with pytest.raises(InputError, match="expected a readable text file"):
        load_profile(tmp_path)
    (tmp_path / "picture.toml").write_bytes(b"\xff\xd8\xff\xe0")
    with pytest.raises(InputError, match="saved as UTF-8"):
        load_profile(tmp_path / "picture.toml")
    with pytest.raises(InputError, match="expected a place to write"):
        save_profile(profile_of(PinholeCamera(0, 0)), tmp_path / "no" / "tray.toml")
