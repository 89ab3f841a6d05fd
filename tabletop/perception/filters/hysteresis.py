"""Dice that people were asked about: they stay unsure, even if they are nudged, until they are read plainly.

A die at the edge of what can be read is now sure, now unsure, with the noise of the picture. Of dice that were unsure
for half a second longer than sure and are still read doubtfully afterwards, most show their face, but one in ten
showed another one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tabletop.core.geometry import STEADY_EDGES, distance_in_edges
from tabletop.core.reasons import FACE_REASONS, UnsureReason
from tabletop.core.values import Die, Reading, Unsure
from tabletop.perception.filters.rescale_check import DOUBTFUL

ASKED_S = 0.5  # unsure for so much longer than sure, and people have been asked; quick hands are faster
PLAIN_S = 0.3  # plain for this long it is like any other die; while it is nudged a blot is blurred
KEPT_S = 3.0  # what was not seen for this long is forgotten
NUDGED_EDGES = 0.9  # but no farther: the next die cannot be nearer than an edge


@dataclass(slots=True)
class _DoubtfulPlace:
    """A place with a die that was unsure.

    unsure_s: for how much longer than sure. asked: whether that was long enough to ask people. plain_s: for how long it
    has been plain.
    """

    x: float
    y: float
    size: float
    doubt: Unsure
    seen_s: float
    unsure_s: float = 0.0
    asked: bool = False
    plain_s: float = 0.0

    def named(self) -> Unsure:
        """Return the die that people are asked about."""
        return replace(self.doubt, x=self.x, y=self.y, size=self.size, where="tray")

    def see(self, one: Die | Unsure, now_s: float, before_s: float, plain: float) -> bool:
        """Note how it is seen; return whether a sure die may be told. before_s: when the frame before this one was.

        Nothing is known of the time in which it was hidden.
        """
        passed_s = now_s - before_s if self.seen_s == before_s else 0.0
        is_plain = isinstance(one, Die) and one.confidence >= plain
        if isinstance(one, Unsure):
            self.doubt = one
            self.unsure_s += passed_s
        elif not self.asked:
            self.unsure_s -= passed_s
        self.plain_s = self.plain_s + passed_s if is_plain and passed_s else 0.0
        self.asked = self.asked or self.unsure_s >= ASKED_S
        self.seen_s = now_s
        if self.asked and self.doubt.reason is not UnsureReason.LEANS:
            self.x, self.y = one.x, one.y
        return is_plain or not self.asked

    def miss(self, now_s: float) -> None:
        """Note that nothing is read there, though something is there."""
        self.seen_s, self.plain_s = now_s, 0.0

    def over(self, now_s: float) -> bool:
        """Return whether the place is like any other again."""
        return now_s - self.seen_s > KEPT_S or self.unsure_s < 0 or self.plain_s >= PLAIN_S


class DoubtHysteresis:
    """Remembers which dice were unsure for long."""

    def __init__(self) -> None:
        self._places: list[_DoubtfulPlace] = []
        self._before_s = float("-inf")

    def apply(
        self, reading: Reading, level: float | None = None, lies: Callable[[Unsure], bool] = lambda _: False
    ) -> Reading:
        """Return the reading with dice that were unsure there for long, and are not plain now, as unsure.

        level: the confidence with which dice of this table are read, None while unknown; if it is low, as under a dim
        lamp, a die read this surely is plain. lies: whether something covers the bare ground there; then a die that
        people were asked about stays named, even if nothing is read there now.
        """
        now_s, before_s, self._before_s = reading.time_s, self._before_s, reading.time_s
        plain = DOUBTFUL if level is None else min(DOUBTFUL, level)
        self._places = [one for one in self._places if not one.over(now_s)]
        for unsure in reading.unsure:
            place, about_its_face = self._at(unsure), unsure.reason in FACE_REASONS
            if place is None and about_its_face:
                self._places.append(_DoubtfulPlace(unsure.x, unsure.y, unsure.size, unsure, now_s))
            elif place is not None and about_its_face:
                place.see(unsure, now_s, before_s, plain)
            elif place is not None and place.asked and not lies(place.named()):
                place.x, place.y = unsure.x, unsure.y  # nudged there, and no hand is where it lay
                place.miss(now_s)
        pairs = ((die, self._at(die)) for die in reading.dice)
        held_back = {
            die: die.unsure(place.doubt.reason, place.doubt.faces)
            for die, place in pairs
            if place and not place.see(die, now_s, before_s, plain)
        }
        seen: list[Die | Unsure] = [*reading.dice, *reading.unsure]
        unread = [place for place in self._places if place.asked and place.seen_s < now_s]
        missed = list[Unsure]()
        for place in unread:
            if not _near(place.named(), seen) and lies(place.named()):
                place.miss(now_s)
                missed.append(place.named())
        shown = reading.doubting(held_back)
        return replace(shown, unsure=(*shown.unsure, *missed)) if missed else shown

    def _at(self, one: Die | Unsure) -> _DoubtfulPlace | None:
        """Return the place of this die, or that from which it was nudged after people had been asked about its face."""
        near = sorted(self._places, key=lambda place: distance_in_edges(place, one))
        nudged = (
            place
            for place in near
            if place.asked
            and place.doubt.reason is not UnsureReason.LEANS
            and distance_in_edges(place, one) <= NUDGED_EDGES
        )
        return next((place for place in near if distance_in_edges(place, one) <= STEADY_EDGES), next(nudged, None))


def _near(one: Unsure, seen: Sequence[Die | Unsure]) -> bool:
    return any(distance_in_edges(one, other) <= NUDGED_EDGES for other in seen)
