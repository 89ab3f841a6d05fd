"""Counters that are held and passed on: neighbours, holders, counters of players who left; rounds won.

The counters held now are in `table.scores`, so rounds won have a row of the score sheet.
"""

from tabletop.rules import Result, Table

WON = "rounds won"


def left_of(table: Table, player: int) -> int:
    """Return the next present seat clockwise; the same seat if nobody else is present."""
    return next(table.seats(player + 1))


def right_of(table: Table, player: int) -> int:
    """Return the next present seat counter-clockwise; the same seat if nobody else is present."""
    seats = len(table.names)
    return next(seat % seats for seat in range(player - 1, player - 1 - seats, -1) if seat % seats not in table.gone)


def holders(table: Table, first: int = 0) -> list[int]:
    """Return the present seats that hold counters, clockwise from `first`."""
    return [player for player in table.seats(first) if table.scores[player] > 0]


def left_behind(table: Table) -> int:
    """Take the counters of players who have left; return how many there were."""
    taken = 0
    for player in table.gone:
        taken += table.scores[player]
        table.scores[player] = 0
    return taken


def begin_tally(table: Table) -> None:
    """Write 0 for each present player without a cell: at the start, and for players who joined later."""
    table.sheet[WON] = {**dict.fromkeys(table.seats(), 0), **table.sheet.get(WON, {})}


def rounds_won(table: Table, player: int) -> int:
    """Return how many rounds this seat has won."""
    won = table.sheet[WON].get(player)
    return won if isinstance(won, int) else 0


def wins_round(table: Table, player: int) -> None:
    """Record a round won by this seat."""
    table.write(WON, player, rounds_won(table, player) + 1)


def most_rounds(table: Table, why: str) -> Result:
    """End the game; the present player with the most rounds wins, ties are shared."""
    present = list(table.seats())
    most = max(rounds_won(table, player) for player in present)
    return Result(tuple(player for player in present if rounds_won(table, player) == most), why)
