"""Dice that people were asked about: they stay unsure, even if they are nudged, until they are read plainly.

A die that can just about be read flips between sure and unsure with the noise of the picture. Of dice that were unsure
for half a second longer than sure and are still read with low confidence afterwards, most are read correctly, but one
in ten showed another face.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tabletop.core.geometry import STEADY_EDGES, distance_in_edges
from tabletop.core.reasons import FACE_REASONS, UnsureReason
from tabletop.core.values import Die, Reading, Unsure
from tabletop.perception.filters.rescale_check import DOUBTFUL

ASKED_S = 0.5  # a die unsure for this much longer than sure is one that people have been asked about
PLAIN_S = 0.3  # a die plain for this long is like any other; while it is nudged, a blot on it is blurred
PLACE_KEPT_S = 3.0  # a place that was not seen for this long is forgotten
NUDGED_EDGES = 0.9  # a nudge moves a die by at most this: the next die cannot be nearer than an edge


@dataclass(slots=True)
class _DoubtfulPlace:
    """A place with a die that was unsure.

    unsure_s: how much longer it was unsure than sure. asked: whether that was long enough to ask people. plain_s: how
    long it has been plain.
    """

    x: float
    y: float
    size: float
    doubt: Unsure
    seen_s: float
    unsure_s: float = 0.0
    asked: bool = False
    plain_s: float = 0.0

    def unsure_die(self) -> Unsure:
        """Return the die that people are asked about."""
        return replace(self.doubt, x=self.x, y=self.y, size=self.size, where="tray")

    def see(self, sighting: Die | Unsure, now_s: float, before_s: float, plain: float) -> bool:
        """Note how the die is seen; return whether it may be reported as sure. before_s: time of the frame before.

        Time in which it was hidden counts neither as sure nor as unsure.
        """
        passed_s = now_s - before_s if self.seen_s == before_s else 0.0
        is_plain = isinstance(sighting, Die) and sighting.confidence >= plain
        if isinstance(sighting, Unsure):
            self.doubt = sighting
            self.unsure_s += passed_s
        elif not self.asked:
            self.unsure_s -= passed_s
        self.plain_s = self.plain_s + passed_s if is_plain and passed_s else 0.0
        self.asked = self.asked or self.unsure_s >= ASKED_S
        self.seen_s = now_s
        if self.asked and self.doubt.reason is not UnsureReason.LEANS:
            self.x, self.y = sighting.x, sighting.y
        return is_plain or not self.asked

    def miss(self, now_s: float) -> None:
        """Note that nothing is read there, though something is there."""
        self.seen_s, self.plain_s = now_s, 0.0

    def is_over(self, now_s: float) -> bool:
        """Return whether the place is like any other again, or forgotten."""
        return now_s - self.seen_s > PLACE_KEPT_S or self.unsure_s < 0 or self.plain_s >= PLAIN_S


class DoubtHysteresis:
    """Remembers which dice were unsure for long."""

    def __init__(self) -> None:
        self._places: list[_DoubtfulPlace] = []
        self._before_s = float("-inf")

    def apply(
        self, reading: Reading, level: float | None = None, is_covered: Callable[[Unsure], bool] = lambda _: False
    ) -> Reading:
        """Return the reading in which dice that were unsure for long, and are not plain now, stay unsure.

        level: the confidence with which dice of this table are read, None while unknown; if it is low, as under a dim
        lamp, a die read with this confidence is plain. is_covered: whether something covers the ground at a place;
        then a die that people were asked about stays in the reading, even if nothing is read there now.
        """
        now_s, before_s, self._before_s = reading.time_s, self._before_s, reading.time_s
        plain = DOUBTFUL if level is None else min(DOUBTFUL, level)
        self._places = [place for place in self._places if not place.is_over(now_s)]
        for unsure in reading.unsure:
            place, about_its_face = self._at(unsure), unsure.reason in FACE_REASONS
            if place is None and about_its_face:
                self._places.append(_DoubtfulPlace(unsure.x, unsure.y, unsure.size, unsure, now_s))
            elif place is not None and about_its_face:
                place.see(unsure, now_s, before_s, plain)
            elif place is not None and place.asked and not is_covered(place.unsure_die()):
                place.x, place.y = unsure.x, unsure.y  # it was nudged to here, and no hand is where it lay
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
            if not _near(place.unsure_die(), seen) and is_covered(place.unsure_die()):
                place.miss(now_s)
                missed.append(place.unsure_die())
        result = reading.doubting(held_back)
        return replace(result, unsure=(*result.unsure, *missed)) if missed else result

    def _at(self, sighting: Die | Unsure) -> _DoubtfulPlace | None:
        """Return the place of this die, or the one it was nudged from after people had been asked about its face."""
        near = sorted(self._places, key=lambda place: distance_in_edges(place, sighting))
        nudged = (
            place
            for place in near
            if place.asked
            and place.doubt.reason is not UnsureReason.LEANS
            and distance_in_edges(place, sighting) <= NUDGED_EDGES
        )
        return next((place for place in near if distance_in_edges(place, sighting) <= STEADY_EDGES), next(nudged, None))


def _near(unsure: Unsure, seen: Sequence[Die | Unsure]) -> bool:
    return any(distance_in_edges(unsure, sighting) <= NUDGED_EDGES for sighting in seen)
