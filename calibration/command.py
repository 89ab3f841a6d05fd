"""`tabletop calibrate`: the command line of calibration, a module of `calibration.commands` for each of its parts.

Such a module has `HELP`, `arguments(parser)` and `run(options) -> int`, as every command has. It imports OpenCV and
whatever else takes time only when it runs.
"""

import argparse
from importlib import import_module
from typing import cast

from tabletop.cli.main import Command

HELP = "set a table up, step by step: where its tray lies, light, focus, dice; or make a profile from pictures"
PARTS = {  # the word after `calibrate` -> its module
    "mat": "calibration.commands.from_mat",
    "corners": "calibration.commands.corners",
    "score": "calibration.score.command",
}
GUIDED = "calibration.guided.command"  # without such a word, or with one of these steps
STEPS = ("markers", "light", "focus", "lock", "dice")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be calibrated, and from what."""
    _module(None).arguments(parser)
    parts = parser.add_subparsers(dest="part", metavar="PART")
    for name in (*PARTS, *STEPS):
        module = _module(name)
        text = f"guided: {name} alone" if name in STEPS else module.HELP
        module.arguments(parts.add_parser(name, help=text, description=text, allow_abbrev=False))


def run(options: argparse.Namespace) -> int:
    """Run the part that was asked for."""
    return _module(options.part).run(options)


def _module(part: str | None) -> Command:
    return cast("Command", import_module(PARTS.get(part or "", GUIDED)))
