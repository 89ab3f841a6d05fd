"""Labels of photographs, and in what a reading differs from them.

A file of labels is JSON: `{"images": [{"file", "die_px", "dice": [{"face", "box": [x0, y0, x1, y1]}]}]}`, pixels of the
upright photograph, names relative to the file's own folder; other keys are ignored. A die may be marked `truncated` or
`custom_face`: then it counts for nothing. The matching rule is that of the scoring program that comes with the
photographs (`photos/score.py`).
"""

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from tabletop.core.errors import InputError
from tabletop.core.values import FACES, Die, Reading, Unsure
from tabletop.core.wording import reason_text

Kind = Literal["silent", "wrong", "false", "missed", "unsure"]

DIE_PX = (4.0, 4000.0)  # edge of a die that a label or a hint may name
REACH = 0.55  # dice: a reading belongs to a label whose middle is that near
IGNORED_REACH = 1.2 * REACH  # the same for labels that count for nothing
RIM = 0.6  # dice: what is told nearer to the border than that may be a cut die without a label
BOX = 4  # numbers of a box


@dataclass(frozen=True, slots=True)
class Label:
    """One die of a photograph: its face, the middle of its box in pixels, and whether it counts."""

    face: int
    x: float
    y: float
    counts: bool = True


@dataclass(frozen=True, slots=True)
class Labelled:
    """The labels of one photograph, and about the edge of its dice in pixels."""

    die_px: float
    labels: tuple[Label, ...]

    @property
    def expect(self) -> int | None:
        """How many dice there are, None if some count for nothing."""
        return len(self.labels) if all(one.counts for one in self.labels) else None


@dataclass(frozen=True, slots=True)
class Failure:
    """One die that was not read, or read wrongly: where (pixels), what was told and what is true, for people."""

    kind: Kind
    x: float
    y: float
    size: float
    read_as: str
    truth: str = ""


def load_labels(path: Path) -> dict[Path, Labelled]:
    """Return the labels of each photograph by its resolved path; raises InputError saying what is wrong where."""
    try:
        images = json.loads(path.read_bytes())["images"]
    except OSError as error:
        raise InputError(f"{path}: expected a file that can be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InputError(f'{path}: expected JSON of the form {{"images": [...]}}') from None
    if not isinstance(images, list):
        raise InputError(f"{path}: expected a list of images, got {type(images).__name__}")
    root = path.resolve().parent
    read_as = {}
    for number, image in enumerate(images):
        try:
            labels = tuple(_label(die) for die in image["dice"])
            die_px = float(image["die_px"])
            if not DIE_PX[0] <= die_px <= DIE_PX[1]:
                raise ValueError(die_px)  # noqa: TRY301 - told together with all other mistakes
            read_as[(root / image["file"]).resolve()] = Labelled(die_px, labels)
        except (AttributeError, LookupError, ValueError, TypeError, OSError) as error:
            raise InputError(
                f"{path}: expected file, die_px and dice with face and box, got something else in "
                f"images[{number}] ({type(error).__name__}: {error})"
            ) from None
    return read_as


def _label(die: Mapping[str, Any]) -> Label:
    counts = not (die.get("custom_face") or die.get("truncated"))
    if len(die["box"]) != BOX:
        raise ValueError(die["box"])
    x0, y0, x1, y1 = (float(value) for value in die["box"])
    face = die["face"]
    if not math.isfinite(x0 + x1 + y0 + y1) or (counts and face not in FACES):
        raise ValueError(die)
    return Label(face if face in FACES else 0, (x0 + x1) / 2, (y0 + y1) / 2, counts)


def failures(reading: Reading, labelled: Labelled | None) -> tuple[Failure, ...]:
    """Return what a person should look at: unsure dice, and with labels also the wrong, false and missed ones.

    reading: in pixels. In a photograph that a referee would take and be wrong (nothing unsure, as many dice as there
    are, other faces) all that is wrong is `silent`.
    """
    if labelled is None:
        return tuple(_failure("unsure", one, reason_text(one)) for one in reading.unsure)
    labels, reach = labelled.labels, REACH * labelled.die_px
    read, doubted = matched(labels, reading.dice, reach), matched(labels, reading.unsure, reach)
    doubts = _doubts(reading, labelled, doubted)
    wrong = [
        _failure("wrong", reading.dice[j], _told_text(reading.dice[j]), f"is {labels[i].face}")
        for i, j in read.items()
        if labels[i].counts and reading.dice[j].face != labels[i].face
    ]
    false = [
        one for j, one in enumerate(reading.dice) if j not in read.values() and not _overlooked(one, reading, labelled)
    ]
    missed = [
        Failure("missed", one.x, one.y, labelled.die_px, "nothing told", f"is {one.face}")
        for i, one in enumerate(labels)
        if one.counts and i not in read and i not in doubted
    ]
    found = [*wrong, *(_failure("false", one, _told_text(one), "no die with a label") for one in false), *missed]
    read_as = Counter([reading.dice[j].face for i, j in read.items() if labels[i].counts] + [one.face for one in false])
    truth = Counter(one.face for one in labels if one.counts)
    if not doubts and read_as.total() == truth.total() and read_as != truth:
        found = [Failure("silent", one.x, one.y, one.size, one.read_as, one.truth) for one in found]
    return (*found, *doubts)


def matched(labels: Sequence[Label], seen: Sequence[Die | Unsure], reach_px: float) -> dict[int, int]:
    """Return index of label -> index of what was seen there, nearest pairs first, each at most once."""
    pairs = sorted(
        (math.hypot(one.x - label.x, one.y - label.y), i, j)
        for i, label in enumerate(labels)
        for j, one in enumerate(seen)
    )
    taken: dict[int, int] = {}
    for distance, i, j in pairs:
        if distance <= reach_px and i not in taken and j not in taken.values():
            taken[i] = j
    return taken


def _doubts(reading: Reading, labelled: Labelled, doubted: Mapping[int, int]) -> list[Failure]:
    face_of = {j: labelled.labels[i] for i, j in doubted.items()}
    read_as = []
    for j, one in enumerate(reading.unsure):
        label = face_of.get(j)
        if label is not None and label.counts:
            read_as.append(_failure("unsure", one, reason_text(one), f"is {label.face}"))
        elif not _near_ignored(one, labelled) and (label is not None or not _cut(one, reading, labelled)):
            read_as.append(_failure("unsure", one, reason_text(one), "no die with a label"))
    return read_as


def _failure(kind: Kind, one: Die | Unsure, read_as: str, truth: str = "") -> Failure:
    return Failure(kind, one.x, one.y, one.size, read_as, truth)


def _told_text(die: Die) -> str:
    return f"read {die.face} ({die.confidence:.0%})"


def _overlooked(one: Die | Unsure, reading: Reading, labelled: Labelled) -> bool:
    return _near_ignored(one, labelled) or _cut(one, reading, labelled)


def _near_ignored(one: Die | Unsure, labelled: Labelled) -> bool:
    reach = IGNORED_REACH * labelled.die_px
    return any(not label.counts and math.hypot(one.x - label.x, one.y - label.y) <= reach for label in labelled.labels)


def _cut(one: Die | Unsure, reading: Reading, labelled: Labelled) -> bool:
    rim = RIM * labelled.die_px
    return not (rim < one.x < reading.width - rim and rim < one.y < reading.height - rim)
