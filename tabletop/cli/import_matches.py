"""`tabletop import`: store the matches of an export; those that are there already are left alone."""

import argparse
import sys
from pathlib import Path

from tabletop.broadcast.interchange import MOST_BYTES, import_events, read_export
from tabletop.config.own_games import offer_own_games
from tabletop.core.errors import InputError
from tabletop.store import Store, default_path


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", type=Path, metavar="FILE", help="written by `tabletop export`, json or csv")
    parser.add_argument("--store", type=Path, metavar="FILE", help="file of matches (default: the usual one)")


def run(options: argparse.Namespace) -> int:
    """Check the whole file, then store its matches."""
    offer_own_games()
    if options.file.is_file() and options.file.stat().st_size > MOST_BYTES:
        raise InputError(
            f"{options.file}: expected at most {MOST_BYTES // 1_000_000} MB: export as CSV, or some matches"
        )
    try:
        events = read_export(options.file.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError:
        raise InputError(f"{options.file}: expected text in UTF-8") from None
    with Store(options.store or default_path()) as store:
        stored, known = import_events(store, events)
    sys.stdout.write(f"{stored} matches stored, {known} were there already\n")
    return 0
