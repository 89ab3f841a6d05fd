"""`tabletop coach`: after a match, the decisions that cost most, exactly; during a coached one, the best answer."""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from tabletop.cli.numbers import match_number
from tabletop.cli.progress import Progress
from tabletop.coach.review import Decision, advise, review
from tabletop.core.errors import printable
from tabletop.session.journal import load_match
from tabletop.store import Store, default_path

MOST = 10  # decisions listed
MEANING = {
    "chance to win": "what decisions cost of the chance to win, if both play best from there on",
    "points": "what decisions cost in expected points of a player's own score, whatever the others have",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "match", type=match_number, metavar="MATCH", help="the number of a match: finished, or coached with --now"
    )
    parser.add_argument("--now", action="store_true", help="the best answer now, in a match with the house rule coach")
    parser.add_argument("--json", action="store_true", help="one JSON object with every decision or answer")
    parser.add_argument("--store", type=Path, metavar="FILE", help="file of matches (default: the usual one)")


def run(options: argparse.Namespace) -> int:
    """List the decisions that cost most."""
    path = options.store or default_path()
    with Store(path, looking=True) as store:
        match = load_match(store, store.match(options.match))
    with Progress("coach") as progress:
        unit, decisions = (advise if options.now else review)(match, path, progress.show)
    if options.json:
        facts = {"match": options.match, "game": match.game.id, "log": len(match.log), "unit": unit}
        sys.stdout.write(json.dumps(facts | {"decisions": [*map(asdict, decisions)]}) + "\n")
    else:
        answers = [f"{_cost(unit, one.cost):>10}  {one.did}" for one in decisions[:MOST]] or ["nothing is known here"]
        lines = [MEANING[unit], *answers] if options.now else _lines(unit, decisions)
        sys.stdout.write("".join(f"{printable(line)}\n" for line in lines))
    return 0


def _lines(unit: str, decisions: list[Decision]) -> list[str]:
    lines = [MEANING[unit]]
    for player in dict.fromkeys(decision.player for decision in decisions):
        own = [decision for decision in decisions if decision.player == player]
        cost = sum(decision.cost for decision in own)
        best = sum(not decision.cost for decision in own)
        lines.append(f"{player}: {_cost(unit, cost)} in all; {best} of {len(own)} decisions were best")
    worst = sorted((decision for decision in decisions if decision.cost), key=lambda decision: -decision.cost)
    return lines + [
        f"event {one.event:>4}  {_cost(unit, one.cost):>10}  {one.player}: {one.did}; best: {one.best}"
        for one in worst[:MOST]
    ]


def _cost(unit: str, cost: float) -> str:
    return f"{cost:.2%}" if unit == "chance to win" else f"{cost:.2f}"
