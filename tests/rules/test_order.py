"""Roll-offs: who throws again, and for which places; neighbours in a circle that has gaps."""

from itertools import product

import pytest

from tabletop.rules import Match
from tabletop.rules.families.counters import holders, left_behind, left_of, right_of
from tabletop.rules.families.order import in_order
from tabletop.rules.table import Table

# The hands in the order of dice-play.com's Poker Dice, best first; of like hands the higher faces.
RANKED = ["66666", "11111", "66665", "22221", "11112", "66655", "55566", "23456", "12345", "66654", "22213", "66554"]
RANKED += ["66553", "66445", "55443", "66543", "66123", "11654", "65431", "64321"]


@pytest.mark.parametrize("place", range(len(RANKED) - 1))
def test_a_better_hand_plays_first(place: int) -> None:
    """Each hand against the next lower one, in both seats and in any order of its dice."""
    better, worse = ([int(face) for face in hand] for hand in RANKED[place : place + 2])
    for turned in (better, better[::-1], better[2:] + better[:2]):
        match = Match("aces", ["Ann", "Ben"], order="roll")
        match.throw(turned)
        match.throw(worse)
        assert match.sheet["order"] == {"Ann": 1, "Ben": 2}
        match.undo()
        match.undo()
        match.throw(worse)
        match.throw(turned)
        assert match.sheet["order"] == {"Ann": 2, "Ben": 1}


def test_only_ties_for_the_first_place_are_thrown_again() -> None:
    """Where the first player alone is at issue, a tie behind him stands; all throws of three players by two dice."""
    match = Match("lcr", ["Ann", "Ben", "Cid"], order="roll")
    for totals in product(range(2, 13), repeat=3):
        for total in totals:
            match.throw([min(6, total - 1), total - min(6, total - 1)])
        tied = [name for name, total in zip(match.players, totals, strict=True) if total == max(totals)]
        assert match.request.player == tied[0]
        assert match.request.dice == (3 if len(tied) == 1 else 2)
        assert ("tied" in match.said) == (len(tied) > 1)
        for _ in totals:
            match.undo()


def test_neighbours_skip_who_has_left() -> None:
    """Left is the next seat, right the one before; gaps and the ends of the row are no limit."""
    table = Table(["a", "b", "c", "d", "e"], {})
    assert [left_of(table, seat) for seat in range(5)] == [1, 2, 3, 4, 0]
    assert [right_of(table, seat) for seat in range(5)] == [4, 0, 1, 2, 3]
    table.gone |= {0, 2}
    assert [left_of(table, seat) for seat in range(5)] == [1, 3, 3, 4, 1]
    assert [right_of(table, seat) for seat in range(5)] == [4, 4, 1, 1, 3]
    table.scores = [4, 0, 2, 5, 1]
    assert holders(table) == [3, 4]
    assert holders(table, 4) == [4, 3]
    assert left_behind(table) == 6
    assert table.scores == [0, 0, 0, 5, 1]
    assert in_order(table, [4, 2, 1]) == [4, 1, 3]


def test_leaving_in_a_roll_off() -> None:
    """Who leaves before his throw, or while he is tied, is out of it; who is alone then throws no more."""
    match = Match("mafia", ["Ann", "Ben", "Cid"], order="roll")
    match.throw([6, 6])
    match.leave("Ben")
    match.throw([6, 6])
    assert match.request.player == "Ann"
    assert match.request.dice == 2
    match.join("Ben")
    match.throw([1, 1])
    match.leave("Cid")
    assert (match.request.kind, match.request.player) == ("choose", "Ann")
    match.leave("Ann")
    assert match.winners == ("Ben",)
