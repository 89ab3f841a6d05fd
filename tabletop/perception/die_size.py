"""How large the dice are in the picture: as the dice read recently are measured, until then from the profile.

A profile knows the edge of a die on the ground in the middle of the tray. What the reader measures differs from that:
top faces are nearer to the camera, dice lie near or far, and dice of few pixels are measured larger than they are. The
reader does best at the size that it measures itself: once enough dice were read it is used, with a profile as without.
"""

from collections import deque
from statistics import median

from tabletop.config.profile import die_px
from tabletop.core.values import Profile, Reading

SIZES_KEPT = 25  # sizes of the dice read most recently; their median is the estimate
SIZES_TRUSTED = 10  # from this many sizes on, the median is good enough for one pass per frame
# Factor by which what is measured may differ from the profile: more is another set of dice, or no dice, and the profile
# holds. Under a camera 300 mm away top faces are 1.06 times as large, at the near end of a tilted tray 1.25 times.
MOST_OFF = 1.3
BLIND_AFTER_S = 1.0  # without a sure die for this long, the estimate may be wrong: search once for dice of all sizes
BLIND_EVERY_S = 0.09  # a search for all sizes costs five to twenty passes: not in every frame of an empty tray


class DieSizeEstimator:
    """The edge of the dice, in pixels of the frame to be read.

    profile: the calibrated facts of the set-up; None for none. `scale` is, at each call, the scale of
    the reference picture relative to the frame (`CameraPoseTracker.scale`).
    """

    def __init__(self, profile: Profile | None) -> None:
        self._profile = profile
        self._sizes: deque[float] = deque(maxlen=SIZES_KEPT)  # in the reference picture
        self._sure_at_s: float | None = None
        self._blind_at_s = -BLIND_EVERY_S

    @property
    def is_trusted(self) -> bool:
        """Whether enough dice have been read for a single pass at the estimated size."""
        return len(self._sizes) >= SIZES_TRUSTED

    def estimate_px(self, width: int, height: int, time_s: float, scale: float) -> float | None:
        """Return the edge in pixels of a frame of this size, None to search for dice of all sizes."""
        if self._profile is not None:
            return self._near_profile(die_px(self._profile, width, height)) / scale
        if self._sure_at_s is None or not self._sizes:
            return None
        if time_s - self._sure_at_s > BLIND_AFTER_S:
            self._sure_at_s = time_s  # one blind search, then the estimate again for a while
            return None
        return float(median(self._sizes)) / scale

    def _near_profile(self, known_px: float) -> float:
        """Return the size of the dice as measured if it is trusted and near the profile's, else the profile's."""
        if not self.is_trusted:
            return known_px
        measured_px = float(median(self._sizes))
        return measured_px if 1 / MOST_OFF <= measured_px / known_px <= MOST_OFF else known_px

    def photograph_px(self, width: int, height: int) -> float | None:
        """Return the edge in pixels of a photograph; None without a profile, since each may have another scale."""
        return None if self._profile is None else die_px(self._profile, width, height)

    def allows_blind_look(self, time_s: float) -> bool:
        """Return whether a search for dice of all sizes is due; if so, note that it is made now."""
        if time_s - self._blind_at_s < BLIND_EVERY_S:
            return False
        self._blind_at_s = time_s
        return True

    def learn(self, reading: Reading, scale: float) -> None:
        """Learn from the sizes of the dice of a reading."""
        if reading.dice:
            self._sizes.extend(die.size * scale for die in reading.dice)
            self._sure_at_s = reading.time_s
