"""Rounds and play-offs, by a small game for this test: a turn is one die, and gives what it shows."""

from collections.abc import Sequence
from typing import Literal

import pytest

from tabletop.core.errors import InputError
from tabletop.rules.coroutine import Run
from tabletop.rules.events import Event
from tabletop.rules.families.rounds import leaders, play_off, play_round, play_rounds, rounds_option
from tabletop.rules.game import Game, Result
from tabletop.rules.requests import Throw
from tabletop.rules.table import Cell, Play, Table

ROUNDS = rounds_option(3)
GAME = Game("dice", "Dice", "this test", 1, {"test": {}}, "For a test.", (ROUNDS,), min_players=1, joining=True)
ANN, BEN, CID = range(3)


async def turn(table: Table, player: int) -> int:
    """Throw a die; its face is what the turn gives."""
    (face,) = await table.roll(player, dice=1)
    return face


async def three_rounds(table: Table) -> Result:
    await play_rounds(table, turn, table.option(ROUNDS))
    return table.highest("all is played")


async def three_holes(table: Table) -> Result:
    await play_rounds(table, turn, table.option(ROUNDS), row="hole")
    return table.highest("all is played")


async def one_round_and_a_play_off(table: Table) -> Result:
    """Play one round; the best play off."""
    given = await play_round(table, table.seats(), turn, "first")
    winners = await play_off(table, leaders(given), turn)
    return Result(winners, "won" if winners else "nobody is left of the tied")


def begun(play: Play, *names: str, rounds: int = 3) -> Run:
    return Run(GAME, play, names, {"rules": "test", "rounds": rounds})


def throw(run: Run, *faces: int) -> str:
    """Throw these one after the other; return whose throws they were, by first letters."""
    order = ""
    for face in faces:
        order += (run.request.player or "-")[0]
        run.take(Throw((face,)))
    return order


def seat(run: Run, kind: Literal["leave", "join"], name: str) -> None:
    run.obey(Event(kind, name), exact=True)


def row(run: Run, label: str) -> list[Cell]:
    return [run.table.sheet[label].get(player) for player in range(len(run.table.names))]


def test_each_round_has_its_row_and_adds_to_the_score() -> None:
    """Rows stand there from the start; a turn is written and added as soon as it ends."""
    run = begun(three_rounds, "Ann", "Ben")
    assert list(run.table.sheet) == ["round 1", "round 2", "round 3"]
    assert row(run, "round 1") == [None, None]
    assert throw(run, 3, 4, 6) == "ABA"
    assert run.table.scores == [9, 4]
    assert [row(run, f"round {number}") for number in (1, 2, 3)] == [[3, 4], [6, None], [None, None]]
    assert throw(run, 5, 1, 1) == "BAB"
    assert run.result == Result((ANN, BEN), "all is played")
    assert run.table.scores == [10, 10]


def test_rounds_are_called_as_the_game_calls_them() -> None:
    """Every round goes from the first seat to the last, and has its row on the sheet."""
    run = begun(three_holes, "Ann", "Ben", "Cid")
    assert throw(run, *[1] * 9) == "ABCABCABC"
    assert list(run.table.sheet) == ["hole 1", "hole 2", "hole 3"]


def test_a_round_without_those_who_leave() -> None:
    """A turn left in its midst gives nothing and writes nothing; later rounds go on without, and again with him."""
    run = begun(three_rounds, "Ann", "Ben", "Cid")
    throw(run, 3)
    seat(run, "leave", "Ben")
    assert run.request.player == "Cid"
    assert throw(run, 2, 4) == "CA"
    seat(run, "join", "Ben")
    seat(run, "join", "Dan")
    assert throw(run, 5, 1, 1, 1, 1, 1) == "CDABCD"
    assert run.result == Result((ANN, CID), "all is played")
    assert row(run, "round 1") == [3, None, 2, None]
    assert row(run, "round 2") == [4, None, 5, 1]


@pytest.mark.parametrize(
    ("given", "best"), [({0: 3, 2: 5, 1: 5}, (1, 2)), ({0: 0, 1: 0}, (0, 1)), ({0: -3, 1: -7}, (0,)), ({}, ())]
)
def test_the_leaders(given: dict[int, int], best: tuple[int, ...]) -> None:
    """All with the most, in seat order, below nought too; nobody of nobody."""
    assert leaders(given) == best


def test_a_play_off_until_one_is_left() -> None:
    """Only the tied play, in seat order, again and again; the row tells who is still due; scores stay."""
    run = begun(one_round_and_a_play_off, "Ann", "Ben", "Cid", "Dan")
    assert throw(run, 6, 2, 6) == "ABC"
    assert throw(run, 6) == "D"
    assert run.table.said == ["Ann and Cid and Dan are tied and play off"]
    assert row(run, "play-off") == ["due", None, "due", "due"]
    assert throw(run, 4, 5) == "AC"
    assert row(run, "play-off") == [4, None, 5, "due"]
    assert throw(run, 5) == "D"
    assert row(run, "play-off") == [None, None, "due", "due"]
    assert throw(run, 2, 3) == "CD"
    assert run.result == Result((3,), "won")
    assert row(run, "play-off") == [None, None, 2, 3]
    assert run.table.scores == [0, 0, 0, 0]
    assert row(run, "first") == [6, 2, 6, 6]


def test_those_who_are_back_play_off_again_where_nobody_has_ended_a_turn() -> None:
    """All of the tied leave in their turns, and two are back before the last has left: nobody is ahead of the other."""
    run = begun(one_round_and_a_play_off, "Ann", "Ben", "Cid")
    throw(run, 6, 6, 6)
    seat(run, "leave", "Ann")
    seat(run, "join", "Ann")
    seat(run, "leave", "Ben")
    seat(run, "join", "Ben")
    seat(run, "leave", "Cid")
    assert run.table.said[1:] == ["Ann and Ben are tied and play off"]
    assert throw(run, 1, 2) == "AB"
    assert run.result == Result((BEN,), "won")


def test_who_throws_last_is_not_asked_on_where_the_others_leave() -> None:
    """The question to him is taken back; nothing is at stake then, and all can be told again from the start."""
    run = begun(one_round_and_a_play_off, "Ann", "Ben", "Cid")
    throw(run, 6, 6, 6, 5)
    assert run.request.player == "Ben"
    seat(run, "leave", "Ann")
    assert run.request.player == "Ben"
    seat(run, "leave", "Cid")
    assert run.result == Result((BEN,), "won")
    assert run.table.at_stake == 0
    assert run.table.rivals == frozenset()


async def best_if_anybody(table: Table) -> Result:
    """Play one round; who did best wins."""
    given = await play_round(table, table.seats(), turn, "first", scored=True)
    winners = await play_off(table, leaders(given), turn)
    return Result(winners, "won" if winners else "nobody has thrown")


def test_nobody_is_best_where_nobody_has_ended_a_turn() -> None:
    """Each leaves in his turn, and the first is back before the other has left."""
    run = begun(best_if_anybody, "Ann", "Ben")
    seat(run, "leave", "Ann")
    seat(run, "join", "Ann")
    assert run.request.player == "Ben"
    seat(run, "leave", "Ben")
    assert run.result == Result((), "nobody has thrown")


Step = int | str

LEAVERS: list[tuple[str, Sequence[Step], Result]] = [
    ("nobody, and one alone has won already", [2, 3, 1], Result((BEN,), "won")),
    ("before his turn in the play-off", [6, 6, 6, "-Cid", 1, 2], Result((BEN,), "won")),
    ("before his turn, and others come after him", [6, 6, 6, "-Ben", 1, 2], Result((CID,), "won")),
    ("in his turn", [6, 6, 6, "-Ann", 1, 2], Result((CID,), "won")),
    ("after his turn, though he did best", [6, 6, 6, 5, "-Ann", 1, 2], Result((CID,), "won")),
    ("and one alone is left of the tied: he has won", [6, 6, 1, "-Ann"], Result((BEN,), "won")),
    ("who is not asked, and one alone is left", [6, 6, 1, "-Ben"], Result((ANN,), "won")),
    ("the best of the round before it ends", [6, 2, "-Ann", 1], Result((BEN,), "won")),
    ("who was not tied, and then one of the tied", [6, 2, 6, "-Ben", "-Cid"], Result((ANN,), "won")),
    ("and comes back before his turn", [6, 6, 6, "-Cid", 1, "+Cid", 2, 5], Result((CID,), "won")),
    ("and comes back after leaving in his turn: he is out", [6, 6, 6, "-Ann", "+Ann", 1, 2], Result((CID,), "won")),
]


@pytest.mark.parametrize(("steps", "result"), [case[1:] for case in LEAVERS], ids=[case[0] for case in LEAVERS])
def test_who_leaves(steps: Sequence[Step], result: Result) -> None:
    """Nobody who has left is asked or wins a play-off; it goes on among the others."""
    run = begun(one_round_and_a_play_off, "Ann", "Ben", "Cid")
    for step in steps:
        assert run.result is None
        if isinstance(step, str):
            seat(run, "leave" if step[0] == "-" else "join", step[1:])
        else:
            assert run.table.names.index(run.request.player or "") not in run.table.gone
            throw(run, step)
    assert run.result == result


def test_the_option_rounds() -> None:
    """It has the default that the game gives it, and takes 1 to 100."""
    assert (ROUNDS.name, ROUNDS.default) == ("rounds", 3)
    assert (ROUNDS.read("1"), ROUNDS.read(100)) == (1, 100)
    for wrong in (0, 101, "many"):
        with pytest.raises(InputError, match="rounds"):
            ROUNDS.read(wrong)


def test_one_round_is_enough() -> None:
    """With rounds=1 a match is one turn each."""
    run = begun(three_rounds, "Ann", rounds=1)
    throw(run, 4)
    assert run.result == Result((ANN,), "all is played")
