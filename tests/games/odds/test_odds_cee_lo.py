"""Cee-lo's odds: what the bank wins of a bet, as published, and from every throw given to the referee."""

from collections.abc import Iterator
from fractions import Fraction

from turn_odds import added, thrown

from tabletop.rules import Match

# Michael Shackleford, wizardofodds.com, "Cee Lo": ways of 108 in which a throw is decided.
WINS, LOSES, EACH_POINT = 6 + 6 + 15, 6 + 15, 15
DECIDED = WINS + LOSES + 4 * EACH_POINT


def results_by_the_rule() -> dict[str, Fraction]:
    wins, loses, point = (Fraction(ways, DECIDED) for ways in (WINS, LOSES, EACH_POINT))
    other_point_higher = 6 * point * point  # of four points there are six pairs that differ
    return {
        "wins": wins + 4 * point * loses + other_point_higher,
        "loses": loses + 4 * point * wins + other_point_higher,
        "equal": 4 * point * point,
    }


def decided(match: Match) -> Iterator[Fraction]:
    """Give the match every throw that decides; yield its odds among those, since all others are thrown again."""
    player = match.request.player
    for _, chance in thrown(match):
        if match.over or match.request.player != player:
            yield chance * 216 / DECIDED


def results_by_the_referee() -> dict[int, Fraction]:
    match = Match("cee-lo", ["Ann", "Ben"], rounds=1)
    return added(
        (match.scores["Ann"] - match.scores["Ben"], first * second)
        for first in decided(match)
        for second in ([Fraction(1)] if match.over else decided(match))
    )


def test_what_the_bank_wins() -> None:
    """The referee has the odds of the rule exactly, and they are the published ones: 2.47 % for the bank."""
    expected = results_by_the_rule()
    assert sum(expected.values()) == 1
    assert results_by_the_referee() == {1: expected["wins"], -1: expected["loses"], 0: expected["equal"]}
    assert round(float(expected["wins"] - expected["loses"]), 4) == 0.0247
    assert (WINS, LOSES, DECIDED) == (27, 21, 108)


def test_half_of_all_throws_decide() -> None:
    """108 of 216 do: six ways each for 4-5-6, 1-2-3 and the triples, 90 for a pair."""
    assert sum(decided(Match("cee-lo", ["Ann", "Ben"]))) == 1
    assert DECIDED == 3 * 6 + 6 * 5 * 3
