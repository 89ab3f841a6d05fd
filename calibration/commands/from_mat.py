"""`tabletop calibrate mat`: a profile from pictures of the printed mat, or from a camera over it."""

import argparse
import sys
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from tabletop.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

HELP = "from pictures of the printed mat, or from a camera over it"
LIVE_PICTURES = 8  # averaged from a camera: noise falls to a third
SETTLING_PICTURES = 15  # that a camera needs to find its exposure
RULER_MM = (60.0, 150.0)  # what the printed ruler of 100 mm may measure


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare where pictures come from and what is known of the print."""
    parser.add_argument(
        "pictures", nargs="*", metavar="PICTURE", help="pictures of the mat from where the camera stays"
    )
    parser.add_argument("--camera", metavar="usb:N|pi|FILE|FOLDER", help="take the pictures now, with this camera")
    parser.add_argument("--die-mm", metavar="MM", help="the edge of the dice in mm, if it is known")
    parser.add_argument("--ruler", metavar="MM", help="what the printed ruler of 100 mm measures, if it is not 100")
    parser.add_argument("--paper", metavar="A4|letter|A3", help="which mat it is, if its fifth marker is hidden")
    parser.add_argument("--rail", metavar="left|right|bottom", help="the same")
    parser.add_argument("--out", required=True, metavar="FILE", help="the profile to write: tray.toml")


def run(options: argparse.Namespace) -> int:
    """Make the profile, write it, and say in one line each what is in it and what to look after."""
    from calibration.corners import number, profile_to_write, summary  # noqa: PLC0415 - OpenCV loads only for who calibrates
    from calibration.from_mat import dice_that_may_be, print_scale, see_mat, sizes_mm, sizes_sold_as  # noqa: PLC0415
    from tabletop.config.profile import DIE_MM, save_profile  # noqa: PLC0415

    asked_mm = None if options.die_mm is None else number("--die-mm", options.die_mm, DIE_MM)
    ruler = 1.0 if options.ruler is None else number("--ruler", options.ruler, RULER_MM) / 100
    if options.rail is not None and options.paper is None:
        raise InputError("expected --paper with --rail")
    if bool(options.pictures) == bool(options.camera):
        raise InputError("expected pictures of the mat, or --camera to take them")
    out = profile_to_write(options.out)
    pictures = list(_taken(options.camera) if options.camera else _given(options.pictures))
    view = see_mat(pictures, options.paper, options.rail)
    sizes = [size * ruler for size in sizes_mm(view, pictures)]
    true_mm, scale = print_scale(sizes, asked_mm)
    profile = view.profile(round(true_mm / scale, 2), ruler)
    save_profile(profile, out)
    sys.stdout.write(f"{summary(profile, options.out)}; places are right to {view.error_mm:.2f} mm\n")
    asked = () if asked_mm else dice_that_may_be(sizes)
    wrong = () if asked or scale == 1.0 else (true_mm,) if asked_mm else sizes_sold_as(median(sizes))
    if told := asked or wrong:
        measured_mm = median(sizes)
        prints = ", if ".join(f"{size:g} mm, at {100 * ruler * size / measured_mm:.0f} %" for size in told)
        surely = (
            ", so the mat was probably not printed at 100 %: if they are"
            if wrong
            else "; the mat was printed wrongly if they are"
        )
        sys.stdout.write(
            f"the dice measure {measured_mm:.1f} mm{surely} {prints}; measure its ruler and give --ruler MM, or "
            "print it again at 100 %\n"
        )
    return 0


def _given(words: list[str]) -> "Iterator[NDArray[np.uint8]]":
    from calibration.corners import picture_of  # noqa: PLC0415 - the same

    for word in words:
        yield picture_of(Path(word)).pixels


def _taken(word: str) -> "Iterator[NDArray[np.uint8]]":
    """Take pictures with a camera; recorded ones as they come."""
    from tabletop.cameras.opening import open_camera  # noqa: PLC0415 - the same

    camera = open_camera(word)
    wanted = LIVE_PICTURES
    try:
        for _ in range(SETTLING_PICTURES if camera.live else 0):
            camera.read()
        while wanted and (frame := camera.read()) is not None:
            wanted -= 1
            yield frame.pixels
    finally:
        camera.close()
    if wanted == LIVE_PICTURES:
        raise InputError(f"expected pictures from --camera {word}, it gave none")
