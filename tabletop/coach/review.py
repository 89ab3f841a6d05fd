"""What decisions cost against the best play: after a match, or during a coached one. Tables are kept for next time."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from tabletop.coach import COVERED, boxes, pig, ten_thousand
from tabletop.core.errors import InputError
from tabletop.games import pig as one_die_pig
from tabletop.games import two_dice_pig
from tabletop.rules import COACH, COUNTED, Event, Faces, Match, Table, faces_text
from tabletop.rules.families import combinations
from tabletop.rules.families.pig import exact

VERSION = "coach-v1"  # in the names of the tables: a new one where they would differ
MOST_GOAL = 200  # of Pig: larger tables take minutes
PLAYERS = 2  # of Pig
LEAST = 1e-6  # a smaller cost is rounding
CHANCE, POINTS = "chance to win", "points"
BEYOND = ("carry_on", "piggyback", "three_scoreless", "last_die", "cancel", "outright")  # rules of Ten Thousand that
# make a turn worth more or less than its points
Show = Callable[[str], None]
Worth = Mapping[str, float]
Judge = Callable[[Match], Worth]
"""Returns what each answer to a match's question leads to, nothing if that is not known."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A keep or a choice that had an alternative. cost: chance to win, or expected points."""

    event: int
    player: str
    did: str
    best: str
    cost: float


def review(match: Match, store: Path, show: Show) -> tuple[str, list[Decision]]:
    """Return what the costs count (`CHANCE` or `POINTS`), and every decision in order.

    store: tables are kept beside this file. Raises InputError for a match that is open or not covered.
    """
    if not match.over:
        raise InputError("expected a match that is over, got an open one: a coached one takes --now")
    unit, worth_of = _judge(match, store, show)
    decisions = list[Decision]()
    for before, event in _played(match):
        if event.kind in ("keep", "choose") and len(worth := worth_of(before)) > 1:
            did = _keeping(event.value) if isinstance(event.value, tuple) else str(event.value)
            decisions += [answer for answer in _graded(before, worth) if answer.did == did]
    return unit, decisions


def advise(match: Match, store: Path, show: Show) -> tuple[str, list[Decision]]:
    """Return what the costs count, and the answers to a match's question, the best first; none if they are not known.

    Raises InputError for a match that is not coached or not covered.
    """
    if not match.options.get(COACH.name):
        raise InputError("expected a match with the house rule coach, got one without: the coach waits for its end")
    unit, worth_of = _judge(match, store, show)
    asks = not match.over and match.request.kind in ("keep", "choose")
    return unit, sorted(_graded(match, worth_of(match)) if asks else (), key=lambda answer: answer.cost)


def _judge(match: Match, store: Path, show: Show) -> tuple[str, Judge]:
    if match.game.id not in COVERED:
        raise _not_covered(match)
    judge = {"pig": _race, "two-dice-pig": _race, "ten-thousand": _turns}.get(match.game.id, _boxes)
    return CHANCE if judge is _race else POINTS, judge(match, store, show)


def _not_covered(match: Match) -> InputError:
    return InputError(
        f"expected a game, rules and players that the coach covers (its README.md lists them), got {match.title}"
    )


def _race(match: Match, store: Path, show: Show) -> Judge:
    options, table = match.options, Table(["alone"], match.options)
    goal = int(options["target"]) + (options["reached"] == "over")
    stayed = all(event.kind in COUNTED for event in match.events)
    odd = options.get("hog") or options.get("skunk") or options["replies"] != "none" or goal > MOST_GOAL
    if odd or len(match.players) != PLAYERS or not stayed:
        raise _not_covered(match)
    if match.game is one_die_pig.GAME:
        race = pig.one_die(goal, exact=exact(table, one_die_pig.LEAST))
    else:
        race = pig.two_dice(goal, table, exact=exact(table, two_dice_pig.least(table)))
    file = _beside(store, match)
    if (chances := _kept(file, (goal, goal))) is None:
        chances = pig.win_chances(race, show)
        _keep(file, chances)

    def worth_of(now: Match) -> Worth:
        own, other = sorted(now.scores, key=lambda name: name != now.request.player)
        return pig.of_options(race, chances, now.scores[own], now.scores[other], now.at_stake)

    return worth_of


def _boxes(match: Match, store: Path, show: Show) -> Judge:
    solution, file = boxes.of_game(match.game.id, match.options), _beside(store, match)
    if solution is None:
        raise _not_covered(match)
    if (known := _kept(file, solution.to_come.shape)) is not None:
        solution.to_come = known
    else:
        solution.solve(show)
        _keep(file, solution.to_come)

    def worth_of(now: Match) -> Worth:
        if not isinstance(now.thrown, tuple):
            return {}
        player, hand = str(now.request.player), tuple(sorted(now.kept_before + now.thrown))
        cells = {box: now.sheet[box][player] for box in solution.boxes}
        sheet = {box: int(points) for box, points in cells.items() if points is not None}
        written, parts = solution.of_hand(sheet, hand, int(now.sheet["throws"][player] or 0))
        if now.request.kind == "keep":
            return {_keeping(part): parts[part] for part in now.request.legal}
        return {box: written[box] for box in now.request.options}

    return worth_of


def _turns(match: Match, _: Path, show: Show) -> Judge:
    """Judge turns that nobody's goal is in reach of: there, points are all that counts."""
    options, dice, target = match.options, int(match.options["dice"]), int(match.options["target"])
    if any(options[name] for name in BEYOND):
        raise _not_covered(match)
    chart = combinations.chart_of(Table(["alone"], options), dice)

    @cache
    def turn(least: int) -> ten_thousand.Turn:
        show("best play of a turn")
        return ten_thousand.Turn(chart, dice, least, must=options["hot_dice"] == "must")

    def worth_of(now: Match) -> Worth:
        if not isinstance(now.thrown, tuple):
            return {}
        player, stake, hand = str(now.request.player), now.at_stake, tuple(sorted(now.thrown))
        keeps = now.request.kind == "keep"
        highest = combinations.part_score(chart, now.request.legal[0]) if keeps else 0
        if max(*now.scores.values(), now.scores[player] + stake + highest) >= target:
            return {}
        entered = now.sheet.get("entered", {}).get(player) != "no"
        best_play = turn(max(int(options["least"]), 0 if entered else int(options["entry"])))
        if keeps:
            return {_keeping(part): worth for part, worth in best_play.of_parts(stake, hand).items()}
        left = len(hand) - len(now.kept) + len(now.kept_before)
        return {name: mean for name, mean in best_play.of_options(stake, left).items() if name in now.request.options}

    return worth_of


def _keeping(part: Faces) -> str:
    return f"keep {faces_text(part) or 'nothing'}"


def _graded(match: Match, worth: Worth) -> Iterator[Decision]:
    """Yield each answer to a match's question with its cost. worth: of every legal answer."""
    best = max(worth, key=lambda answer: worth[answer], default="")
    for did in worth:
        cost = gap if (gap := worth[best] - worth[did]) >= LEAST else 0.0
        yield Decision(match.event + 1, str(match.request.player), did, best if cost else did, cost)


def _played(match: Match) -> Iterator[tuple[Match, Event]]:
    """Play the match again; yield it before each event in force, as corrected."""
    again = Match(match.game.id, match.seated, **match.options)
    for event in match.events:
        yield again, event
        again.apply(*(again.draft(event.answer) if event.kind in COUNTED else (event,)))


def _beside(store: Path, match: Match) -> Path:
    """Return the file of the table for these rules."""
    rules = (str(match.options[option.name]).lower() for option in match.game.options if option != COACH)
    return store.with_name(f"{store.name}.{VERSION}-{'-'.join([match.game.id, *rules])}.npy")


def _kept(file: Path, shape: tuple[int, ...]) -> pig.Numbers | None:
    """Return a kept table, None if there is none or it is damaged."""
    with suppress(OSError, ValueError, EOFError):
        table = np.load(file, allow_pickle=False)
        if table.shape == shape and table.dtype == np.float64 and np.isfinite(table).all():
            return np.asarray(table)
    return None


def _keep(file: Path, table: pig.Numbers) -> None:
    """Keep a table for the next time; do nothing if the folder is read-only or full."""
    part = file.with_name(file.name + ".part")
    with suppress(OSError):
        with part.open("wb") as writing:
            np.save(writing, table)
        part.replace(file)
