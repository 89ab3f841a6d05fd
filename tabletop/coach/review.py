"""Review a finished match: what each decision cost against the best play. Tables are made once and kept beside it."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeVar

import numpy as np

from tabletop.coach import boxes, pig, ten_thousand
from tabletop.core.errors import InputError
from tabletop.games import pig as one_die_pig
from tabletop.games import two_dice_pig
from tabletop.rules import Event, Faces, Match, Table, faces_text
from tabletop.rules.events import COUNTED
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
Did = TypeVar("Did", str, Faces)


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
        raise InputError("expected a match that is over, got an open one: the coach speaks after a match only")
    unit, graded = {
        "pig": (CHANCE, _race),
        "two-dice-pig": (CHANCE, _race),
        "ten-thousand": (POINTS, _turns),
        "yahtzee": (POINTS, _boxes),
        "yacht": (POINTS, _boxes),
        "crag": (POINTS, _boxes),
    }.get(match.game.id, ("", _boxes))
    if not unit:
        raise _not_covered(match)
    return unit, list(graded(match, store, show))


def _not_covered(match: Match) -> InputError:
    return InputError(
        f"expected a game, rules and players that the coach covers (its README.md lists them), got {match.title}"
    )


def _race(match: Match, store: Path, show: Show) -> Iterator[Decision]:
    options, table = match.options, Table(["alone"], match.options)
    goal = int(options["target"]) + (options["reached"] == "over")
    stayed = all(event.kind in COUNTED for event in match.events)
    if options.get("hog") or options.get("skunk") or options["replies"] != "none" or goal > MOST_GOAL:
        raise _not_covered(match)
    if len(match.players) != PLAYERS or not stayed:
        raise _not_covered(match)
    if match.game is one_die_pig.GAME:
        race = pig.one_die(goal, exact=exact(table, one_die_pig.LEAST))
    else:
        race = pig.two_dice(goal, table, exact=exact(table, two_dice_pig.least(table)))
    file = _beside(store, match)
    if (chances := _kept(file, (goal, goal))) is None:
        chances = pig.win_chances(race, show)
        _keep(file, chances)
    for before, event in _played(match):
        if event.kind == "choose" and len(before.request.options) > 1:
            own, other = sorted(before.scores, key=lambda name: name != event.player)
            worth = pig.of_options(race, chances, before.scores[own], before.scores[other], before.at_stake)
            yield _decision(before, worth, str(event.value), str)


def _boxes(match: Match, store: Path, show: Show) -> Iterator[Decision]:
    solution, file = boxes.of_game(match.game.id, match.options), _beside(store, match)
    if solution is None:
        raise _not_covered(match)
    if (known := _kept(file, solution.to_come.shape)) is not None:
        solution.to_come = known
    else:
        solution.solve(show)
        _keep(file, solution.to_come)
    for before, event in _played(match):
        if event.kind in ("keep", "choose") and isinstance(before.thrown, tuple):
            player, hand = str(event.player), tuple(sorted(before.kept_before + before.thrown))
            cells = {box: before.sheet[box][player] for box in solution.boxes}
            sheet = {box: int(points) for box, points in cells.items() if points is not None}
            written, parts = solution.of_hand(sheet, hand, int(before.sheet["throws"][player] or 0))
            if isinstance(event.value, tuple):
                yield _decision(before, {part: parts[part] for part in before.request.legal}, event.value, _keeping)
            elif len(before.request.options) > 1:
                yield _decision(before, {box: written[box] for box in before.request.options}, str(event.value), str)


def _turns(match: Match, _: Path, show: Show) -> Iterator[Decision]:
    """Grade turns that nobody's goal is in reach of: there, points are all that counts."""
    options, dice, target = match.options, int(match.options["dice"]), int(match.options["target"])
    if any(options[name] for name in BEYOND):
        raise _not_covered(match)
    chart = combinations.chart_of(Table(["alone"], options), dice)

    @cache
    def turn(least: int) -> ten_thousand.Turn:
        show("best play of a turn")
        return ten_thousand.Turn(chart, dice, least, must=options["hot_dice"] == "must")

    for before, event in _played(match):
        if event.kind not in ("keep", "choose") or not isinstance(before.thrown, tuple):
            continue
        player, stake, hand = str(event.player), before.at_stake, tuple(sorted(before.thrown))
        highest = combinations.part_score(chart, before.request.legal[0]) if event.kind == "keep" else 0
        if max(*before.scores.values(), before.scores[player] + stake + highest) >= target:
            continue
        entered = before.sheet.get("entered", {}).get(player) != "no"
        best_play = turn(max(int(options["least"]), 0 if entered else int(options["entry"])))
        if isinstance(event.value, tuple):
            yield _decision(before, best_play.of_parts(stake, hand), event.value, _keeping)
        elif len(before.request.options) > 1:
            left = len(hand) - len(before.kept) + len(before.kept_before)
            yield _decision(before, best_play.of_options(stake, left), str(event.value), str)


def _keeping(part: Faces) -> str:
    return f"keep {faces_text(part) or 'nothing'}"


def _decision(match: Match, worth: Mapping[Did, float], did: Did, text: Callable[[Did], str]) -> Decision:
    """Return the decision about to be made in this match. worth: of every legal answer."""
    best = max(worth, key=lambda answer: worth[answer])
    cost = worth[best] - worth[did]
    same = cost < LEAST
    return Decision(
        match.event + 1, str(match.request.player), text(did), text(did if same else best), 0.0 if same else cost
    )


def _played(match: Match) -> Iterator[tuple[Match, Event]]:
    """Play the match again; yield it before each event in force, as corrected."""
    again = Match(match.game.id, match.seated, **match.options)
    for event in match.events:
        yield again, event
        again.apply(*(again.draft(event.answer) if event.kind in COUNTED else (event,)))


def _beside(store: Path, match: Match) -> Path:
    """Return the file of the table for these rules."""
    rules = (str(match.options[option.name]).lower() for option in match.game.options)
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
