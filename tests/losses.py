"""`python tests/losses.py`: which rests are missed, and why: films, photographs and the simulated room, ended by hands.

Writes a table of losses by cause. A rest counts as due where it lasts `DUE_S` and each die is read right in two of its
frames at least. With `--readings FOLDER` readings are kept there, so that another settling is measured in minutes;
`--only WORD` takes the cases with this word in their names; `--each` writes a line for each case that is not right.
"""

import argparse
import hashlib
import os
import pickle
import sys
from collections import Counter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

from rest_cases import all_cases  # noqa: E402 - beside this file
from rest_losses import NOT_DUE, RIGHT, watch  # noqa: E402

from tabletop.core.values import Reading  # noqa: E402
from tabletop.vision.reader import read  # noqa: E402


class KeptReadings:
    """Reads frames, or takes the reading from a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def __call__(
        self, frame: NDArray[np.uint8], *, time_s: float, die_px: float | None, expect: int | None, fixed_size: bool
    ) -> Reading:
        """Return the reading, as `tabletop.vision.reader.read`."""
        asked = f"{frame.shape} {die_px} {expect} {fixed_size} {time_s}".encode()
        name = hashlib.blake2b(asked + np.ascontiguousarray(frame).tobytes(), digest_size=16).hexdigest()
        kept = self._folder / name
        if kept.exists():
            known: Reading = pickle.loads(kept.read_bytes())  # noqa: S301 - written below
            return known
        reading = read(frame, time_s=time_s, die_px=die_px, expect=expect, fixed_size=fixed_size)
        part = kept.with_suffix(f".{os.getpid()}")  # several may measure at once
        part.write_bytes(pickle.dumps(reading))
        part.replace(kept)
        return reading


def main() -> int:
    """Watch all cases and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--readings", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--each", action="store_true")
    options = parser.parse_args()
    readings = KeptReadings(options.readings) if options.readings else None
    table: dict[str, Counter[str]] = {}
    for case in all_cases():
        if options.only not in f"{case.group} {case.name}":
            continue
        for number, (verdict, window) in enumerate(watch(case, readings or read)):
            table.setdefault(case.group, Counter())[verdict] += 1
            if options.each and verdict not in (RIGHT, NOT_DUE):
                _say(f"{verdict}: {case.name}, throw {number + 1}: {window.taken} {dict(window.causes)}")
    columns = sorted({verdict for counts in table.values() for verdict in counts})
    _say("| " + " | ".join(("what", *columns)) + " |")
    _say("|---" * (len(columns) + 1) + "|")
    for group, counts in [*table.items(), ("all", sum(table.values(), Counter()))]:
        _say("| " + " | ".join((group, *(str(counts[column]) for column in columns))) + " |")
    return 0


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
