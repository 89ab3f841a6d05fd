"""Exact odds through the referee: every throw of some dice, all that one throw comes to, and a player's whole turn."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import TypeVar

from tabletop.rules import Match

Faces = tuple[int, ...]
Outcome = TypeVar("Outcome")


@cache
def every_throw(dice: int) -> tuple[tuple[Faces, Fraction], ...]:
    """Return each different throw of so many dice, its faces sorted, with the odds of it; the odds add up to 1."""
    return tuple(
        (faces, Fraction(factorial(dice), prod(map(factorial, Counter(faces).values())) * 6**dice))
        for faces in combinations_with_replacement(range(1, 7), dice)
    )


def added(odds: Iterable[tuple[Outcome, Fraction]]) -> dict[Outcome, Fraction]:
    total: dict[Outcome, Fraction] = defaultdict(Fraction)
    for outcome, chance in odds:
        total[outcome] += chance
    return dict(total)


def mean(odds: dict[int, Fraction]) -> Fraction:
    return sum((outcome * chance for outcome, chance in odds.items()), Fraction(0))


def thrown(match: Match) -> Iterator[tuple[Faces, Fraction]]:
    """Make every throw that is due, one after the other, each with its odds; what follows it is taken back."""
    assert isinstance(match.request.dice, int)
    before = match.event
    for faces, chance in every_throw(match.request.dice):
        match.throw(faces)
        yield faces, chance
        while match.event > before:
            match.undo()


def odds_of_a_throw(match: Match, read: Callable[[Match], Outcome]) -> dict[Outcome, Fraction]:
    """Return the odds of each outcome of the throw that is due. read: the outcome; it may answer what follows."""
    return added((read(match), chance) for _, chance in thrown(match))


def again(match: Match) -> Match:
    """Return another match that stands where this one does."""
    return Match.replay(match.game.id, match.seated, match.options, match.events)


def told(match: Match) -> str:
    """Return all that the state tells, without what led there."""
    state = match.state()
    return json.dumps({key: state[key] for key in state if key not in ("event", "thrown", "said")})


def odds_of_a_turn(
    match: Match, decide: Callable[[Match], None], read: Callable[[Match], Outcome]
) -> dict[Outcome, Fraction]:
    """Return the odds of each outcome of the turn that is about to begin.

    decide: answers a keep or a choice. read: the outcome, once another player is asked or the match is over. Matches
    that tell the same are joined, which is also a proof that the state tells everything.
    """
    player, odds = match.request.player, dict[Outcome, Fraction]()
    waiting = {told(match): (match, Fraction(1))}
    while waiting:
        match, reached = waiting.pop(next(iter(waiting)))
        for _, chance in thrown(match):
            while match.request.player == player and match.request.kind != "roll":
                decide(match)
            if match.request.player != player:
                outcome = read(match)
                odds[outcome] = odds.get(outcome, Fraction(0)) + reached * chance
            else:
                there = told(match)
                known, before = waiting.get(there) or (again(match), Fraction(0))
                waiting[there] = (known, before + reached * chance)
    return odds
