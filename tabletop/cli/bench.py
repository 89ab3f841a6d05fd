"""`tabletop bench`: how long the table's steps take on this machine, and how much memory. Figures, no verdict."""

import argparse
import json
import sys
from dataclasses import asdict

HELP = "measure speed and memory"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare how thoroughly to measure, and in which form to tell."""
    parser.add_argument("--json", action="store_true", help="one JSON object on one line")
    parser.add_argument("--quick", action="store_true", help="few repetitions: a look, no measurement")


def run(options: argparse.Namespace) -> int:
    """Measure everything; the figures come one by one, as JSON together at the end."""
    from tabletop.cli.measuring import all_figures, machine  # noqa: PLC0415 - this imports nearly everything

    facts = machine()
    if not options.json:
        sys.stdout.write(", ".join(f"{name} {value}" for name, value in facts.items()) + "\n")
    figures = []
    for figure in all_figures(quick=options.quick):
        figures.append(figure)
        if not options.json:
            told = f"{figure.value:>10.3f} {figure.unit:<4}" if figure.value is not None else f"{'-':>10}     "
            note = f"  ({figure.note})" if figure.note else ""
            sys.stdout.write(f"{told} {figure.name}{note}\n")
            sys.stdout.flush()
    if options.json:
        sys.stdout.write(json.dumps({**facts, "figures": [asdict(figure) for figure in figures]}) + "\n")
    return 0
