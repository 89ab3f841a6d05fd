"""Going to Boston and Multiplication: the highest die is put aside twice, and the most rounds win."""

from collections.abc import Callable, Iterable
from functools import partial

from tabletop.rules import Choice, Result, Table, say
from tabletop.rules.families.rounds import leaders, play_off, play_round, rounds_option

DICE = 3
Score = Callable[[int, int, int], int]  # of the three dice, in the order in which they were put aside

ROUNDS = rounds_option(5)
TIES = Choice(
    "ties",
    "break",
    "a tied round: the tied players play it off, it counts for all of them, or for nobody",
    ("break", "share", "nobody"),
)
SERIES = Choice(
    "series", "break", "a tie at the end: the tied players play extra rounds, or share the win", ("break", "share")
)
OPTIONS = (ROUNDS, TIES, SERIES)


async def play_series(table: Table, score: Score) -> Result:
    """Play the rounds; most rounds won wins, and tied players play additional rounds."""
    rows = [say("round {n}", n=number) for number in range(1, table.option(ROUNDS) + 1)]
    for row in (*rows, "extra round", "play-off"):
        table.sheet[row] = {}
    for row in rows:
        await _round(table, table.seats(), score, row)
    while table.option(SERIES) == "break" and len(ahead := _most_rounds(table)) > 1:
        table.say("{names} are tied: an additional round", names=table.names_of(ahead))
        table.sheet["extra round"] = {}
        await table.among(ahead, _round(table, ahead, score, "extra round"))
    return table.highest(say("all rounds are played and the most rounds won win"))


def _most_rounds(table: Table) -> tuple[int, ...]:
    return leaders({player: table.scores[player] for player in table.seats()})


async def _round(table: Table, players: Iterable[int], score: Score, row: str) -> None:
    """Play one round; its winner scores a round won."""
    turn = partial(three_throws, score=score)
    table.sheet["play-off"] = {}
    given = await play_round(table, players, turn, row)
    winners = leaders(given)
    if table.option(TIES) == "break":
        winners = await play_off(table, winners, turn)
    if len(winners) > 1 and table.option(TIES) == "nobody":
        winners = ()
    for player in winners:
        table.scores[player] += 1
    if not winners:
        table.say("nobody wins the round")
    elif len(winners) > 1:
        table.say("{names} win the round", names=table.names_of(winners))
    else:
        table.say("{name} wins the round", name=table.names_of(winners))


async def three_throws(table: Table, player: int, score: Score) -> int:
    """Throw three, two and one dice, putting aside the highest each time; return the score of the three."""
    aside: list[int] = []
    for dice in range(DICE, 0, -1):
        thrown = await table.roll(player, dice)
        aside.append(max(thrown))
        table.kept = tuple(sorted(aside))
        table.at_stake = sum(aside)
    first, second, third = aside
    points = score(first, second, third)
    table.say("{name} has {n}", name=table.names[player], n=points)
    return points
