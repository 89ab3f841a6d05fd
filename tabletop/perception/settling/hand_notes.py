"""What frames show of hands, noted on the dice that are followed: held, left alone, picked up."""

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import chain
from math import inf

from tabletop.core.geometry import SAME_DIE_EDGES, distance_in_edges
from tabletop.perception.settling.evidence import HandEvidence
from tabletop.perception.settling.moved_by_hand import is_among
from tabletop.perception.settling.track import Track

BARE_KEPT = 20  # newest places where dice were picked up: a hand holds no more dice than this
OPEN_S = (
    0.09  # between picking dice up and their lying there no hand is in view for this long: two frames at ten per second
)


class HandNotes:
    """What hands did to the dice.

    open_since_s: since when no hand has been in view; infinite while one is, minus infinity while that is unknown.
    bare: the newest places where dice were picked up, as (x, y, time).
    """

    def __init__(self) -> None:
        self.open_since_s = -inf
        self.bare: deque[tuple[float, float, float]] = deque(maxlen=BARE_KEPT)

    def note(self, evidence: HandEvidence, tracks: Sequence[Track], moved_off: Iterable[Track], time_s: float) -> None:
        """Note which dice are in somebody's fingers, and which places are bare."""
        if evidence.open is not True:
            self.open_since_s = inf if evidence.open is False else -inf
        elif self.open_since_s == inf:
            self.open_since_s = time_s
        is_open = time_s - self.open_since_s >= OPEN_S - 1e-6
        alone = is_open and all(track.reported or track.seen_s < time_s for track in tracks)
        for track in chain(tracks, moved_off):
            track.left_alone = track.seen_s < time_s and (alone or track.left_alone)
            if track.seen_s == time_s:
                _note_fingers(track, evidence, time_s)
            elif (rested := track.rested_as) is not None:
                if is_among(evidence.bare, rested):
                    if track.reported and not track.bare:
                        self.bare.append((rested.x, rested.y, time_s))
                    track.bare = True
                elif track.bare is None and is_among(evidence.covered, rested):
                    track.bare = False


def _note_fingers(track: Track, evidence: HandEvidence, time_s: float) -> None:
    """Note what is around a die that is seen."""
    track.note_roll(alone=is_among(evidence.alone, track.last))
    if any(distance_in_edges(track.last, die) < SAME_DIE_EDGES for die in evidence.held):
        track.note_held(time_s)
    elif any(distance_in_edges(track.last, die) < SAME_DIE_EDGES for die in evidence.doubtful):
        track.note_maybe_held(time_s)
