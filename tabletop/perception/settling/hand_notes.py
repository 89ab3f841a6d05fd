"""What frames tell of hands, noted at the dice that are followed: held, left alone, picked up."""

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import chain
from math import inf

from tabletop.core.geometry import SAME_DIE_EDGES, distance_in_edges
from tabletop.perception.settling.evidence import HandEvidence
from tabletop.perception.settling.moved_by_hand import is_among
from tabletop.perception.settling.track import Track

BARE_KEPT = 20  # newest places where dice were picked up: a hand holds no more of them
OPEN_S = 0.09  # no hand is in view for this long between taking dice up and their lying there again: two frames at ten


class HandNotes:
    """open_since_s: since when no hand is in view; infinite while one is, minus infinity where that is not known.

    bare: the newest places (x, y) where dice were picked up, each with when.
    """

    def __init__(self) -> None:
        self.open_since_s = -inf
        self.bare: deque[tuple[float, float, float]] = deque(maxlen=BARE_KEPT)

    def note(self, besides: HandEvidence, tracks: Sequence[Track], moved_off: Iterable[Track], time_s: float) -> None:
        """Note which dice are in somebody's fingers, and which places are bare."""
        if besides.open is not True:
            self.open_since_s = inf if besides.open is False else -inf
        elif self.open_since_s == inf:
            self.open_since_s = time_s
        open_ = time_s - self.open_since_s >= OPEN_S - 1e-6
        alone = open_ and all(track.reported or track.seen_s < time_s for track in tracks)
        for track in chain(tracks, moved_off):
            track.left_alone = track.seen_s < time_s and (alone or track.left_alone)
            if track.seen_s == time_s:
                _note_fingers(track, besides, time_s)
            elif (lay := track.rested_as) is not None:
                if is_among(besides.bare, lay):
                    if track.reported and not track.bare:
                        self.bare.append((lay.x, lay.y, time_s))
                    track.bare = True
                elif track.bare is None and is_among(besides.covered, lay):
                    track.bare = False


def _note_fingers(track: Track, besides: HandEvidence, time_s: float) -> None:
    """Note what is round a die that is seen."""
    track.roll(alone=is_among(besides.alone, track.last))
    if any(distance_in_edges(track.last, die) < SAME_DIE_EDGES for die in besides.held):
        track.hold(time_s)
    elif any(distance_in_edges(track.last, die) < SAME_DIE_EDGES for die in besides.doubtful):
        track.doubt(time_s)
