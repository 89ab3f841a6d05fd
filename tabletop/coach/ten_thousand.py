"""Ten Thousand's turn, solved: the mean points of a turn with the best play, whatever the scores of the players."""

from collections import Counter
from itertools import combinations_with_replacement
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

from tabletop.core.values import FACES
from tabletop.rules import Faces
from tabletop.rules.families.combinations import Chart, part_score, scoring_parts

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]
MOST = 30_000  # a stake is worth itself from here on: even with six dice a throw risks more than it brings


class Turn:
    """The best play of a turn. least: no smaller stake may be banked. must: scoring with all dice forces a throw."""

    def __init__(self, chart: Chart, dice: int, least: int, *, must: bool) -> None:
        self._chart, self._dice, self._least, self._must = chart, dice, least, must
        throws = [self._throws(count) for count in range(1, dice + 1)]
        self._step = int(np.gcd.reduce(np.concatenate([gains for _, _, gains, _ in throws])))
        self._rolls = np.zeros((dice + 1, MOST // self._step + 1))  # by how many dice are thrown, and the stake
        for place in range(self._rolls.shape[1] - 1, -1, -1):
            for count, (chances, starts, gains, left) in enumerate(throws, start=1):
                worth = np.maximum(*self._after(place * self._step + gains, left))
                self._rolls[count, place] = chances @ np.maximum.reduceat(worth, starts)

    def of_parts(self, stake: int, hand: Faces) -> dict[Faces, float]:
        """Return what keeping each scoring part of a sorted throw leads to."""
        parts = scoring_parts(self._chart, hand)
        gains = np.array([part_score(self._chart, part) for part in parts])
        left = np.array([len(hand) - len(part) for part in parts])
        return dict(zip(parts, np.maximum(*self._after(stake + gains, left)).tolist(), strict=True))

    def of_options(self, stake: int, left: int) -> dict[str, float]:
        """Return what rolling on with the dice left, 0 for all, and banking lead to."""
        roll, bank = self._after(np.array([stake]), np.array([left]))
        return {"roll": float(roll[0]), "bank": float(bank[0])}

    def _throws(self, count: int) -> tuple[Numbers, Places, Places, Places]:
        """Return the scoring throws' chances, where the parts of each begin, and the parts' points and dice left."""
        chances, starts = list[float](), list[int]()
        gains, left = list[int](), list[int]()
        for hand in combinations_with_replacement(FACES, count):
            if parts := scoring_parts(self._chart, hand):
                chances.append(factorial(count) / prod(map(factorial, Counter(hand).values())) / len(FACES) ** count)
                starts.append(len(gains))
                gains += [part_score(self._chart, part) for part in parts]
                left += [count - len(part) for part in parts]
        return np.array(chances), np.array(starts), np.array(gains), np.array(left)

    def _after(self, stakes: Places, left: Places) -> tuple[Numbers, Numbers]:
        """Return what rolling on and banking are worth, with these stakes and dice left."""
        place = np.minimum(stakes // self._step, self._rolls.shape[1] - 1)
        roll = np.where(stakes > MOST, stakes, self._rolls[np.where(left == 0, self._dice, left), place])
        banks = (stakes >= self._least) & ~(self._must & (left == 0))
        return roll, np.where(banks, stakes, -np.inf)
