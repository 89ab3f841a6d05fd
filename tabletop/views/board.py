"""The score sheet for people: without the referee's internal rows, with the sums added up. Pure.

`Match.sheet` stays as the game writes it. `Game.renamed` says which rows are shown under another name, or not at all.
"""

from collections.abc import Iterable
from typing import NamedTuple

from tabletop.core.message import say
from tabletop.rules import Match, table
from tabletop.rules.families import order
from tabletop.rules.families.boxes import BONUS_ROW, UPPER
from tabletop.rules.match import LEFT_ROW

OF_THE_REFEREE = ("throws", "turns", "order", "round", "used", "allowed", "dice")  # internal rows of the referee
LEFT_MARK = "x"  # a player who has left: a word would not fit in six columns
WHEN_TIED = ("play-off", "extra", "extra round")  # rows shown only during a tie
NO_BONUS = "0"  # for ones to sixes, by the option `bonus` if that is a number
BETWEEN = "/"  # separates the columns of a sheet with several, as in "18/-/25"


class Row(NamedTuple):
    """A row of the sheet. label: in English. cells: one for each player, empty without a value.

    kind: "upper" for ones to sixes, "sum" for their total, "missing" for the points missing for the bonus, "bonus",
    "total", "table" for one value of the whole table such as a pot, "left" for players who have left; else empty.
    """

    label: str
    cells: tuple[str, ...]
    kind: str = ""


def board(match: Match) -> tuple[Row, ...]:
    """Return the visible rows of a match, in the order of its sheet; a bonus row follows the rows that earn it."""
    sheet = {name: [cells.get(player) for player in match.players] for name, cells in match.sheet.items()}
    if order.ORDER_ROW in sheet or any(event.kind != "throw" for event in match.events):
        sheet.pop(order.ROW, None)  # the roll-off is over
    labels = {**{name: name for name in sheet}, **dict.fromkeys(OF_THE_REFEREE, ""), **match.game.renamed}
    kinds = {**dict.fromkeys(UPPER, "upper"), **dict.fromkeys(match.shared_rows, "table"), LEFT_ROW: "left"}
    kinds |= {name: "bonus" for name in sheet if name.endswith("bonus")}
    kinds |= {"total": "total"} if match.game.layout == "boxes" else {}
    rows = [
        Row(labels[name], tuple(_text(name, cell) for cell in cells), kinds.get(name, ""))
        for name, cells in sheet.items()
        if labels[name] and (name not in WHEN_TIED or any(cell is not None for cell in cells))
    ]
    bonus = [row for row in rows if row.label == BONUS_ROW]
    rows = [row for row in rows if row.label != BONUS_ROW]
    if bonus and str(match.options.get("bonus")) != NO_BONUS:
        below = max(at for at, row in enumerate(rows) if row.kind == "upper") + 1
        rows[below:below] = [*_sums(match, [sheet[box] for box in UPPER]), *bonus]
    if match.game.layout == "boxes" and "total" not in sheet:
        rows.append(Row(say("total"), tuple(map(str, match.scores.values())), "total"))
    return tuple(rows)


def _text(name: str, cell: table.Cell) -> str:
    if cell is None:
        return ""
    return LEFT_MARK if name == LEFT_ROW else str(cell)


def _sums(match: Match, boxes: list[list[table.Cell]]) -> tuple[Row, Row]:
    """Return the totals of ones to sixes, and what they lack of the next goal: 0 if they have reached them all."""
    goal = match.options.get("goal")
    goals = (goal,) if isinstance(goal, int) else match.game.upper_goals
    totals = [_added(own) for own in zip(*boxes, strict=True)]
    lacks = [[next((goal - total for goal in goals if goal > total), 0) for total in own] for own in totals]
    sums, missing = (tuple(BETWEEN.join(map(str, own)) for own in each) for each in (totals, lacks))
    return (Row(say("upper total"), sums, "sum"), Row(say("missing for the bonus"), missing, "missing"))


def _added(boxes: Iterable[table.Cell]) -> list[int]:
    """Add up each column of these boxes, those that are empty left out."""
    written = [str(cell).split(BETWEEN) for cell in boxes if cell is not None]
    return [sum(int(cell) for cell in column if cell.isdigit()) for column in zip(*written, strict=True)] or [0]
