"""Games of chance as chains: every state that the referee can reach, with the odds of each step, and what follows."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import factorial, prod
from typing import TypeVar

from tabletop.rules import Match

State = TypeVar("State", bound=Hashable)
Odds = dict[State, Fraction]
Faces = tuple[int, ...]


def throws(dice: int, stand_for: Mapping[int, int]) -> Iterator[tuple[Faces, Fraction]]:
    """Yield throws of so many dice with their odds; each face of `stand_for` counts for so many of the six."""
    assert sum(stand_for.values()) == 6
    for faces in combinations_with_replacement(stand_for, dice):
        ways = factorial(dice) // prod(map(factorial, Counter(faces).values()))
        yield faces, Fraction(ways * prod(stand_for[face] for face in faces), 6**dice)


def joint_throws(dice: Mapping[str, int], stand_for: Mapping[int, int]) -> Iterator[tuple[dict[str, Faces], Fraction]]:
    for each in product(*(throws(count, stand_for) for count in dice.values())):
        yield (
            {name: faces for name, (faces, _) in zip(dice, each, strict=True)},
            prod((odds for _, odds in each), start=Fraction(1)),
        )


def walk(
    start: Match,
    state_of: Callable[[Match], State],
    ended: Callable[[State], bool],
    stand_for: Mapping[int, int],
    decide: Callable[[Match], str] = lambda _: "",
) -> dict[State, Odds[State]]:
    """Throw everything in every state that can be reached; return for each that has not ended the odds of the next.

    decide: answers each choice on the way to the next throw.
    """
    steps: dict[State, Odds[State]] = {}
    waiting = {state_of(start): start}
    while waiting:
        state = next(iter(waiting))  # the nearest first: a match with few events is quickly taken back
        match = waiting.pop(state)
        odds: Odds[State] = {}
        due = match.request.dice
        every = throws(due, stand_for) if isinstance(due, int) else joint_throws(due, stand_for)
        for faces, chance in every:
            before = match.event
            match.throw(faces)
            while match.request.kind == "choose":
                match.choose(decide(match))
            after = state_of(match)
            odds[after] = odds.get(after, Fraction(0)) + chance
            if not ended(after) and after not in steps and after not in waiting and after != state:
                waiting[after] = Match.replay(match.game.id, match.seated, match.options, match.events)
            for _ in range(match.event - before):
                match.undo()
        steps[state] = odds
    return steps


def mean(steps: Mapping[State, Odds[State]], start: State, worth: Callable[[State], float], each: float = 0) -> float:
    """Return the mean of what the end is worth, plus so much for each step on the way.

    The values are swept until they stand still, which they do as fast as the matches end.
    """
    rows = {
        state: ([(after, float(chance)) for after, chance in odds.items() if after != state], float(odds.get(state, 0)))
        for state, odds in reversed([*steps.items()])  # nearer to the end first: fewer sweeps
    }
    ends = {after for odds in steps.values() for after in odds if after not in steps}
    values = dict.fromkeys(steps, 0.0) | {end: float(worth(end)) for end in ends}
    change = 1.0
    while change > 1e-12:
        change = 0.0
        for state, (row, stay) in rows.items():
            value = (each + sum(chance * values[after] for after, chance in row)) / (1 - stay)
            change = max(change, abs(value - values[state]))
            values[state] = value
    return values[start]
