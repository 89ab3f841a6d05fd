"""Determine which dice of a rest were thrown since the last answer, and which are set aside.

Dice are told apart by the time at which they came to rest (`Rest.arrived_s`), not by their place: a die that had
arrived when the last throw was taken can never be counted again.

A kept die that is knocked away by thrown dice counts with its kept face, and is not part of the throw. Dice taken off
the table are counted: if exactly one legal part has that many, it was kept. A hand that turns a die puts it back at
once, near its old place, and the die keeps its face; a thrown die is gone for longer, and seldom lands there.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf

from tabletop.core.values import (
    SAME_DIE_EDGES,
    UNMOVED_EDGES,
    Die,
    Rest,
    Unsure,
    distance_in_edges,
    is_at_one_of,
    point_distance_in_edges,
)
from tabletop.interpret import hints
from tabletop.interpret.choices import START, Faces, Path
from tabletop.interpret.joint import due_of, whole
from tabletop.rules import Request

GONE_S = 1.5  # a hand that is only in the way is gone by then, and anybody who picked dice up looks at the screen


@dataclass(frozen=True, slots=True)
class CursorWalk:
    """The choice that HOLD has stepped to.

    path: its place among the choices. aside: the dice set aside when HOLD was first pressed. lying: whether a throw was
    already in the tray then, so that BANK has to confirm the keep.
    """

    path: Path = START
    aside: Faces | None = None
    lying: bool = False


@dataclass(frozen=True, slots=True)
class Waiting:
    """The dice of an incomplete throw.

    faces: of the dice that are in the tray, or were when last seen. unsure: how many more cannot be read. parts: the
    faces of earlier dice of the same throw, which are in the hand again. arrived_s: when the last die came.
    """

    faces: Faces = ()
    unsure: int = 0
    parts: Faces = ()
    arrived_s: float = -inf


NOTHING_WAITS = Waiting()


@dataclass(frozen=True, slots=True)
class Held:
    """The dice in the tray while the others were in the hand.

    part: the faces among them that belong to the hand, which is the keep; sorted. dice: all dice there, in place.
    """

    part: Faces
    dice: tuple[Die, ...]


@dataclass(frozen=True, slots=True)
class TableMemory:
    """The table's memory between two rests or presses.

    ignored_until_s: dice that arrived up to here are not a throw. counted_s: dice that arrived up to here were counted;
    None: none were (at the start, after an undo or a resume). What is ignored but not counted is unread: only BANK
    takes it. kept_faces: the faces in the tray beside the last throw, kept from earlier throws. walk: the position of
    HOLD at this request, None if it was not pressed. paused: nothing is taken. unconfirmed: the risky press that must
    be repeated, "" for none. counted: all dice in the tray when the last throw was taken. waiting: dice that came to
    rest for a throw and were not taken yet. aside: the part of the hand that was set aside at this keep, None for none:
    the next player may have picked it up with the other dice. held: the dice in the tray before dice were thrown at
    this request, None if nobody picked up any of the hand. moved_s: dice that came up to here show the same faces as
    before, and people were asked whether they only moved them. moved_kept: nobody answered, and other dice were picked
    up since, so the moved dice are kept where they are.
    """

    ignored_until_s: float = -inf
    counted_s: float | None = None
    kept_faces: Faces = ()
    walk: CursorWalk | None = None
    paused: bool = False
    unconfirmed: str = ""
    counted: tuple[Die, ...] = ()
    waiting: Waiting = NOTHING_WAITS
    aside: Faces | None = None
    held: Held | None = None
    moved_s: float = -inf
    moved_kept: bool = False

    @property
    def since_s(self) -> float:
        """Dice that arrived up to this time are not a throw now."""
        return max(self.ignored_until_s, self.moved_s) if self.moved_kept else self.ignored_until_s


def settled(memory: TableMemory) -> TableMemory:
    """Return the memory after moved dice are accepted as kept: they are ignored from now on, and counted."""
    if not memory.moved_kept:
        return memory
    since_s, counted_s = memory.since_s, memory.counted_s
    counted_s = counted_s if counted_s is None else max(counted_s, since_s)
    return replace(memory, ignored_until_s=since_s, counted_s=counted_s, moved_s=-inf, moved_kept=False)


def ignored_unwatched(rest: Rest, memory: TableMemory) -> TableMemory:
    """Return the memory; if dice had to be ignored during a gap without frames, so are those found afterwards."""
    from_s, to_s = rest.unwatched_s
    return replace(memory, ignored_until_s=to_s) if from_s < memory.ignored_until_s < to_s else memory


def new_dice(rest: Rest, memory: TableMemory) -> tuple[Die, ...]:
    """Return the dice in the tray that were thrown since the last answer, without moved dice that are kept."""
    return tuple(die for die, at_s in rest.dated_dice if at_s > memory.since_s and die.where == "tray")


def new_unsure(rest: Rest, memory: TableMemory) -> tuple[Unsure, ...]:
    """Return the unreadable dice that came into the tray since the last answer."""
    return _unsure(rest, memory.ignored_until_s)


def lain_unsure(rest: Rest, memory: TableMemory) -> tuple[Unsure, ...]:
    """Return the unreadable dice that came into the tray since the last answer and have come to rest."""
    return _unsure(rest, memory.ignored_until_s, rest.reading.time_s - GONE_S)


def gone_unread(rest: Rest, memory: TableMemory) -> bool:
    """Return whether a die thrown since the last answer was removed before it could be read."""
    return rest.passed_s > memory.ignored_until_s and rest.reading.time_s - rest.passed_s > GONE_S


def unread(rest: Rest, memory: TableMemory) -> tuple[Die, ...]:
    """Return the dice in the tray that have not been counted yet, empty if all were."""
    counted_s = memory.counted_s
    dice = [die for die, at_s in rest.dated_dice if counted_s is None or at_s > counted_s]
    return tuple(die for die in dice if die.where == "tray")


def unread_unsure(rest: Rest, memory: TableMemory) -> tuple[Unsure, ...]:
    """Return the unreadable dice in the tray that came after the counted dice."""
    return _unsure(rest, memory.counted_s)


def _unsure(rest: Rest, after_s: float | None, until_s: float = inf) -> tuple[Unsure, ...]:
    """Return what is in the tray, cannot be read and came then. after_s: None for whenever before."""
    dated = rest.dated_unsure
    came = [unsure for unsure, at_s in dated if (after_s is None or at_s > after_s) and at_s <= until_s]
    return tuple(unsure for unsure in came if unsure.where == "tray")


def unread_throw(request: Request, rest: Rest, memory: TableMemory) -> tuple[Die, ...]:
    """Return the unread dice if their number is the one due, else nothing.

    Without a rail, dice kept before may be among them after an undo: those faces are not part of the throw.
    """
    lying = unread(rest, memory)
    if request.kind != "roll":
        return ()
    if not isinstance(request.dice, int):
        lying = due_of(request, lying)
        return lying if whole(request, lying) else ()
    if len(lying) > request.dice:
        kept_faces, others = Counter(memory.kept_faces), list[Die]()
        for die in lying:
            if kept_faces[die.face]:
                kept_faces[die.face] -= 1
            else:
                others.append(die)
        lying = () if kept_faces.total() else tuple(others)
    return lying if len(lying) == request.dice else ()


def aside(rest: Rest, memory: TableMemory, request: Request, thrown: Faces) -> Faces | None:
    """Return the faces of the hand that are set aside at a keep, sorted; None if nobody has begun to sort yet.

    A die is set aside if it is on the rail, or was left in the tray while other dice of the hand were picked up.
    thrown: the last throw. If the hand is larger, dice kept before belong to it and may be picked up again.
    """
    lying, rail, whole = _hand_lying(rest, memory, request, thrown)
    if whole:
        return rail or None
    return lying if rest.reading.dice else None


def _hand_lying(rest: Rest, memory: TableMemory, request: Request, thrown: Faces) -> tuple[Faces, Faces, bool]:
    """Return the faces of the hand that lie untouched, those on the rail, and whether the whole hand lies there."""
    hand = request.dice if isinstance(request.dice, int) else len(thrown)
    new = new_dice(rest, memory)
    lying = Counter(die.face for die in rest.reading.dice if die not in new)
    rail = Counter(die.face for die in rest.reading.dice if die.where == "rail")
    if hand <= len(thrown):
        lying, rail = lying - Counter(memory.kept_faces), rail - Counter(memory.kept_faces)
    return tuple(sorted(lying.elements())), tuple(sorted(rail.elements())), lying.total() >= hand and not new


def hand_lies(rest: Rest, memory: TableMemory, request: Request, thrown: Faces) -> bool:
    """Return whether the whole hand, and nothing that was thrown, is in the tray."""
    return _hand_lying(rest, memory, request, thrown)[2]


def intended_keep(rest: Rest, memory: TableMemory, request: Request, thrown: Faces) -> Faces | None:
    """Return the dice set aside at a keep, like `aside`, or the intended part if that is not legal.

    If other dice came, the intended part is what is left on the rail or, once no die of the hand is in the tray any
    more, what had been set aside. So a forgotten BANK still keeps it, even though the next player has picked up all the
    dice and thrown.
    """
    seen = aside(rest, memory, request, thrown)
    if seen in request.legal or not new_dice(rest, memory):
        return seen
    lying, rail, _ = _hand_lying(rest, memory, request, thrown)
    return memory.aside if memory.aside and not lying else rail if rail in request.legal else seen


def with_dice_aside(rest: Rest, memory: TableMemory, request: Request, thrown: Faces) -> TableMemory:
    """Return the memory with the dice set aside, which resets HOLD if it selected other dice.

    Applies only while the whole hand is there: while dice are being picked up, those left in the tray are not set
    aside.
    """
    _, rail, whole = _hand_lying(rest, memory, request, thrown)
    return replace(memory, aside=rail if rail in request.legal else None) if whole else memory


def unchanged(rest: Rest, memory: TableMemory, request: Request, thrown: Faces, seen_aside: Faces) -> bool:
    """Return whether the dice of a keep only changed places: the same faces are there, some of them untouched.

    Then somebody sorted them by hand, or threw the same faces again. Without a rail only people can tell, unless the
    dice were seen rolling with no hand in view.
    """
    if rest.rolled_s > memory.ignored_until_s:
        return False
    hand = thrown
    if not isinstance(request.dice, int) or request.dice > len(thrown):
        hand = max(request.legal, key=len)
    new = tuple(die.face for die in new_dice(rest, memory))
    return bool(seen_aside) and rest.reading.unit == "px" and sorted((*seen_aside, *new)) == sorted(hand)


CARRIED_S = 1.0  # a die carried from one place to another is on its way for at most this long
KNOCKED_EDGES = 5.0  # the farthest a die is knocked; beyond this, a die with its face is no likelier to be it


def watched(memory: TableMemory, rest: Rest, part: Faces | None) -> TableMemory:
    """Return the memory with the dice in the tray now, none of them thrown. part: the part set aside, None for none."""
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
    """Return whether kept dice are out of sight and may be in a sorting hand: then new dice may not be a throw."""
    if memory.held is None or not isinstance(request.dice, int) or len(rest.reading.dice) >= request.dice:
        return False
    left = [die for die in rest.reading.dice if die not in new]
    gone = [die for die in memory.held.dice if not is_at_one_of(die, left)]
    return bool(gone) and rest.reading.time_s < max(rest.arrived_s) + CARRIED_S


def part_kept(memory: TableMemory, seen: Faces | None) -> Faces:
    """Return the keep: the part before the throw, or the current one if larger. seen: the dice set aside."""
    held = memory.held.part if memory.held is not None else ()
    now = seen or ()
    return now if len(now) >= len(held) else held


def taken_away(request: Request, memory: TableMemory, rest: Rest, new: tuple[Die, ...]) -> int:
    """Return how many dice of the hand must have been taken off the table, 0 if some are set aside."""
    held = memory.held
    if held is None or held.part or not isinstance(request.dice, int) or len(rest.reading.dice) > len(new):
        return 0
    return max(0, request.dice - len(new))


def fits(request: Request, part: Faces, new: tuple[Die, ...]) -> bool:
    """Return whether a part may be kept, and together with the thrown dice makes up the hand."""
    return part in request.legal and isinstance(request.dice, int) and len(part) + len(new) == request.dice


def parts_of(request: Request, number: int) -> tuple[Faces, ...]:
    """Return the legal parts with this many dice."""
    return tuple(part for part in request.legal if len(part) == number)


def _alike(dice: tuple[Die, ...], other: tuple[Die, ...]) -> bool:
    if len(dice) != len(other):
        return False
    return all(is_at_one_of(die, [was for was in other if was.face == die.face]) for die in dice)


def _may_be(die: Die, kept: Die) -> bool:
    return die.face == kept.face and distance_in_edges(die, kept) <= KNOCKED_EDGES


# (seconds, edges): gone no longer and back within this distance, it was turned by a hand. The first is a die rolled
# over its edge; nobody picks up a die, throws it and has it at rest within 0.7 s.
BACK = ((0.7, 1.1), (1.2, 0.35))
TOLD_S = 6.0  # how long the note about moved dice is shown
NOWHERE = -1.0  # edges: a die gone for longer was thrown, wherever it lies


@dataclass(frozen=True, slots=True)
class AsCounted:
    """A rest in which moved dice show the faces that were counted.

    hint: for users, if a die now shows another face, or if all dice were only slid aside. whole: whether all counted
    dice are there.
    """

    rest: Rest
    hint: str
    whole: bool


def as_kept_before(rest: Rest, memory: TableMemory, kept: tuple[int, ...] | None) -> Rest:
    """Return the rest with dice that were kept before the table began to watch marked as old.

    The table begins to watch when it is switched on, and after the camera was moved so far that all places were
    forgotten. If the first reading then came in the middle of a throw, the dice there count as thrown; but in the
    middle of a turn they are those kept. kept: the faces kept in this turn; None if dice are kept now, so all of them
    may be.
    """
    counted_since = memory.counted_s is not None and memory.counted_s >= rest.began_s
    if counted_since or rest.began_s not in rest.arrived_s:
        return rest
    left, arrived_s = Counter(kept), []
    for die, at_s in rest.dated_dice:
        lay = at_s == rest.began_s and (kept is None or left[die.face] > 0)
        left[die.face] -= lay
        arrived_s.append(-inf if lay else at_s)
    return replace(rest, arrived_s=tuple(arrived_s))


def counted_before(rest: Rest, memory: TableMemory, throw: tuple[int, ...], kept: tuple[int, ...]) -> TableMemory:
    """Return the memory with dice seen at startup as counted, if they are the last throw.

    Dice that show the same faces have not been thrown since; if they did not count, the next player would be offered
    them as their own. throw: the one that the question is about, empty if there is none. kept: the faces kept before.
    """
    if memory.counted_s is not None or not throw or any(at_s > -inf for at_s in rest.arrived_s) or rest.reading.unsure:
        return memory
    if sorted(die.face for die in rest.reading.dice) != sorted((*throw, *kept)):
        return memory
    return replace(memory, counted_s=rest.reading.time_s, counted=rest.reading.dice)


def as_counted(rest: Rest, memory: TableMemory, whole_s: float) -> AsCounted:
    """Return the rest with merely turned or pushed dice as they were counted.

    whole_s: when all counted dice were last seen there; `whole` of the result says whether they are there now.
    """
    lay = {at: die for at, die in enumerate(memory.counted) if die.where == "tray"}
    if not lay or memory.counted_s is None:
        return AsCounted(rest, "", whole=not lay)
    before_s = min(memory.ignored_until_s, memory.counted_s)
    rest = _as_read_before(rest, tuple(lay.values()), before_s)
    now: dict[int, Die] = {}  # by index in the rest: the counted die
    seen = [(index, die) for index, die in enumerate(rest.reading.dice) if die.where == "tray"]
    fresh = [index for index, _ in seen if rest.arrived_s[index] > memory.ignored_until_s]
    # Dice that came after them, and were spent in a pause or a menu, were thrown: nobody has counted them yet.
    others = [(index, die) for index, die in seen if rest.arrived_s[index] <= before_s]
    for edges in (SAME_DIE_EDGES, inf):  # merely pushed dice still show their faces
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
    dated = [
        (replace(die, face=now[index].face) if index in now else die, before_s if index in back else at_s)
        for index, (die, at_s) in enumerate(rest.dated_dice)
    ]
    turned = tuple(die for die, _ in dated) != rest.reading.dice
    corrected = rest.with_dated(dated, rest.dated_unsure) if turned or back else rest
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
    dice, unsure = list(rest.dated_dice), list[tuple[Unsure, float]]()
    for seen, at_s in rest.dated_unsure:
        may_be = [die for die in left if not seen.faces or die.face in seen.faces]
        at = _nearest(seen, dict(enumerate(may_be)), UNMOVED_EDGES) if at_s <= before_s else None
        if at is None:
            unsure.append((seen, at_s))
        else:
            left.remove(may_be[at])
            dice.append((replace(may_be[at], x=seen.x, y=seen.y, where=seen.where), at_s))
    return rest if len(dice) == len(reading.dice) else rest.with_dated(dice, unsure)


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
