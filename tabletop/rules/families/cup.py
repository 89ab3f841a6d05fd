"""Dice under a cup: who is still in, and who gets the cup next. Remaining lives or dice are in `table.scores`."""

from tabletop.rules import Result, Table

DOUBT = "doubt"  # the next player does not believe the claim: the cup is lifted


def playing(table: Table, first: int = 0) -> list[int]:
    """Return the present seats that have something left to lose, clockwise from `first`."""
    return [player for player in table.seats(first) if table.scores[player] > 0]


def next_playing(table: Table, player: int) -> int:
    """Return the next seat to the left that is still in; the same seat if it is the only one."""
    return next(iter(playing(table, player + 1)), player)


def loses(table: Table, player: int, lost: int) -> bool:
    """Take this many lives or dice from a player; return False, and take nothing, if the player has left the table."""
    if player in table.gone:
        return False
    table.scores[player] = max(0, table.scores[player] - lost)
    return True


def last_one(table: Table, why: str) -> Result:
    """End with the last remaining player as winner; if all who could have won have left, all players present win."""
    return Result(tuple(playing(table)[:1]) or tuple(table.seats()), why)
