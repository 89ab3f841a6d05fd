"""The circle of players who pass something on: neighbours, who still holds something, what those who left leave behind.

What is held now stands in `table.scores`.
"""

from tabletop.rules.table import Table


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
    """Take what those who have left still hold; return how much it was."""
    taken = 0
    for player in table.gone:
        taken += table.scores[player]
        table.scores[player] = 0
    return taken
