"""Whether the dice of this table are learnt, and where what is known of them is kept."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

from tabletop.cli.wiring.args import tell
from tabletop.config.own_dice import FILE_NAME, beside
from tabletop.core.errors import InputError
from tabletop.core.values import Profile
from tabletop.session.own_dice.learner import DiceLearner
from tabletop.store import default_path


@contextmanager
def learning(options: argparse.Namespace, profile: Profile | None, *, live: bool) -> Iterator[DiceLearner | None]:
    """Learn the dice while the table is on; None for a film or simulated dice, unless --dice names a file.

    live: the pictures are of a camera, not recorded or simulated. A file that cannot be read costs what was learnt, not
    the table, and stays as it is; raises InputError if --dice names it.
    """
    path = options.dice
    if path is None and live:
        path = beside(options.profile) if options.profile else (options.store or default_path()).with_name(FILE_NAME)
    if path is None:
        yield None
        return
    try:
        learner = DiceLearner(path, profile, learns=not options.no_learning, at_once=not live)
    except InputError as error:
        if options.dice is not None:
            raise
        tell(f"{error}; the table plays without: put the file right, or delete it")
        yield None
        return
    try:
        yield learner
    finally:
        learner.close()
        if learner.learnt:
            tell(f"{learner.learnt} dice learnt; `tabletop dice list` shows them, `tabletop dice forget` forgets them")
