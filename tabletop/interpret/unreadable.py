"""Unreadable dice in the tray: where they are, what the table asks, and the faces that people enter. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from tabletop.core.message import reason_text, say
from tabletop.core.values import SAME_DIE_EDGES, Die, Rest, Unsure, UnsureReason, distance_in_edges
from tabletop.interpret import dice_state, joint, offers
from tabletop.interpret.dice_state import TableMemory
from tabletop.rules import Request

SIDE = 1 / 3  # a die in the outer third of the picture is "at the left", "at the top", ...
PLACES = (
    (say("at the top left"), say("at the top middle"), say("at the top right")),
    (say("at the left"), say("at the middle"), say("at the right")),
    (say("at the bottom left"), say("at the bottom middle"), say("at the bottom right")),
)  # by thirds of the picture, rows first


@dataclass(frozen=True, slots=True)
class EnteredFace:
    """A face entered for a die that the reader is unsure of. face: 1 to 6, or 0 if it is not a die."""

    unsure: Unsure
    arrived_s: float
    face: int


def doubt(request: Request, memory: TableMemory, rest: Rest | None) -> tuple[Unsure, float] | None:
    """Return the unreadable die that the game waits for, with its arrival time; None if there is none."""
    if rest is None or memory.paused or request.kind in ("hide", "claim", "over"):
        return None
    pairs = [pair for pair in rest.dated_unsure if pair[0].where == "tray"]
    new = [pair for pair in pairs if pair[1] > memory.ignored_until_s]
    if new and (request.kind == "roll" or dice_state.new_dice(rest, memory)):
        return new[0]
    if request.kind != "roll":  # a player rolled on, and none of that throw is readable
        lain = dice_state.lain_unsure(rest, memory) if request.kind == "keep" or offers.stop_option(request) else ()
        return next((pair for pair in new if pair[0] in lain), None)
    if not dice_state.unread(rest, memory):
        return None
    counted_s = memory.counted_s
    return next((pair for pair in pairs if counted_s is None or pair[1] > counted_s), None)


def with_entered_faces(rest: Rest, entered: Sequence[EnteredFace]) -> Rest:
    """Return the rest with unsure dice replaced by entered faces."""
    if not entered:
        return rest
    dice, left = list(rest.dated_dice), list[tuple[Unsure, float]]()
    for unsure, at_s in rest.dated_unsure:
        entry = next((entry for entry in entered if _same(entry, unsure, at_s)), None)
        if entry is None:
            left.append((unsure, at_s))
        elif entry.face:
            die = Die(entry.face, unsure.x, unsure.y, unsure.size, 0.0, joint.ENTERED_COLOUR, 1.0, unsure.where)
            dice.append((die, at_s))
    return rest.with_dated(dice, left)


def hint(unsure: Unsure, rest: Rest) -> str:
    """Return a hint that names the unreadable die and the remedy."""
    if unsure.reason is UnsureReason.LEANS:
        return say("die {place} leans: nudge it", place=place(unsure, rest))
    if unsure.reason is UnsureReason.ON_EDGE:
        return say("die {place} is on the edge: push it in", place=place(unsure, rest))
    return say("die {place}: {reason}; nudge it", place=place(unsure, rest), reason=reason_text(unsure))


def place(unsure: Unsure, rest: Rest) -> str:
    """Return the position of a die in words, as seen by the camera."""
    width, height = rest.reading.tray or (rest.reading.width, rest.reading.height)
    across, down = unsure.x / width, unsure.y / height
    column = 0 if across < SIDE else 2 if across > 1 - SIDE else 1
    return PLACES[0 if down < SIDE else 2 if down > 1 - SIDE else 1][column]


def _same(entry: EnteredFace, unsure: Unsure, at_s: float) -> bool:
    return entry.arrived_s == at_s and distance_in_edges(entry.unsure, unsure) <= SAME_DIE_EDGES
