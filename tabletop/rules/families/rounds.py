"""Games with a fixed number of rounds, and play-offs for ties."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from tabletop.rules import Table, Whole, say
from tabletop.rules.families.race import Turn

MOST_ROUNDS = 100  # no text sets a limit; nobody plays longer
DUE = "due"  # in the row of a play-off: this player has not thrown yet


def rounds_option(default: int) -> Whole:
    """Return the option `rounds` of a game."""
    return Whole("rounds", default, "how many rounds are played", at_least=1, at_most=MOST_ROUNDS)


def turns_due(table: Table, turns: int, played: Callable[[int], int]) -> Iterator[int]:
    """Yield the next player until all present have had this many turns; missed turns are made up.

    Returning players first make up their missed turns, one after the other. played: how many turns of this seat are
    finished; a turn in which the player left is not.
    """
    for number in range(1, turns + 1):
        while (player := next((seat for seat in table.seats() if played(seat) < number), None)) is not None:
            yield player


async def play_rounds(table: Table, turn: Turn, rounds: int, *, row: str = "round") -> None:
    """Play turns and add the points of each to the score; the sheet has a row for each round.

    row: what the rounds are called on the sheet, followed by their number.
    """
    rows = [say(row + " {n}", n=number) for number in range(1, rounds + 1)]
    for label in rows:
        table.sheet.setdefault(label, {})
    for label in rows:
        for player in table.seats():
            points = await table.turn(player, turn(table, player))
            if points is not None:
                table.scores[player] += points
                table.write(label, player, points)


async def play_missed_rounds_too(table: Table, turn: Turn, rows: Sequence[str]) -> None:
    """Play a turn for each of these rows and add its points to the score; returning players make up what they missed.

    For games in which the lowest total wins: fewer rounds would mean a better total.
    """
    table.sheet |= {row: {} for row in rows}
    played = Counter[int]()  # seat -> rounds
    for player in turns_due(table, len(rows), lambda seat: played[seat]):
        points = await table.turn(player, turn(table, player))
        if points is not None:
            table.write(rows[played[player]], player, points)
            table.scores[player] += points
            played[player] += 1


async def play_round(
    table: Table, players: Iterable[int], turn: Turn, row: str, *, scored: bool = False
) -> dict[int, int]:
    """Let these seats play one turn each, in this order; return the points of each, also written in this row.

    scored: the points become the player's score; otherwise scores are untouched. Players who have left are not
    returned.
    """
    given: dict[int, int] = {}
    for player in players:
        if player in table.gone:
            continue
        points = await table.turn(player, turn(table, player))
        if points is not None:
            table.write(row, player, points)
            given[player] = points
            if scored:
                table.scores[player] = points
    return {player: points for player, points in given.items() if player not in table.gone}


def leaders(given: Mapping[int, int], *, fewest: bool = False) -> tuple[int, ...]:
    """Return the seats with the most points, or with the fewest, in seat order."""
    best = (min if fewest else max)(given.values(), default=0)
    return tuple(player for player in sorted(given) if given[player] == best)


async def play_off(
    table: Table, tied: Sequence[int], turn: Turn, row: str = "play-off", *, fewest: bool = False
) -> tuple[int, ...]:
    """Let the tied seats play turns in seat order until one is ahead; return the seats that remain, scores untouched.

    fewest: whether the fewest points are best. A single seat wins at once, also if the others leave during the
    play-off. An empty list returns an empty tuple.
    """
    staying = tuple(player for player in sorted(tied) if player not in table.gone)
    while len(staying) > 1:
        table.say("{names} are tied and play off", names=table.names_of(staying))
        table.sheet[row] = dict.fromkeys(staying, DUE)
        given = await table.among(staying, play_round(table, staying, turn, row))
        staying = (
            leaders(given, fewest=fewest) if given else tuple(player for player in staying if player not in table.gone)
        )
    return staying
