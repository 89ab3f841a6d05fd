"""`tabletop mat`: the printable mat for the tray, as PDF."""

import argparse
import sys
from pathlib import Path

HELP = "write the mat for the tray as a PDF to print"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare paper, rail and file."""
    parser.add_argument("--paper", default="A4", metavar="A4|letter|A3", help="paper size (default: A4)")
    parser.add_argument("--rail", metavar="left|right|bottom", help="add a strip for kept dice on this side")
    parser.add_argument("--stickers", action="store_true", help=argparse.SUPPRESS)  # of older releases
    parser.add_argument("--language", metavar="de|FILE.toml", help="language of the text (default: the table's)")
    parser.add_argument("--config", type=Path, metavar="FILE", help="configuration file (default: the usual one)")
    parser.add_argument("--out", required=True, type=Path, metavar="FILE", help="the PDF to write: mat.pdf")
    parser.set_defaults(store=None)


def run(options: argparse.Namespace) -> int:
    """Write the PDF and print a summary."""
    import os  # noqa: PLC0415 - `tabletop --help` needs nothing of this

    from calibration.mat_pdf import TEXTS, mat_pdf  # noqa: PLC0415
    from tabletop.cli.wiring.devices import language_of  # noqa: PLC0415
    from tabletop.config.file import configuration  # noqa: PLC0415
    from tabletop.config.mat import NO_RAIL, mat_of  # noqa: PLC0415
    from tabletop.core.errors import InputError  # noqa: PLC0415

    if options.stickers:
        raise InputError(
            "expected the mat: --stickers is gone; for a tray without a mat, tap its corners in the picture at /arm"
        )
    if options.out.suffix.lower() not in ("", ".pdf"):  # a profile, say, must not become a mat
        raise InputError(f"expected --out as a file that ends in .pdf, got {options.out}")
    language = language_of(options, configuration(options.config), os.environ)
    mat = mat_of(options.paper, options.rail or NO_RAIL)

    def translate(text: str) -> str:
        return language.translate(text, TEXTS)

    try:
        options.out.write_bytes(mat_pdf(mat, translate))
    except OSError as error:
        raise InputError(f"{options.out}: expected a place to write the PDF to: {error.strerror}") from None
    rail = "" if mat.rail is None else f" with a rail ({mat.rail_side})"
    size = f"{mat.tray.width:g} x {mat.tray.height:g} mm"
    sys.stdout.write(f"{options.out}: a tray of {size}{rail}, on {mat.paper}; print it at 100 %\n")
    return 0
