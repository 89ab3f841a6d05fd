"""Statistics of a CSV file of `tabletop calibrate score`: shares of throws with confidence intervals."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibration.scoring import COLUMNS, RIGHT, UNSURE
from tabletop.core.errors import InputError
from tools.scoring.figures import Share


@dataclass(frozen=True, slots=True)
class Verdicts:
    """The counted throws.

    right: those in which every shown face was right. exact: those of `right` without an unsure die. silent: wrong ones
    without an unsure die, which a table would accept. asked: those with an unsure die.
    """

    right: Share
    exact: Share
    silent: Share
    asked: Share

    def as_json(self) -> dict[str, Any]:
        """Return the shares as JSON values, by name."""
        return {name: getattr(self, name).as_json() for name in ("right", "exact", "silent", "asked")}

    def as_text(self) -> str:
        """Return the shares as text, a line for each."""
        rows = [
            ("read right", self.right),
            ("  and nothing unsure", self.exact),
            ("wrong in silence", self.silent),
            ("with an unsure die", self.asked),
        ]
        return "\n".join(f"{name:<24}{share}" for name, share in rows)


def load_verdicts(path: Path) -> list[tuple[str, bool]]:
    """Return for each throw the reading, and whether it was right. Raises InputError for another file."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            table = csv.DictReader(file)
            rows = [(row["read"], row["verdict"] == RIGHT) for row in table]
    except (OSError, ValueError, KeyError, csv.Error) as error:
        raise InputError(f"{path}: expected {','.join(COLUMNS)} of `tabletop calibrate score`: {error}") from None
    return rows


def verdicts_of(rows: Sequence[tuple[str, bool]]) -> Verdicts:
    """Return the shares of these throws, given as the reading and whether it was right."""
    sure = [right for read, right in rows if UNSURE not in read]
    return Verdicts(
        Share(sum(right for _, right in rows), len(rows)),
        Share(sum(sure), len(rows)),
        Share(len(sure) - sum(sure), len(rows)),
        Share(len(rows) - len(sure), len(rows)),
    )
