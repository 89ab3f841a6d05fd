"""`tabletop calibrate`: the command line of calibration."""

import argparse
import sys

HELP = "make a profile: tell the table where its tray lies in the picture"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be calibrated, and from what."""
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="corners")
    corners = kinds.add_parser(
        "corners", help="from a picture of the tray and its four corners", description=HELP, allow_abbrev=False
    )
    corners.add_argument("picture", metavar="PICTURE", help="a picture of the tray from where the camera stays")
    corners.add_argument(
        "--corners",
        nargs=4,
        metavar="X,Y",
        help="the tray's corners in pixels of the picture, clockwise; the first two span its width",
    )
    corners.add_argument("--markers", action="store_true", help="find the corners by printed markers instead")
    corners.add_argument("--size", required=True, metavar="WxH", help="the tray's width and height in mm: 300x200")
    corners.add_argument("--rail", nargs=4, metavar="X,Y", help="the corners of the strip for kept dice, clockwise")
    corners.add_argument("--die-mm", default="16", metavar="MM", help="the edge of the dice in mm (default: 16)")
    corners.add_argument("--out", required=True, metavar="FILE", help="the profile to write: tray.toml")


def run(options: argparse.Namespace) -> int:
    """Make the profile, write it and say what is in it."""
    from calibration.corners import calibrate  # noqa: PLC0415 - OpenCV loads only for who calibrates

    sys.stdout.write(calibrate(options) + "\n")
    return 0
