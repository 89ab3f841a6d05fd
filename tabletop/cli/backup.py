"""`tabletop backup`: matches, profiles, own dice, own games and the configuration in one archive."""

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path

from tabletop.cli.archive import Places, checked_archive, write_archive
from tabletop.core.errors import InputError, printable
from tabletop.store.clock import set_by

BYTES_PER_MB = 1_000_000


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare where it goes, and what belongs to the table."""
    parser.add_argument("out", nargs="?", type=Path, metavar="OUT.zip", help="the archive (default: tabletop-DATE.zip)")
    parser.add_argument("--replace", action="store_true", help="write over an archive that is there")
    place_arguments(parser)


def place_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what says where this table keeps its things."""
    parser.add_argument("--store", type=Path, metavar="FILE", help="the file of matches, if not the usual one")
    parser.add_argument("--config", type=Path, metavar="FILE", help="a configuration file, if not the usual one")
    parser.add_argument("--profile", type=Path, metavar="FILE", help="the profile, if not the one of the configuration")


def _day() -> str:
    """Return today's date for the name of a file, "no-date" if the clock was not set, which is said."""
    now = datetime.now(UTC)
    if set_by(now):
        return f"{now.astimezone():%Y-%m-%d}"
    sys.stderr.write("tabletop backup: the clock is not set, so the archive's name has no date\n")
    return "no-date"


def run(options: argparse.Namespace) -> int:
    """Write the archive, check it, and say what is in it; status 0."""
    out = options.out or Path(f"tabletop-{_day()}.zip")
    if out.exists() and not options.replace:
        raise InputError(f"{out}: expected a name that is free, something lies there; name another, or --replace")
    if options.config is not None and not options.config.is_file():
        raise InputError(f"{options.config}: expected a configuration file, there is none of this name")
    places = Places.of(options.store, options.config, options.profile).with_profile()
    for line in write_archive(places, out):
        sys.stderr.write(f"tabletop backup: {printable(line)}\n")
    with checked_archive(out) as archive:
        sys.stdout.write(f"{out}: {archive.summary}, {out.stat().st_size / BYTES_PER_MB:.1f} MB\n")
    return 0
