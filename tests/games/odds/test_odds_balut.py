"""Balut's points: full sheets of any luck, and the published table of points at its edges."""

from collections.abc import Iterable
from random import Random

import pytest
from best_play import Faces, hands
from box_scores import RULES

from tabletop.rules import Match

HANDS = hands(5)
SCORES = RULES["balut"]
# diceworldgame.com, "Balut!": totals from, to, points
TABLE = """
0 299 -2
300 349 -1
350 399 0
400 449 1
450 499 2
500 549 3
550 599 4
600 649 5
650 812 6
"""
ROWS = [tuple(map(int, line.split())) for line in TABLE.strip().splitlines()]


def points(entries: dict[str, list[int]]) -> int:
    total = sum(sum(scores) for scores in entries.values())
    (reward,) = (reward for least, most, reward in ROWS if least <= total <= most)
    for box, least in (("fours", 52), ("fives", 65), ("sixes", 78), ("choice", 100)):
        reward += 2 * (sum(entries[box]) >= least)
    reward += 4 * (0 not in entries["straight"]) + 3 * (0 not in entries["full house"])
    return reward + 2 * sum(score > 0 for score in entries["balut"])


def played(turns: Iterable[tuple[str, Faces]]) -> tuple[Match, dict[str, list[int]]]:
    """Write these hands in these categories; return the match and what each category holds."""
    match, entries = Match("balut", ["Ann"]), dict[str, list[int]]()
    for box, hand in turns:
        match.throw(hand)
        match.keep(hand)
        match.choose(box)
        entries.setdefault(box, []).append(SCORES[box](hand))
    assert match.over
    return match, entries


@pytest.mark.parametrize("luck", range(0, 101, 10))
def test_the_points_of_a_full_sheet(luck: int) -> None:
    """Matches in which the best hand comes so often, in percent: points and total are those of the rules."""
    rng = Random(f"balut {luck}")
    boxes = [*SCORES] * 4
    rng.shuffle(boxes)
    turns = [(box, max(HANDS, key=SCORES[box]) if rng.random() * 100 < luck else rng.choice(HANDS)) for box in boxes]
    match, entries = played(turns)
    assert match.scores["Ann"] == points(entries)
    assert match.sheet["total"]["Ann"] == sum(map(sum, entries.values()))
    assert match.sheet["straight"]["Ann"] == "/".join(map(str, entries["straight"]))


def hands_for(total: int) -> list[tuple[str, Faces]]:
    """Return 28 hands with categories that come to this total: the highest entries first, choices of 5 to 30."""
    left = total - 4 * 5  # four choices of five 1s at least
    found: list[tuple[str, Faces]] = []
    for box in ("balut", "full house", "sixes", "fives", "straight", "fours"):
        score = SCORES[box]
        for _ in range(4):
            hand = max((hand for hand in HANDS if score(hand) <= left), key=score)
            left -= score(hand)
            found.append((box, hand))
    for _ in range(4):
        more = min(25, left)
        found.append(("choice", next(hand for hand in HANDS if sum(hand) == 5 + more)))
        left -= more
    assert left == 0
    return found


@pytest.mark.parametrize("total", [total for least, most, _ in ROWS for total in (max(least, 20), most)])
def test_the_table_of_points_at_its_edges(total: int) -> None:
    """The lowest and the highest total of each row of the published table; 20 is the lowest that four choices allow."""
    match, entries = played(hands_for(total))
    assert match.sheet["total"]["Ann"] == total
    assert match.scores["Ann"] == points(entries)
