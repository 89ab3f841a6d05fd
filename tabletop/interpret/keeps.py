"""What is kept by hand: the dice in the tray while the others are in the hand, whatever happens to them later. Pure.

A kept die that thrown dice knock away counts with its kept face, and is no part of the throw. Dice taken off the table
are counted: if exactly one legal part has as many, that was kept.
"""

from dataclasses import replace

from tabletop.core.geometry import distance_in_edges, is_at_one_of
from tabletop.core.values import Die, Rest
from tabletop.interpret import dice_state
from tabletop.interpret.cursor import Faces
from tabletop.interpret.dice_state import Held, TableMemory
from tabletop.rules import Request

CARRIED_S = 1.0  # a die that is carried from one place to another is on its way for at most this long
KNOCKED_EDGES = 5.0  # so far a die is knocked at most; farther away one that shows its face is none the likelier


def watched(memory: TableMemory, rest: Rest, part: Faces | None) -> TableMemory:
    """Return the memory with the dice in the tray now, none of them thrown. part: what is set aside, None for none."""
    lay = rest.reading.dice
    held = None if part is None and lay else Held(part or (), lay)
    was = memory.held
    same = held is not None and was is not None and held.part == was.part and _alike(held.dice, was.dice)
    return memory if same or held == was else replace(memory, held=held)


def without_knocked(memory: TableMemory, rest: Rest, new: tuple[Die, ...], due: int) -> tuple[Die, ...]:
    """Return the thrown dice among the new ones: kept dice that were knocked away are not thrown."""
    if memory.held is None or len(new) <= due:
        return new
    left = [die for die in rest.reading.dice if die not in new]
    missing = [die for die in memory.held.dice if not is_at_one_of(die, left)]
    if len(new) - due > len(missing):
        return new
    thrown = list(new)
    for die in missing[: len(new) - due]:
        thrown.remove(min(thrown, key=lambda other: (not _may_be(other, die), distance_in_edges(other, die))))
    return tuple(thrown)


def on_its_way(request: Request, memory: TableMemory, rest: Rest, new: tuple[Die, ...]) -> bool:
    """Return whether kept dice are out of sight and may be in a hand that sorts: then new dice may be no throw."""
    if memory.held is None or not isinstance(request.dice, int) or len(rest.reading.dice) >= request.dice:
        return False
    left = [die for die in rest.reading.dice if die not in new]
    gone = [die for die in memory.held.dice if not is_at_one_of(die, left)]
    return bool(gone) and rest.reading.time_s < max(rest.arrived_s) + CARRIED_S


def part_kept(memory: TableMemory, seen: Faces | None) -> Faces:
    """Return the keep: what was there before the throw, or is there now if that is more. seen: what is set aside."""
    held = memory.held.part if memory.held is not None else ()
    now = seen or ()
    return now if len(now) >= len(held) else held


def taken_away(request: Request, memory: TableMemory, rest: Rest, new: tuple[Die, ...]) -> int:
    """Return how many dice of the hand must have been kept off the table, 0 if some are set aside."""
    held = memory.held
    if held is None or held.part or not isinstance(request.dice, int) or len(rest.reading.dice) > len(new):
        return 0
    return max(0, request.dice - len(new))


def fits(request: Request, part: Faces, new: tuple[Die, ...]) -> bool:
    """Return whether a part may be kept, and makes up the hand with the dice that were thrown."""
    return part in request.legal and isinstance(request.dice, int) and len(part) + len(new) == request.dice


def parts_of(request: Request, number: int) -> tuple[Faces, ...]:
    """Return the legal parts with this many dice."""
    return tuple(part for part in request.legal if len(part) == number)


def throw_lies(memory: TableMemory, rest: Rest | None) -> bool:
    """Return whether dice were thrown since the last answer."""
    return rest is not None and bool(dice_state.new_dice(rest, memory))


def _alike(dice: tuple[Die, ...], other: tuple[Die, ...]) -> bool:
    if len(dice) != len(other):
        return False
    return all(is_at_one_of(die, [was for was in other if was.face == die.face]) for die in dice)


def _may_be(die: Die, kept: Die) -> bool:
    return die.face == kept.face and distance_in_edges(die, kept) <= KNOCKED_EDGES
