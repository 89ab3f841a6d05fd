"""Counters that are held and passed on: neighbours, holders, what players who left leave behind; rounds won.

What is held now is in `table.scores`, so rounds won have a row of the score sheet.
"""

from tabletop.rules import Result, Table

WON = "rounds won"


def left_of(table: Table, player: int) -> int:
    """Return the next present seat clockwise; the same where nobody else is present."""
    return next(table.seats(player + 1))


def right_of(table: Table, player: int) -> int:
    """Return the next present seat counter-clockwise; the same where nobody else is present."""
    seats = len(table.names)
    return next(seat % seats for seat in range(player - 1, player - 1 - seats, -1) if seat % seats not in table.gone)


def holders(table: Table, first: int = 0) -> list[int]:
    """Return the present seats that hold something, clockwise from `first`."""
    return [player for player in table.seats(first) if table.scores[player] > 0]


def left_behind(table: Table) -> int:
    """Take what players who have left still hold; return how much it was."""
    taken = 0
    for player in table.gone:
        taken += table.scores[player]
        table.scores[player] = 0
    return taken


def begin_tally(table: Table) -> None:
    """Write 0 for each player at the table without a cell yet: at the start, and for players who joined since."""
    row = table.sheet.setdefault(WON, {})
    for player in table.seats():
        row.setdefault(player, 0)


def rounds_won(table: Table, player: int) -> int:
    """Return how many rounds this seat has won."""
    won = table.sheet[WON].get(player)
    return won if isinstance(won, int) else 0


def wins_round(table: Table, player: int) -> None:
    """Count a round for this seat."""
    table.write(WON, player, rounds_won(table, player) + 1)


def most_rounds(table: Table, why: str) -> Result:
    """End with the winner of most rounds among the players present; a tie is shared."""
    present = list(table.seats())
    most = max(rounds_won(table, player) for player in present)
    return Result(tuple(player for player in present if rounds_won(table, player) == most), why)
