"""What combinations score in Ten Thousand, as its tables differ: the options, and the chart that they make."""

from tabletop.rules.families.combinations import Chart, alike_rows
from tabletop.rules.options import Choice, Whole
from tabletop.rules.table import Table

ONE, FIVE = 100, 50
TRIPLE_OF_ONES, TRIPLE_PER_FACE = 1000, 100
RUN_SCORE = 3000
THREE_PAIRS_SCORE = 1500
MOST_POINTS = 10_000  # of one combination

RUN = Whole("run", RUN_SCORE, "points for 1 to 6; 0: no such combination", at_least=0, at_most=MOST_POINTS)
SHORT_RUN = Whole(
    "short_run",
    0,
    "points for 1 to 5 or 2 to 6 in one throw; 0: no such combination",
    at_least=0,
    at_most=MOST_POINTS,
)
THREE_PAIRS = Whole(
    "three_pairs", THREE_PAIRS_SCORE, "points for three pairs; 0: no such combination", at_least=0, at_most=MOST_POINTS
)
THREE_ONES = Whole("three_ones", TRIPLE_OF_ONES, "points for three 1s", at_least=3 * ONE, at_most=MOST_POINTS)
TWO_TRIPLES = Whole(
    "two_triples", 0, "points for two triples in one throw; 0: each for itself", at_least=0, at_most=MOST_POINTS
)
ALIKE = Choice(
    "alike",
    "loose",
    "four or more alike: a triple and loose dice; set points from 1000; the triple added or doubled for each die more",
    ("loose", "set", "adding", "doubling"),
)
OPTIONS = (RUN, SHORT_RUN, THREE_PAIRS, THREE_ONES, TWO_TRIPLES, ALIKE)


def chart_of(table: Table, dice: int) -> Chart:
    """Return what so many dice score in this match."""
    triples = (table.option(THREE_ONES), *(TRIPLE_PER_FACE * face for face in range(2, 7)))
    return Chart(
        alike=((ONE, 0, 0, 0, FIVE, 0), (0,) * 6, *alike_rows(triples, table.option(ALIKE), dice)),
        run=table.option(RUN),
        short_run=table.option(SHORT_RUN),
        three_pairs=table.option(THREE_PAIRS),
        two_triples=table.option(TWO_TRIPLES),
    )
