"""A client: starts a match with `tabletop play --json`, follows its events and prints each change of the score.

The events go into a `Match` of the client's own, which then knows everything about the match:
    python examples/follow_match.py pig --players Ann,Ben --set target=20 --seed 1
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from tabletop import Match


def apply(event: Mapping[str, Any], mirror: Match) -> None:
    """Apply one event of `tabletop play --json` to a match."""
    answer: Any = next((event[key] for key in ("faces", "kept", "choice") if key in event), None)
    match event["kind"]:
        case "throw":
            mirror.throw(answer)
        case "keep":
            mirror.keep(answer)
        case "choose":
            mirror.choose(answer)
        case "correct":
            mirror.correct(event["event"], answer)
        case "undo":
            mirror.undo()
        case "leave":
            mirror.leave(event["player"])
        case "join":
            mirror.join(event["player"])
        case "abandon":
            mirror.abandon()


def follow(words: Sequence[str]) -> Match:
    """Run `tabletop play --json` with these words; return the match, which is over if it was played to its end."""
    parser = argparse.ArgumentParser(description="All other options go to `tabletop play`.")
    parser.add_argument("game")
    parser.add_argument("--players", default="Ann,Ben")
    parser.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE")
    known, others = parser.parse_known_args(words)
    mirror = Match(known.game, known.players.split(","), **dict(setting.split("=") for setting in known.set))
    settings = [word for setting in known.set for word in ("--set", setting)]
    play = ["play", known.game, "--players", known.players, *settings, "--json", *others]
    scores = mirror.scores
    with subprocess.Popen([sys.executable, "-m", "tabletop", *play], stdout=subprocess.PIPE, text=True) as table:
        for line in table.stdout or ():
            apply(json.loads(line), mirror)
            if scores != (scores := mirror.scores):
                print(scores, flush=True)
    return mirror


if __name__ == "__main__":
    print("winners:", ", ".join(follow(sys.argv[1:]).winners) or "none")
