"""Who begins, and the order of play: by seats, or by a roll-off in which tied players throw again."""

from collections.abc import Callable, Iterable, Sequence

from tabletop.rules import Choice, Faces, Table, faces_text

Value = Callable[[Faces], tuple[int, ...]]
ROW, ORDER_ROW = "roll-off", "order"


def order_option(default: str = "seats") -> Choice:
    """Return the option `order` of a game."""
    return Choice("order", default, "who begins: the first seat, or the winner of a roll-off", ("seats", "roll"))


def total(faces: Faces) -> tuple[int, ...]:
    """Value a throw in a roll-off by the sum of its dice."""
    return (sum(faces),)


async def roll_off(
    table: Table,
    players: Iterable[int],
    dice: int,
    value: Value = total,
    *,
    first: bool = True,
    between: bool = False,
    last: bool = False,
) -> list[int]:
    """Let each of these seats throw this many dice; return them, the highest throw first.

    first, between, last: the places to be decided; players tied for such a place throw again among themselves. A single
    remaining player does not throw, even if all others leave during the roll-off. A player who leaves is not in the
    list, except after the throw. The sheet's row `roll-off` has each player's faces, rethrows after a slash, which
    shows who is still tied.
    """
    rivals = [player for player in players if player not in table.gone]
    if len(rivals) > 1:
        table.sheet[ROW] = dict.fromkeys(rivals)
    return await _ranked(table, rivals, dice, value, first=first, between=between, last=last)


async def _ranked(
    table: Table, players: Iterable[int], dice: int, value: Value, *, first: bool, between: bool, last: bool
) -> list[int]:
    rivals = [player for player in players if player not in table.gone]
    if len(rivals) <= 1:
        return rivals
    thrown = await table.among(rivals, _throws(table, rivals, dice, value))
    if thrown is None:
        return [player for player in rivals if player not in table.gone]
    ranked: list[int] = []
    values = sorted(set(thrown.values()), reverse=True)
    for place in values:
        tied = [player for player, own in thrown.items() if own == place]
        leads, trails = first and place == values[0], last and place == values[-1]
        if len(tied) > 1 and (leads or trails or between):
            table.say("{names} are tied and throw again", names=table.names_of(tied))
            tied = await _ranked(
                table, tied, dice, value, first=leads or between, between=between, last=trails or between
            )
        ranked += tied
    return ranked


async def _throws(table: Table, players: Iterable[int], dice: int, value: Value) -> dict[int, tuple[int, ...]]:
    thrown: dict[int, tuple[int, ...]] = {}
    for player in players:
        if player not in table.gone and (faces := await table.turn(player, table.roll(player, dice))) is not None:
            thrown[player] = value(faces)
            before = table.sheet[ROW].get(player)
            table.write(ROW, player, faces_text(faces) if before is None else f"{before}/{faces_text(faces)}")
    return thrown


async def first_player(table: Table, order: str, dice: int) -> int:
    """Return the seat that begins: the first one present, or the one with the highest sum in a roll-off."""
    if order == "roll" and (ranked := await roll_off(table, table.seats(), dice)):
        return ranked[0]
    return next(table.seats())


def write_order(table: Table, players: Iterable[int]) -> None:
    """Write the row `order`: 1 for the seat that begins, and so on."""
    table.sheet[ORDER_ROW] = {player: place for place, player in enumerate(players, start=1)}


def in_order(table: Table, order: Sequence[int]) -> list[int]:
    """Return the present seats in this order, followed by those who joined since it was determined."""
    known = [player for player in order if player not in table.gone]
    return known + [player for player in table.seats() if player not in known]
