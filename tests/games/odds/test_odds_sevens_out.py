"""Sevens Out's odds: what a turn scores, and how many turns a short match alone takes."""

from collections.abc import Iterator
from fractions import Fraction

from turn_odds import every_throw

from tabletop.rules import Match

TARGET = 30


def worth(first: int, second: int) -> int:
    """Score a throw other than a 7 by the rule: its sum, a double twice."""
    return 4 * first if first == second else first + second


def every_tally(below: int) -> Iterator[tuple[int, Fraction]]:
    """Yield each tally that a turn passes through, up to a limit, with the odds of passing through it, lowest first.

    A tally is passed through where a lower one is and the throw that leads there follows: 30 of 36 throws go on.
    """
    passed = {0: Fraction(1)}
    for tally in range(below):
        if odds := passed.get(tally):
            yield tally, odds
            for first in range(1, 7):
                for second in range(1, 7):
                    if first + second != 7:
                        after = tally + worth(first, second)
                        passed[after] = passed.get(after, Fraction(0)) + odds / 36


def mean_turns_by_the_rule() -> Fraction:
    """Return the mean number of turns to the target, from the odds of what a turn scores: a tally, then a 7."""
    turn = {tally: odds / 6 for tally, odds in every_tally(TARGET)}
    mean: dict[int, Fraction] = {}
    for score in range(TARGET - 1, -1, -1):
        ahead = sum((turn.get(more, 0) * mean[score + more] for more in range(1, TARGET - score)), Fraction(0))
        mean[score] = (1 + ahead) / (1 - turn[0])
    return mean[0]


def mean_turns_by_the_referee() -> Fraction:
    """Return the same by giving the referee every throw at every score and tally that it comes to."""
    mean: dict[int, Fraction] = {}

    def from_score(match: Match) -> Fraction:
        score = match.scores["Ann"]
        if score not in mean:
            mean[score] = turns_from(match, score)
        return mean[score]

    def turns_from(match: Match, score: int) -> Fraction:
        """Follow one turn; a tally that is reached again is known by its odds, since it goes on alike."""
        waiting, stay, ahead = {0: (match.events, Fraction(1))}, Fraction(0), Fraction(0)
        beyond = Fraction(0)
        while waiting:
            tally = min(waiting)
            events, reached = waiting.pop(tally)
            here = Match.replay("sevens-out", match.seated, match.options, events)
            for faces, odds in every_throw(2):
                here.throw(faces)
                chance = odds * reached
                if here.over:
                    ahead += chance
                    assert sum(faces) == 7
                    assert score + tally >= TARGET
                elif sum(faces) == 7:
                    assert here.scores["Ann"] == score + tally
                    if tally:
                        ahead += chance * (1 + from_score(here))
                    else:
                        stay += chance
                elif score + here.at_stake < TARGET:
                    known = waiting.get(here.at_stake, (here.events, Fraction(0)))
                    waiting[here.at_stake] = (known[0], known[1] + chance)
                else:  # the next 7 will end it, come what may
                    beyond += chance
                here.undo()
        return (ahead + stay + beyond) / (1 - stay)

    return from_score(Match("sevens-out", ["Ann"], target=TARGET))


def test_a_turn_scores_42_on_average() -> None:
    """Every throw at the start and at a tally, through the referee, adds what the rule says; the mean is 42 exactly.

    One throw of six is a 7. All 36 throws sum up to 252 pips; the 7s are worth nothing (-42), the doubles count once
    more (+42): 252/36 = 7 for each throw with its chance to go on. The mean m of a turn is 7 + 5/6 m, so it is 42.
    """
    match = Match("sevens-out", ["Ann", "Ben"])
    for start in (0, 16):
        added, ended = Fraction(0), Fraction(0)
        for faces, odds in every_throw(2):
            match.throw(faces)
            if match.request.player == "Ben":
                ended += odds
                assert match.scores["Ann"] == start
            else:
                added += odds * (match.at_stake - start)
            match.undo()
        assert ended == Fraction(1, 6)
        assert added / ended == 42
        match.throw([4, 4])


def test_the_length_of_a_match_alone() -> None:
    """The mean number of turns to 30 points is that of the rule exactly."""
    mean = mean_turns_by_the_rule()
    assert mean_turns_by_the_referee() == mean
    assert round(float(mean), 4) == 1.8337
