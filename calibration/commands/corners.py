"""`tabletop calibrate corners`: a profile from the tray's corners, given as points or found by printed markers."""

import argparse
import sys

HELP = "from a picture of the tray and its four corners, or of four printed markers"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the picture, the corners and what is measured."""
    parser.add_argument("picture", metavar="PICTURE", help="a picture of the tray from where the camera stays")
    parser.add_argument(
        "--corners",
        nargs=4,
        metavar="X,Y",
        help="the tray's corners in pixels of the picture, clockwise; the first two span its width",
    )
    parser.add_argument("--markers", action="store_true", help="find the corners by printed markers instead")
    parser.add_argument("--size", required=True, metavar="WxH", help="the tray's width and height in mm: 300x200")
    parser.add_argument("--rail", nargs=4, metavar="X,Y", help="the corners of the strip for kept dice, clockwise")
    parser.add_argument("--die-mm", default="16", metavar="MM", help="the edge of the dice in mm (default: 16)")
    parser.add_argument("--out", required=True, metavar="FILE", help="the profile to write: tray.toml")


def run(options: argparse.Namespace) -> int:
    """Make the profile, write it and say what is in it."""
    from calibration.corners import calibrate  # noqa: PLC0415 - OpenCV loads only for who calibrates

    sys.stdout.write(calibrate(options) + "\n")
    return 0
