"""Races: the first player to reach a goal wins, after the remaining players' replies."""

from collections.abc import Callable, Coroutine
from typing import Any, cast

from tabletop.rules import Choice, Result, Table, say

Turn = Callable[[Table, int], Coroutine[Any, Any, int]]
ScoringTurn = Callable[[Table, int], Coroutine[Any, Any, None]]


def replies_option(default: str = "none", choices: tuple[str, ...] = ("none", "equal", "everyone")) -> Choice:
    """Return the option `replies` of a race."""
    return Choice("replies", default, "who gets one more turn after someone reaches the target", choices)


async def race(table: Table, turn: Turn, reached: Callable[[int], bool], replies: str) -> Result:
    """Play turns, adding what each banks to the score, until a score has reached the goal and the replies are over.

    replies: `none`, `equal` (the later seats, which have had one turn fewer) or `everyone` (one more turn each). A
    reply must exceed the score, so the earlier player wins ties. The sheet's row `turns` counts the turns.
    """
    table.sheet["turns"] = dict.fromkeys(table.seats(), 0)
    begins = 0
    while True:
        for player in table.seats(begins):
            await _take_turn(table, turn, player)
            if player in table.gone or not reached(table.scores[player]):
                continue
            winner = await _after_replies(table, turn, player, replies)
            if winner is not None:
                return Result((winner,), _ending(replies, table.names[winner], table.scores[winner]))
            if replies == "everyone":
                begins = player + 1
            break  # the leader has left: the race continues after the last reply


def _ending(replies: str, winner: str, score: int) -> str:
    if replies == "none":
        return say("{name} has {n} and wins at once", name=winner, n=score)
    return say("{name} has {n}, and no reply exceeds it", name=winner, n=score)


async def play_until(
    table: Table, turn: ScoringTurn, reached: Callable[[int], bool], *, whole_round: bool = False
) -> None:
    """Play turns that write the scores themselves, until a present player's score has reached the goal.

    whole_round: finish the round first. The sheet's row `turns` counts the turns.
    """
    table.sheet["turns"] = dict.fromkeys(table.seats(), 0)
    while True:
        for player in table.seats():
            await table.turn(player, turn(table, player))
            count_turn(table, player)
            if not whole_round and _anybody(table, reached):
                return
        if _anybody(table, reached):
            return


def _anybody(table: Table, reached: Callable[[int], bool]) -> bool:
    return any(reached(table.scores[player]) for player in table.seats())


async def _take_turn(table: Table, turn: Turn, player: int) -> None:
    banked = await table.turn(player, turn(table, player))
    table.scores[player] += banked or 0
    count_turn(table, player)


def count_turn(table: Table, player: int) -> None:
    """Add one to the player's turns in the sheet's row `turns`."""
    turns = table.sheet["turns"].get(player, 0)
    table.write("turns", player, cast("int", turns) + 1)


async def _after_replies(table: Table, turn: Turn, first: int, replies: str) -> int | None:
    """Play the replies; return the seat that is ahead after them, None if all leaders have left."""
    ahead = [first]
    due = {"none": range(0), "equal": range(first + 1, len(table.names)), "everyone": range(len(table.names))}[replies]
    if any(player != first and player not in table.gone for player in due):
        table.say(
            "{name} has {n}: anyone with a turn left must beat it", name=table.names[first], n=table.scores[first]
        )
    for player in table.seats(first + 1):
        if player in due and player != first:
            await _take_turn(table, turn, player)
            if table.scores[player] > table.scores[ahead[-1]]:
                ahead.append(player)
    staying = [player for player in ahead if player not in table.gone]
    return staying[-1] if staying else None
