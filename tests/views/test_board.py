"""The sheet as people see it: none of the referee's own rows, and the sums that players add up."""

from random import Random

import pytest
from oled_games import moments

from tabletop.rules import Match, game_ids
from tabletop.rules.conformance.trial import random_answer
from tabletop.views.board import board

OF_THE_MACHINE = {"round", "throws", "used", "allowed", "order", "dice", "turns", "game"}
UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")
WITH_BONUS = [  # the totals that earn a bonus, by the rule texts
    ("yahtzee", {}, (63,)),
    ("kniffel", {}, (63,)),
    ("yatzy", {}, (63,)),
    ("maxi-yatzy", {}, (84,)),
    ("maxi-yatzy", {"rules": "short-maxi"}, (75,)),
    ("kismet", {}, (63, 71, 78)),
    ("yacht", {"rules": "printed-sheet"}, (63,)),
]


@pytest.mark.parametrize("game_id", game_ids())
def test_no_row_is_the_referees_own(game_id: str) -> None:
    """At any moment of a match; each row has a kind and a cell for each player."""
    for shown in moments(game_id).values():
        for now in shown:
            assert not OF_THE_MACHINE & {row[0] for row in now.sheet}
            assert len(now.sheet) == len(now.drawn) == len(now.kinds)
            assert all(len(row) == 1 + len(now.players) for row in now.sheet)


def rows(match: Match) -> dict[str, tuple[str, ...]]:
    return {row.label: row.cells for row in board(match)}


@pytest.mark.parametrize(("game_id", "options", "goals"), WITH_BONUS)
def test_the_upper_total_and_what_is_missing(game_id: str, options: dict[str, str], goals: tuple[int, ...]) -> None:
    """At each moment of a random match, added up again from the cells of the referee's sheet."""
    chance = Random(game_id)
    match = Match(game_id, ["Ann", "Ben"], **options)
    while not match.over:
        shown = rows(match)
        for at, name in enumerate(match.players):
            total = sum(match.sheet[box][name] or 0 for box in UPPER)  # type: ignore[misc]  # whole numbers
            missing = min((goal - total for goal in goals if goal > total), default=0)
            assert shown["upper total"][at] == str(total)
            assert shown["missing for the bonus"][at] == str(missing)
            assert shown["total"][at] == str(match.scores[name])
        match.apply(*match.draft(random_answer(match.request, chance)))
    order = list(rows(match))
    assert order[5:9] == ["sixes", "upper total", "missing for the bonus", "upper bonus"]


def test_an_example_of_the_rule_text() -> None:
    """3 3 3 4 4 in threes is 9: 54 of 63 are missing, and the throws of the turn are nobody's business."""
    match = Match("yahtzee", ["Ann"])
    match.throw([3, 3, 3, 4, 4])
    match.keep([3, 3, 3, 4, 4])
    match.choose("threes")
    shown = rows(match)
    assert (shown["threes"], shown["upper total"], shown["missing for the bonus"]) == (("9",), ("9",), ("54",))
    assert "throws" in match.sheet
    assert "throws" not in shown


def test_three_columns_are_added_up_apart() -> None:
    """Triple Yahtzee has a bonus in each."""
    match = Match("triple-yahtzee", ["Ann"])
    for faces, column in (([6, 6, 6, 6, 6], "2"), ([6, 6, 6, 6, 1], "1")):
        match.throw(faces)
        match.keep(faces)
        match.choose("sixes")
        match.choose(next(option for option in match.request.options if column in option))
    shown = rows(match)
    assert (shown["upper total"], shown["missing for the bonus"]) == (("24/30/0",), ("39/33/63",))


def test_without_a_bonus_nothing_is_missing() -> None:
    """Where a house rule pays nothing for it, or the sheet has none."""
    assert "missing for the bonus" not in rows(Match("yatzy", ["Ann"], bonus=0))
    assert "missing for the bonus" not in rows(Match("crag", ["Ann"]))


def test_what_is_one_value_for_all_says_so() -> None:
    """The pot lies in the middle of the table."""
    kinds = {row.label: row.kind for row in board(Match("lcr", ["Ann", "Ben", "Cat"]))}
    assert kinds == {"pot": "table"}


@pytest.mark.parametrize(
    ("game_id", "counts"), [("mia", "lives"), ("lcr", "chips"), ("liars-dice", "dice"), ("pig", "points")]
)
def test_scores_say_what_they_count(game_id: str, counts: str) -> None:
    """So that lives can be drawn as hearts and chips as chips."""
    assert moments(game_id)["start"][0].counts == counts
