"""Ship, Captain, Mate, and Crew's odds: a whole turn under each reading of the crew, from the rule and the referee."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from turn_odds import odds_of_a_turn

from tabletop.rules import Match

Crew = tuple[int, ...]
THREE_THROWS = 3


@cache
def crews_by_the_rule() -> dict[tuple[int, Crew], Fraction]:
    """Return the odds that all three are aside first after throw 1, 2 or 3, with which two dice left.

    The faces of the three are different, so a throw helps as far as it has the next of 6, 5, 4 without a gap.
    """
    found = {0: Fraction(1)}
    crews: dict[tuple[int, Crew], Fraction] = {}
    for throw in range(1, THREE_THROWS + 1):
        after: dict[int, Fraction] = {}
        for have, reached in found.items():
            dice = 5 - have
            for faces in product(range(1, 7), repeat=dice):
                wanted = [{6, 5, 4}, {5, 4}, {4}][have]
                steps = [wanted, wanted - {4}, {6}] if have == 0 else [wanted, {5}] if have == 1 else [wanted]
                got = next((len(step) for step in steps if step <= set(faces)), 0)
                if have + got < 3:
                    after[have + got] = after.get(have + got, Fraction(0)) + reached / 6**dice
                    continue
                rest = tuple(sorted((Counter(faces) - Counter(wanted)).elements()))
                crews[throw, rest] = crews.get((throw, rest), Fraction(0)) + reached / 6**dice
        found = after
    return crews


def scores_by_the_rule(better: Callable[[Crew], Crew]) -> dict[int, Fraction]:
    """Return the odds of each score, 0 without a crew, where the throws left are used for all but the `better` dice."""
    odds = {0: Fraction(1)}
    waiting = dict(crews_by_the_rule())
    while waiting:
        (throw, crew), reached = waiting.popitem()
        kept = better(crew) if throw < THREE_THROWS else crew
        if len(kept) == 2:
            odds[0] -= reached
            odds[sum(kept)] = odds.get(sum(kept), Fraction(0)) + reached
            continue
        for faces in product(range(1, 7), repeat=2 - len(kept)):
            after = (throw + 1, tuple(sorted(kept + faces)))
            waiting[after] = waiting.get(after, Fraction(0)) + reached / 6 ** len(faces)
    return odds


def all_dice(crew: Crew) -> Crew:
    return crew


def seven_or_more(crew: Crew) -> Crew:
    return crew if sum(crew) >= 7 else ()


def four_or_more(crew: Crew) -> Crew:
    """Keep each die with 4 or more: 3.5 is the mean of a new one."""
    return tuple(die for die in crew if die >= 4)


PLAYS: dict[str, Callable[[Crew], Crew]] = {"kept": all_dice, "both": seven_or_more, "either": four_or_more}


@pytest.mark.parametrize("option", PLAYS)
def test_a_turn(option: str) -> None:
    """The referee gives the odds of the rule exactly, and asks only where its option lets the crew be thrown again."""
    better = PLAYS[option]

    def decide(match: Match) -> None:
        crew = next(part for part in match.request.legal if len(part) == 2) if option == "either" else ()
        if option == "either":
            match.keep(better(crew))
        else:
            assert option == "both"
            assert match.request.gives == {"stop": match.at_stake}
            match.choose("stop" if match.at_stake >= 7 else "roll")

    match = Match("ship-captain-mate-crew", ["Ann", "Ben"], crew=option)
    assert odds_of_a_turn(match, decide, lambda match: match.scores["Ann"]) == scores_by_the_rule(better)


def test_all_three_at_once() -> None:
    """The first throw has 6, 5 and 4 unless one is missing: 1 - 3 (5/6)^5 + 3 (4/6)^5 - (3/6)^5, which is 15.82 %."""
    at_once = sum(odds for (throw, _), odds in crews_by_the_rule().items() if throw == 1)
    assert at_once == 1 - 3 * Fraction(5, 6) ** 5 + 3 * Fraction(4, 6) ** 5 - Fraction(3, 6) ** 5
    assert round(float(at_once), 4) == 0.1582
