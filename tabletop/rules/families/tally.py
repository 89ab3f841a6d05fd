"""Rounds won, on the sheet, where the scores are what is held now."""

from tabletop.rules.game import Result
from tabletop.rules.table import Table

WON = "rounds won"


def begin_tally(table: Table) -> None:
    """Write 0 for everybody at the table who has no cell yet: at the start, and for those who sat down since."""
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
    """End with who has won most rounds among those present; a tie is shared."""
    present = list(table.seats())
    most = max(rounds_won(table, player) for player in present)
    return Result(tuple(player for player in present if rounds_won(table, player) == most), why)
