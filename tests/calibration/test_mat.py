"""The mat: printed exactly, and found again in pictures of a camera that bends, leans and blurs."""

from dataclasses import replace
from itertools import combinations, product
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest
from mat_camera import MatCamera, Picture, printed, worse, worst_mm

from calibration.from_mat import print_scale, see_mat, sizes_mm, sizes_sold_as
from calibration.guided.look import Watcher
from calibration.guided.pages import marker_note
from calibration.mat_pdf import mat_pdf
from tabletop.cli.main import main
from tabletop.config.mat import CODES, PAPERS, RAILS, Mat, mat_of, mat_of_code
from tabletop.config.profile import load_profile
from tabletop.core.errors import InputError
from tabletop.simulator.render import compose
from tabletop.simulator.scene import PLAIN, Light, PosedDie, Viewpoint, lying

ALL = [mat_of(paper, rail) for paper, rail in product(PAPERS, RAILS)]
NAMES = [f"{mat.paper}-{mat.rail_side}" for mat in ALL]
INCH_MM = 25.4
PRINTED_DPI = 300
EXACT_MM = 0.2
RECOVERED_MM = 0.5
HARDLY_MM = 0.05
BRIGHT, DARK = (120, 150, 200), (20, 20, 25)  # BGR: a hand, a sleeve


def camera_over(mat: Mat, **how: float) -> MatCamera:
    """Return a camera over this mat, straight and without a bend unless told otherwise."""
    return replace(MatCamera((mat.width_mm, mat.height_mm)), **how)  # type: ignore[arg-type]


# As printed


@pytest.mark.parametrize("mat", ALL[::5], ids=NAMES[::5])
def test_the_print_is_exact(mat: Mat) -> None:
    """The page has the paper's size; each marker's ink ends where the marker does; the ruler is 100 mm."""
    document = pypdfium2.PdfDocument(mat_pdf(mat, str))
    assert len(document) == 1
    wide, high = (points / 72 * INCH_MM for points in document[0].get_size())
    assert (wide, high) == pytest.approx({"A4": (297, 210), "letter": (279.4, 215.9), "A3": (420, 297)}[mat.paper])
    ink = printed(mat, PRINTED_DPI).min(axis=2) < 128
    per_mm = PRINTED_DPI / INCH_MM
    for box in mat.markers.values():
        border = box.width / 4
        sides = (box.top - border, box.bottom + border, box.left - border, box.right + border)
        top, bottom, left, right = (round(side * per_mm) for side in sides)
        rows, columns = np.nonzero(ink[top:bottom, left:right])
        found = np.array([columns.min() + left, rows.min() + top, columns.max() + 1 + left, rows.max() + 1 + top])
        assert np.abs(found / per_mm - (box.left, box.top, box.right, box.bottom)).max() < EXACT_MM
    at = round((mat.strip.top + mat.strip.height / 2) * per_mm)
    pale = printed(mat, PRINTED_DPI).min(axis=2) < 200
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
    """Tilted by up to 25 degrees, through a lens that bends, blurred, noisy, in shadow: to 0.5 mm."""
    mat = mat_of(paper, rail)
    camera = camera_over(mat, **{"width_px": 960, "height_px": 720, **how})  # larger ones: test_mat_proof.py
    picture = worse(camera.photograph(printed(mat, dpi)), np.random.default_rng(4), blur_px=0.8, noise=4, shadow=0.5)
    assert recovered_mm(mat, camera, picture) < RECOVERED_MM


@pytest.fixture(scope="module")
def seen() -> tuple[Mat, MatCamera, Picture]:
    """Return a mat under a slightly tilted camera, and its picture."""
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
    """One corner marker hidden, or half of it, by something bright or as dark as ink: the tray is right to 0.5 mm.

    With half of it left the tray is as right as with all of them.
    """
    mat, camera, picture = seen
    whole_mm = recovered_mm(mat, camera, picture)
    for number, share, colour in product((0, 2), (0.5, 1.0), (BRIGHT, DARK)):
        off_mm = recovered_mm(mat, camera, covered(seen, number, share=share, colour=colour))
        assert off_mm < (RECOVERED_MM if share == 1.0 else whole_mm + HARDLY_MM)


def test_markers_that_are_missing_are_named(seen: tuple[Mat, MatCamera, Picture]) -> None:
    """Two hidden: the line says which, and the other way; the fifth hidden: it says what to add."""
    with pytest.raises(InputError, match=r"saw 0 2: show 1 3 whole, .* calibrate corners PICTURE --corners"):
        see_mat([covered(seen, 1, 3)])
    with pytest.raises(InputError, match=r"expected the fifth marker, .* add --paper and --rail"):
        see_mat([covered(seen, seen[0].code)])
    view = see_mat([covered(seen, seen[0].code)], "A4", "left")
    assert worst_mm(view.profile(16.0), seen[1], seen[0]) < RECOVERED_MM


def test_what_is_no_picture_of_this_mat_is_refused(seen: tuple[Mat, MatCamera, Picture]) -> None:
    """A mirrored picture, another mat than was said, a camera that moved, two sizes."""
    mat, _, picture = seen
    with pytest.raises(InputError, match="this one is mirrored: switch mirroring off"):
        see_mat([np.ascontiguousarray(picture[:, ::-1])])
    with pytest.raises(InputError, match="the fifth marker says A4 with rail left: leave --paper and --rail out"):
        see_mat([picture], "A3")
    with pytest.raises(InputError, match=r"markers of the mat A3 with rail none, they are off by \d+\.\d mm"):
        see_mat([covered(seen, mat.code)], "A3")
    with pytest.raises(InputError, match="the camera moved by 9 pixels"):
        see_mat([picture, np.roll(picture, 18, axis=1)])
    with pytest.raises(InputError, match="pictures of one size, got 1280x960 and 640x480"):
        see_mat([picture, picture[::2, ::2]])


def test_two_mats_in_view_are_told(seen: tuple[Mat, MatCamera, Picture]) -> None:
    """Nothing is hidden then: one has to go. The guided run says so, and takes no die for a corner meanwhile."""
    _, _, picture = seen
    both = np.ascontiguousarray(np.hstack([picture, picture]))
    with pytest.raises(InputError, match="corner marker of the mat once, saw 0 1 2 3 several times: leave one mat"):
        see_mat([both])
    look = Watcher().look(both, 0.0)
    assert (look.markers, look.doubled, marker_note(look)) == ((), True, "two mats: take one away")
    assert not Watcher().look(picture, 0.0).doubled


def test_a_picture_too_coarse_says_so(seen: tuple[Mat, MatCamera, Picture]) -> None:
    """320 pixels, strong noise: still right to 0.5 mm with all markers, refused with one of them hidden."""
    mat, camera, _ = seen
    coarse = replace(camera, width_px=320, height_px=240)
    sharp = coarse.photograph(printed(mat, 100))
    noisy = worse(sharp, np.random.default_rng(1), blur_px=0.6, noise=25, shadow=1)
    assert recovered_mm(mat, coarse, noisy) < RECOVERED_MM
    hidden = worse(covered((mat, coarse, sharp), 2), np.random.default_rng(1), blur_px=0.6, noise=40, shadow=1)
    with pytest.raises(
        InputError, match=r"places in the tray to 0.5 mm, these pictures may be off by \d\.\d mm: uncover marker 2"
    ):
        see_mat([hidden])


def with_dice(mat: Mat, die_mm: float, scale: float) -> Picture:
    """Return a print at this scale, 4 px per mm as meant, with five dice on it under a camera 300 mm above."""
    per_mm = 4.0
    sheet = cv2.resize(printed(mat, 150), None, fx=per_mm * scale * INCH_MM / 150, fy=per_mm * scale * INCH_MM / 150)
    height, width = sheet.shape[:2]
    high_px = 300 * per_mm
    size_px = die_mm * per_mm * high_px / (high_px - die_mm * per_mm / 2)  # at half its height
    chance = np.random.default_rng(5)
    spots = [(0.3, 0.3), (0.6, 0.5), (0.4, 0.7), (0.75, 0.3), (0.55, 0.2)]
    dice = [
        PosedDie(
            (mat.tray.left + x * mat.tray.width) * per_mm * scale,
            (mat.tray.top + y * mat.tray.height) * per_mm * scale,
            size_px,
            lying(int(chance.integers(1, 7)), float(chance.uniform(0, 90)), PLAIN),
        )
        for x, y in spots
    ]
    ground = np.minimum(sheet, 225).astype(np.uint8)
    return compose(ground, dice, Light(), Viewpoint(distance_px=high_px - size_px / 2, x=width / 2, y=height / 2))


def test_a_wrong_print_scale_shows_on_the_dice() -> None:
    """Dice of 16 mm on a mat that was fitted to the page, at 93 %, measure 17.2 mm; at 100 % they are 16 mm."""
    mat = mat_of("A4", "bottom")
    fitted = with_dice(mat, 16, 0.93)
    sizes = sizes_mm(see_mat([fitted]), [fitted])
    assert len(sizes) == 5
    assert print_scale(sizes, 16) == print_scale(sizes, None)
    assert print_scale(sizes, None) == pytest.approx((16, 0.93), abs=0.02)
    right = with_dice(mat, 16, 1.0)
    assert print_scale(sizes_mm(see_mat([right]), [right]), None) == (16, 1.0)
    small = with_dice(mat, 12, 1.0)
    assert print_scale(sizes_mm(see_mat([small]), [small]), None) == (12, 1.0)
    assert print_scale([17.2, 17.2], None) == (16, 1.0)  # two dice say nothing


@pytest.mark.parametrize(
    ("measured_mm", "sold_as"),
    [
        (16 / 0.94, (16,)),
        (14 / 0.94, (14,)),
        (14 / 0.94 * 1.02, (14, 16)),  # dice of 14 mm that measure 2 % too large, or 16 mm printed at 105 %
        (12 / 0.9 * 1.01, (12,)),
        (7.5, (8,)),  # no smaller ones are sold
        (16.3, (16,)),
        (30.0, ()),  # large dice for children, no print four times as small
    ],
)
def test_a_measure_is_taken_for_a_smaller_print_first(measured_mm: float, sold_as: tuple[float, ...]) -> None:
    """Printers shrink a page to fit and hardly ever enlarge it: of two that are possible the smaller print is first."""
    assert sizes_sold_as(measured_mm) == sold_as
    assert print_scale([measured_mm] * 3, None)[0] == (sold_as or (measured_mm,))[0]


# From the command line


def test_from_the_print_to_the_profile(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Print, photograph, calibrate: nobody types a pixel. A ruler of 95 mm makes everything that much smaller."""
    pdf, picture, out = tmp_path / "mat.pdf", tmp_path / "mat.png", tmp_path / "tray.toml"
    assert main(["mat", "--rail", "bottom", "--language", "en", "--out", str(pdf)]) == 0
    assert "a tray of 281 x 137 mm with a rail (bottom), on A4; print it at 100 %" in capsys.readouterr().out
    drawn = pypdfium2.PdfDocument(pdf)[0].render(scale=2).to_numpy()[:, :, :3]
    cv2.imwrite(str(picture), camera_over(mat_of("A4", "bottom"), tilt_deg=9).photograph(np.ascontiguousarray(drawn)))
    assert main(["calibrate", "mat", str(picture), "--out", str(out)]) == 0
    assert "a tray of 281 x 137 mm with a rail" in capsys.readouterr().out
    whole = load_profile(out)
    assert (
        main(["calibrate", "mat", "--camera", str(picture), "--ruler", "95", "--die-mm", "16", "--out", str(out)]) == 0
    )
    assert load_profile(out).tray_mm == pytest.approx((281 * 0.95, 137 * 0.95))
    assert load_profile(out).px_per_mm == pytest.approx(whole.px_per_mm / 0.95)


def test_a_wrong_print_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The profile is written, and a second line says what the dice say of the print."""
    picture = tmp_path / "mat.png"
    cv2.imwrite(str(picture), with_dice(mat_of("A4", "bottom"), 16, 0.93))
    assert main(["calibrate", "mat", str(picture), "--out", str(tmp_path / "tray.toml")]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert "a tray of 281 x 137 mm" in first
    assert "not printed at 100 %: if they are 16 mm, at 9" in second


@pytest.mark.parametrize(
    ("die_mm", "printed_at", "asked"),
    [
        (16.0, 0.71, "; the mat was printed wrongly if they are 16 mm, at 7"),  # A3 fitted to A4
        pytest.param(18.0, 0.94, "; the mat was printed wrongly if they are 18 mm, at 9", marks=pytest.mark.slow),
        (16.0, 1.0, ""),
    ],
)
def test_what_dice_alone_cannot_say_is_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], die_mm: float, printed_at: float, asked: str
) -> None:
    """Dice of 22.5 mm may be such; with what people say they are, or what the ruler measures, it is no question."""
    picture, out = tmp_path / "mat.png", tmp_path / "tray.toml"
    cv2.imwrite(str(picture), with_dice(mat_of("A3", "bottom"), die_mm, printed_at))
    assert main(["calibrate", "mat", str(picture), "--out", str(out)]) == 0
    said = capsys.readouterr().out.splitlines()[1:]
    assert len(said) == bool(asked)
    assert all(asked in line for line in said)
    if asked:
        assert main(["calibrate", "mat", str(picture), "--die-mm", f"{die_mm:g}", "--out", str(out)]) == 0
        assert f"not printed at 100 %: if they are {die_mm:g} mm, at" in capsys.readouterr().out
        assert (
            main(
                [
                    "calibrate",
                    "mat",
                    str(picture),
                    "--ruler",
                    f"{100 * printed_at:g}",
                    "--die-mm",
                    f"{die_mm:g}",
                    "--out",
                    str(out),
                ]
            )
            == 0
        )
        assert "printed" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["mat", "--paper", "A5", "--out", "x"], "expected --paper A4, letter, A3, got 'A5'"),
        (["mat", "--rail", "top", "--out", "x"], "expected --rail left, right, bottom, got 'top'"),
        (["mat", "--stickers", "--rail", "left", "--out", "x"], "expected --stickers without --rail"),
        (["mat", "--out", "tray.toml"], "expected --out as a file that ends in .pdf, got tray.toml"),
        (["mat", "--out", "no/such/mat.pdf"], "expected a place to write the PDF to"),
        (["calibrate", "mat", "--out", "x"], "expected pictures of the mat, or --camera"),
        (["calibrate", "mat", "p.png", "--camera", "usb:0", "--out", "x"], "expected pictures of the mat, or --camera"),
        (["calibrate", "mat", "p.png", "--rail", "left", "--out", "x"], "expected --paper with --rail"),
        (["calibrate", "mat", "p.png", "--ruler", "10", "--out", "x"], "expected --ruler from 60 to 150 mm, got '10'"),
        (["calibrate", "mat", "none.png", "--out", "x"], "there is no file none.png"),
        (["calibrate", "--out", "x"], "expected --out only behind `tabletop calibrate mat PICTURE` or"),
        (["calibrate", "light", "--out=x"], "guided, the profile is named with --profile NAME"),
        (["calibrate", "--die-mm", "14"], "expected --die-mm only behind `tabletop calibrate mat PICTURE` or"),
    ],
)
def test_mistakes_are_told_in_one_line(words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A wrong word ends with status 2 and one line."""
    assert main(words) == 2
    told = capsys.readouterr().err
    assert complaint in told
    assert told.count("\n") == 1


def test_stickers_are_a_tray_too(tmp_path: Path) -> None:
    """The page of four markers, left whole, is calibrated like a tray with a marker in each corner."""
    pdf, picture, out = tmp_path / "four.pdf", tmp_path / "four.png", tmp_path / "tray.toml"
    assert main(["mat", "--stickers", "--language", "en", "--out", str(pdf)]) == 0
    pypdfium2.PdfDocument(pdf)[0].render(scale=2).to_pil().save(picture)
    assert main(["calibrate", "corners", str(picture), "--markers", "--size", "251x164", "--out", str(out)]) == 0
    assert load_profile(out).px_per_mm == pytest.approx(144 / INCH_MM, rel=0.01)


def words_of(mat_file: Path) -> str:
    """Return the text of a PDF."""
    return str(pypdfium2.PdfDocument(mat_file)[0].get_textpage().get_text_bounded())


def test_the_words_are_in_the_language_of_the_table(tmp_path: Path) -> None:
    """German is printed in German; a text with letters that the font lacks is printed in English."""
    pdf, greek = tmp_path / "mat.pdf", tmp_path / "gr.toml"
    assert main(["mat", "--language", "de", "--out", str(pdf)]) == 0
    assert "Matte für das Würfeltablett" in words_of(pdf)
    greek.write_text('language = "Ελληνικά"\n[mat]\n"kept dice" = "ζάρια"\n', encoding="utf-8")
    assert main(["mat", "--language", str(greek), "--rail", "left", "--out", str(pdf)]) == 0
    assert "kept dice" in words_of(pdf)
