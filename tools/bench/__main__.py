"""`make bench`: measure the time of the table's steps on this machine, and its memory. Figures, no verdict."""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from tabletop.core.errors import InputError, TabletopError
from tools.bench.pictures import photographs
from tools.bench.suite import all_figures, machine

SAMPLE = 25  # photographs a source: enough for medians, and a minute in all
QUICK_SAMPLE = 3


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare how thoroughly to measure, and the output format."""
    parser.add_argument("--json", action="store_true", help="one JSON object on one line")
    parser.add_argument("--quick", action="store_true", help="fewer repetitions: a rough look, not a measurement")
    parser.add_argument(
        "--photographs",
        type=Path,
        metavar="FOLDER",
        help="also read the labelled photographs of a folder with a manifest.json",
    )
    parser.add_argument(
        "--sample",
        type=_sample,
        metavar="N",
        help=f"at most N photographs per source (default: {SAMPLE}, with --quick {QUICK_SAMPLE})",
    )


def run(options: argparse.Namespace) -> int:
    """Measure everything; print the figures one by one, or as JSON at the end. Raises InputError."""
    known = None
    if options.photographs is not None:
        known = photographs(options.photographs, options.sample or (QUICK_SAMPLE if options.quick else SAMPLE))
    elif options.sample is not None:
        raise InputError("expected --photographs FOLDER with --sample; it says how many photographs are drawn")
    facts = machine()
    if not options.json:
        sys.stdout.write(", ".join(f"{name} {value}" for name, value in facts.items()) + "\n")
    figures = []
    for figure in all_figures(quick=options.quick, photographs=known):
        figures.append(figure)
        if not options.json:
            line = f"{figure.value:>10.3f} {figure.unit:<4}" if figure.value is not None else f"{'-':>10}     "
            note = f"  ({figure.note})" if figure.note else ""
            sys.stdout.write(f"{line} {figure.name}{note}\n")
            sys.stdout.flush()
    if options.json:
        sys.stdout.write(json.dumps({**facts, "figures": [asdict(figure) for figure in figures]}) + "\n")
    return 0


def _sample(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text[:9]) < 1:
        raise argparse.ArgumentTypeError(f"expected a number of photographs from 1, got {text!r}")
    return int(text[:9])


def main(words: list[str] | None = None) -> int:
    """Run the benchmark; an invalid option gives one line and status 2."""
    parser = argparse.ArgumentParser("make bench", description="measure speed and memory of the table")
    arguments(parser)
    try:
        return run(parser.parse_args(words))
    except TabletopError as error:
        sys.stderr.write(f"make bench: {error}\n")
        return 2


if __name__ == "__main__":
    sys.exit(main())
