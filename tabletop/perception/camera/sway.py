"""A camera that sways in somebody's hand: if all dice move alike, it is the camera that moves.

This helps if the picture has too few fixed parts: dice on a bare cloth, filmed by hand. Tumbling dice separate at once,
so three or more that keep their distances to within a twentieth of an edge are at rest.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tabletop.core.values import SAME_DIE_EDGES, Die, Reading
from tabletop.perception.camera.transforms import IDENTITY, Homography, apply_to_reading, from_affine

LEAST_DICE = 3  # two may keep their distance by chance
LEAST_SHARE = 0.6  # of the dice that are known: this many must agree
STAYS_EDGES = 0.04  # the reader's own noise under a camera that stands still
ALIKE_EDGES = 0.15  # before the turn is known: half a degree shifts dice ten edges apart by about this much
FITS_EDGES = 0.06  # once the turn is known
NO_TURN = 1 + 0j
DECAY_S = 2.0  # the correction decays this slowly, so that no die seems to creep; in the end places are as seen
NO_SWAY_PX = 0.3  # a correction that has decayed to less than this is dropped
FORGOTTEN_S = 0.5  # a die that is not seen for this long may have been picked up


@dataclass(frozen=True, slots=True)
class _KnownDie:
    """A die at rest. place: without the sway, in pixels, as a complex number x + iy."""

    face: int
    place: complex
    seen_s: float


class SwayCompensator:
    """Removes the sway of one camera from its readings, in pixels."""

    def __init__(self) -> None:
        self._known: list[_KnownDie] = []
        self._turn, self._shift = NO_TURN, 0j  # from the place at which a die is seen to the place where it lies
        self._time_s = float("-inf")

    def apply(self, reading: Reading, held: Collection[Die] = ()) -> Reading:
        """Return the reading with all places as if the camera had stood still; the same object if it did.

        held: dice in fingers, which are not used: they move alike because the hand moves.
        """
        self._known = [known for known in self._known if reading.time_s - known.seen_s <= FORGOTTEN_S]
        if not self._known:
            self._turn, self._shift = NO_TURN, 0j
        self._decay(reading.time_s)
        pairs = self._pairs([die for die in reading.dice if die not in held])
        self._follow([(die, known) for die, known in pairs if known is not None])
        still = {id(known): self._still(die, known) for die, known in pairs if known is not None}
        others = [known for known in self._known if id(known) not in still]
        now = [
            _KnownDie(die.face, known.place if known and still[id(known)] else self._place(die), reading.time_s)
            for die, known in pairs
        ]
        self._known = others + now
        return apply_to_reading(reading, self.homography)

    def _decay(self, time_s: float) -> None:
        """Let the correction decay a little, for the known dice as well."""
        left = max(0.0, 1 - (time_s - self._time_s) / DECAY_S)
        self._time_s = time_s
        if self.homography is IDENTITY:
            return
        turn, shift = self._turn, self._shift
        if all(abs(known.place - (known.place - shift) / turn) <= NO_SWAY_PX for known in self._known):
            left = 0.0
        self._turn = NO_TURN + left * (turn - NO_TURN)
        self._turn, self._shift = self._turn / abs(self._turn), left * shift
        self._known = [
            replace(known, place=self._turn * (known.place - shift) / turn + self._shift) for known in self._known
        ]

    def _pairs(self, dice: Sequence[Die]) -> list[tuple[Die, _KnownDie | None]]:
        """Return each die with the known die that it is, None for a new one."""
        unpaired, pairs = list(self._known), list[tuple[Die, _KnownDie | None]]()
        for die in dice:
            near = [
                known
                for known in unpaired
                if known.face == die.face and self._distance_in_edges(die, known) <= SAME_DIE_EDGES
            ]
            nearest = min(near, key=lambda known: self._distance_in_edges(die, known), default=None)
            if nearest is not None:
                unpaired.remove(nearest)
            pairs.append((die, nearest))
        return pairs

    def _follow(self, pairs: Sequence[tuple[Die, _KnownDie]]) -> None:
        """Estimate how the camera moved, if most dice agree."""
        if sum(self._still(die, known) for die, known in pairs) >= LEAST_SHARE * len(pairs):
            return
        offsets = [(known.place - self._place(die)) / die.size for die, known in pairs]
        alike = max(
            ([abs(offset - other) <= ALIKE_EDGES for other in offsets] for offset in offsets), key=sum, default=[]
        )
        if sum(alike) < max(LEAST_DICE, LEAST_SHARE * len(pairs)):
            return
        group = [pair for pair, belongs in zip(pairs, alike, strict=True) if belongs]
        seen = np.array([complex(die.x, die.y) for die, _ in group])
        rested = np.array([known.place for _, known in group])
        turn = complex(np.vdot(seen - seen.mean(), rested - rested.mean()))
        turn = turn / abs(turn) if turn else self._turn
        shift = complex(rested.mean() - turn * seen.mean())
        residuals_edges = np.abs(turn * seen + shift - rested) / np.array([die.size for die, _ in group])
        if residuals_edges.max() <= FITS_EDGES:
            self._turn, self._shift = turn, shift

    def _place(self, die: Die) -> complex:
        return self._turn * complex(die.x, die.y) + self._shift

    def _distance_in_edges(self, die: Die, known: _KnownDie) -> float:
        return abs(self._place(die) - known.place) / max(die.size, 1e-9)

    def _still(self, die: Die, known: _KnownDie) -> bool:
        return self._distance_in_edges(die, known) <= STAYS_EDGES

    @property
    def homography(self) -> Homography:
        """From the place at which a die is seen to the place where it is."""
        if self._turn == NO_TURN and not self._shift:
            return IDENTITY
        turn, shift = self._turn, self._shift
        return from_affine(np.array([[turn.real, -turn.imag, shift.real], [turn.imag, turn.real, shift.imag]]))
