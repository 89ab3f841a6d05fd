"""The times between frames: what may have happened between two of them, and time in which nobody watched."""

from collections import deque
from collections.abc import Iterable
from math import inf

from tabletop.perception.settling.track import Track

GAPS_KEPT = 8  # newest times between two frames: the next frame may come as late as any of them
GAP_S = 0.2  # a reader may miss a die for a frame or two
UNWATCHED_S = 0.6  # between two frames: at ten a second no five are late in a row
JUST_COVERED_S = GAP_S + 0.01  # a die that nobody watched is one that was covered


class FrameGaps:
    """When readings were fed. fed_s, before_s: the newest time and the one before; infinite where there is none."""

    def __init__(self) -> None:
        self.before_s = self.fed_s = inf
        self._gaps_s: deque[float] = deque(maxlen=GAPS_KEPT)

    def skip_unwatched_time(self, tracks: Iterable[Track], time_s: float) -> None:
        """Count no time in which nobody watched: a camera stalled. What lies there then as before did not move."""
        gap_s, self.before_s, self.fed_s = time_s - self.fed_s, self.fed_s, time_s
        if gap_s > UNWATCHED_S:
            self.before_s = inf
            for track in tracks:
                track.seen_s += gap_s - JUST_COVERED_S
        elif gap_s > 0:
            self._gaps_s.append(gap_s)

    def update(self, tracks: Iterable[Track], time_s: float) -> None:
        """Note between which frames each die has lain still."""
        if not self._gaps_s:
            return
        for track in tracks:
            if track.still_since_s == time_s and track.frames == 1:
                track.spare_before_s = self._gaps_s[-1]
            track.spare_s = track.spare_before_s + max(self._gaps_s)

    def is_missing(self, track: Track, time_s: float, seconds: float = GAP_S) -> bool:
        """Return whether a die was not seen for this long, though somebody looked: late and lost frames say nothing."""
        return time_s - track.seen_s > seconds and track.seen_s < self.before_s
