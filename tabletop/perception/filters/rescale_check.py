"""Dice that are read doubtfully are read a little larger and a little smaller too, and must be the same there.

A die that shows a face at one scale only mostly leans, and shows none. The check costs two readings of a frame in which
such dice are new, which is one flat die in ten; what it finds is in docs/vision-record.md.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tabletop.core.geometry import STEADY_EDGES, distance_in_edges
from tabletop.core.reasons import UnsureReason
from tabletop.core.values import Die, Reading, Unsure

DOUBTFUL = 0.88  # confidence; one flat die of ten is read less surely
SCALES = (0.96, 1.04)  # of the size that the reader is told
SAME_EDGES = 0.3  # and at another scale it is the same die, whatever its face
AGAIN_S = 1.0  # a die that was another at another scale is looked at again: a hand may have been in the way
KEPT_S = 3.0  # what was found of a die is known for this long after it was seen last

Look = Callable[[float], Reading]
"""Reads the frame with dice of so much of their size."""


@dataclass(slots=True)
class _CheckedDie:
    """The result for a die. doubt: it as an unsure die, None if it is sure."""

    die: Die
    doubt: Unsure | None
    looked_s: float
    seen_s: float


class RescaleCheck:
    """Remembers the results while the dice stay where they are."""

    def __init__(self) -> None:
        self._told: list[_CheckedDie] = []
        self._before: tuple[Die, ...] = ()

    def apply(self, reading: Reading, look: Look) -> Reading:
        """Return the reading with dice that differ at another scale as unsure. look: reads this frame.

        A die is checked once it is at rest: while it rolls, its result does not matter.
        """
        now_s, before = reading.time_s, self._before
        self._before = reading.dice
        self._told = [one for one in self._told if now_s - one.seen_s <= KEPT_S]
        doubtful = [die for die in reading.dice if die.confidence < DOUBTFUL]
        if fresh := [die for die in doubtful if self._is_due(die, before, now_s)]:
            others = [look(share) for share in SCALES]
            self._told = [one for one in self._told if not any(_lies(one.die, die) for die in fresh)]
            self._told += [_CheckedDie(die, _doubt(die, others), now_s, now_s) for die in fresh]
        doubts = dict[Die, Unsure]()
        for die in doubtful:
            for one in self._told:
                if _lies(one.die, die):
                    one.seen_s = now_s
                    if one.doubt is not None:
                        doubts[die] = die.unsure(one.doubt.reason, one.doubt.faces)
        return reading.doubting(doubts)

    def _is_due(self, die: Die, before: Sequence[Die], now_s: float) -> bool:
        known = next((one for one in self._told if _lies(one.die, die)), None)
        if known is not None:
            return known.doubt is not None and now_s - known.looked_s > AGAIN_S
        return any(_lies(other, die) for other in before)


def _doubt(die: Die, others: Sequence[Reading]) -> Unsure | None:
    """Return the die as an unsure one, None if it shows the same face at the other scales."""
    faces = [
        next((one.face for one in other.dice if distance_in_edges(one, die) <= SAME_EDGES), None) for other in others
    ]
    if all(face == die.face for face in faces):
        return None
    another = next((face for face in faces if face not in (None, die.face)), None)
    if another is None:
        return die.unsure(UnsureReason.UNREADABLE)
    return die.unsure(UnsureReason.TWO_FACES, (min(die.face, another), max(die.face, another)))


def _lies(one: Die, die: Die) -> bool:
    return one.face == die.face and distance_in_edges(one, die) <= STEADY_EDGES
