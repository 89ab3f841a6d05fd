"""Every throw of The Dice Game, against the scoring dice counted here face by face."""

from collections import Counter
from itertools import combinations_with_replacement

import pytest

from tabletop.rules import Match

TRIPLES = {1: 1000, 2: 200, 3: 300, 4: 400, 5: 500, 6: 600}


def scoring_dice(throw: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
    """Return all dice that score, and their points: the run, else all 1s and 5s and three or six of the others."""
    if throw == (1, 2, 3, 4, 5, 6):
        return throw, 1000
    aside: list[int] = []
    points = 0
    for face, count in Counter(throw).items():
        triples, over = divmod(count, 3)
        single = {1: 100, 5: 50}.get(face, 0)
        aside += [face] * (count if single else 3 * triples)
        points += triples * TRIPLES[face] + over * single
    return tuple(sorted(aside)), points


def with_dice_left(count: int) -> Match:
    """Bring a match to where so many dice are due, all others having been 5s."""
    match = Match("the-dice-game", ["Ann", "Ben"])
    for due in range(6, count, -1):
        match.throw([5, 2, 2, 3, 3, 4][:due])
        match.keep([5])
        match.choose("roll")
    return match


@pytest.mark.parametrize("count", range(1, 7))
def test_all_throws_of_so_many_dice(count: int) -> None:
    """The only legal part is all dice that score, and they bring their points; without any the turn is lost."""
    match = with_dice_left(count)
    before = (6 - count) * 50
    for throw in combinations_with_replacement(range(1, 7), count):
        aside, points = scoring_dice(throw)
        match.throw(throw)
        if aside:
            assert match.request.legal == (aside,), throw
            match.keep(aside)
            assert match.at_stake == before + points, throw
            match.choose("roll")
            assert match.request.dice == (count - len(aside) or 6)
            match.undo()
            match.undo()
        else:
            assert match.request.player == "Ben"
            assert match.scores == {"Ann": 0, "Ben": 0}
        match.undo()
