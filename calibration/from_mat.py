"""Pictures of a mat in, its view out; and whether the dice that lie on it have the size that dice have."""

from collections.abc import Iterable, Sequence
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.die_ruler import Pinhole, shade_of
from calibration.mat_fit import LEAST_CORNERS, USUAL_DIE_MM, WORST_MM, MatView, averaged, fit, missing_corners
from tabletop.config.markers import MARKERS, Outlines, find_all, find_doubles
from tabletop.config.mat import NO_RAIL, Mat, mat_of, mat_of_code
from tabletop.config.profile import die_px, place
from tabletop.core.errors import InputError
from tabletop.core.values import Profile, Reading
from tabletop.perception.tray_filter import without_markers
from tabletop.vision.reader import read

Picture = NDArray[np.uint8]

PROMISED_MM = 0.5  # of a place in the tray
STEADY_PX = 3.0  # a marker's corner moves by less between pictures of a camera that nobody touched
FOUR_CORNERS = "or give the tray's corners: tabletop calibrate corners PICTURE --corners ..."
SOLD_MM = (8.0, 10.0, 12.0, 14.0, USUAL_DIE_MM, 18.0, 19.0, 20.0, 22.0, 25.0)  # edges of dice as they are sold
SIZE_NOTICED = 0.03  # of a die's edge: the reader measures dice to 1 %, how much nearer they are is known to 1 %
# Of a print "fitted to the page", from A4 to letter or within wide margins, by dice that measure up to 3 % too large;
# and of one that fills the page over its margins, which printers hardly ever do.
WRONG_SCALES = (0.87, 1.07)
# Of a print on paper of half the size (A3 on A4: 0.707, and 0.64 within wide margins or on letter), or of twice it.
OTHER_PAPER = ((0.64, 0.72), (1.36, 1.42))
READ_OFF = 0.02  # of a die's edge, by which the median of some dice is off
LEAST_DICE = 3  # whose size says something about the print


def see_mat(pictures: Sequence[Picture], paper: str | None = None, rail_side: str | None = None) -> MatView:
    """Return how one camera sees a mat. pictures: (H, W, 3) BGR, of equal size; paper, rail_side: if known.

    Raises InputError saying what hinders: markers that are hidden, a mirrored picture, another mat, a camera that
    moved, or places that would be less exact than PROMISED_MM.
    """
    height_px, width_px = pictures[0].shape[:2]
    if others := [picture.shape for picture in pictures if picture.shape[:2] != (height_px, width_px)]:
        got = f"{others[0][1]}x{others[0][0]}"
        raise InputError(
            f"expected pictures of one size, got {width_px}x{height_px} and {got}: give those of one camera"
        )
    outlines, moved_px = averaged([find_all(picture) for picture in pictures])
    missing = missing_corners(outlines)
    if len(MARKERS) - len(missing) < LEAST_CORNERS:
        raise _too_few(missing, outlines, pictures)
    if moved_px > STEADY_PX:
        raise InputError(
            f"expected pictures from one place, the camera moved by {moved_px:.0f} pixels between them: "
            "fix its arm, or give pictures from after it was moved"
        )
    greys = [np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8) for picture in pictures]
    view = fit(_mat(outlines, paper, rail_side), outlines, width_px, height_px, greys)
    _check(view, missing)
    return view


def sizes_mm(view: MatView, pictures: Iterable[Picture]) -> list[float]:
    """Return the edges of the dice that are read surely on the mat, in mm of the mat as it was meant."""
    profile = view.profile(USUAL_DIE_MM)
    sizes = list[float]()
    for picture in pictures:
        reading = without_markers(picture, read(picture, die_px=die_px(profile, view.width_px, view.height_px)))
        sizes += edges_mm(reading, profile, picture)
    return sizes


def edges_mm(reading: Reading, profile: Profile, picture: Picture) -> list[float]:
    """Return the edges in mm of the dice of a reading in pixels that lie in the tray, or on its rail.

    picture: (H, W, 3) BGR, which it is of.
    """
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    camera = Pinhole.over(profile.homography, profile.width_px, profile.height_px)
    pairs = zip(reading.dice, place(reading, profile).dice, strict=True)
    return [
        camera.edge(placed.size, (placed.x, placed.y), shade_of(grey, seen.x, seen.y, seen.size))
        for seen, placed in pairs
        if placed.where != "outside"
    ]


def print_scale(sizes: Sequence[float], die_mm: float | None) -> tuple[float, float]:
    """Return what size the dice have, and at which scale the mat was printed by that (1 if that is as it should be).

    die_mm: what people say; None: the first of `sizes_sold_as`, the measure itself where no usual print explains it.
    """
    if len(sizes) < LEAST_DICE:
        return die_mm or USUAL_DIE_MM, 1.0
    measured = median(sizes)
    true_mm = die_mm or next(iter(sizes_sold_as(measured)), measured)
    scale = true_mm / measured
    return true_mm, scale if abs(scale - 1) > SIZE_NOTICED else 1.0


def sizes_sold_as(measured_mm: float) -> tuple[float, ...]:
    """Return which sizes dice of this measure may have been sold as, the likeliest first; empty for none.

    One size if the measure is near it: then nothing speaks against the print. Else the nearest smaller one that a
    usual wrong print explains, as printers shrink and hardly ever enlarge; with it, or without any, a larger one: with
    it only USUAL_DIE_MM, since most dice are of that size.
    """
    nearest = min(SOLD_MM, key=lambda size: abs(size / measured_mm - 1))
    if abs(nearest / measured_mm - 1) <= SIZE_NOTICED:
        return (nearest,)
    least, most = WRONG_SCALES
    explained = [size for size in SOLD_MM if least <= size / measured_mm <= most]
    smaller = [size for size in explained if size < measured_mm][-1:]
    larger = [size for size in explained if size > measured_mm and (not smaller or size == USUAL_DIE_MM)][:1]
    return (*smaller, *larger)


def dice_that_may_be(sizes: Sequence[float]) -> tuple[float, ...]:
    """Return which dice may lie on a wrong print where the measure alone says nothing; empty for none. To be asked.

    None where they measure as USUAL_DIE_MM: nearly all dice are of that size.

    Nothing in a picture can tell, since markers and ruler are as much smaller as the sheet: dice of USUAL_DIE_MM on a
    print on other paper measure as 22 to 25 mm, or as 11, those of 18 mm on a print at 94 per cent as 19 mm.
    """
    if len(sizes) < LEAST_DICE:
        return ()
    measured = median(sizes)
    if may_be_on_other_paper(measured):
        return (USUAL_DIE_MM,)
    least, most = WRONG_SCALES[0], 1 - SIZE_NOTICED
    if not _is_sold(measured) or abs(USUAL_DIE_MM / measured - 1) <= SIZE_NOTICED:
        return ()
    smaller = [size for size in SOLD_MM if least <= size / measured <= most]
    return (USUAL_DIE_MM,) if USUAL_DIE_MM in smaller else tuple(smaller[-1:])


def may_be_on_other_paper(measured_mm: float) -> bool:
    """Return whether dice of USUAL_DIE_MM measure so on a print on paper of half the size, or of twice the size."""
    scale = USUAL_DIE_MM / measured_mm
    half, twice = (least * (1 - READ_OFF) <= scale <= most * (1 + READ_OFF) for least, most in OTHER_PAPER)
    return half or (twice and not _is_sold(measured_mm))


def _is_sold(measured_mm: float) -> bool:
    return any(abs(size / measured_mm - 1) <= SIZE_NOTICED for size in SOLD_MM)


def _mat(outlines: Outlines, paper: str | None, rail_side: str | None) -> Mat:
    """Return which mat it is, by its fifth marker or by what people say."""
    by_code = [mat for name in outlines if (mat := mat_of_code(name)) is not None]
    asked = None if paper is None else mat_of(paper, rail_side or NO_RAIL)
    if asked is not None and by_code and by_code[0] != asked:
        seen = by_code[0]
        raise InputError(
            f"expected the mat of --paper {asked.paper} with rail {asked.rail_side}, the fifth marker says "
            f"{seen.paper} with rail {seen.rail_side}: leave --paper and --rail out"
        )
    if asked is None and not by_code:
        raise InputError(
            "expected the fifth marker, the small one below the tray, which says what mat it is: "
            "uncover it, or add --paper and --rail as the mat was printed"
        )
    return asked or by_code[0]


def _too_few(missing: Sequence[int], outlines: Outlines, pictures: Sequence[Picture]) -> InputError:
    """Return the error for hidden markers; a mirrored picture and two mats have none either."""
    mirrored = [name for picture in pictures for name in find_all(_mirror(picture)) if name in MARKERS]
    if len(set(mirrored)) >= LEAST_CORNERS:
        return InputError(
            "expected a picture as people see the mat, this one is mirrored: switch mirroring off in the camera's "
            "settings, or print the mat without it"
        )
    if doubles := sorted({name for picture in pictures for name in find_doubles(picture)}):
        names = " ".join(map(str, doubles))
        return InputError(
            f"expected each corner marker of the mat once, saw {names} several times: leave one mat in the picture, "
            "take the others away"
        )
    seen = " ".join(str(name) for name in MARKERS if name in outlines) or "none"
    return InputError(
        f"expected the mat's corner markers 0 1 2 3, saw {seen}: show {' '.join(map(str, missing))} whole, flat and "
        f"evenly lit, {FOUR_CORNERS}"
    )


def _check(view: MatView, missing: Sequence[int]) -> None:
    if view.misfit_mm > WORST_MM:
        raise InputError(
            f"expected the markers of the mat {view.mat.paper} with rail {view.mat.rail_side}, they are off by "
            f"{view.misfit_mm:.1f} mm: lay the mat flat, or give --paper and --rail as it was printed"
        )
    if view.error_mm > PROMISED_MM:
        hidden = f"uncover marker {' '.join(map(str, missing))}" if missing else "bring the camera nearer"
        raise InputError(
            f"expected places in the tray to {PROMISED_MM} mm, these pictures may be off by {view.error_mm:.1f} mm: "
            f"{hidden}, focus it, add light, or take larger or more pictures"
        )


def _mirror(picture: Picture) -> Picture:
    return np.ascontiguousarray(picture[:, ::-1])
