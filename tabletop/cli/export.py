"""`tabletop export`: write stored matches as events of version 1, for other programs and spreadsheets."""

import argparse
import sys
from pathlib import Path

from tabletop.broadcast.interchange import FORMATS, export
from tabletop.cli.numbers import match_number
from tabletop.config.own_games import offer_own_games
from tabletop.store import Store, default_path


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--format", choices=FORMATS, default=FORMATS[0], help="json, or csv: one line for each event")
    parser.add_argument("--match", type=match_number, metavar="N", help="only this match (default: all)")
    parser.add_argument("--store", type=Path, metavar="FILE", help="file of matches (default: the usual one)")


def run(options: argparse.Namespace) -> int:
    """Write to standard output."""
    offer_own_games()
    path = options.store or default_path()
    with Store(path, looking=True) as store:
        if options.match is not None:
            numbers = [store.match(options.match).number]
        else:
            numbers = [match.number for match in reversed(store.matches()) if not match.damage]
    sys.stdout.writelines(export(path, numbers, options.format))
    return 0
