"""Labels of photographs, and the differences of a reading from them.

A file of labels is JSON: `{"images": [{"file", "die_px", "dice": [{"face", "box": [x0, y0, x1, y1]}]}]}`, pixels of the
upright photograph, names relative to the file's own folder; other keys are ignored. A die marked `truncated` or
`custom_face` does not count. The matching rule is that of the scoring program that comes with the photographs
(`photos/score.py`).
"""

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from tabletop.core.errors import InputError
from tabletop.core.message import reason_text
from tabletop.core.values import FACES, Die, Reading, Unsure

Kind = Literal["silent", "wrong", "false", "missed", "unsure"]

REACH = 0.55  # dice: a die read within this distance of a label's middle belongs to that label
IGNORED_REACH = 1.2 * REACH  # the same for labels that do not count
RIM = 0.6  # dice: a die read nearer to the border than this may be a cut one, which has no label


@dataclass(frozen=True, slots=True)
class Label:
    """One die in a photograph: its face, the centre of its box in pixels, and whether it counts."""

    face: int
    x: float
    y: float
    counts: bool = True


@dataclass(frozen=True, slots=True)
class Labelled:
    """The labels of one photograph, and the approximate edge of its dice in pixels."""

    die_px: float
    labels: tuple[Label, ...]

    @property
    def expect(self) -> int | None:
        """The number of dice, None if some do not count."""
        return len(self.labels) if all(label.counts for label in self.labels) else None


@dataclass(frozen=True, slots=True)
class Failure:
    """One die that was missed or misread: its place (pixels), the face read and the true face, as text."""

    kind: Kind
    x: float
    y: float
    size: float
    read_as: str
    truth: str = ""


def load_labels(path: Path) -> dict[Path, Labelled]:
    """Return the labels of each photograph by its resolved path; raises InputError for an invalid file."""
    root = path.resolve().parent
    try:
        images = json.loads(path.read_bytes())["images"]
        return {
            (root / image["file"]).resolve(): Labelled(float(image["die_px"]), tuple(map(_label, image["dice"])))
            for image in images
        }
    except OSError as error:
        raise InputError(f"{path}: expected a file that can be read: {error.strerror}") from None
    except (LookupError, ValueError, TypeError, RecursionError) as error:
        raise InputError(
            f"{path}: expected images with file, die_px and dice with face and box, got something else ({error!r:.80})"
        ) from None


def _label(die: Mapping[str, Any]) -> Label:
    counts = not (die.get("custom_face") or die.get("truncated"))
    x0, y0, x1, y1 = (float(value) for value in die["box"])
    face = die["face"]
    if not math.isfinite(x0 + x1 + y0 + y1) or (counts and face not in FACES):
        raise ValueError(die)
    return Label(face if face in FACES else 0, (x0 + x1) / 2, (y0 + y1) / 2, counts)


def failures(reading: Reading, labelled: Labelled) -> tuple[Failure, ...]:
    """Return the dice worth a look: unsure, wrong, false and missed ones.

    reading: in pixels. If a referee would accept the reading of a photograph although it is wrong (nothing unsure, the
    right number of dice, other faces), every failure in it is `silent`.
    """
    labels, reach = labelled.labels, REACH * labelled.die_px
    read, unsure = matched(labels, reading.dice, reach), matched(labels, reading.unsure, reach)
    doubts = _doubts(reading, labelled, unsure)
    wrong = [
        _failure("wrong", reading.dice[j], _read_text(reading.dice[j]), f"is {labels[i].face}")
        for i, j in read.items()
        if labels[i].counts and reading.dice[j].face != labels[i].face
    ]
    false = [
        die for j, die in enumerate(reading.dice) if j not in read.values() and not _overlooked(die, reading, labelled)
    ]
    missed = [
        Failure("missed", label.x, label.y, labelled.die_px, "nothing told", f"is {label.face}")
        for i, label in enumerate(labels)
        if label.counts and i not in read and i not in unsure
    ]
    found = [*wrong, *(_failure("false", die, _read_text(die), "no die with a label") for die in false), *missed]
    read_as = Counter([reading.dice[j].face for i, j in read.items() if labels[i].counts] + [die.face for die in false])
    truth = Counter(label.face for label in labels if label.counts)
    if not doubts and read_as.total() == truth.total() and read_as != truth:
        found = [
            Failure("silent", failure.x, failure.y, failure.size, failure.read_as, failure.truth) for failure in found
        ]
    return (*found, *doubts)


def matched(labels: Sequence[Label], seen: Sequence[Die | Unsure], reach_px: float) -> dict[int, int]:
    """Return index of label -> index of the matching die; the nearest pairs are matched first, each at most once."""
    pairs = sorted(
        (math.hypot(die.x - label.x, die.y - label.y), i, j)
        for i, label in enumerate(labels)
        for j, die in enumerate(seen)
    )
    taken: dict[int, int] = {}
    for distance, i, j in pairs:
        if distance <= reach_px and i not in taken and j not in taken.values():
            taken[i] = j
    return taken


def _doubts(reading: Reading, labelled: Labelled, label_to_unsure: Mapping[int, int]) -> list[Failure]:
    face_of = {j: labelled.labels[i] for i, j in label_to_unsure.items()}
    read_as = []
    for j, unsure in enumerate(reading.unsure):
        label = face_of.get(j)
        if label is not None and label.counts:
            read_as.append(_failure("unsure", unsure, reason_text(unsure), f"is {label.face}"))
        elif not _near_ignored(unsure, labelled) and (label is not None or not _cut(unsure, reading, labelled)):
            read_as.append(_failure("unsure", unsure, reason_text(unsure), "no die with a label"))
    return read_as


def _failure(kind: Kind, die: Die | Unsure, read_as: str, truth: str = "") -> Failure:
    return Failure(kind, die.x, die.y, die.size, read_as, truth)


def _read_text(die: Die) -> str:
    return f"read {die.face} ({die.confidence:.0%})"


def _overlooked(die: Die | Unsure, reading: Reading, labelled: Labelled) -> bool:
    return _near_ignored(die, labelled) or _cut(die, reading, labelled)


def _near_ignored(die: Die | Unsure, labelled: Labelled) -> bool:
    reach = IGNORED_REACH * labelled.die_px
    return any(not label.counts and math.hypot(die.x - label.x, die.y - label.y) <= reach for label in labelled.labels)


def _cut(die: Die | Unsure, reading: Reading, labelled: Labelled) -> bool:
    rim = RIM * labelled.die_px
    return not (rim < die.x < reading.width - rim and rim < die.y < reading.height - rim)
