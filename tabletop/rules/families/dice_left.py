"""What a turn of Ten Thousand leaves to the next player: dice and points, of a lost turn or of one just banked."""

from dataclasses import dataclass

from tabletop.core.message import say
from tabletop.rules.options import Flag
from tabletop.rules.table import Table

CARRY_ON = Flag("carry_on", False, "the next player may take up scoreless dice and win the points lost with them")
PIGGYBACK = Flag("piggyback", False, "the next player may go on with the dice left and the points just banked")
LOST, OFFERED = ("lost points", "lost dice"), ("offered points", "offered dice")  # rows; the second with piggyback


@dataclass(frozen=True, slots=True)
class LeftOver:
    """What a turn leaves on the table: whose it was, how many dice may be thrown, the points to be won with them."""

    player: int
    dice: int
    points: int


def offers(table: Table) -> bool:
    """Whether turns leave anything to the next player in this match."""
    return table.option(CARRY_ON) or table.option(PIGGYBACK)


def leave_over(table: Table, player: int, dice: int) -> LeftOver:
    """Leave so many dice, and what is at stake, to the next player."""
    write_offer(table, table.at_stake, dice)
    return LeftOver(player, dice, table.at_stake)


async def take_up(table: Table, player: int, left: LeftOver | None, dice: int) -> tuple[int, int]:
    """Offer what the turn before left; return how many dice to throw, and the points they win.

    dice: how many a turn begins with else. Who takes dice up and scores nothing has no points of his own in them: the
    next player is offered nothing.
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
    """Draw the rows of what is offered, once."""
    if offers(table) and not table.sheet.keys() & {LOST[0], OFFERED[0]}:
        write_offer(table, 0, 0)


def write_offer(table: Table, points: int, dice: int) -> None:
    """Write the points of the turn before that may be won, and how many dice may be taken up or are thrown for them."""
    for row, cell in zip(OFFERED if table.option(PIGGYBACK) else LOST, (points, dice), strict=True):
        table.write_all(row, cell)
