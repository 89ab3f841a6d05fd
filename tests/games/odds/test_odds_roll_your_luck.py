"""Roll Your Luck's odds: how a round of two players comes out who bank at once, face by face."""

from fractions import Fraction

import pytest
from chains import walk

from tabletop.rules import Match

PLAYERS = ["Ann", "Ben"]
State = tuple[int, int, int, str]  # the points of the round of each, the round, who throws


def begun(number: int) -> Match:
    """Bring a match to the beginning of this round; each has banked a 6 in the rounds before."""
    match = Match("roll-your-luck", PLAYERS)
    for _ in range(number - 1):
        match.throw({"Ann": [6], "Ben": [6]})
        match.choose("bank")
        match.choose("bank")
    return match


def state_of(match: Match) -> State:
    dice = match.request.dice
    ann, ben = match.scores.values()
    number = 6 if match.over else int(match.sheet["round"]["Ann"] or 0)
    return ann, ben, number, "" if isinstance(dice, int) else " ".join(dice)


def outcome(least: int) -> dict[tuple[int, int], Fraction]:
    """Return the odds of the points of both in a round that accepts the faces from `least` up, from the rule.

    A step in which both throw below it changes nothing, so it is left out: the others share 1 - (below/6)^2. Where
    both faces are accepted both bank theirs. Where one is, it is claimed, and the other player throws until he throws
    an accepted face: each of the k is as likely; the claimed one doubles the first and gives himself nothing.
    """
    accepted = range(least, 7)
    some = 36 - (least - 1) ** 2
    odds: dict[tuple[int, int], Fraction] = {}
    for first in accepted:
        for second in accepted:
            both = Fraction(1, some)
            one = Fraction(least - 1, some * len(accepted))
            later = (2 * first, 0) if first == second else (first, second)
            for points, chance in [((first, second), both), (later, one), (later[::-1], one)]:
                odds[points[0], points[1]] = odds.get((points[0], points[1]), Fraction(0)) + chance
    return {points: chance for points, chance in odds.items() if chance}


@pytest.mark.parametrize("number", range(1, 6))
def test_a_round_of_two_who_bank_at_once(number: int) -> None:
    """The referee gives each pair of points with the odds of the rule."""
    match = begun(number)
    before = 6 * (number - 1)
    steps = walk(match, state_of, lambda state: state[2] > number, dict.fromkeys(range(1, 7), 1), lambda _: "bank")
    reached = {state_of(match): Fraction(1)}
    told: dict[tuple[int, int], Fraction] = {}
    while reached:
        state, odds = reached.popitem()
        if state[2] > number:
            points = (state[0] - before, state[1] - before)
            told[points] = told.get(points, Fraction(0)) + odds
            continue
        stays = steps[state].get(state, Fraction(0))
        for after, chance in steps[state].items():
            if after != state:
                reached[after] = reached.get(after, Fraction(0)) + odds * chance / (1 - stays)
    assert told == outcome(number)
    assert sum(told.values()) == 1


def test_somebody_gets_nothing() -> None:
    """One of two who bank at once throws the other's claimed face: 2 (r-1) of 36 - (r-1)^2 times in round r.

    Of so many steps that change something, in 2 k (r-1) only one face is accepted, and then 1 of k is the claimed one.
    """
    nothing = [sum(odds for points, odds in outcome(least).items() if 0 in points) for least in range(1, 6)]
    assert nothing == [0, Fraction(2, 35), Fraction(1, 8), Fraction(2, 9), Fraction(2, 5)]
