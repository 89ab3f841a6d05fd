"""A rest that was seen and ended by a hand before it could be told: it is taken from what was seen.

Normally dice must lie in the newest frame. Where a hand is over one of them by then, and all lay together for long
enough before, in two frames or more, the rest was one all the same. Where no hand came it was none: dice that move on
by themselves have not come to rest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from tabletop.core.values import Die
from tabletop.perception.settling.evidence import HandEvidence
from tabletop.perception.settling.frame_gaps import GAP_S
from tabletop.perception.settling.moved_by_hand import is_among
from tabletop.perception.settling.track import Track

DUE_S = 0.25  # a rest so long is a throw, however soon a hand comes
LEAST_S = 0.06  # of which so much is seen, two frames at fifteen a second
TWICE = 2  # frames in which each die is read surely
COMES_S = 0.35  # a hand that took a die is seen over its place by then, three frames at ten a second


@dataclass(frozen=True, slots=True)
class SeenRest:
    """Dice that lay together. lay: each with its track; end_s: when all were seen so last."""

    lay: tuple[tuple[Track, Die], ...]
    end_s: float

    def ended_by_hand(self, besides: HandEvidence, time_s: float) -> bool:
        """Return whether a hand is over some of the dice now, and all others are seen where they lay."""
        if not 0 < time_s - self.end_s <= COMES_S:
            return False
        under = [is_among(besides.under, die) for _, die in self.lay]
        lies = [track.seen_s == time_s and track.moved_s <= self.end_s for track, _ in self.lay]
        return any(under) and all(hand or still for hand, still in zip(under, lies, strict=True))


def seen_rest(near: Sequence[Track], time_s: float) -> SeenRest | None:
    """Return the rest that the dice seen lately make together, None if they make none or one that was told.

    near: what was seen within `GAP_S`; whatever is only unsure does not count.
    """
    sure = [track for track in near if track.sure()]
    if not sure or all(track.reported for track in sure):
        return None
    lay = tuple((track, die) for track in sure if isinstance(die := track.joined(), Die))
    if len(lay) < len(sure) or not all(_lies(track, time_s) for track in sure):
        return None
    begin_s, end_s = max(track.still_since_s for track in sure), min(track.seen_s for track in sure)
    newest = max(sure, key=lambda track: track.still_since_s)
    seen_s = end_s - begin_s
    return SeenRest(lay, end_s) if seen_s >= LEAST_S and seen_s + newest.spare_s >= DUE_S - 1e-6 else None


def _lies(track: Track, time_s: float) -> bool:
    """Return whether a die lies, as far as was seen: no hand is surely on it, and it was read twice there."""
    sightings = [seen for at_s, seen in track.votes if isinstance(seen, Die) and at_s >= track.still_since_s]
    held = track.held_s > -inf and track.held_s >= track.still_since_s
    recent = time_s - track.seen_s <= GAP_S
    return recent and not held and len(sightings) >= TWICE and not track.creeps(track.seen_s)
