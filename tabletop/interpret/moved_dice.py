"""Dice that hands turned or pushed after they were counted: they keep the face that was counted. Pure.

A hand that turns a die puts it back at once, near its old place. A player who throws a die picks it up first, so it is
gone for longer, and it seldom lands there.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf

from tabletop.core.geometry import (
    SAME_DIE_EDGES,
    UNMOVED_EDGES,
    distance_in_edges,
    is_at_one_of,
    point_distance_in_edges,
)
from tabletop.core.values import Die, Rest, Unsure
from tabletop.interpret import hints
from tabletop.interpret.dice_state import TableMemory

# (seconds, edges): gone for no longer and back within this distance, a hand turned it. The first is a die rolled over
# its edge; nobody takes a die up, throws it and has it at rest within 0.7 s.
BACK = ((0.7, 1.1), (1.2, 0.35))
TOLD_S = 6.0  # how long it is said that dice were only moved
NOWHERE = -1.0  # edges: gone for longer it was thrown, wherever it lies


@dataclass(frozen=True, slots=True)
class AsCounted:
    """A rest in which moved dice show the faces that were counted.

    hint: for people, if a die now shows another face, or if all dice were only slid aside. whole: whether all counted
    dice are there.
    """

    rest: Rest
    hint: str
    whole: bool


def as_kept_before(rest: Rest, memory: TableMemory, kept: tuple[int, ...] | None) -> Rest:
    """Return the rest with dice that were kept before the table began to watch as such.

    It begins when it is switched on, and when the camera was moved so far that all places were forgotten. Where the
    first reading then came in the middle of a throw, what lay there counts as thrown; but in the middle of a turn it is
    what has been kept. kept: the faces kept in this turn; None if dice are kept now, so all that lay there may be.
    """
    counted_since = memory.counted_s is not None and memory.counted_s >= rest.began_s
    if counted_since or rest.began_s not in rest.arrived_s:
        return rest
    left, arrived_s = Counter(kept), []
    for die, at_s in zip(rest.reading.dice, rest.arrived_s, strict=True):
        lay = at_s == rest.began_s and (kept is None or left[die.face] > 0)
        left[die.face] -= lay
        arrived_s.append(-inf if lay else at_s)
    return replace(rest, arrived_s=tuple(arrived_s))


def counted_before(rest: Rest, memory: TableMemory, throw: tuple[int, ...], kept: tuple[int, ...]) -> TableMemory:
    """Return the memory with dice as counted that lay there when the table was switched on, if they are the last throw.

    Dice that show the same faces have not been thrown since; if they did not count, the next player would be offered
    them as his throw. throw: the one that the question is about, empty if there is none. kept: the faces kept before.
    """
    if memory.counted_s is not None or not throw or any(at_s > -inf for at_s in rest.arrived_s) or rest.reading.unsure:
        return memory
    if sorted(die.face for die in rest.reading.dice) != sorted((*throw, *kept)):
        return memory
    return replace(memory, counted_s=rest.reading.time_s, counted=rest.reading.dice)


def as_counted(rest: Rest, memory: TableMemory, whole_s: float) -> AsCounted:
    """Return the rest with dice that were only turned or pushed as they were counted.

    whole_s: when all counted dice were last seen to be there; `whole` of the returned rest says so.
    """
    lay = {at: die for at, die in enumerate(memory.counted) if die.where == "tray"}
    if not lay or memory.counted_s is None:
        return AsCounted(rest, "", whole=not lay)
    before_s = min(memory.ignored_until_s, memory.counted_s)
    rest = _as_read_before(rest, tuple(lay.values()), before_s)
    now: dict[int, Die] = {}  # by their index in the rest: what was counted there
    seen = [(index, die) for index, die in enumerate(rest.reading.dice) if die.where == "tray"]
    fresh = [index for index, _ in seen if rest.arrived_s[index] > memory.ignored_until_s]
    # What came after them, and was spent in a pause or a menu, was thrown: nobody has counted it yet.
    others = [(index, die) for index, die in seen if rest.arrived_s[index] <= before_s]
    for edges in (SAME_DIE_EDGES, inf):  # those that were only pushed show the face that they showed
        odd = []
        for index, die in others:
            alike = {at: lying for at, lying in lay.items() if lying.face == die.face}
            if (place := _nearest(die, alike, edges)) is not None:
                del lay[place]
            else:
                odd.append((index, die))
        others = odd
    for index, die in others:
        if (place := _nearest(die, lay, SAME_DIE_EDGES)) is not None:
            now[index] = lay.pop(place)
    back: dict[int, Die] = {}
    turnable = {at: die for at, die in lay.items() if not _taken_up(die, rest, whole_s)}
    for index in fresh:
        place = _nearest(rest.reading.dice[index], turnable, _reach(rest.arrived_s[index] - whole_s))
        if place is None:
            back.clear()  # one of them was thrown, so all were
            break
        back[index] = turnable.pop(place)
        del lay[place]
    now |= back
    dice = tuple(
        replace(die, face=now[index].face) if index in now else die for index, die in enumerate(rest.reading.dice)
    )
    arrived = tuple(before_s if index in back else at_s for index, at_s in enumerate(rest.arrived_s))
    turned = dice != rest.reading.dice
    corrected = replace(rest, reading=replace(rest.reading, dice=dice), arrived_s=arrived) if turned or back else rest
    slid = rest.reading.time_s - rest.slid_s < TOLD_S
    return AsCounted(corrected, hints.TURNED if turned else hints.MOVED if slid else "", whole=not lay)


def _as_read_before(rest: Rest, counted: tuple[Die, ...], before_s: float) -> Rest:
    """Return the rest with dice that lie untouched since they were counted, and are in doubt now, as they were read.

    A doubt that names two other faces stands: a hand turned that die.
    """
    reading = rest.reading
    if not reading.unsure:
        return rest
    left = [die for die in counted if not is_at_one_of(die, reading.dice)]
    dice, unsure = list(zip(reading.dice, rest.arrived_s, strict=True)), list[tuple[Unsure, float]]()
    for seen, at_s in zip(reading.unsure, rest.unsure_arrived_s, strict=True):
        may_be = [die for die in left if not seen.faces or die.face in seen.faces]
        at = _nearest(seen, dict(enumerate(may_be)), UNMOVED_EDGES) if at_s <= before_s else None
        if at is None:
            unsure.append((seen, at_s))
        else:
            left.remove(may_be[at])
            dice.append((replace(may_be[at], x=seen.x, y=seen.y, where=seen.where), at_s))
    if len(dice) == len(reading.dice):
        return rest
    known = replace(reading, dice=tuple(die for die, _ in dice), unsure=tuple(seen for seen, _ in unsure))
    return replace(
        rest,
        reading=known,
        arrived_s=tuple(at_s for _, at_s in dice),
        unsure_arrived_s=tuple(at_s for _, at_s in unsure),
    )


def _taken_up(die: Die, rest: Rest, whole_s: float) -> bool:
    """Return whether a die's place was seen bare since: a hand that turns a die covers it all the while."""
    return any(seen_s > whole_s and point_distance_in_edges(x, y, die) <= SAME_DIE_EDGES for x, y, seen_s in rest.bare)


def _reach(gone_s: float) -> float:
    """Return how far away, in edges, a die gone for this long may be back and still not have been thrown."""
    return next((edges for seconds, edges in BACK if gone_s <= seconds), NOWHERE)


def _nearest(die: Die | Unsure, lay: Mapping[int, Die], edges: float) -> int | None:
    far = {at: distance_in_edges(lying, die) for at, lying in lay.items()}
    at = min(far, key=far.__getitem__, default=None)
    return at if at is not None and far[at] <= edges else None
