"""The times between frames: what may have happened between two of them, and time that nobody watched."""

from collections import deque
from collections.abc import Iterable
from math import inf

from tabletop.perception.settling.track import Track

GAPS_KEPT = 8  # the newest times between two frames: the next frame may come as late as any of them
GAP_S = 0.2  # a reader may miss a die for a frame or two
UNWATCHED_S = 0.6  # between two frames: at ten per second no five in a row are late
JUST_COVERED_S = GAP_S + 0.01  # a die that nobody watched counts as covered


class FrameGaps:
    """When readings were fed. fed_s, before_s: the newest time and the one before; infinite if there is none.

    unwatched: whether the gap before the newest reading was so long that nobody watched the tray in it.
    """

    def __init__(self) -> None:
        self.unwatched = False
        self.before_s = self.fed_s = inf
        self._gaps_s: deque[float] = deque(maxlen=GAPS_KEPT)

    def skip_unwatched_time(self, tracks: Iterable[Track], time_s: float) -> None:
        """Do not count time that nobody watched, as while a camera stalls: a die found as before has not moved."""
        gap_s, self.before_s, self.fed_s = time_s - self.fed_s, self.fed_s, time_s
        self.unwatched = gap_s > UNWATCHED_S
        if self.unwatched:
            self.before_s = inf
            for track in tracks:
                track.seen_s += gap_s - JUST_COVERED_S
        elif gap_s > 0:
            self._gaps_s.append(gap_s)

    def update(self, tracks: Iterable[Track], time_s: float) -> None:
        """Note for each die how much longer it may have lain still than was seen."""
        if not self._gaps_s:
            return
        for track in tracks:
            if track.still_since_s == time_s and track.frames == 1:
                track.spare_before_s = self._gaps_s[-1]
            track.spare_s = track.spare_before_s + max(self._gaps_s)

    def is_missing(self, track: Track, time_s: float, seconds: float = GAP_S) -> bool:
        """Return whether a die was not seen for this long although frames came: late and lost frames prove nothing."""
        return time_s - track.seen_s > seconds and track.seen_s < self.before_s
