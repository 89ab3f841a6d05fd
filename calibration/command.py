"""`tabletop calibrate`: the command line of calibration, a module of `calibration.commands` for each of its parts.

Such a module has `HELP`, `arguments(parser)` and `run(options) -> int`, as every command has. It imports OpenCV and
whatever else takes time only when it runs.
"""

import argparse
from importlib import import_module
from typing import cast

from tabletop.cli.main import Command

HELP = "make a profile: tell the table where its tray lies in the picture"
PARTS = {  # the word after `calibrate` -> its module
    "mat": "calibration.commands.from_mat",
    "corners": "calibration.commands.corners",
    "score": "calibration.score.command",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be calibrated, and from what."""
    parts = parser.add_subparsers(dest="part", required=True, metavar="PART")
    for name in PARTS:
        part = _part(name)
        part.arguments(parts.add_parser(name, help=part.HELP, description=part.HELP, allow_abbrev=False))


def run(options: argparse.Namespace) -> int:
    """Run the part that was asked for."""
    return _part(options.part).run(options)


def _part(name: str) -> Command:
    return cast("Command", import_module(PARTS[name]))
