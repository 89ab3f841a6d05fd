"""Dice that people have been asked about: they stay unsure, also when they are nudged, until they are read plainly.

A die at the edge of what can be read is now sure, now unsure, as the picture's noise has it. Where one has been unsure
for longer than it takes to look at the screen, and is read about as doubtfully afterwards, it mostly shows its face, but
one of ten showed another one.
"""

from dataclasses import dataclass
from math import hypot

from tabletop.dice import Die, Reading, Unsure
from tabletop.loop.twice import DOUBTFUL

ASKED_S = 0.5  # unsure for so much longer than sure, and people have been asked; quick hands are faster
PLAIN_S = 0.3  # plain for so long it is like any other die; while it is nudged a blot is blurred
KEPT_S = 3.0  # what was not seen for so long is forgotten
SAME_PLACE_EDGES = 0.15  # a die that was nudged lies farther off
NUDGED_EDGES = 0.9  # but no farther: the next die cannot be nearer than an edge
LEANS = "leans"  # a reason that a nudge takes away
ABOUT_ITS_FACE = ("could be", "its face", LEANS)  # how the reasons begin that are no hand's doing


@dataclass(slots=True)
class _Asked:
    """A place where a die was unsure.

    unsure_s: for how much longer than sure. asked: whether that was long. plain_s: for how long it has been plain.
    """

    x: float
    y: float
    why: str
    seen_s: float
    unsure_s: float = 0.0
    asked: bool = False
    plain_s: float = 0.0

    def far(self, one: Die | Unsure) -> float:
        """Return how far off it lies, in edges."""
        return hypot(self.x - one.x, self.y - one.y) / max(one.size, 1e-9)

    def unsure(self, one: Unsure, now_s: float) -> None:
        """Note that it is unsure, and why."""
        self.unsure_s += now_s - self.seen_s
        self.asked = self.asked or self.unsure_s >= ASKED_S
        self.why, self.seen_s, self.plain_s = one.reason, now_s, 0.0
        if self.asked:
            self.x, self.y = one.x, one.y

    def sure(self, die: Die, now_s: float) -> bool:
        """Note that it is sure; return whether that may be told."""
        plain = die.confidence >= DOUBTFUL
        self.plain_s = self.plain_s + now_s - self.seen_s if plain else 0.0
        if not self.asked:
            self.unsure_s -= now_s - self.seen_s
        self.x, self.y, self.seen_s = die.x, die.y, now_s
        return plain or not self.asked

    def over(self, now_s: float) -> bool:
        """Tell whether it is as any other place again."""
        return now_s - self.seen_s > KEPT_S or self.unsure_s < 0 or self.plain_s >= PLAIN_S


class Doubted:
    """Remembers which dice were unsure for long."""

    def __init__(self) -> None:
        self._places: list[_Asked] = []

    def checked(self, reading: Reading) -> Reading:
        """Return the reading with dice that were unsure there for long, and are not plain now, among what is unsure."""
        now_s = reading.time_s
        self._places = [one for one in self._places if not one.over(now_s)]
        for unsure in reading.unsure:
            if unsure.reason.startswith(ABOUT_ITS_FACE):
                place = self._at(unsure)
                if place is None:
                    self._places.append(_Asked(unsure.x, unsure.y, unsure.reason, now_s))
                else:
                    place.unsure(unsure, now_s)
        pairs = ((die, self._at(die)) for die in reading.dice)
        return reading.doubting({die: place.why for die, place in pairs if place and not place.sure(die, now_s)})

    def _at(self, one: Die | Unsure) -> _Asked | None:
        """Return the place where it is, or from where it was nudged after people had been asked about its face."""
        near = sorted(self._places, key=lambda place: place.far(one))
        nudged = (place for place in near if place.asked and place.why != LEANS and place.far(one) <= NUDGED_EDGES)
        return next((place for place in near if place.far(one) <= SAME_PLACE_EDGES), next(nudged, None))
