"""`tabletop mat`: the printable mat for the tray, or four markers to cut out, as PDF."""

import argparse
import sys
from pathlib import Path

HELP = "write the mat for the tray as PDF, to be printed"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare paper, rail and file."""
    parser.add_argument(
        "--paper", default="A4", metavar="A4|letter|A3", help="the paper it is printed on (default: A4)"
    )
    parser.add_argument("--rail", metavar="left|right|bottom", help="with a strip for kept dice on this side")
    parser.add_argument("--stickers", action="store_true", help="four markers to cut out, for a tray without a mat")
    parser.add_argument("--language", metavar="de|FILE.toml", help="language of the words (default: the table's)")
    parser.add_argument("--config", type=Path, metavar="FILE", help="a configuration file, if not the usual one")
    parser.add_argument("--out", required=True, type=Path, metavar="FILE", help="the PDF to write: mat.pdf")
    parser.set_defaults(store=None)


def run(options: argparse.Namespace) -> int:
    """Write the PDF and say what is on it."""
    import os  # noqa: PLC0415 - `tabletop --help` needs nothing of this

    from calibration.mat_pdf import TEXTS, mat_pdf, stickers_pdf  # noqa: PLC0415
    from tabletop.cli.wiring.devices import language_of  # noqa: PLC0415
    from tabletop.config.file import configuration  # noqa: PLC0415
    from tabletop.config.mat import NO_RAIL, mat_of  # noqa: PLC0415
    from tabletop.core.errors import InputError  # noqa: PLC0415

    if options.stickers and options.rail is not None:
        raise InputError("expected --stickers without --rail: the tray's own rail is measured with the tray")
    if options.out.suffix.lower() not in ("", ".pdf"):  # a profile, say, must not become a mat
        raise InputError(f"expected --out as a file that ends in .pdf, got {options.out}")
    language = language_of(options, configuration(options.config), os.environ)
    mat = mat_of(options.paper, options.rail or NO_RAIL)

    def translate(text: str) -> str:
        return language.translate(text, TEXTS)

    written = stickers_pdf(mat.paper, translate) if options.stickers else mat_pdf(mat, translate)
    try:
        options.out.write_bytes(written)
    except OSError as error:
        raise InputError(f"{options.out}: expected a place to write the PDF to: {error.strerror}") from None
    what = "four markers to cut out" if options.stickers else _what(mat.tray.width, mat.tray.height, mat.rail_side)
    sys.stdout.write(f"{options.out}: {what}, on {mat.paper}; print it at 100 %\n")
    return 0


def _what(width_mm: float, height_mm: float, rail_side: str) -> str:
    rail = "" if rail_side == "none" else f" with a rail ({rail_side})"
    return f"a tray of {width_mm:g} x {height_mm:g} mm{rail}"
