"""Yahtzee, Yacht and Crag alone, solved: the mean of what is still to come with the best play, from the last box on.

A turn is worked out once for each set of filled boxes, for all upper totals at once (Verhoeff, 1999; Glenn, 2006).
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from tabletop.core.values import FACES
from tabletop.games import crag, yacht, yahtzee
from tabletop.rules import Faces, Table, Value
from tabletop.rules.families.boxes import UPPER, Scores

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]
PARTS = [list(combinations_with_replacement(FACES, size)) for size in range(yahtzee.DICE + 1)]
PLACES = [{part: row for row, part in enumerate(parts)} for parts in PARTS]
MORE: list[Places] = [  # for each part the six with one die more
    np.array([[PLACES[size + 1][tuple(sorted((*part, face)))] for face in FACES] for part in PARTS[size]])
    for size in range(yahtzee.DICE)
]
LESS: list[Places] = [  # for each part those with one die less
    np.array([[PLACES[size][part[:die] + part[die + 1 :]] for die in range(size + 1)] for part in PARTS[size + 1]])
    for size in range(yahtzee.DICE)
]


def after_parts(values: Numbers, dice: int) -> list[Numbers]:
    """Return, by size, the mean of throwing on from each part; the last are the values of the hands themselves."""
    means = [values]
    for more in reversed(MORE[:dice]):
        means.insert(0, means[0][more].sum(axis=1) / len(FACES))
    return means


def before_keep(values: Numbers, dice: int) -> Numbers:
    """Return the value of each hand when any part of it may be kept."""
    means = after_parts(values, dice)
    best = means[0]
    for less, mean in zip(LESS, means[1:], strict=False):
        best = np.maximum(mean, best[less].max(axis=1))
    return best


class Solution:
    """What is still to come in a game with a sheet of boxes, by its own rules.

    goal, bonus: for the upper boxes, 0 without. own: the box that matters to later hands if it was not written with 0.
    to_come: by the set of filled boxes, whether `own` has points, and the upper total, the goal standing for all above;
    zeros until it is solved or set.
    """

    def __init__(self, scores: Scores, dice: int, throws: int, goal: int = 0, bonus: int = 0, own: str = "") -> None:
        self.boxes, self.dice, self.throws, self.own = tuple(scores), dice, throws, own
        self._goal, self._bonus = goal, bonus
        self._plain = np.array([[score(hand) for score in scores.values()] for hand in PARTS[dice]], dtype=np.float64)
        self._all = (1 << len(scores)) - 1
        self.to_come = np.zeros((self._all + 1, 2, goal + 1))

    def solve(self, show: Callable[[str], None]) -> None:
        """Work out what is still to come."""
        self.to_come[self._all, :, self._goal] = self._bonus
        for done, filled in enumerate(sorted(range(self._all), key=int.bit_count, reverse=True)):
            show(f"{done} of {self._all} sets of filled boxes")
            most = sum(self.dice * UPPER.get(box, 0) for at, box in enumerate(self.boxes) if filled >> at & 1)
            upper = np.arange(min(self._goal, most) + 1)
            for held in (0, 1) if self.own and filled >> self.boxes.index(self.own) & 1 else (0,):
                best = np.maximum.reduce([values for _, values in self._of_boxes(filled, held, upper)])
                for _ in range(self.throws - 1):
                    best = before_keep(best, self.dice)
                self.to_come[filled, held, : len(upper)] = after_parts(best, self.dice)[0][0]

    def _of_boxes(self, filled: int, held: int, upper: Places) -> Iterator[tuple[str, Numbers]]:
        """Yield each empty box and the value of writing each hand there, -inf if not allowed: (hands, upper)."""
        points, bonus = self.points(filled, held)
        for box, name in enumerate(self.boxes):
            if filled >> box & 1:
                continue
            after, gains = self.to_come[filled | 1 << box], points[:, box]
            if name in UPPER:
                steps = np.minimum(self._goal, upper + np.arange(self.dice + 1)[:, None] * UPPER[name])
                rows = after[held][steps][np.maximum(gains / UPPER[name], 0).astype(int)]
            elif name == self.own:
                rows = after[:, upper][(gains > 0).astype(int)]
            else:
                rows = after[held][upper][None]
            yield name, rows + (gains + bonus[:, box])[:, None]

    def points(self, filled: int, held: int) -> tuple[Numbers, Numbers]:
        """Return the points of each hand in each box, and a bonus beside them. filled, held: as in `to_come`."""
        del filled, held  # what was written before changes nothing
        return self._plain, np.zeros_like(self._plain)

    def of_hand(
        self, sheet: Mapping[str, int], hand: Faces, throws: int
    ) -> tuple[dict[str, float], dict[Faces, float]]:
        """Return what each box, and each part to keep after so many throws, leads to; sheet: the player's boxes."""
        filled = sum(1 << place for place, box in enumerate(self.boxes) if box in sheet)
        upper = np.array([min(self._goal, sum(sheet.get(box, 0) for box in UPPER))])
        boxes = dict(self._of_boxes(filled, int(sheet.get(self.own, 0) > 0), upper))
        last = best = np.maximum.reduce(list(boxes.values()))
        for _ in range(self.throws - 1 - throws):
            best = before_keep(best, self.dice)
        row = PLACES[self.dice][hand]
        written = {box: float(values[row, 0]) for box, values in boxes.items()}
        means = after_parts(best, self.dice)
        means[-1] = last  # keeping all ends the throwing
        kept = {
            part: float(means[size][at, 0])
            for size, parts in enumerate(PLACES[: self.dice + 1])
            for part, at in parts.items()
        }
        return written, kept


class Yahtzee(Solution):
    """Yahtzee with one column, in which a yahtzee may be a joker and earn a bonus."""

    def __init__(self, table: Table) -> None:
        self._table = table
        scores = {box: partial(yahtzee.box_score, box) for box in yahtzee.BOXES}
        super().__init__(scores, yahtzee.DICE, yahtzee.THROWS, yahtzee.UPPER_GOAL, yahtzee.UPPER_BONUS, own="yahtzee")

    def points(self, filled: int, held: int) -> tuple[Numbers, Numbers]:
        """Return the points of each hand, with jokers, and the bonus for another yahtzee."""
        points, bonus = self._plain.copy(), np.zeros_like(self._plain)
        sheet = {box: 0 for place, box in enumerate(self.boxes) if filled >> place & 1}
        if held:
            sheet[self.own] = yahtzee.YAHTZEE
        for face in FACES:
            hand = (face,) * self.dice
            row = PLACES[self.dice][hand]
            points[row] = -np.inf
            for box, gives in yahtzee.open_boxes(self._table, hand, [sheet]).items():
                points[row, self.boxes.index(box)] = gives
                if yahtzee.earns_bonus(self._table, hand, [sheet], box):
                    bonus[row, self.boxes.index(box)] = self._table.option(yahtzee.BONUS_POINTS)
        return points, bonus


def of_game(game_id: str, options: Mapping[str, Value]) -> Solution | None:
    """Return the game's solution, still to be solved; None if it is not covered."""
    table = Table(["solitaire"], options)
    if game_id == "yahtzee" and options["columns"] == "1":
        return Yahtzee(table)
    if game_id == "yacht" and options["pick_up"]:
        goal, bonus = (yacht.BONUS_GOAL, yacht.BONUS) if options["upper_bonus"] else (0, 0)
        return Solution(yacht.scoring(table), yacht.DICE, yacht.THROWS, goal, bonus)
    if game_id == "crag":
        return Solution(crag.scoring(table), crag.DICE, crag.THROWS)
    return None
