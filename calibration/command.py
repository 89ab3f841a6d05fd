"""`tabletop calibrate`: the command line of calibration, a module of `calibration.commands` for each of its parts.

Such a module has `HELP`, `arguments(parser)` and `run(options) -> int`, as every command has. It imports OpenCV and
whatever else takes time only when it runs.
"""

import argparse
from importlib import import_module
from typing import NoReturn, cast

from tabletop.cli.main import Command
from tabletop.core.errors import InputError

HELP = "set a table up, step by step: where its tray lies, light, focus, dice; or make a profile from pictures"
PARTS = {  # the word after `calibrate` -> its module
    "mat": "calibration.commands.from_mat",
    "corners": "calibration.commands.corners",
    "score": "calibration.commands.score",
}
GUIDED = "calibration.guided.command"  # without such a word, or with one of these steps
STEPS = ("markers", "light", "focus", "lock", "dice")
# Options of `mat` and `corners` alone. Undeclared, what stands behind one of them would be taken for a part.
OF_PICTURES = ("--out", "--die-mm", "--ruler", "--paper", "--rail", "--corners", "--markers", "--size")


class _Misplaced(argparse.Action):
    """An option that belongs behind another part: says behind which."""

    def __call__(self, _parser: object, _options: object, _words: object, option: str | None = None) -> NoReturn:
        """Raise InputError."""
        raise InputError(
            f"expected {option} only behind `tabletop calibrate mat PICTURE` or `tabletop calibrate corners PICTURE`, "
            "which make a profile from pictures; guided, the profile is named with --profile NAME"
        )


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be calibrated, and from what."""
    _guided(parser)
    parts = parser.add_subparsers(dest="part", metavar="PART")
    for name in (*PARTS, *STEPS):
        module = _module(name)
        text = f"guided: {name} alone" if name in STEPS else module.HELP
        of_part = parts.add_parser(name, help=text, description=text, allow_abbrev=False)
        if name in STEPS:
            _guided(of_part)
        else:
            module.arguments(of_part)


def run(options: argparse.Namespace) -> int:
    """Run the part that was asked for."""
    return _module(options.part).run(options)


def _guided(parser: argparse.ArgumentParser) -> None:
    """Declare what the guided run takes, and what it does not."""
    _module(None).arguments(parser)
    for option in OF_PICTURES:
        hidden = argparse.SUPPRESS
        parser.add_argument(option, action=_Misplaced, nargs="*", dest=hidden, default=hidden, help=hidden)


def _module(part: str | None) -> Command:
    return cast("Command", import_module(PARTS.get(part or "", GUIDED)))
