"""Dice that are read with low confidence are read again in other ways, and must show the same face in each.

A little larger and smaller: a die that shows a face at one scale only usually leans, and shows none. And as in a
photograph, where the second opinion is asked: a glossy die in two colours may be the same wrong face at every scale.
The check costs three more readings of a frame in which such dice are new, which is one flat die in ten; what it finds
is in docs/vision-record.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from tabletop.core.geometry import STEADY_EDGES, distance_in_edges
from tabletop.core.reasons import UnsureReason
from tabletop.core.values import Die, Reading, Unsure

DOUBTFUL = 0.88  # confidence: one flat die in ten is read with less
SCALES = (0.96, 1.04)  # of the size that the reader is given
RESCALED_EDGES = 0.3  # at another scale, whatever is this near is the same die, whatever its face
RECHECK_S = 1.0  # a die that differed at another scale is checked again after this: a hand may have been in the way
RESULT_KEPT_S = 3.0  # the result for a die is kept for this long after the die was last seen


class Look(Protocol):
    """Reads the frame again."""

    def __call__(self, share: float, *, closely: bool = False) -> Reading:
        """Return the reading at this share of the dice's size. closely: with the second opinion."""


@dataclass(slots=True)
class _CheckedDie:
    """The result for a die. doubt: the die as an unsure one, None if it is sure."""

    die: Die
    doubt: Unsure | None
    looked_s: float
    seen_s: float


class RescaleCheck:
    """Remembers the results while the dice stay where they are."""

    def __init__(self) -> None:
        self._checked: list[_CheckedDie] = []
        self._before: tuple[Die, ...] = ()

    def apply(self, reading: Reading, look: Look) -> Reading:
        """Return the reading in which dice that differ in another look are unsure. look: reads this frame.

        A die is checked once it is at rest: while it rolls, its result does not matter.
        """
        now_s, before = reading.time_s, self._before
        self._before = reading.dice
        self._checked = [checked for checked in self._checked if now_s - checked.seen_s <= RESULT_KEPT_S]
        doubtful = [die for die in reading.dice if die.confidence < DOUBTFUL]
        if due := [die for die in doubtful if self._is_due(die, before, now_s)]:
            others = [*(look(share) for share in SCALES), look(1.0, closely=True)]
            self._checked = [checked for checked in self._checked if not any(_is_same(checked.die, die) for die in due)]
            self._checked += [_CheckedDie(die, _doubt(die, others), now_s, now_s) for die in due]
        doubts = dict[Die, Unsure]()
        for die in doubtful:
            for checked in self._checked:
                if _is_same(checked.die, die):
                    checked.seen_s = now_s
                    if checked.doubt is not None:
                        doubts[die] = die.unsure(checked.doubt.reason, checked.doubt.faces)
        return reading.doubting(doubts)

    def _is_due(self, die: Die, before: Sequence[Die], now_s: float) -> bool:
        known = next((checked for checked in self._checked if _is_same(checked.die, die)), None)
        if known is not None:
            return known.doubt is not None and now_s - known.looked_s > RECHECK_S
        return any(_is_same(other, die) for other in before)


def _doubt(die: Die, others: Sequence[Reading]) -> Unsure | None:
    """Return the die as an unsure one, None if it shows the same face in the other looks."""
    faces = [
        next((seen.face for seen in other.dice if distance_in_edges(seen, die) <= RESCALED_EDGES), None)
        for other in others
    ]
    if all(face == die.face for face in faces):
        return None
    another = next((face for face in faces if face not in (None, die.face)), None)
    if another is None:
        return die.unsure(UnsureReason.UNREADABLE)
    return die.unsure(UnsureReason.TWO_FACES, (min(die.face, another), max(die.face, another)))


def _is_same(earlier: Die, die: Die) -> bool:
    return earlier.face == die.face and distance_in_edges(earlier, die) <= STEADY_EDGES
