"""The event vocabulary `v1`: what other programs learn about a match. Pure.

Within v1 kinds and fields are only added, never changed or removed. docs/events-v1.json is its JSON schema,
docs/connecting.md describes each kind. An event in the log comes first, with the fields of `play --json`; what follows
from it comes behind it: bust, score, lead_changed, turn, match_over.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tabletop.rules import Event, Match, Request

VERSION = 1
DERIVED = ("match_started", "bust", "score", "lead_changed", "turn", "match_over")  # from the log: always the same
LIVE = ("needs_help", "table")  # not stored: sent once
BUST = "is bust"  # part of what games say about a turn that lost its points

Fields = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Standing:
    """How a match stands, as far as events tell it. leaders: empty while all have the same score."""

    request: Request
    scores: Mapping[str, int]
    at_stake: int
    leaders: tuple[str, ...]
    over: bool

    @staticmethod
    def of(match: Match) -> "Standing":
        """Return how this match stands now."""
        scores = match.scores
        best = (min if match.game.fewest_win else max)(scores.values())
        leaders = tuple(name for name, score in scores.items() if score == best)
        return Standing(
            match.request, scores, match.at_stake, leaders if len(leaders) < len(scores) else (), match.over
        )


def line_of(event: Event) -> Fields:
    """Return an event of the log as in `play --json`, a throw also in dice notation, by player if it is a joint one."""
    line = {key: value for key, value in event.to_json().items() if key != "request"}
    if event.kind != "throw":
        return line
    faces = line["faces"]
    joint = isinstance(faces, Mapping)
    return {**line, "notation": {name: notation(own) for name, own in faces.items()} if joint else notation(faces)}


def notation(faces: Iterable[int]) -> str:
    """Return faces in dice notation, as in 5d6[1,3,3,5,6]; empty for no dice."""
    shown = tuple(faces)
    return f"{len(shown)}d6[{','.join(map(str, shown))}]" if shown else ""


def beginning(match: Match) -> Iterator[Fields]:
    """Yield the events of a match that has just begun."""
    yield {
        "kind": "match_started",
        "player": None,
        "game": match.game.id,
        "name": match.title,
        "players": list(match.seated),
        "options": dict(match.options),
        "scores": match.scores,
    }
    yield _turn(Standing.of(match))


def consequences(event: Event, before: Standing, match: Match) -> Iterator[Fields]:
    """Yield what follows from an event. before: how the match stood; match: after the event."""
    now = Standing.of(match)
    changes = {name: change for name, score in now.scores.items() if (change := score - before.scores.get(name, 0))}
    who = event.player
    lost = before.at_stake and not now.at_stake and now.request.player != who and not changes
    if event.kind in ("throw", "keep") and (lost or BUST in match.said):
        yield {"kind": "bust", "player": who, "lost": before.at_stake}
    if changes:
        (scorer,) = changes if len(changes) == 1 else (None,)
        yield {"kind": "score", "player": scorer, "scores": dict(now.scores), "changes": changes}
    if now.leaders != before.leaders:
        (leader,) = now.leaders if len(now.leaders) == 1 else (None,)
        yield {"kind": "lead_changed", "player": leader, "leaders": list(now.leaders)}
    if now.request.player != before.request.player and not now.over:
        yield _turn(now)
    if now.over and not before.over:
        yield {
            "kind": "match_over",
            "player": match.winners[0] if len(match.winners) == 1 else None,
            "winners": list(match.winners),
            "scores": dict(now.scores),
            "why": match.why,
        }


def _turn(now: Standing) -> Fields:
    return {"kind": "turn", "player": now.request.player, "ask": now.request.kind}
