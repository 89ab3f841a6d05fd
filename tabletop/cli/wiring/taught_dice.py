"""How this table reads a frame: with the dice that people taught it, if there are any."""

import argparse
from functools import partial

from tabletop.cli.wiring.args import tell
from tabletop.config.own_dice import FILE_NAME, beside, load_own_dice
from tabletop.core.errors import InputError
from tabletop.perception.frame_reader import ReadFrame
from tabletop.store import default_path
from tabletop.vision.own_dice import OwnDice
from tabletop.vision.reader import read


def frame_reader(options: argparse.Namespace, *, live: bool) -> ReadFrame:
    """Return what reads a frame, with the taught dice of --dice, else of this set-up.

    live: the pictures come from a camera; a film or simulated dice use no taught dice unless --dice names them. A file
    that cannot be read costs the taught dice, not the table, and stays as it is. Raises InputError if --dice names it.
    """
    path = options.dice
    if path is None and live:
        path = beside(options.profile) if options.profile else (options.store or default_path()).with_name(FILE_NAME)
    if path is None:
        return read
    try:
        taught = load_own_dice(path)
    except InputError as error:
        if options.dice is not None:
            raise
        tell(f"{error}; the table plays without: repair the file, or delete it")
        return read
    return partial(read, own=OwnDice(taught)) if taught else read
