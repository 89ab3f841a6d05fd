"""Games with a sheet of boxes: throw a number of times, then fill an empty box. Shared by Yacht and its relatives."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, permutations, product

from tabletop.rules import Faces, Table, say
from tabletop.rules.families import combinations, rounds

Sheet = dict[str, int]  # box -> points, of one player, in the order of filling
Scores = Mapping[str, Callable[[Faces], int]]  # box -> score of sorted dice, in the order of the sheet

UPPER: Mapping[str, int] = {"ones": 1, "twos": 2, "threes": 3, "fours": 4, "fives": 5, "sixes": 6}
THROWS_ROW = "throws"
BONUS_ROW = "upper bonus"


@dataclass(frozen=True, slots=True)
class BoxHand:
    """The dice during a turn. kept: set aside before the last throw, sorted. throws: how many were made."""

    kept: Faces
    thrown: Faces
    throws: int

    @property
    def dice(self) -> Faces:
        """All dice, sorted."""
        return tuple(sorted(self.kept + self.thrown))


# Throwing

Parts = Callable[[BoxHand], Sequence[Faces]]


def any_part(hand: BoxHand) -> Sequence[Faces]:
    """Allow keeping any part of the hand: dice set aside may be picked up again."""
    return combinations.parts_of(hand.dice)


def kept_stay(hand: BoxHand) -> Sequence[Faces]:
    """Allow keeping only parts that contain all the dice kept before."""
    return _parts_around(hand.kept, tuple(sorted(hand.thrown)))


def parts_allowed(*, pick_up: bool) -> Parts:
    """Return the rule for parts that may be kept. pick_up: whether kept dice may be picked up again."""
    return any_part if pick_up else kept_stay


@lru_cache(maxsize=combinations.MOST_THROWS)
def _parts_around(kept: Faces, thrown: Faces) -> tuple[Faces, ...]:
    return tuple(tuple(sorted(kept + part)) for part in combinations.parts_of(thrown))


async def throw_first(table: Table, player: int, dice: int) -> BoxHand:
    """Throw all the dice. The sheet's row `throws` counts the throws of the turn."""
    table.sheet[THROWS_ROW] = {player: 0}
    thrown = await table.roll(player, dice)
    table.write(THROWS_ROW, player, 1)
    return BoxHand((), thrown, 1)


async def throw_on(
    table: Table,
    player: int,
    hand: BoxHand,
    times: int,
    parts: Parts = any_part,
    enough: Callable[[BoxHand], bool] = lambda _: False,
    worth: Callable[[BoxHand], int] = lambda _: 0,
) -> BoxHand:
    """Set dice aside and throw the others again; return the hand when all are kept, or after this many throws.

    enough: hands that end the throwing automatically. worth: the points at stake in a hand, or in the kept part of it.
    """
    while hand.throws < times and not enough(hand):
        dice = hand.dice
        table.at_stake = worth(hand)
        kept = await table.keep(player, parts(hand), hand=dice, may_stop=False)
        table.at_stake = worth(BoxHand(kept, (), hand.throws))
        if len(kept) == len(dice):
            break
        thrown = await table.roll(player, len(dice) - len(kept))
        hand = BoxHand(kept, thrown, hand.throws + 1)
        table.write(THROWS_ROW, player, hand.throws)
    return hand


async def set_all_aside(
    table: Table,
    player: int,
    dice: int,
    parts: Callable[[Faces], Sequence[Faces]] = lambda thrown: combinations.parts_of(thrown)[:-1],
    worth: Callable[[Faces], int] = sum,
) -> Faces:
    """Throw, set aside at least one die, and throw the others, until all are set aside; return them sorted.

    parts: what may be set aside from a sorted throw, the likeliest first. worth: the points at stake in the dice set
    aside.
    """
    aside: Faces = ()
    while len(aside) < dice:
        thrown = tuple(sorted(await table.roll(player, dice - len(aside))))
        aside = tuple(sorted(aside + await table.keep(player, parts(thrown), hand=thrown, beside=aside)))
        table.at_stake = worth(aside)
    return aside


# Scoring patterns


def alike(dice: Faces) -> list[int]:
    """Return how many dice show each face thrown, most first."""
    return sorted((dice.count(face) for face in set(dice)), reverse=True)


def all_alike(dice: Faces) -> bool:
    """Whether all dice show the same face."""
    return len(set(dice)) == 1


def run_of(dice: Faces, length: int) -> bool:
    """Whether this many consecutive numbers are among the dice."""
    longest = session = 1
    for low, high in pairwise(sorted(set(dice))):
        session = session + 1 if high == low + 1 else 1
        longest = max(longest, session)
    return longest >= length


def all_of(faces: Faces, points: int) -> Callable[[Faces], int]:
    """Return the score of a straight: these points if all of these faces are among the dice, else 0."""
    return lambda dice: points if set(faces) <= set(dice) else 0


def _of_face(face: int) -> Callable[[Faces], int]:
    return lambda dice: face * dice.count(face)


UPPER_SCORES: Scores = {box: _of_face(face) for box, face in UPPER.items()}


def full_house(dice: Faces, *, five_alike: bool) -> bool:
    """Whether three dice show one face and two another; five_alike: whether five of one face count."""
    return alike(dice) == [3, 2] or (five_alike and all_alike(dice))


def of_groups(*sizes: int, apart: bool = True) -> Callable[[Faces], int]:
    """Return a scoring function for groups of equal dice of these sizes: their highest total, 0 if one is missing.

    apart: whether each group needs a different face; otherwise four of a kind are two pairs as well.
    """
    return lambda dice: _best_groups(dice, sizes, apart=apart)


@lru_cache(maxsize=combinations.MOST_THROWS)
def _best_groups(dice: Faces, sizes: tuple[int, ...], *, apart: bool) -> int:
    faces = set(dice)
    ways = permutations(faces, len(sizes)) if apart else product(faces, repeat=len(sizes))
    needed = (Counter(face for face, size in zip(way, sizes, strict=True) for _ in range(size)) for way in ways)
    return max((sum(some.elements()) for some in needed if some <= Counter(dice)), default=0)


# Sheets


def new_sheets(table: Table, rows: Iterable[str]) -> dict[int, Sheet]:
    """Add these rows to the table's sheet; return an empty sheet for each seat.

    A sheet is kept while its player is away.
    """
    table.sheet |= {row: {} for row in rows}
    return {player: {} for player in table.seats()}


def rows_with_bonus(scores: Scores) -> tuple[str, ...]:
    """Return the boxes as rows of the sheet, with the bonus row after ones to sixes."""
    return (*UPPER, BONUS_ROW, *(box for box in scores if box not in UPPER))


def boxes_due(table: Table, sheets: Mapping[int, Sheet], boxes: Collection[str]) -> Iterator[int]:
    """Yield the next player until all present have filled these boxes; returning players catch up first."""
    return rounds.turns_due(table, len(boxes), lambda player: len(sheets[player].keys() & set(boxes)))


def upper_total(sheet: Sheet) -> int:
    """Add up the boxes from ones to sixes."""
    return sum(sheet.get(box, 0) for box in UPPER)


def empty_boxes(sheet: Sheet, scores: Scores, dice: Faces) -> dict[str, int]:
    """Return the score of these sorted dice in each empty box."""
    return {box: score(dice) for box, score in scores.items() if box not in sheet}


def goal_bonus(goal: int, points: int) -> Callable[[Sheet], int]:
    """Return the bonus rule for ones to sixes: these points if the goal is reached, else 0."""
    return lambda sheet: points if upper_total(sheet) >= goal else 0


async def fill_a_box(
    table: Table, player: int, sheet: Sheet, gives: Mapping[str, int], bonus: Callable[[Sheet], int] = lambda _: 0
) -> str:
    """Let the player choose one of these empty boxes and write its points; return the box.

    bonus: the bonus the sheet has earned, shown in the row `upper bonus` unless it is 0.
    """
    box = await table.choose(player, *gives, gives=gives, question=say("which box?"))
    write_box(table, player, sheet, box, gives[box])
    if earned := bonus(sheet):
        sheet[BONUS_ROW] = earned
    add_up(table, player, sheet)
    return box


def write_box(table: Table, player: int, sheet: Sheet, box: str, points: int) -> None:
    """Write points in a box, which counts as filled from now on."""
    sheet[box] = points
    table.say("{name} writes {n} for {box}", name=table.names[player], n=points, box=box)


def add_up(table: Table, player: int, sheet: Sheet) -> None:
    """Update the player's column on the shared sheet; the grand total is the score."""
    for row, points in sheet.items():
        table.write(row, player, points)
    table.scores[player] = sum(sheet.values())
