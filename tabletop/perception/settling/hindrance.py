"""Why there is no rest yet: what keeps each die from counting as still, for people who ask."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tabletop.core.values import Die
from tabletop.perception.settling.track import Track

Cause = Literal["hidden", "held", "maybe held", "moves", "creeps", "too short"]


@dataclass(frozen=True, slots=True)
class Hindrance:
    """A die that holds a rest back in one frame.

    x, y: where it was last seen, as in the reading. face: what is read there, None if that is unsure. cause: hidden:
    not seen in this frame; held: fingers are seen round it; maybe held: something round it may be fingers; moves: it is
    not where it was; creeps: it slides on slowly; too short: it has not lain still for long enough. amount: for `moves`
    the distance in edges, otherwise for how long, in seconds.
    """

    x: float
    y: float
    face: int | None
    cause: Cause
    amount: float


def hindrances(near: Sequence[Track], time_s: float) -> tuple[Hindrance, ...]:
    """Return what holds a rest back at this time, empty if nothing does. near: the dice that were seen lately."""
    found = []
    for track in near:
        if track.is_sure() and not (track.is_still(time_s) and track.seen_s == time_s):
            cause, amount = _cause(track, time_s)
            face = track.last.face if isinstance(track.last, Die) else None
            found.append(Hindrance(track.last.x, track.last.y, face, cause, amount))
    return tuple(found)


def _cause(track: Track, time_s: float) -> tuple[Cause, float]:
    if track.seen_s != time_s:
        return "hidden", time_s - track.seen_s
    if track.held_s == time_s:
        return "held", time_s - track.arrived_s
    if track.moved_s == time_s:
        return "moves", track.moved_edges
    if track.creeps(time_s):
        return "creeps", time_s - track.still_since_s
    if track.is_maybe_held(time_s):
        return "maybe held", time_s - track.still_since_s
    return "too short", time_s - track.still_since_s
