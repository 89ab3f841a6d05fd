"""Pig's odds: a turn that holds at 20, how long a match alone takes, and how often the first of two players wins."""

from fractions import Fraction
from math import sqrt
from random import Random

import numpy as np
import numpy.typing as npt
import pytest
from turn_odds import every_throw

from tabletop.rules import Match

FloatArray = npt.NDArray[np.float64]
Node = tuple[str, str, int, int, int]

HOLD_AT = 20


def turn_by_the_rule() -> dict[int, Fraction]:
    """Return the odds of each score of a turn that holds at 20, passing through the stakes from low to high."""
    stakes, nothing = {0: Fraction(1)}, Fraction(0)
    for stake in range(HOLD_AT):
        reached = stakes.pop(stake, Fraction(0))
        nothing += reached / 6
        for face in range(2, 7):
            stakes[stake + face] = stakes.get(stake + face, Fraction(0)) + reached / 6
    return {0: nothing, **stakes}


def turn_by_the_referee() -> dict[int, Fraction]:
    """Return the same by throwing each face at each stake that a match reaches; equal stakes are joined."""
    odds: dict[int, Fraction] = {}
    waiting = {0: (Match("pig", ["Ann", "Ben"]), Fraction(1))}
    while waiting:
        match, reached = waiting.pop(min(waiting))
        for face in range(1, 7):
            match.throw([face])
            chance = reached / 6
            if match.request.player == "Ben":
                odds[match.scores["Ann"]] = odds.get(match.scores["Ann"], Fraction(0)) + chance
            elif match.at_stake >= HOLD_AT:
                match.choose("bank")
                odds[match.scores["Ann"]] = odds.get(match.scores["Ann"], Fraction(0)) + chance
                match.undo()
            else:
                match.choose("roll")
                known = waiting.get(match.at_stake)
                again = known[0] if known else Match.replay("pig", match.seated, match.options, match.events)
                waiting[match.at_stake] = (again, chance + (known[1] if known else 0))
                match.undo()
            match.undo()
    return odds


def test_a_turn_that_holds_at_20() -> None:
    """The referee gives the odds of the rule exactly.

    Published by Todd Neller (nifty.stanford.edu/2010/neller-pig/turnOutcomes.html): 0.624541 for nothing, and the odds
    of 20 to 25; Neller and Presser, "Optimal Play of the Dice Game Pig", 2004: a mean of about 8.14.
    """
    odds = turn_by_the_rule()
    assert turn_by_the_referee() == odds
    published = {0: 0.624541, 20: 0.099713, 21: 0.094991, 22: 0.074189, 23: 0.054196, 24: 0.035198, 25: 0.017173}
    assert {score: round(float(chance), 6) for score, chance in odds.items()} == published
    assert round(float(sum(score * chance for score, chance in odds.items())), 2) == 8.14


def turns_alone() -> tuple[float, float]:
    """Return mean and variance of the turns to 100, holding at 20 or at the goal, from the rule.

    E[n] and E[n^2] of the turns still needed at each score follow from those at higher scores; a turn that scores
    nothing leaves the score as it is.
    """
    mean: dict[int, float] = {}
    square: dict[int, float] = {}
    for score in range(99, -1, -1):
        stakes, stay = {0: 1.0}, 0.0
        for stake in range(min(HOLD_AT, 100 - score)):
            reached = stakes.pop(stake, 0.0)
            stay += reached / 6
            for face in range(2, 7):
                stakes[stake + face] = stakes.get(stake + face, 0.0) + reached / 6
        ahead = [(chance, score + stake) for stake, chance in stakes.items()]
        mean[score] = (1 + sum(chance * mean.get(there, 0.0) for chance, there in ahead)) / (1 - stay)
        rest = sum(chance * (square.get(there, 0.0) + 2 * mean.get(there, 0.0)) for chance, there in ahead)
        square[score] = (1 + 2 * stay * mean[score] + rest) / (1 - stay)
    return mean[0], square[0] - mean[0] ** 2


def test_the_length_of_a_match_alone() -> None:
    """Random matches of one player last as long as the rule says, within four standard errors.

    Published estimate, from a million games: 12.634906 turns (nifty.stanford.edu/2010/neller-pig/avgturns.html).
    """
    mean, variance = turns_alone()
    assert mean == pytest.approx(12.634906, abs=4 * sqrt(variance / 1_000_000))
    rng, matches, turns = Random(100), 1500, 0
    for _ in range(matches):
        match = Match("pig", ["Ann"])
        while not match.over:
            match.throw([rng.randint(1, 6)])
            if match.request.kind == "choose":
                goal = min(HOLD_AT, 100 - match.scores["Ann"])
                match.choose("bank" if match.at_stake >= goal else "roll")
        turns += int(match.state()["sheet"]["turns"]["Ann"])
    assert turns / matches == pytest.approx(mean, abs=4 * sqrt(variance / matches))


def first_player_wins(goal: int, hold_at: int | None) -> float:
    """Return the odds that the first of two wins, from the rule; hold_at None: both play as well as one can.

    W[i, j] are the odds of the player who begins a turn with i points against j. A turn is worked out from the highest
    stake down: rolling gives 1 - W[j, i] for a 1, and the odds of the higher stakes for a 2 to a 6; banking k gives
    1 - W[j, i + k], or 1 at the goal. W is the odds of rolling at stake 0; all this is repeated until W stays.
    """
    wins, change, points = np.full((goal, goal), 0.5), 1.0, np.arange(goal)[:, None]
    while change > 1e-7:
        lost = 1 - wins.T
        stakes: list[FloatArray] = [np.ones((goal, goal))] * 6  # the odds at the next stake and those above it
        for stake in range(goal - 1 if hold_at is None else hold_at + 5, 0, -1):
            bank = np.concatenate([lost[stake:], np.ones((stake, goal))])
            roll = (lost + stakes[1] + stakes[2] + stakes[3] + stakes[4] + stakes[5]) / 6
            best = np.maximum(bank, roll) if hold_at is None else bank if stake >= hold_at else roll
            stakes = [np.where(points + stake < goal, best, 1.0), *stakes[:5]]
        begun = (lost + stakes[1] + stakes[2] + stakes[3] + stakes[4] + stakes[5]) / 6
        wins, change = begun, float(np.abs(begun - wins).max())
    return float(wins[0, 0])


def test_the_first_player_wins_more_often() -> None:
    """To 100 the first player wins 53.06 % where both play best, and 53.47 % where both hold at 20 or at the goal.

    Published: Neller and Presser, "Optimal Play of the Dice Game Pig", 2004, about 53.06 %; "First-Player Advantage in
    the Game of Pig" (an exercise with a simulation of a million games): about 0.5347.
    """
    assert round(first_player_wins(100, None), 4) == 0.5306
    assert round(first_player_wins(100, HOLD_AT), 4) == 0.5347


def referee_wins(goal: int) -> float:
    """Return the same for best play, from a graph of what the referee allows, throw by throw and choice by choice.

    A node is who is asked what, with which scores and stake; rolling on at a stake that wins is left out.
    """
    start = Match("pig", ["Ann", "Ben"], target=goal)
    waiting, graph, ended = {node(start): start}, dict[Node, list[Node]](), set[Node]()
    while waiting:
        here, match = waiting.popitem()
        graph[here] = []
        asked = match.request
        for answer in asked.options or range(1, 7):
            if answer == "roll" and match.scores[str(asked.player)] + match.at_stake >= goal:
                continue
            again = Match.replay("pig", match.seated, match.options, match.events)
            if isinstance(answer, str):
                again.choose(answer)
            else:
                again.throw([answer])
            graph[here].append(node(again))
            if again.over:
                ended.add(node(again))
            elif node(again) not in graph:
                waiting[node(again)] = again
    worth = dict.fromkeys(graph, 0.0) | {there: float(there[2] >= goal) for there in ended}
    change = 1.0
    while change > 1e-9:
        change = 0.0
        for here, onward in graph.items():
            values = [worth[there] for there in onward]
            best = max if here[1] == "Ann" else min
            value = sum(values) / 6 if here[0] == "roll" else best(values)
            change, worth[here] = max(change, abs(value - worth[here])), value
    return worth[node(start)]


def node(match: Match) -> Node:
    ann, ben = match.scores.values()
    return match.request.kind, str(match.request.player), ann, ben, match.at_stake


def test_the_referee_allows_the_same_best_play() -> None:
    """In a race to 8 the best play under the referee wins as often as under the rule."""
    assert referee_wins(8) == pytest.approx(first_player_wins(8, None), abs=1e-6)


def test_hog() -> None:
    """With n dice the mean of a turn is 4n (5/6)^n: five and six are equally good, with 8.04."""
    means = {}
    for dice in (1, 2, 5, 6):
        match = Match("pig", ["Ann", "Ben"], hog=6)
        match.choose(str(dice))
        means[dice] = Fraction(0)
        for faces, chance in every_throw(dice):
            match.throw(faces)
            means[dice] += chance * match.scores["Ann"]
            match.undo()
        assert means[dice] == 4 * dice * Fraction(5, 6) ** dice
    assert means[5] == means[6] > means[2]
    assert round(float(means[6]), 2) == 8.04
