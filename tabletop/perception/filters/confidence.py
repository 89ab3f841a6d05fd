"""The confidence with which dice of this table are read: a die far below the others becomes unsure.

The reader's own threshold is for dice that it has never seen. Here it has seen the same dice for some throws, in the
same light; a die that is only just above that threshold then usually leans, or shows another face.
"""

from collections import deque

import numpy as np

from tabletop.core.reasons import UnsureReason
from tabletop.core.values import Reading

KNOWN_FROM = 20  # dice that have come to rest, from which the level is known
REMEMBERED = 25  # the newest of them: five throws of five dice, so that a new set of dice is soon the norm
# Chosen on 1,050 throws in 75 simulated rooms, a third of them with dice that lean: docs/vision-record.md.
ODD_SHARE = 0.1  # of the dice may be read with less confidence: this allows one of another kind in ten
MARGIN = 0.1  # confidence: a die this far below that level becomes unsure


class ConfidenceBaseline:
    """The confidence with which dice of this table are read.

    level: the confidence that nine of ten of the newest dice reach; None while too few are known.
    """

    def __init__(self) -> None:
        self._known: deque[float] = deque(maxlen=REMEMBERED)
        self._now: tuple[float, ...] = ()
        self._learned_s = float("-inf")
        self.level: float | None = None

    def apply(self, reading: Reading) -> Reading:
        """Return the reading in which dice more than `MARGIN` below the level are unsure."""
        self._now = tuple(die.confidence for die in reading.dice)
        if self.level is None:
            return reading
        least = self.level - MARGIN
        return reading.doubting(
            {die: die.unsure(UnsureReason.UNREADABLE) for die in reading.dice if die.confidence < least}
        )

    def learn(self, newest_s: float) -> None:
        """Learn from the dice of the last reading checked, unusual ones included, if one of them is new.

        newest_s: when the newest die came to rest.
        """
        if newest_s > self._learned_s:
            self._known.extend(self._now)
            if len(self._known) >= KNOWN_FROM:
                self.level = float(np.quantile(self._known, ODD_SHARE))
            self._learned_s = newest_s
