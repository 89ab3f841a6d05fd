"""Ten Thousand's odds: scoreless throws, cancelling and winning throws, the last die, a run of five, a piggyback.

Every part of every throw, with its points: test_ten_thousand.py.
"""

from fractions import Fraction

import pytest
from turn_odds import odds_of_a_throw, thrown

from tabletop.rules import Match

# Counted by hand: no 1, no 5, at most two of each other face; with six dice neither three pairs of them.
# One die 4 of 6. Two: 4 * 4. Three: 4^3 - 4. Four: faces 2+2 or 2+1+1 or 1+1+1+1 of four: 36 + 144 + 24.
# Five: 2+2+1 or 2+1+1+1: 360 + 240. Six: 2+2+1+1 is 1080, and 2+2+2 scores.
# Published for one to five dice (farkle.games/farkle-odds, as throws that score): 2, 20, 156, 1092 and 7176.
SCORELESS = {1: 6 - 2, 2: 36 - 20, 3: 216 - 156, 4: 1296 - 1092, 5: 7776 - 7176, 6: 1080}


def lost(match: Match) -> bool:
    return match.request.player == "Ben"


@pytest.mark.parametrize(("dice", "ways"), SCORELESS.items())
def test_a_scoreless_throw(dice: int, ways: int) -> None:
    """As many throws lose the turn as were counted by hand, and published."""
    assert ways == {1: 4, 2: 16, 3: 60, 4: 204, 5: 600, 6: 1080}[dice]
    match = Match("ten-thousand", ["Ann", "Ben"])
    for due in range(6, dice, -1):
        match.throw([1, 2, 2, 3, 3, 4][:due])
        match.keep([1])
        match.choose("roll")
    assert odds_of_a_throw(match, lost)[True] == Fraction(ways, 6**dice)


@pytest.mark.parametrize(("dice", "without", "with_pairs"), [(5, 600, 600), (6, 1440, 1080), (7, 2520, 0)])
def test_a_scoreless_first_throw_without_three_pairs(dice: int, without: int, with_pairs: int) -> None:
    """Six dice: the 1080 above and 2+2+2, which is 360 more: 5 in 162 (Wikipedia, "Farkle", "Probabilities").

    Seven dice without score: no 1, no 5, three faces twice and one once, 4 * 7!/8 = 2520; but then three pairs score.
    """
    for ways, pairs in ((without, {"three_pairs": 0}), (with_pairs, {})):
        odds = odds_of_a_throw(Match("ten-thousand", ["Ann", "Ben"], dice=dice, **pairs), lost)
        assert odds.get(True, 0) == Fraction(ways, 6**dice)


def test_four_2s_and_six_of_a_kind() -> None:
    """Of 46656 throws 15 * 25 + 6 * 5 + 1 = 406 cancel, and 6 win outright; where both are played six 2s win."""
    match = Match("ten-thousand", ["Ann", "Ben"], cancel=True, outright=True)
    odds = odds_of_a_throw(match, lambda match: "won" if match.over else "whole score" in match.said)
    assert odds["won"] == Fraction(6, 6**6)
    assert odds[True] == Fraction(405, 6**6)


def test_the_last_die() -> None:
    """A 1 or 5 in two throws of one die: 1 - (4/6)^2 = 5/9; in one throw 1/3. All faces through the referee."""
    for two_throws, odds in ((True, Fraction(5, 9)), (False, Fraction(1, 3))):
        match = Match("ten-thousand", ["Ann", "Ben"], last_die=two_throws)
        match.throw([1, 1, 1, 5, 5, 2])
        match.keep([1, 1, 1, 5, 5])
        match.choose("roll")
        scored = Fraction(0)
        for _, chance in thrown(match):
            if match.request.legal:
                scored += chance
            elif match.request.player == "Ann":
                scored += chance * odds_of_a_throw(match, lambda match: bool(match.request.legal))[True]
        assert scored == odds


def test_runs_of_five_dice() -> None:
    """With five dice 2 * 5! of 7776 throws are a run, and only these score all five dice at once as one."""
    match = Match("ten-thousand", ["Ann"], dice=5, short_run=1500)
    runs = Fraction(0)
    for faces, chance in thrown(match):
        if match.request.kind == "keep" and faces in match.request.legal:
            match.keep(faces)
            runs += chance * (match.at_stake == 1500 and len(set(faces)) == 5)
    assert runs == Fraction(2 * 120, 6**5)


def test_a_piggyback_of_one_die() -> None:
    """A single die left wins the points of the player before with odds of 1 in 3: a 1 or a 5."""
    match = Match("ten-thousand", ["Ann", "Ben"], piggyback=True)
    match.throw((1, 1, 1, 5, 5, 2))
    match.keep((1, 1, 1, 5, 5))
    match.choose("bank")
    match.choose("take")
    won = Fraction(0)
    for faces, chance in thrown(match):
        if match.request.kind == "keep":
            match.keep(faces)
            won += chance * (match.at_stake == 1100 + {1: 100, 5: 50}[faces[0]])
    assert won == Fraction(1, 3)
