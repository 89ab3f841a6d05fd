"""A match as one JSON object: contract 3, every key always present."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tabletop.rules.events import request_json

if TYPE_CHECKING:
    from tabletop.rules.match import Match


def state_json(match: "Match") -> dict[str, Any]:
    """Return what stands, what is asked, and what the players see, as plain values."""
    thrown = match.thrown
    return {
        "event": match.event,
        "request": request_json(match.request),
        "thrown": {name: list(own) for name, own in thrown.items()} if isinstance(thrown, Mapping) else list(thrown),
        "kept": list(match.kept),
        "scores": match.scores,
        "at_stake": match.at_stake,
        "sheet": match.sheet,
        "said": match.said,
        "winners": list(match.winners),
        "why": match.why,
    }
