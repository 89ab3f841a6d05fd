"""Best play with dice that may be kept and thrown again: means worked out from a rule, for tests of several games.

Nothing here knows the program. Hands are sorted faces.
"""

from itertools import combinations_with_replacement, product
from math import ceil

import numpy as np
from numpy.typing import NDArray

Faces = tuple[int, ...]
Numbers = NDArray[np.float64]
UPPER_BOXES = 6
COLUMNS = 256  # worked out at once: so many for each hand stay in a processor's cache


def hands(dice: int) -> list[Faces]:
    return list(combinations_with_replacement(range(1, 7), dice))


def all_parts(dice: int) -> dict[Faces, list[Faces]]:
    """Return for each hand every part of it, by which dice are kept."""
    return {
        hand: sorted({tuple(die for place, die in enumerate(hand) if mask >> place & 1) for mask in range(1 << dice)})
        for hand in hands(dice)
    }


class Lattice:
    """All hands of so many dice and all their parts, for many means at once.

    Values are arrays (hands, any); rows as in `hands(dice)`.
    """

    def __init__(self, dice: int) -> None:
        self.dice = dice
        self._parts = [hands(size) for size in range(dice + 1)]
        self._place = place = [{part: row for row, part in enumerate(parts)} for parts in self._parts]
        self._more = [  # for each part the six parts with one die more
            np.array([[place[size + 1][tuple(sorted((*part, face)))] for face in range(1, 7)] for part in parts])
            for size, parts in enumerate(self._parts[:-1])
        ]
        self._less = [  # for each part the parts with one die less
            np.array([[place[size][part[:die] + part[die + 1 :]] for die in range(size + 1)] for part in parts])
            for size, parts in enumerate(self._parts[1:])
        ]
        self.place = place[dice]

    def after_parts(self, values: Numbers) -> list[Numbers]:
        """Return, by size, the mean of throwing on from each part; the last are the values themselves."""
        means = [values]
        for more in reversed(self._more):
            means.insert(0, np.add.reduce(means[0][more], axis=1) / 6)
        return means

    def of_part(self, means: list[Numbers], part: Faces) -> float:
        """Return the mean of one part in the first column of what `after_parts` returned."""
        return float(means[len(part)][self._place[len(part)][part], 0])

    def before_keep(self, values: Numbers) -> Numbers:
        """Return the value of each hand when any part of it may be kept."""
        means = self.after_parts(values)
        best = means[0]
        for less, mean in zip(self._less, means[1:], strict=True):
            best = np.maximum(mean, np.maximum.reduce(best[less], axis=1))
        return best

    def turn(self, values: Numbers, times: int) -> Numbers:
        for _ in range(times - 1):
            values = self.before_keep(values)
        mean: Numbers = self.after_parts(values)[0][0]
        return mean


def with_bonus(dice: int, times: int, points: Numbers, goal: int, bonus: int, *, in_order: bool = False) -> Numbers:
    """Return the mean total of the best play alone where the first six boxes earn a bonus from the goal on.

    points: (hands, boxes), as in `hands(dice)`. Returns by the set of filled boxes, and by the points of the first six,
    the goal standing for all above, what is still to come: (sets, goal + 1); 0 where the filled boxes hold fewer
    points. in_order: whether boxes are filled from the first to the last; the other sets are 0 then.
    """
    lattice, boxes = Lattice(dice), points.shape[1]
    totals = np.zeros((1 << boxes, goal + 1))
    totals[-1, goal] = bonus
    sets = np.array([(1 << n) - 1 for n in range(boxes)]) if in_order else np.arange((1 << boxes) - 1)
    filled = np.array([int(number).bit_count() for number in sets])
    for count, first in product(range(boxes - 1, -1, -1), range(1 << UPPER_BOXES)):
        alike = sets[(filled == count) & (sets & ((1 << UPPER_BOXES) - 1) == first)]
        held = sum(int(points[:, box].max()) for box in range(UPPER_BOXES) if first >> box & 1)
        upper = np.arange(min(goal, held) + 1)
        steps = []  # for each box what it may give, whose hands give it, and the points above afterwards
        for box in range(boxes):
            gains, of_hands = np.unique(points[:, box], return_inverse=True)
            there = np.minimum(goal, upper + gains[:, None] * (box < UPPER_BOXES)).astype(int)
            steps.append((gains[:, None], of_hands, there))
        for some in np.array_split(alike, ceil(len(alike) * len(upper) / COLUMNS)) if len(alike) else ():
            values = np.full((points.shape[0], len(some), len(upper)), -np.inf)
            for place, taken in enumerate(some.tolist()):
                for box in (box for box in ([count] if in_order else range(boxes)) if not taken >> box & 1):
                    gains, of_hands, there = steps[box]
                    after = totals[taken | 1 << box][there] + gains
                    np.maximum(values[:, place], after[of_hands], out=values[:, place])
            totals[some, : len(upper)] = lattice.turn(values.reshape(points.shape[0], -1), times).reshape(len(some), -1)
    return totals
