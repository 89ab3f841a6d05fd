"""A camera that sways in somebody's hand: if all dice move alike, it is the camera that moves.

It helps where the picture has too few fixed parts: dice on a bare cloth, filmed by hand. Dice that tumble part at once,
so three or more that keep their distances to a twentieth of an edge are at rest.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tabletop.core.geometry import SAME_DIE_EDGES
from tabletop.core.values import Die, Reading
from tabletop.perception.camera.transforms import IDENTITY, Homography, apply_to_reading, from_affine

LEAST_DICE = 3  # two keep their distance by chance
LEAST_SHARE = 0.6  # of the dice that are known
STAYS_EDGES = 0.04  # the reader's own noise, where a camera stands still
ALIKE_EDGES = 0.15  # before the turn is known: a turn of half a degree takes dice ten edges apart so far
FITS_EDGES = 0.06  # after it
NO_TURN = 1 + 0j
BACK_S = 2.0  # what was taken out goes back so slowly that no die creeps by it: places are the camera's in the end
NOTHING_PX = 0.3  # what is left of it then is no sway
FORGOTTEN_S = 0.5  # a die that is not seen for this long may have been picked up


@dataclass(frozen=True, slots=True)
class _Known:
    """A die at rest, its place without the sway, as a complex number."""

    face: int
    place: complex
    seen_s: float


class SwayCompensator:
    """Removes one camera's sway from its readings, in pixels."""

    def __init__(self) -> None:
        self._known: list[_Known] = []
        self._turn, self._shift = NO_TURN, 0j  # from where a die is seen to where it lies
        self._time_s = float("-inf")

    def apply(self, reading: Reading, held: Collection[Die] = ()) -> Reading:
        """Return the reading with all places as if the camera had stood still; the same object if it did.

        held: dice in fingers; they move alike because the hand does.
        """
        self._known = [one for one in self._known if reading.time_s - one.seen_s <= FORGOTTEN_S]
        if not self._known:
            self._turn, self._shift = NO_TURN, 0j
        self._go_back(reading.time_s)
        pairs = self._pairs([die for die in reading.dice if die not in held])
        self._follow([(die, known) for die, known in pairs if known is not None])
        still = {id(known): self._still(die, known) for die, known in pairs if known is not None}
        others = [one for one in self._known if id(one) not in still]
        now = [
            _Known(die.face, known.place if known and still[id(known)] else self._place(die), reading.time_s)
            for die, known in pairs
        ]
        self._known = others + now
        return apply_to_reading(reading, self.way)

    def _go_back(self, time_s: float) -> None:
        """Let the correction decay a little, for the known dice as well."""
        left = max(0.0, 1 - (time_s - self._time_s) / BACK_S)
        self._time_s = time_s
        if self.way is IDENTITY:
            return
        turn, shift = self._turn, self._shift
        if all(abs(one.place - (one.place - shift) / turn) <= NOTHING_PX for one in self._known):
            left = 0.0
        self._turn = NO_TURN + left * (turn - NO_TURN)
        self._turn, self._shift = self._turn / abs(self._turn), left * shift
        self._known = [replace(one, place=self._turn * (one.place - shift) / turn + self._shift) for one in self._known]

    def _pairs(self, dice: Sequence[Die]) -> list[tuple[Die, _Known | None]]:
        """Return each die with its known place."""
        left, pairs = list(self._known), list[tuple[Die, _Known | None]]()
        for die in dice:
            near = [one for one in left if one.face == die.face and self._far(die, one) <= SAME_DIE_EDGES]
            known = min(near, key=lambda one: self._far(die, one), default=None)
            if known is not None:
                left.remove(known)
            pairs.append((die, known))
        return pairs

    def _follow(self, pairs: Sequence[tuple[Die, _Known]]) -> None:
        """Estimate how the camera moved, if most dice agree on it."""
        if sum(self._still(die, known) for die, known in pairs) >= LEAST_SHARE * len(pairs):
            return
        off = [(known.place - self._place(die)) / die.size for die, known in pairs]
        alike = max(([abs(one - other) <= ALIKE_EDGES for other in off] for one in off), key=sum, default=[])
        if sum(alike) < max(LEAST_DICE, LEAST_SHARE * len(pairs)):
            return
        group = [pair for pair, belongs in zip(pairs, alike, strict=True) if belongs]
        seen = np.array([complex(die.x, die.y) for die, _ in group])
        lay = np.array([known.place for _, known in group])
        turn = complex(np.vdot(seen - seen.mean(), lay - lay.mean()))
        turn = turn / abs(turn) if turn else self._turn
        shift = complex(lay.mean() - turn * seen.mean())
        far = np.abs(turn * seen + shift - lay) / np.array([die.size for die, _ in group])
        if far.max() <= FITS_EDGES:
            self._turn, self._shift = turn, shift

    def _place(self, die: Die) -> complex:
        return self._turn * complex(die.x, die.y) + self._shift

    def _far(self, die: Die, known: _Known) -> float:
        return abs(self._place(die) - known.place) / max(die.size, 1e-9)

    def _still(self, die: Die, known: _Known) -> bool:
        return self._far(die, known) <= STAYS_EDGES

    @property
    def way(self) -> Homography:
        """From where a die is seen to where it is."""
        if self._turn == NO_TURN and not self._shift:
            return IDENTITY
        turn, shift = self._turn, self._shift
        return from_affine(np.array([[turn.real, -turn.imag, shift.real], [turn.imag, turn.real, shift.imag]]))
