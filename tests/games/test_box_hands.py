"""The box games: every hand in every box against the scorings of box_scores.py.

Best play for a box, its odds and its mean follow from what may be kept and what each hand gives, so these two are
compared, hand by hand. Whole matches of best play: test_odds_yahtzee_best.py and test_odds_yatzy.py.
"""

import pytest
from best_play import all_parts, hands
from box_scores import RULES, counts, generals_straight

from tabletop.rules import Match

OPTIONS: dict[str, dict[str, object]] = {"general": {"big_general": "never"}}
DICE = {"maxi-yatzy": 6, "crag": 3}


@pytest.mark.parametrize("game_id", RULES)
def test_every_hand_in_every_box(game_id: str) -> None:
    """Any part of a hand may be kept, of dice kept before too; kept whole it gives in each box what the rule has."""
    dice = DICE.get(game_id, 5)
    match = Match(game_id, ["Ann"], **OPTIONS.get(game_id, {}))
    for hand, parts in all_parts(dice).items():
        match.throw(hand)
        assert set(match.request.legal) == set(parts), hand
        match.keep(hand)
        assert dict(match.request.gives) == {box: score(hand) for box, score in RULES[game_id].items()}, hand
        match.undo()
        if dice > 3:  # of three dice the second throw is the last one
            match.keep(hand[:2])
            match.throw(hand[2:])
            assert set(match.request.legal) == set(parts), hand
            match.undo()
            match.undo()
        match.undo()


@pytest.mark.parametrize("game_id", ["yahtzee", "yacht"])
def test_a_box_is_worth_what_it_gives(game_id: str) -> None:
    """Each hand written in each box; and the sheet has it there."""
    match = Match(game_id, ["Ann", "Ben"])
    for hand in hands(5):
        match.throw(hand)
        match.keep(hand)
        for box, score in RULES[game_id].items():
            match.choose(box)
            assert match.scores == {"Ann": score(hand), "Ben": 0}
            assert match.sheet[box] == {"Ann": score(hand), "Ben": None}
            match.undo()
        match.undo()
        match.undo()


@pytest.mark.parametrize("throws", [2, 3])
def test_the_general_gives_less_after_the_first_throw(throws: int) -> None:
    """Straight 20, full house 30, four of a kind 40; all else as it was."""
    later = RULES["general"] | {
        "straight": lambda hand: 20 * generals_straight(hand),
        "full house": lambda hand: 30 * (counts(hand) == [2, 3]),
        "four of a kind": lambda hand: 40 * (counts(hand)[-1] > 3),
    }
    match = Match("general", ["Ann"])
    for _ in range(throws - 1):
        match.throw((1, 2, 2, 4, 6))
        match.keep(())
    for hand in hands(5):
        before = match.event
        match.throw(hand)
        if match.request.kind == "keep":
            match.keep(hand)
        assert dict(match.request.gives) == {box: score(hand) for box, score in later.items()}, hand
        while match.event > before:
            match.undo()


def test_a_big_general_wins_at_once() -> None:
    """6 of 7776 first throws, 1295 to 1 against ("Reglamento de Generala", scribd.com/document/407179825)."""
    match = Match("general", ["Ann", "Ben"])
    won = []
    for hand in hands(5):
        match.throw(hand)
        won += [hand] if match.over else []
        match.undo()
    assert won == [(face,) * 5 for face in range(1, 7)]


@pytest.mark.parametrize(
    ("game_id", "total"),
    [
        ("yatzy", 374),  # Wikipedia, "Yatzy"
        ("crag", 244),  # Wikipedia, "Crag (dice game)"
        ("maxi-yatzy", 126 + 100 + (12 + 22 + 30) + (18 + 24 + 30) + (15 + 20 + 21) + (28 + 33 + 34) + 36 + 100),
        ("kismet", 105 + 75 + 30 + 30 + 30 + 35 + 45 + 50 + 55 + 30 + 80),
    ],
)
def test_the_highest_total(game_id: str, total: int) -> None:
    """Published, or added up by hand from the list of scores and bonuses: the best hand in each box, played."""
    match = Match(game_id, ["Ann"])
    for box, score in RULES[game_id].items():
        hand = max(hands(DICE.get(game_id, 5)), key=score)
        match.throw(hand)
        match.keep(hand)
        match.choose(box)
    assert match.over
    assert match.scores["Ann"] == total
