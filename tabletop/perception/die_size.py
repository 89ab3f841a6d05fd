"""How large the dice are in the picture: from the profile, or estimated from the dice read recently."""

from collections import deque
from statistics import median

from tabletop.config.profile import die_px
from tabletop.core.message import say
from tabletop.core.reasons import UnsureReason
from tabletop.core.values import Profile, Reading

# Edge in pixels from which on a table is asked to show its dice; `doctor`, the guided run and play say so below it. In
# photographs made smaller hard dice are read worse and worse from there on: docs/building.md, docs/vision-record.md.
LEAST_DIE_PX = 25.0
# Median edge of a reading's dice below which none of them is sure: of 421 white dice of 10 px 11 were misread, of 1,200
# rendered ones of 12 px none; docs/vision-record.md.
SMALLEST_DIE_PX = 12.0
ENOUGH_SHARE = 1.1  # of LEAST_DIE_PX, from which on dice are no longer called small: sizes differ from throw to throw
SMALL = say("dice look too small: lower the camera")

SIZES_KEPT = 25  # sizes of the dice read most recently; their median is the estimate
SIZES_TRUSTED = 10  # from this many sizes on, the median is good enough for one pass per frame
BLIND_AFTER_S = 1.0  # without a sure die for this long, the estimate may be wrong: search once for dice of all sizes
# Until enough dice were read, and while the profile's size shows none, dice of all sizes are looked for this often; not
# later, since such a look takes a second on a small computer, in which a throw is not seen.
DOUBTED_EVERY_S = 8.0
CONFIRMED_S = 1.0  # after such a look has found dice, the next one
# Of the profile's size: dice beyond these are others. Simulated dice of 8, 12, 16 and 25 mm, 20 each: of those 1.5
# times as large 77 of 80 are sure, of 1.6 times 63, of 1.7 times 28, of 1.85 times none; of those 0.59 times as
# large 73, of half as large one. None of them is read wrongly.
MUCH_SMALLER, MUCH_LARGER = 0.59, 1.55
BLIND_EVERY_S = 0.09  # a search for all sizes costs five to twenty passes: not in every frame of an empty tray


class DieSizeEstimator:
    """The edge of the dice, in pixels of the frame to be read.

    profile: the calibrated facts of the set-up; if None, the size is estimated. `scale` is, at each call, the scale of
    the reference picture relative to the frame (`CameraPoseTracker.scale`).
    """

    def __init__(self, profile: Profile | None) -> None:
        self._profile = profile
        self._sizes: deque[float] = deque(maxlen=SIZES_KEPT)  # in the reference picture
        self._sure_at_s: float | None = None
        self._small = False
        self._blind_at_s = -BLIND_EVERY_S
        self._doubted_s = -DOUBTED_EVERY_S
        self._other = ""  # what people are told of dice of another size than the profile says

    @property
    def is_trusted(self) -> bool:
        """Whether enough dice have been read for a single pass at the estimated size."""
        return len(self._sizes) >= SIZES_TRUSTED

    @property
    def fault(self) -> str:
        """What people should change about the size of the dice, empty if nothing or not yet known."""
        return self._other or (SMALL if self._small else "")

    def estimate_px(self, width: int, height: int, time_s: float, scale: float) -> float | None:
        """Return the edge in pixels of a frame of this size, None to search for dice of all sizes."""
        if self._profile is not None:
            return die_px(self._profile, width, height) / scale
        if self._sure_at_s is None or not self._sizes:
            return None
        if time_s - self._sure_at_s > BLIND_AFTER_S:
            self._sure_at_s = time_s  # one blind search, then the estimate again for a while
            return None
        return float(median(self._sizes)) / scale

    def photograph_px(self, width: int, height: int) -> float | None:
        """Return the edge in pixels of a photograph; None without a profile, since each may have another scale."""
        return None if self._profile is None else die_px(self._profile, width, height)

    def allows_blind_look(self, time_s: float) -> bool:
        """Return whether a search for dice of all sizes is due; if so, note that it is made now."""
        if time_s - self._blind_at_s < BLIND_EVERY_S:
            return False
        self._blind_at_s = time_s
        return True

    def doubts_profile(self, reading: Reading) -> bool:
        """Return whether dice of all sizes are to be looked for, as the profile's size shows nothing; notes that it is.

        reading: at the profile's size. Only until enough dice were read.
        """
        if self._profile is None or self.is_trusted or reading.dice or reading.unsure:
            return False
        every_s = CONFIRMED_S if self._sizes else DOUBTED_EVERY_S
        if reading.time_s - self._doubted_s < every_s:
            return False
        self._doubted_s = reading.time_s
        return True

    def learn(self, reading: Reading, scale: float) -> None:
        """Learn from the sizes of the dice of a reading."""
        if reading.dice:
            self._sizes.extend(die.size * scale for die in reading.dice)
            self._sure_at_s = reading.time_s
        if self.is_trusted:
            least_px = LEAST_DIE_PX * (ENOUGH_SHARE if self._small else 1.0)
            self._small = median(self._sizes) / scale < least_px
            self._other = self._compared(median(self._sizes) / scale, reading.width, reading.height)

    def _compared(self, size_px: float, width: int, height: int) -> str:
        """Return what people are told if dice of this size are others than the profile's, empty if they are not."""
        profile = self._profile
        if profile is None:
            return ""
        share = size_px / die_px(profile, width, height)
        if MUCH_SMALLER < share < MUCH_LARGER:
            return ""
        set_up_mm = round(profile.die_mm)
        return say("dice look {n} mm, set up for {n2}: calibrate", n=round(profile.die_mm * share), n2=set_up_mm)


def without_tiny(reading: Reading) -> Reading:
    """Return the reading, in pixels of its frame, in which no die is sure if they are smaller than SMALLEST_DIE_PX."""
    if not reading.dice or median(die.size for die in reading.dice) >= SMALLEST_DIE_PX:
        return reading
    return reading.doubting({die: die.unsure(UnsureReason.UNREADABLE) for die in reading.dice})
