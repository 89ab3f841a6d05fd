"""Figures of a scored table: `python -m tools.scoring FILE [--json]`.

FILE: the CSV file of `tabletop calibrate score`, or a `.score` file of version 162beb41 and before.
"""

import argparse
import json
import sys
from pathlib import Path

from tabletop.core.errors import InputError
from tools.scoring import figures
from tools.scoring.rolls import load_rolls
from tools.scoring.verdicts import load_verdicts, verdicts_of


def main(words: list[str]) -> int:
    """Print the figures; return 2 for a file with other content."""
    parser = argparse.ArgumentParser(prog="python -m tools.scoring", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--json", action="store_true", help="one JSON object")
    options = parser.parse_args(words)
    try:
        if options.file.suffix == ".score":
            rolls = figures.figures_of(load_rolls(options.file))
            text, values = figures.as_text(rolls), figures.as_json(rolls)
        else:
            throws = verdicts_of(load_verdicts(options.file))
            text, values = throws.as_text(), throws.as_json()
    except InputError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(f"{json.dumps(values) if options.json else text}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
