"""What the store gives out: matches as it lists them, and events."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from tabletop.core.moment import ClockState

Ending = Literal["over", "left", "abandoned"]


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """One match as the store lists it. ending: None while it is open. events: how many are stored."""

    number: int
    game: str
    players: tuple[str, ...]
    options: Mapping[str, Any]
    begun: str
    ending: Ending | None
    events: int


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """One event as stored. n: from 1. time: ISO 8601, UTC. body: JSON-able. clock: None where it was not noted."""

    n: int
    time: str
    body: Mapping[str, Any]
    clock: ClockState | None = None
