"""No silent wait: dice that are all read but make no rest for seconds are reported with what holds them back."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf

from tabletop.core.values import Die, Reading, Rest
from tabletop.perception.settling.hindrance import Hindrance
from tabletop.perception.settling.track import Track

PATIENCE_S = 2.0  # the slowest throw is over by then


@dataclass(frozen=True, slots=True)
class HeldBack:
    """Dice that were all read for `PATIENCE_S` but made no rest. rest: as if they lay still; hindrances: why not."""

    rest: Rest
    hindrances: tuple[Hindrance, ...]


class Patience:
    """Measures for how long the same faces have been read without a rest."""

    def __init__(self) -> None:
        self._faces: tuple[int, ...] = ()
        self._since_s = inf

    def note(
        self, reading: Reading, near: Sequence[Track], found: tuple[Hindrance, ...], *, at_rest: bool
    ) -> HeldBack | None:
        """Return the dice that have been held back for `PATIENCE_S`, None if there are none.

        near: the dice that were seen lately; found: what holds them back; at_rest: whether this reading completes or
        continues a rest.
        """
        sure = [track for track in near if track.is_sure()]
        lying = [(die, track.arrived_s) for track in sure if isinstance(die := track.combined(), Die)]
        faces = () if at_rest or len(lying) < len(sure) else tuple(sorted(die.face for die, _ in lying))
        if faces != self._faces:
            self._faces, self._since_s = faces, reading.time_s
        if not faces or reading.time_s - self._since_s < PATIENCE_S:
            return None
        dice = replace(reading, dice=tuple(die for die, _ in lying), unsure=())
        return HeldBack(Rest(dice, tuple(arrived_s for _, arrived_s in lying)), found)
