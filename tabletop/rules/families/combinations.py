"""Ten Thousand and related games: scoring parts of a throw, options of their charts, and dice left for the next player.

A lost or banked turn may leave dice and points that the next player can take over.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from tabletop.rules import Choice, Faces, Flag, Table, Whole, say

MOST_THROWS = 1 << 12  # more than the 923 multisets of up to six dice, with room for games with more
KNOWN_PARTS = 1 << 14  # the 1715 throws of up to seven dice under several charts
RUN = (1, 2, 3, 4, 5, 6)
SHORT_RUNS = (RUN[:-1], RUN[1:])
SET_STEP = 1000  # four, five and six of a kind at 1000, 2000 and 3000; seven continue the series
# Points by style, from the points of three of a kind and the number of equal dice, from four on.
MORE_ALIKE: Mapping[str, Callable[[int, int], int]] = {
    "loose": lambda _triple, _count: 0,
    "set": lambda _triple, count: SET_STEP * (count - 3),
    "adding": lambda triple, count: triple * (count - 2),
    "doubling": lambda triple, count: triple * 2 ** (count - 3),
}


@dataclass(frozen=True, slots=True)
class Chart:
    """The points of each combination, 0 if it does not score.

    alike: a row for 1, 2, 3, ... equal dice, each with the points for the faces 1 to 6. short_run: 1 to 5 or 2 to 6.
    The others need six dice: run: 1 to 6. three_pairs: includes four of a kind plus a pair, and six of a kind.
    two_triples: includes six of a kind.
    """

    alike: tuple[tuple[int, ...], ...]
    run: int
    three_pairs: int = 0
    two_triples: int = 0
    short_run: int = 0


@lru_cache(maxsize=MOST_THROWS)
def parts_of(hand: Faces) -> tuple[Faces, ...]:
    """Return every distinct part of a sorted hand, each sorted, the whole hand first and () last."""
    sizes = range(len(hand), -1, -1)
    return tuple(part for size in sizes for part in sorted(set(combinations(hand, size))))


def left_after(thrown: Faces, removed: Faces) -> Faces:
    """Return the rest of a sorted throw."""
    left = list(thrown)
    for face in removed:
        left.remove(face)
    return tuple(left)


def alike_rows(triples: Sequence[int], style: str, most: int) -> tuple[tuple[int, ...], ...]:
    """Return a chart's rows for three up to `most` equal dice. triples: the points of three, for faces 1 to 6."""
    more = MORE_ALIKE[style]
    return (tuple(triples), *(tuple(more(triple, count) for triple in triples) for count in range(4, most + 1)))


@lru_cache(maxsize=KNOWN_PARTS)
def scoring_parts(chart: Chart, thrown: Faces) -> tuple[Faces, ...]:
    """Return the parts of a sorted throw in which every die scores, the highest first; empty for a scoreless throw.

    Of two parts with equal scores, the one with more dice comes first.
    """
    worth = {part: part_score(chart, part) for part in parts_of(thrown)}
    return tuple(sorted((part for part in worth if worth[part]), key=lambda part: worth[part], reverse=True))


@lru_cache(maxsize=KNOWN_PARTS)
def part_score(chart: Chart, part: Faces) -> int:
    """Return the best score that uses every die of this sorted part; 0 if there is none."""
    best = _alike(chart, part)
    for size, score_of in ((len(RUN), _of_six), (len(RUN) - 1, _of_five)):
        for some in set(combinations(part, size)):
            left = left_after(part, some)
            score, rest = score_of(chart, some), _alike(chart, left)
            if score and (rest or not left):
                best = max(best, score + rest)
    return best


def _of_five(chart: Chart, five: Faces) -> int:
    """Return what these five sorted dice score as a short run."""
    return chart.short_run if five in SHORT_RUNS else 0


def _of_six(chart: Chart, six: Faces) -> int:
    """Return the best combination that takes all of these six sorted dice."""
    counts = [six.count(face) for face in set(six)]
    return max(
        chart.run if six == RUN else 0,
        chart.three_pairs if all(count % 2 == 0 for count in counts) else 0,
        chart.two_triples if all(count % 3 == 0 for count in counts) else 0,
    )


def _alike(chart: Chart, part: Faces) -> int:
    """Return the best score with single dice and dice that are alike; 0 if one die does not count."""
    scores = [_of_one_face(chart, face, part.count(face)) for face in set(part)]
    return sum(scores) if all(scores) else 0


def _of_one_face(chart: Chart, face: int, count: int) -> int:
    """Return the best score of this many dice with this face, parted in any way; 0 if one does not count."""
    best = 0
    for size, points in enumerate(chart.alike[:count], start=1):
        left = count - size
        rest = _of_one_face(chart, face, left) if left else 0
        if points[face - 1] and (rest or not left):
            best = max(best, points[face - 1] + rest)
    return best


ONE, FIVE = 100, 50
TRIPLE_OF_ONES, TRIPLE_PER_FACE = 1000, 100
RUN_SCORE = 3000
THREE_PAIRS_SCORE = 1500
MOST_POINTS = 10_000  # for one combination

RUN_OPTION = Whole("run", RUN_SCORE, "points for 1 to 6; 0: no such combination", 0, MOST_POINTS)
SHORT_RUN = Whole("short_run", 0, "points for 1 to 5 or 2 to 6 in one throw; 0: no such combination", 0, MOST_POINTS)
THREE_PAIRS = Whole("three_pairs", THREE_PAIRS_SCORE, "points for three pairs; 0: no such combination", 0, MOST_POINTS)
THREE_ONES = Whole("three_ones", TRIPLE_OF_ONES, "points for three 1s", 3 * ONE, MOST_POINTS)
TWO_TRIPLES = Whole("two_triples", 0, "points for two triples in one throw; 0: each triple on its own", 0, MOST_POINTS)
ALIKE = Choice(
    "alike",
    "loose",
    "four or more alike: a triple and single dice; fixed points from 1000; each further die adds or doubles the triple",
    ("loose", "set", "adding", "doubling"),
)
OPTIONS = (RUN_OPTION, SHORT_RUN, THREE_PAIRS, THREE_ONES, TWO_TRIPLES, ALIKE)


def chart_of(table: Table, dice: int) -> Chart:
    """Return the chart of this match for this many dice."""
    triples = (table.option(THREE_ONES), *(TRIPLE_PER_FACE * face for face in range(2, 7)))
    return Chart(
        alike=((ONE, 0, 0, 0, FIVE, 0), (0,) * 6, *alike_rows(triples, table.option(ALIKE), dice)),
        run=table.option(RUN_OPTION),
        short_run=table.option(SHORT_RUN),
        three_pairs=table.option(THREE_PAIRS),
        two_triples=table.option(TWO_TRIPLES),
    )


CARRY_ON = Flag("carry_on", False, "the next player may take over the dice of a lost turn and win the lost points")
PIGGYBACK = Flag("piggyback", False, "the next player may go on with the dice left and the points just banked")
LOST, OFFERED = ("lost points", "lost dice"), ("offered points", "offered dice")  # rows; the second with piggyback


@dataclass(frozen=True, slots=True)
class LeftOver:
    """What a turn leaves for the next player: whose turn it was, how many dice to throw, and the points to win."""

    player: int
    dice: int
    points: int


def offers(table: Table) -> bool:
    """Return whether turns in this match leave anything to the next player."""
    return table.option(CARRY_ON) or table.option(PIGGYBACK)


def leave_over(table: Table, player: int, dice: int) -> LeftOver:
    """Leave this many dice, and the points at stake, to the next player."""
    write_offer(table, table.at_stake, dice)
    return LeftOver(player, dice, table.at_stake)


async def take_up(table: Table, player: int, left: LeftOver | None, dice: int) -> tuple[int, int]:
    """Offer what the previous turn left; return how many dice to throw, and the points they win.

    dice: how many a turn normally begins with. A player who takes over dice and scores nothing adds no points to them:
    the next player is offered nothing.
    """
    asks = say("take up the dice?")
    if left and left.player != player and await table.choose(player, "take", "refuse", question=asks) == "take":
        if left.dice == 1:
            table.say("{name} takes up {n} die for {n2}", name=table.names[player], n=left.dice, n2=left.points)
        else:
            table.say("{name} takes up {n} dice for {n2}", name=table.names[player], n=left.dice, n2=left.points)
        return left.dice, left.points
    if offers(table):
        write_offer(table, 0, 0)
    return dice, 0


def begin_offers(table: Table) -> None:
    """Add the rows for offers to the sheet, once."""
    if offers(table) and not table.sheet.keys() & {LOST[0], OFFERED[0]}:
        write_offer(table, 0, 0)


def write_offer(table: Table, points: int, dice: int) -> None:
    """Show the points to be won from the previous turn, and the number of dice to throw for them."""
    for row, cell in zip(OFFERED if table.option(PIGGYBACK) else LOST, (points, dice), strict=True):
        table.write_all(row, cell)
