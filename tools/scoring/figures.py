"""Statistics of confirmed rolls: shares with confidence intervals, and a confusion table. Pure."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tabletop.core.values import FACES
from tools.scoring.intervals import wilson
from tools.scoring.rolls import LEANS, NO_DIE, UNSURE, Roll

Column = int | str  # a face that was read, UNREAD, or UNSEEN
UNREAD, UNSEEN = "unsure", "missed"
COLUMNS: tuple[Column, ...] = (*FACES, UNREAD, UNSEEN)
PER_CENT = 100


@dataclass(frozen=True, slots=True)
class Share:
    """A count out of a total."""

    count: int
    of: int

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 per cent Wilson interval, assuming independent trials."""
        return wilson(self.count, self.of)

    def __str__(self) -> str:
        if not self.of:
            return "  none"
        low, high = (PER_CENT * side for side in self.interval)
        return f"{self.count:4} of {self.of:<4} {PER_CENT * self.count / self.of:5.1f} %  ({low:.1f} to {high:.1f})"

    def as_json(self) -> dict[str, Any]:
        """Return JSON values; share and interval from 0 to 1, the share None for an empty total."""
        low, high = self.interval
        share = self.count / self.of if self.of else None
        return {"count": self.count, "of": self.of, "share": share, "low": round(low, 4), "high": round(high, 4)}


@dataclass(frozen=True, slots=True)
class Figures:
    """The counted figures.

    exact: rolls in which every die was read correctly, leaning ones were unsure, and nothing else was reported. silent:
    rolls accepted by a referee who knows the number of dice although they are wrong: nothing unsure, the right number
    of dice, other faces. right, misread, unsure, missed: dice that lie on a face. confusion: their number by (true
    face, `COLUMNS`). leaning: dice that lie on no face, extra: objects reported where there is no die, both by the face
    read, or `UNREAD`.
    """

    exact: Share
    silent: Share
    right: Share
    misread: Share
    unsure: Share
    missed: Share
    confusion: dict[tuple[int, Column], int]
    leaning: dict[Column, int]
    extra: dict[Column, int]


def figures_of(rolls: Sequence[Roll]) -> Figures:
    """Return the figures of confirmed rolls; without any, the shares are of nothing."""
    confusion: Counter[tuple[int, Column]] = Counter()
    extra: Counter[Column] = Counter()
    leaning: Counter[Column] = Counter()
    for roll in rolls:
        for true, read in _pairs(roll):
            if true == NO_DIE:
                extra[read] += 1
            elif true == LEANS:
                leaning[read] += 1
            else:
                confusion[true, read] += 1
    dice = confusion.total()
    right = sum(count for (true, read), count in confusion.items() if read == true)
    unsure, missed = (sum(confusion[face, column] for face in FACES) for column in (UNREAD, UNSEEN))
    return Figures(
        exact=Share(sum(not roll.wrong for roll in rolls), len(rolls)),
        silent=Share(sum(map(_is_silent, rolls)), len(rolls)),
        right=Share(right, dice),
        misread=Share(dice - right - unsure - missed, dice),
        unsure=Share(unsure, dice),
        missed=Share(missed, dice),
        confusion=dict(confusion),
        leaning=dict(leaning),
        extra=dict(extra),
    )


def _pairs(roll: Roll) -> Iterable[tuple[int, Column]]:
    """Yield the true face and what was read, of every die and of everything reported."""
    for read, true in zip(roll.read, roll.true, strict=True):
        yield true, UNREAD if read == UNSURE else read
    for face in roll.missed:
        yield face, UNSEEN


def _is_silent(roll: Roll) -> bool:
    return not roll.doubtful and len(roll.read) == roll.dice and tuple(sorted(roll.read)) != roll.faces


def as_json(figures: Figures) -> dict[str, Any]:
    """Return the figures as JSON values: the confusion table as rows of true faces 1 to 6, columns as in `columns`."""
    names = ("exact", "silent", "right", "misread", "unsure", "missed")
    return {
        **{name: getattr(figures, name).as_json() for name in names},
        "columns": [str(column) for column in COLUMNS],
        "confusion": {str(face): [figures.confusion.get((face, column), 0) for column in COLUMNS] for face in FACES},
        "leaning": {str(column): figures.leaning.get(column, 0) for column in (*FACES, UNREAD)},
        "extra": {str(column): figures.extra.get(column, 0) for column in (*FACES, UNREAD)},
    }


def as_text(figures: Figures) -> str:
    """Return the figures as text, in lines of at most 72 columns."""
    rows = [
        ("rolls read exactly", figures.exact),
        ("rolls wrong in silence", figures.silent),
        ("dice read rightly", figures.right),
        ("dice misread in silence", figures.misread),
        ("dice left unsure", figures.unsure),
        ("dice missed", figures.missed),
    ]
    lines = [f"{name:<24}{share}" for name, share in rows]
    lines += ["in brackets: where the true share is, with 95 % certainty (Wilson)", ""]
    lines.append("true  read as" + "".join(f"{column:>5}" for column in FACES) + f"{UNREAD:>8}{UNSEEN:>8}")
    for face in FACES:
        cells = [figures.confusion.get((face, column), 0) for column in COLUMNS]
        lines.append(f"   {face}         " + _cells(cells))
    for name, counts in ((" leans       ", figures.leaning), (" no die      ", figures.extra)):
        if counts:
            lines.append(name + _cells([counts.get(column, 0) for column in (*FACES, UNREAD)]))
    return "\n".join(lines)


def _cells(counts: Sequence[int]) -> str:
    widths = [5] * len(FACES) + [8, 8]
    return "".join(f"{count or '.':>{width}}" for count, width in zip(counts, widths, strict=False))
