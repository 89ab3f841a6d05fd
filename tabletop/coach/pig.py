"""Pig for two, with one die or two, solved: the chance to win with the best play of both, by value iteration.

Method: Neller and Presser, "Optimal Play of the Dice Game Pig" (The UMAP Journal, 2004).
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from tabletop.core.values import FACES
from tabletop.games import pig, two_dice_pig
from tabletop.rules import Table

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]
CLOSE = 1e-12  # between two rounds of the iteration: exact enough for any figure shown


@dataclass(frozen=True, slots=True)
class Race:
    """How two race to a goal. ways: points that a throw adds to the stake -> throws; ones: throws that lose the stake.

    double: what a double 1 does to the turn that it ends, empty if none does. least: the least that a throw adds, if
    the goal must be hit exactly, else 0.
    """

    goal: int
    least: int
    ways: Mapping[int, int]
    ones: int
    double: str = ""

    @property
    def throws(self) -> int:
        """The number of throws, all equally likely."""
        return self.ones + sum(self.ways.values()) + bool(self.double)

    def may_hold(self, score: int) -> bool:
        """Return whether a turn may end with this score."""
        return not self.least or score == self.goal or score + self.least <= self.goal


def one_die(goal: int, *, exact: bool) -> Race:
    """Return the race of Pig."""
    return Race(goal, pig.LEAST * exact, dict.fromkeys(FACES[1:], 1), 1)


def two_dice(goal: int, table: Table, *, exact: bool) -> Race:
    """Return the race of Two-dice Pig, by the game's own points."""
    double, ways, ones = table.option(two_dice_pig.ONES), Counter[int](), 0
    for thrown in product(FACES, repeat=two_dice_pig.DICE):
        alone = thrown.count(two_dice_pig.LOSING_FACE) == 1
        ones += alone
        if not alone and (thrown != two_dice_pig.DOUBLE_ONE or double == "continue"):
            ways[two_dice_pig.throw_score(table, *thrown)] += 1
    return Race(goal, two_dice_pig.least(table) * exact, ways, ones, "" if double == "continue" else double)


def win_chances(race: Race, show: Callable[[str], None]) -> Numbers:
    """Return the chance of the player whose turn begins, by the own score and the other's: (goal, goal)."""
    every, change, times = np.arange(race.goal), 1.0, 0
    chances = np.zeros((race.goal, race.goal))
    while change > CLOSE:
        times += 1
        show(f"round {times}, still changing by {change:.0e}")
        new = np.zeros_like(chances)  # 0 stays for scores that nobody can hold: never asked for, and would not settle
        for reached, roll, bank in _turn(race, chances, every, every, race.goal - 1):
            if bank is not None:
                new[reached] = roll[reached]
        change, chances = float(np.abs(new - chances).max()), new
    return chances


def of_options(race: Race, chances: Numbers, own: int, other: int, stake: int) -> dict[str, float]:
    """Return the chance to win after `roll`, and after `bank` if that is allowed, with this stake."""
    top = max(race.goal - 1, own + stake)
    for reached, roll, bank in _turn(race, chances, np.array([own]), np.array([other]), top):
        if reached == own + stake:
            return {"roll": float(roll[0, 0])} | ({} if bank is None else {"bank": float(bank[0])})
    raise AssertionError


def _turn(
    race: Race, chances: Numbers, owns: Places, others: Places, top: int
) -> Iterator[tuple[int, Numbers, Numbers | None]]:
    """Yield for each score with the stake, from the top down, the chance after a roll and after banking, if allowed.

    owns, others: scores without the stake. A roll: (owns up to that score, others); banking: (others).
    """
    lost = 1 - chances[np.ix_(others, owns)].T

    def held(score: int) -> Numbers | None:
        if score >= race.goal:
            return np.ones(len(others)) if race.may_hold(score) else None
        return 1 - chances[others, score] if race.may_hold(score) else None

    def or_lost(row: Numbers | None) -> Numbers:
        return lost if row is None else np.broadcast_to(row, lost.shape)

    replaced = [or_lost(held(own + two_dice_pig.DOUBLE_ONE_SCORE))[at] for at, own in enumerate(owns)]
    after_double = {"replace": np.array(replaced), "lose": or_lost(held(0))}
    most = max(race.ways)
    ahead = deque([or_lost(held(top + more)) for more in range(1, most + 1)], most)
    for reached in range(top, int(owns[0]) - 1, -1):
        rows = np.searchsorted(owns, reached, "right")
        roll = race.ones * lost[:rows] + sum(count * ahead[more - 1][:rows] for more, count in race.ways.items())
        if race.double:
            added = or_lost(held(reached + two_dice_pig.DOUBLE_ONE_SCORE))
            roll = roll + after_double.get(race.double, added)[:rows]
        roll, bank = roll / race.throws, held(reached)
        yield reached, roll, bank
        ahead.appendleft(roll if bank is None else np.maximum(roll, bank))
