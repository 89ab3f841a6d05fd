"""The mat: printed exactly, and found again in pictures of a camera that bends, leans and blurs."""

from dataclasses import replace
from itertools import combinations, product
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest
from mat_camera import MatCamera, Picture, printed, worse, worst_mm

from calibration.mat import see_mat
from calibration.mat_pdf import mat_pdf
from tabletop.cli.main import main
from tabletop.config.mat import CODES, PAPERS, RAILS, Mat, mat_of, mat_of_code
from tabletop.config.profile import load_profile
from tabletop.core.errors import InputError

ALL = [mat_of(paper, rail) for paper, rail in product(PAPERS, RAILS)]
NAMES = [f"{mat.paper}-{mat.rail_side}" for mat in ALL]
INCH_MM = 25.4
PRINTED_DPI = 300
EXACT_MM = 0.2
RECOVERED_MM = 1.0
BRIGHT, DARK = (120, 150, 200), (20, 20, 25)  # BGR: a hand, a sleeve


def camera_over(mat: Mat, **how: float) -> MatCamera:
    return replace(MatCamera((mat.width_mm, mat.height_mm)), **how)  # type: ignore[arg-type]


# As printed


@pytest.mark.parametrize("mat", ALL[::3], ids=NAMES[::3])  # each paper and each rail
def test_the_print_is_exact(mat: Mat) -> None:
    """The page has the paper's size; each marker's ink ends where the marker does; the ruler is 100 mm."""
    document = pypdfium2.PdfDocument(mat_pdf(mat, str))
    assert len(document) == 1
    wide, high = (points / 72 * INCH_MM for points in document[0].get_size())
    assert (wide, high) == pytest.approx({"A4": (297, 210), "letter": (279.4, 215.9), "A3": (420, 297)}[mat.paper])
    grey = printed(mat, PRINTED_DPI).min(axis=2)
    ink = grey < 128
    per_mm = PRINTED_DPI / INCH_MM
    for box in mat.markers.values():
        border = box.width / 4
        sides = (box.top - border, box.bottom + border, box.left - border, box.right + border)
        top, bottom, left, right = (round(side * per_mm) for side in sides)
        rows, columns = np.nonzero(ink[top:bottom, left:right])
        found = np.array([columns.min() + left, rows.min() + top, columns.max() + 1 + left, rows.max() + 1 + top])
        assert np.abs(found / per_mm - (box.left, box.top, box.right, box.bottom)).max() < EXACT_MM
    at = round((mat.strip.top + mat.strip.height / 2) * per_mm)
    pale = grey < 200
    line = np.nonzero(pale[at - 2 : at + 3, : round(mat.markers[mat.code].left * per_mm)].any(axis=0))[0]
    assert (line[-1] + 1 - line[0]) / per_mm == pytest.approx(100, abs=0.5)  # the ends' ticks are 0.25 mm wide


@pytest.mark.parametrize("mat", ALL, ids=NAMES)
def test_a_mat_has_room(mat: Mat) -> None:
    """Nothing overlaps, all is 6 mm within the paper, and a quarter of each marker's side stays white around it."""
    assert mat_of_code(mat.code) == mat
    areas = [mat.tray, mat.strip, *([mat.rail] if mat.rail else [])]
    for one, other in combinations(areas, 2):
        assert one.right < other.left or other.right < one.left or one.bottom < other.top or other.bottom < one.top
    for box in areas:
        assert min(box.left, box.top, mat.width_mm - box.right, mat.height_mm - box.bottom) >= 6
    tray = mat.tray
    corners = [mat.markers[number].corners[number] for number in range(4)]
    assert corners == [
        (tray.left, tray.top),
        (tray.right, tray.top),
        (tray.right, tray.bottom),
        (tray.left, tray.bottom),
    ]
    if mat.rail is not None:
        assert min(mat.rail.width, mat.rail.height) >= 25
        near = {
            "left": tray.left - mat.rail.right,
            "right": mat.rail.left - tray.right,
            "bottom": mat.rail.top - tray.bottom,
        }
        assert near[mat.rail_side] >= mat.markers[0].width / 4


def test_a_paper_is_named_in_any_case() -> None:
    """As people type it; it is the same mat."""
    assert mat_of("a4", "Left") == mat_of("A4", "left")
    assert mat_of("Letter").paper == "letter"


def test_each_mat_has_a_number_of_its_own() -> None:
    """Twelve mats, twelve fifth markers, none of them a corner's; another number is no mat."""
    assert len({mat.code for mat in ALL} | {0, 1, 2, 3}) == len(ALL) + 4
    assert mat_of_code(0) is mat_of_code(49 if 49 not in CODES else 48) is None


# As found again


def recovered_mm(mat: Mat, camera: MatCamera, picture: Picture) -> float:
    """Return by how much the worst place of the tray, and of the rail's corners, is off."""
    view = see_mat([picture])
    assert view.mat == mat
    return worst_mm(view.profile(16.0), camera, mat)


VIEWS = [
    ("A4", "none", 100, {}),
    ("A4", "left", 150, {"tilt_deg": 25, "turn_deg": 30, "roll_deg": 170}),
    ("letter", "bottom", 150, {"tilt_deg": 12, "turn_deg": 250, "k1": -0.25, "k2": 0.05}),
    ("A3", "right", 100, {"tilt_deg": 20, "turn_deg": 120, "roll_deg": -90, "k1": 0.06, "filled": 0.7}),
    ("A4", "right", 300, {"tilt_deg": 8, "k1": -0.1, "width_px": 640, "height_px": 480}),
]


@pytest.mark.parametrize(("paper", "rail", "dpi", "how"), VIEWS, ids=[f"{view[0]}-{view[1]}" for view in VIEWS])
def test_the_tray_is_found_again(paper: str, rail: str, dpi: int, how: dict[str, float]) -> None:
    """Tilted by up to 25 degrees, through a lens that bends, blurred, noisy, in shadow: to 1 mm."""
    mat = mat_of(paper, rail)
    camera = camera_over(mat, **{"width_px": 960, "height_px": 720, **how})  # larger ones: test_mat_proof.py
    picture = worse(camera.photograph(printed(mat, dpi)), np.random.default_rng(4), blur_px=0.8, noise=4, shadow=0.5)
    assert recovered_mm(mat, camera, picture) < RECOVERED_MM


@pytest.fixture(scope="module")
def seen() -> tuple[Mat, MatCamera, Picture]:
    mat = mat_of("A4", "left")
    camera = camera_over(mat, tilt_deg=10, turn_deg=60, k1=-0.1)
    return mat, camera, camera.photograph(printed(mat, 150))


def covered(
    seen: tuple[Mat, MatCamera, Picture], *numbers: int, share: float = 1.0, colour: tuple[int, int, int] = BRIGHT
) -> Picture:
    """Return the picture with a patch, of a hand's colour, on this share of these markers."""
    mat, camera, picture = seen
    picture = picture.copy()
    for number in numbers:
        corners = camera.see(np.array(mat.markers[number].corners))
        cv2.fillConvexPoly(picture, np.rint(corners[0] + (corners - corners[0]) * share).astype(np.int32), colour)
    return picture


def test_a_covered_marker_is_done_without(seen: tuple[Mat, MatCamera, Picture]) -> None:
    """One corner marker hidden, or half of it, by something bright or as dark as ink: the tray is right to 1 mm."""
    mat, camera, _ = seen
    for number, share, colour in product((0, 2), (0.5, 1.0), (BRIGHT, DARK)):
        assert recovered_mm(mat, camera, covered(seen, number, share=share, colour=colour)) < RECOVERED_MM


def test_markers_that_are_missing_are_named(seen: tuple[Mat, MatCamera, Picture]) -> None:
    """Two hidden: the line says which, and the other way; the fifth hidden: it says so."""
    with pytest.raises(InputError, match=r"saw 0 2: show 1 3 whole, .* calibrate corners PICTURE --corners"):
        see_mat([covered(seen, 1, 3)])
    with pytest.raises(InputError, match=r"expected the fifth marker, .* uncover it"):
        see_mat([covered(seen, seen[0].code)])


def test_what_is_no_picture_of_this_mat_is_refused(seen: tuple[Mat, MatCamera, Picture]) -> None:
    """A mirrored picture, a camera that moved, two sizes."""
    _, _, picture = seen
    with pytest.raises(InputError, match="this one is mirrored: switch mirroring off"):
        see_mat([np.ascontiguousarray(picture[:, ::-1])])
    with pytest.raises(InputError, match="the camera moved by 9 pixels"):
        see_mat([picture, np.roll(picture, 18, axis=1)])
    with pytest.raises(InputError, match="pictures of one size, got 1280x960 and 640x480"):
        see_mat([picture, picture[::2, ::2]])


def test_a_picture_too_coarse_says_so(seen: tuple[Mat, MatCamera, Picture]) -> None:
    """320 pixels, strong noise: refused, as places could be off by more than a millimetre."""
    mat, camera, _ = seen
    sharp = replace(camera, width_px=320, height_px=240).photograph(printed(mat, 100))
    noisy = worse(sharp, np.random.default_rng(1), blur_px=0.6, noise=25, shadow=1)
    with pytest.raises(InputError, match=r"places in the tray to 1.0 mm, .* off by \d\.\d mm: bring the camera nearer"):
        see_mat([noisy])


# From the command line


def test_from_the_print_to_the_profile(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Print, photograph, calibrate: nobody types a pixel. A ruler of 95 mm makes everything that much smaller."""
    pdf, picture, out = tmp_path / "mat.pdf", tmp_path / "mat.png", tmp_path / "tray.toml"
    assert main(["mat", "--paper", "letter", "--rail", "bottom", "--language", "en", "--out", str(pdf)]) == 0
    assert "a tray of 263.4 x 142.9 mm with a rail (bottom), on letter; print it at 100 %" in capsys.readouterr().out
    drawn = pypdfium2.PdfDocument(pdf)[0].render(scale=2).to_numpy()[:, :, :3]
    cv2.imwrite(
        str(picture), camera_over(mat_of("letter", "bottom"), tilt_deg=9).photograph(np.ascontiguousarray(drawn))
    )
    assert main(["calibrate", "mat", str(picture), "--out", str(out)]) == 0
    assert "a tray of 263.4 x 142.9 mm with a rail" in capsys.readouterr().out
    whole = load_profile(out)
    assert (
        main(["calibrate", "mat", "--camera", str(picture), "--ruler", "95", "--die-mm", "16", "--out", str(out)]) == 0
    )
    assert load_profile(out).tray_mm == pytest.approx((263.4 * 0.95, 142.9 * 0.95))
    assert load_profile(out).px_per_mm == pytest.approx(whole.px_per_mm / 0.95)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["mat", "--paper", "A5", "--out", "x"], "expected --paper A4, letter, A3, got 'A5'"),
        (["mat", "--rail", "top", "--out", "x"], "expected --rail left, right, bottom, got 'top'"),
        (["mat", "--stickers", "--out", "x.pdf"], "--stickers is gone"),
        (["mat", "--out", "tray.toml"], "expected --out as a file that ends in .pdf, got tray.toml"),
        (["mat", "--out", "no/such/mat.pdf"], "expected a place to write the PDF to"),
        (["calibrate", "mat", "--out", "x"], "expected pictures of the mat, or --camera"),
        (["calibrate", "mat", "p.png", "--camera", "usb:0", "--out", "x"], "expected pictures of the mat, or --camera"),
        (["calibrate", "mat", "p.png", "--ruler", "10", "--out", "x"], "expected --ruler from 60 to 150 mm, got '10'"),
        (["calibrate", "mat", "none.png", "--out", "x"], "there is no file none.png"),
    ],
)
def test_mistakes_are_told_in_one_line(words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A wrong word ends with status 2 and one line."""
    assert main(words) == 2
    told = capsys.readouterr().err
    assert complaint in told
    assert told.count("\n") == 1


def words_of(mat_file: Path) -> str:
    return str(pypdfium2.PdfDocument(mat_file)[0].get_textpage().get_text_bounded())


def test_the_words_are_in_the_language_of_the_table(tmp_path: Path) -> None:
    """German is printed in German; a text with letters that the font lacks is printed in English."""
    pdf, greek = tmp_path / "mat.pdf", tmp_path / "gr.toml"
    assert main(["mat", "--language", "de", "--out", str(pdf)]) == 0
    assert "Matte für die Würfelschale" in words_of(pdf)
    greek.write_text('language = "Ελληνικά"\n[mat]\n"kept dice" = "ζάρια"\n', encoding="utf-8")
    assert main(["mat", "--language", str(greek), "--rail", "left", "--out", str(pdf)]) == 0
    assert "kept dice" in words_of(pdf)
