"""A rest that a hand ended before it could be reported: it is taken from what was seen until then.

Normally dice must lie still in the newest frame. If a hand is over one of them by then, and all lay together for long
enough before, in two frames or more, it was a rest all the same. If no hand came it was none: dice that move on by
themselves have not come to rest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from tabletop.core.values import Die
from tabletop.perception.settling.evidence import HandEvidence
from tabletop.perception.settling.frame_gaps import GAP_S
from tabletop.perception.settling.moved_by_hand import is_among
from tabletop.perception.settling.track import Track

DUE_S = 0.25  # a rest of this length is a throw, however soon a hand comes
LEAST_S = 0.06  # the part of it that must be seen: two frames at fifteen per second
LEAST_SURE_FRAMES = 2  # frames in which each die must be read as sure
COMES_S = 0.35  # a hand that took a die is seen over its place within this: three frames at ten per second


@dataclass(frozen=True, slots=True)
class SeenRest:
    """Dice that lay together. lying: each with its track; end_s: when all were last seen lying."""

    lying: tuple[tuple[Track, Die], ...]
    end_s: float

    def ended_by_hand(self, evidence: HandEvidence, time_s: float) -> bool:
        """Return whether a hand is over some of the dice now, and all others are seen where they lay."""
        if not 0 < time_s - self.end_s <= COMES_S:
            return False
        under = [is_among(evidence.under, die) for _, die in self.lying]
        unmoved = [track.seen_s == time_s and track.moved_s <= self.end_s for track, _ in self.lying]
        return any(under) and all(hand or still for hand, still in zip(under, unmoved, strict=True))


def seen_rest(near: Sequence[Track], time_s: float) -> SeenRest | None:
    """Return the rest that the dice seen lately make together, None if they make none, or one already reported.

    near: what was seen within `GAP_S`; tracks that are only unsure do not count.
    """
    sure = [track for track in near if track.is_sure()]
    if not sure or all(track.reported for track in sure):
        return None
    lying = tuple((track, die) for track in sure if isinstance(die := track.combined(), Die))
    if len(lying) < len(sure) or not all(_was_lying(track, time_s) for track in sure):
        return None
    begin_s, end_s = max(track.still_since_s for track in sure), min(track.seen_s for track in sure)
    newest = max(sure, key=lambda track: track.still_since_s)
    seen_s = end_s - begin_s
    return SeenRest(lying, end_s) if seen_s >= LEAST_S and seen_s + newest.spare_s >= DUE_S - 1e-6 else None


def _was_lying(track: Track, time_s: float) -> bool:
    """Return whether a die lay when it was last seen: it was read as sure twice there, and not in a hand."""
    sightings = [seen for at_s, seen in track.votes if isinstance(seen, Die) and at_s >= track.still_since_s]
    held = track.held_s > -inf and track.held_s >= track.still_since_s
    recent = time_s - track.seen_s <= GAP_S
    return recent and not held and len(sightings) >= LEAST_SURE_FRAMES and not track.creeps(track.seen_s)
