"""How surely the dice of this table are read: a die that is read far less surely than the others becomes unsure.

The reader's own bar is for dice that it has never seen. Here it has seen the same dice for some throws, in the same
light; a die that is only just above that bar then mostly leans, or shows another face.
"""

from collections import deque

import numpy as np

from tabletop.core.reasons import UnsureReason
from tabletop.core.values import Reading

KNOWN_FROM = 20  # dice that have come to lie, from which it is known
REMEMBERED = 25  # the newest of them: five throws of five dice, so that other dice are soon usual
# Chosen on 1,050 throws in 75 simulated rooms, a third of them with dice that lean: docs/vision-record.md.
ODD_SHARE = 0.1  # of the dice may be read less surely: one of another kind among nine is in time
BELOW = 0.1  # confidence; so much below those


class ConfidenceBaseline:
    """The confidence with which dice of this table are read.

    level: nine of ten of the newest dice are read at least this surely; None while too few are known.
    """

    def __init__(self) -> None:
        self._known: deque[float] = deque(maxlen=REMEMBERED)
        self._now: tuple[float, ...] = ()
        self._learned_s = float("-inf")
        self.level: float | None = None

    def apply(self, reading: Reading) -> Reading:
        """Return the reading with dice that are read less surely than the others as unsure."""
        self._now = tuple(die.confidence for die in reading.dice)
        if self.level is None:
            return reading
        least = self.level - BELOW
        return reading.doubting(
            {die: die.unsure(UnsureReason.UNREADABLE) for die in reading.dice if die.confidence < least}
        )

    def learn(self, newest_s: float) -> None:
        """Learn from the dice of the reading that was checked last, unusual ones included, if one of them is new.

        newest_s: when the newest die came to rest.
        """
        if newest_s > self._learned_s:
            self._known.extend(self._now)
            if len(self._known) >= KNOWN_FROM:
                self.level = float(np.quantile(self._known, ODD_SHARE))
            self._learned_s = newest_s
