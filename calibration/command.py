"""`tabletop calibrate`: guided with two buttons and a screen, from pictures, or scoring a table.

Each part is a `Part`: its help, its arguments and its function. OpenCV is imported only when one runs.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from calibration.commands import score
from tabletop.cli.numbers import whole_number
from tabletop.core.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

HELP = "set up a table step by step (tray, light, focus, dice), or make a profile from pictures"
STEPS = ("markers", "light", "focus", "lock", "dice")  # of the guided run, each a word of its own
LIVE_PICTURES = 8  # averaged from a camera: noise falls to a third
SETTLING_PICTURES = 15  # that a camera needs to find its exposure
RULER_MM = (60.0, 150.0)  # what the printed ruler of 100 mm may measure


class Part(NamedTuple):
    """A subcommand of `tabletop calibrate`."""

    help: str
    arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the subcommands and their options."""
    _guided_arguments(parser)
    parts = parser.add_subparsers(dest="part", metavar="PART")
    for name, part in {**PARTS, **dict.fromkeys(STEPS, GUIDED)}.items():
        text = f"guided: {name} alone" if name in STEPS else part.help
        part.arguments(parts.add_parser(name, help=text, description=text, allow_abbrev=False))


def run(options: argparse.Namespace) -> int:
    """Run the selected subcommand."""
    return PARTS.get(options.part, GUIDED).run(options)


# Guided


def _guided_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--profile", metavar="NAME|FILE", help="the set-up to create or improve (default: as configured)"
    )
    parser.add_argument("--camera", metavar="sim|usb:N|pi", help="where pictures come from (default: as configured)")
    parser.add_argument("--buttons", default="auto", help="where presses come from (default: auto)")
    parser.add_argument("--screen", default="auto", help="where the table is shown (default: auto)")
    parser.add_argument("--language", metavar="de|FILE.toml", help="language of the table (default: the system's)")
    parser.add_argument("--config", type=Path, metavar="FILE", help="configuration file (default: the usual one)")
    parser.add_argument("--seed", type=whole_number, help="for --camera sim: the same dice again")
    parser.set_defaults(listen=None, port=None, views=[], store=None, json=False)


def _guide(options: argparse.Namespace) -> int:
    """Guide, then print the report and where the profile is; status 0."""
    from calibration.guided.live import guide_live, guide_simulated, report, states_of  # noqa: PLC0415 - heavy
    from tabletop.config.file import configuration  # noqa: PLC0415 - the same
    from tabletop.config.profile import FOLDER, USUAL, path_to_write  # noqa: PLC0415
    from tabletop.store import default_path  # noqa: PLC0415

    configured = configuration(options.config)
    word = str(options.profile or configured.profile or USUAL)
    is_file = Path(word).suffix or Path(word).parent != Path()
    out = Path(word) if is_file else path_to_write(word, default_path().with_name(FOLDER))
    state = states_of(options.part)
    options.camera = options.camera or configured.camera or "usb:0"
    if options.camera == "sim":
        run = guide_simulated(state, out, options.seed, _tell)
    else:
        run = guide_live(options, state, out)
    if run.fault is not None:
        raise run.fault
    if run.state.checks:
        sys.stdout.write(report(run.state.checks) + "\n")
    name = word if is_file else f"{out} (play with --profile {word})"
    sys.stdout.write(f"{name}: written\n" if run.saved else "nothing was changed\n")
    return 0


def _tell(line: str) -> None:
    """Write a line at once, also without a terminal."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


# From pictures of the mat


def _mat_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "pictures", nargs="*", metavar="PICTURE", help="pictures of the mat from where the camera stays"
    )
    parser.add_argument("--camera", metavar="usb:N|pi|FILE|FOLDER", help="take the pictures now, with this camera")
    parser.add_argument("--die-mm", metavar="MM", help="the edge of the dice in mm (default: measured, else 16)")
    parser.add_argument("--ruler", metavar="MM", help="measured length of the printed ruler (default: 100)")
    parser.add_argument("--out", required=True, metavar="FILE", help="the profile to write: tray.toml")


def _from_mat(options: argparse.Namespace) -> int:
    """Make the profile of a mat, write it, and say in one line what is in it."""
    from calibration.corners import USUAL_DIE_MM, edges_mm, number, picture_of, profile_to_write, summary  # noqa: PLC0415 - heavy imports wait  # noqa: PLC0415
    from calibration.mat import see_mat  # noqa: PLC0415
    from tabletop.config.profile import DIE_MM, die_px, save_profile  # noqa: PLC0415
    from tabletop.perception.tray_filter import without_markers  # noqa: PLC0415
    from tabletop.vision.reader import read  # noqa: PLC0415

    die_mm = None if options.die_mm is None else number("--die-mm", options.die_mm, DIE_MM)
    ruler = 1.0 if options.ruler is None else number("--ruler", options.ruler, RULER_MM) / 100
    if bool(options.pictures) == bool(options.camera):
        raise InputError("expected pictures of the mat, or --camera to take them")
    out = profile_to_write(options.out)
    given = (picture_of(Path(word)).pixels for word in options.pictures)
    pictures = list(_taken(options.camera) if options.camera else given)
    view = see_mat(pictures)
    if die_mm is None:
        profile = view.profile(USUAL_DIE_MM, ruler)
        edge_px = die_px(profile, view.width_px, view.height_px)
        readings = [without_markers(picture, read(picture, die_px=edge_px)) for picture in pictures]
        sizes = [size for reading in readings for size in edges_mm(reading, profile)]
        die_mm = round(median(sizes), 2) if sizes else USUAL_DIE_MM
    profile = view.profile(die_mm, ruler)
    save_profile(profile, out)
    sys.stdout.write(f"{summary(profile, options.out)}; places are right to {view.error_mm:.2f} mm\n")
    return 0


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


# From four corners


def _corners_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("picture", metavar="PICTURE", help="a picture of the tray from where the camera stays")
    parser.add_argument(
        "--corners",
        nargs=4,
        required=True,
        metavar="X,Y",
        help="the tray's corners in pixels of the picture, clockwise; the first two span its width",
    )
    parser.add_argument("--size", required=True, metavar="WxH", help="the tray's width and height in mm: 300x200")
    parser.add_argument("--rail", nargs=4, metavar="X,Y", help="the corners of the strip for kept dice, clockwise")
    parser.add_argument("--die-mm", default="16", metavar="MM", help="the edge of the dice in mm (default: 16)")
    parser.add_argument("--out", required=True, metavar="FILE", help="the profile to write: tray.toml")


def _from_corners(options: argparse.Namespace) -> int:
    """Make the profile of four corners, write it and say what is in it."""
    from calibration.corners import calibrate  # noqa: PLC0415 - heavy imports wait

    sys.stdout.write(calibrate(options) + "\n")
    return 0


GUIDED = Part(HELP, _guided_arguments, _guide)
PARTS = {
    "mat": Part("from pictures of the printed mat, or from a camera over it", _mat_arguments, _from_mat),
    "corners": Part("from a picture of the tray and its four corners", _corners_arguments, _from_corners),
    "score": Part(score.HELP, score.arguments, score.run),
}
