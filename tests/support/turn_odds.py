"""One player's turn, played through the referee with every throw: the exact odds of what it comes to."""

import json
from collections.abc import Callable
from fractions import Fraction
from typing import TypeVar

from every_throw import every_throw

from tabletop.rules import Match

Outcome = TypeVar("Outcome")


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
        assert isinstance(match.request.dice, int)
        here = match.event
        for faces, chance in every_throw(match.request.dice):
            match.throw(faces)
            while match.request.player == player and match.request.kind != "roll":
                decide(match)
            if match.request.player != player:
                outcome = read(match)
                odds[outcome] = odds.get(outcome, Fraction(0)) + reached * chance
            else:
                there = told(match)
                known, before = waiting.get(there) or (again(match), Fraction(0))
                waiting[there] = (known, before + reached * chance)
            while match.event > here:
                match.undo()
    return odds


def mean(odds: dict[int, Fraction]) -> Fraction:
    """Return the mean of what has these odds."""
    return sum((outcome * chance for outcome, chance in odds.items()), Fraction(0))
