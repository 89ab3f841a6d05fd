"""Chicago's odds: the score of a whole match, exactly, from the rule and from the referee."""

from fractions import Fraction

from turn_odds import again, thrown

from tabletop.rules import Match

TOTALS = range(2, 13)
Odds = dict[int, Fraction]


def scores_by_the_rule() -> Odds:
    """Return the odds of every final score: each total is thrown or not, with odds of (6 - |total - 7|)/36."""
    odds: Odds = {0: Fraction(1)}
    for total in TOTALS:
        hit = Fraction(6 - abs(total - 7), 36)
        missed = {score: chance * (1 - hit) for score, chance in odds.items()}
        for score, chance in odds.items():
            missed[score + total] = missed.get(score + total, Fraction(0)) + chance * hit
        odds = missed
    return odds


def scores_by_the_referee() -> Odds:
    """Return the same by giving the referee every throw in every round; equal scores in a round are joined."""
    here: dict[int, tuple[Match, Fraction]] = {0: (Match("chicago", ["Ann"]), Fraction(1))}
    for _ in TOTALS:
        after: dict[int, tuple[Match, Fraction]] = {}
        for match, reached in here.values():
            for _, odds in thrown(match):
                known, chance = after.get(match.scores["Ann"]) or (again(match), Fraction(0))
                after[match.scores["Ann"]] = (known, chance + reached * odds)
        here = after
    assert all(match.over for match, _ in here.values())
    return {score: chance for score, (_, chance) in here.items()}


def test_the_final_score() -> None:
    """The referee has every score with the odds of the rule; the mean is 7, and 34.59 % score nothing at all.

    The mean is the sum of total * odds of the total, which is the mean of a throw of two dice. Only 77 is the sum of
    all totals, and 1 and 76 can never be scored.
    """
    odds = scores_by_the_rule()
    assert scores_by_the_referee() == odds
    assert sum(score * chance for score, chance in odds.items()) == 7
    assert sum(odds.values()) == 1
    assert round(float(odds[0]), 4) == 0.3459
    assert set(odds) == set(range(78)) - {1, 76}
