"""`tabletop delete`: delete a match or a player for good, or rename a player, after asking twice."""

import argparse
import sys
from contextlib import closing
from pathlib import Path

from tabletop.cli.numbers import match_number
from tabletop.core.errors import InputError, printable
from tabletop.rules.names import checked_name
from tabletop.store import Store, default_path, erasing, opening


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what to delete."""
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("match", nargs="?", type=match_number, metavar="MATCH", help="the match with this number")
    what.add_argument("--player", metavar="NAME", help="this player, called by the seat, as in #2, in others' matches")
    parser.add_argument("--rename", metavar="NEW", help="rename the player instead, or merge them into this one")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument("--store", type=Path, metavar="FILE", help="file of matches (default: the usual one)")


def run(options: argparse.Namespace) -> int:
    """Ask twice, delete, and name what still has it; status 0."""
    path, new = options.store or default_path(), options.rename
    if new is not None and (not options.player or checked_name(new) == options.player):
        raise InputError("expected --rename with --player and another name")
    what = f"player {options.player}" + (f", calling them {new}" if new else "")
    if options.player is None:
        with Store(path, looking=True) as store:
            match = store.match(options.match)
        what = f"match {match.number} ({match.game}: {', '.join(match.players)}; {match.begun[:10]})"
    if not (options.yes or (_agrees(f"Delete {what} for good?") and _agrees("It cannot be undone. Delete it?"))):
        raise InputError("nothing was deleted")
    with closing(opening.MatchLock(path)) as lock:
        if options.player is None:
            erasing.delete_match(path, options.match, lambda number: not lock.take(number))
        else:
            erasing.replace_player(path, options.player, new or "", lambda number: not lock.take(number))
    kept = [
        "films",
        "recordings elsewhere",
        "archives of `tabletop backup`",
        *map(str, sorted(path.parent.glob(f"{path.name}.damaged-*"))),
    ]
    sys.stdout.write(f"deleted, also from its copies, pictures and recordings; left: {printable(', '.join(kept))}\n")
    return 0


def _agrees(question: str) -> bool:
    if not sys.stdin.isatty():
        raise InputError("expected --yes, since nobody can be asked here")
    return input(f"{printable(question)} [yes/no] ").strip().casefold() == "yes"
