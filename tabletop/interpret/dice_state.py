"""Which dice of a rest were thrown since the last answer, and which are set aside.

Dice are told apart by the time at which they came to rest (`Rest.arrived_s`), not by their place: a die that had
arrived when the last throw was taken can never be counted again.
"""

from collections import Counter
from dataclasses import dataclass, replace
from math import inf

from tabletop.core.values import Die, Rest, Unsure
from tabletop.interpret.cursor import START, Faces, Path
from tabletop.interpret.joint import due_of, whole
from tabletop.rules import Request

GONE_S = 1.5  # a hand that is only in the way is gone by then, and who picked dice up looks at the screen


@dataclass(frozen=True, slots=True)
class CursorWalk:
    """Where HOLD has led.

    path: through the choices in their order. aside: what was set aside when the walk began. lying: a throw was in the
    tray by then, so BANK has to confirm the keep.
    """

    path: Path = START
    aside: Faces | None = None
    lying: bool = False


@dataclass(frozen=True, slots=True)
class Waiting:
    """The dice of a throw that is not complete.

    faces: of the dice that are in the tray, or were when they were seen last. unsure: how many more cannot be read.
    parts: the faces of earlier dice of the same throw, which are in the hand again. arrived_s: when the last die came.
    """

    faces: Faces = ()
    unsure: int = 0
    parts: Faces = ()
    arrived_s: float = -inf


NOTHING_WAITS = Waiting()


@dataclass(frozen=True, slots=True)
class Held:
    """What was in the tray while the other dice were in the hand.

    part: the faces of the hand among it, which is the keep; sorted. dice: all dice that were there, where they were.
    """

    part: Faces
    dice: tuple[Die, ...]


@dataclass(frozen=True, slots=True)
class TableMemory:
    """What the table remembers between two rests or presses.

    ignored_until_s: dice that arrived up to here are no throw. counted_s: dice that arrived up to here were counted;
    None: none were (at the start, after an undo or a resume). What is ignored but not counted is unread: only BANK
    takes it.
    kept_faces: the faces in the tray beside the throw last taken, kept from earlier throws. walk: where HOLD has led at
    this request, None if it was not pressed. paused: nothing is taken. unconfirmed: the risky press that waits to be
    repeated, "" for none. counted: all dice in the tray when the last throw was taken. waiting: dice that came to rest
    for a throw and were not taken yet. aside: the part of the hand that was set aside at this keep, None for none: the
    next player may have picked it up with the other dice. held: what was in the tray before dice were thrown at this
    request, None if nobody picked up any of the hand. moved_s: dice that came up to here show the same faces as before,
    and people were asked whether they only moved them. moved_kept: nobody answered, and other dice were picked up
    since, so the moved dice are kept where they are.
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
        """Dice that arrived up to here are no throw now."""
        return max(self.ignored_until_s, self.moved_s) if self.moved_kept else self.ignored_until_s


def settled(memory: TableMemory) -> TableMemory:
    """Return the memory once moved dice are kept for good: they are ignored from now on, and counted."""
    if not memory.moved_kept:
        return memory
    since_s, counted_s = memory.since_s, memory.counted_s
    counted_s = counted_s if counted_s is None else max(counted_s, since_s)
    return replace(memory, ignored_until_s=since_s, counted_s=counted_s, moved_s=-inf, moved_kept=False)


def new_dice(rest: Rest, memory: TableMemory) -> tuple[Die, ...]:
    """Return the dice in the tray that were thrown since the last answer, without moved dice that are kept."""
    pairs = zip(rest.reading.dice, rest.arrived_s, strict=True)
    return tuple(die for die, at_s in pairs if at_s > memory.since_s and die.where == "tray")


def new_unsure(rest: Rest, memory: TableMemory) -> tuple[Unsure, ...]:
    """Return what came into the tray since the last answer and cannot be read."""
    return _unsure(rest, memory.ignored_until_s)


def lain_unsure(rest: Rest, memory: TableMemory) -> tuple[Unsure, ...]:
    """Return what came into the tray since the last answer, cannot be read, and has come to rest."""
    return _unsure(rest, memory.ignored_until_s, rest.reading.time_s - GONE_S)


def gone_unread(rest: Rest, memory: TableMemory) -> bool:
    """Return whether a die thrown since the last answer is gone before it could be read."""
    return rest.passed_s > memory.ignored_until_s and rest.reading.time_s - rest.passed_s > GONE_S


def unread(rest: Rest, memory: TableMemory) -> tuple[Die, ...]:
    """Return the dice in the tray that were not counted yet, empty if all were."""
    counted_s = memory.counted_s
    pairs = zip(rest.reading.dice, rest.arrived_s, strict=True)
    return tuple(die for die, at_s in pairs if die.where == "tray" and (counted_s is None or at_s > counted_s))


def unread_unsure(rest: Rest, memory: TableMemory) -> tuple[Unsure, ...]:
    """Return what is in the tray, cannot be read, and came after the counted dice."""
    return _unsure(rest, memory.counted_s)


def _unsure(rest: Rest, after_s: float | None, until_s: float = inf) -> tuple[Unsure, ...]:
    """Return what is in the tray, cannot be read and came then. after_s: None for whenever before."""
    pairs = zip(rest.reading.unsure, rest.unsure_arrived_s, strict=True)
    came = [unsure for unsure, at_s in pairs if (after_s is None or at_s > after_s) and at_s <= until_s]
    return tuple(unsure for unsure in came if unsure.where == "tray")


def unread_throw(request: Request, rest: Rest, memory: TableMemory) -> tuple[Die, ...]:
    """Return the unread dice if there are as many as are due, else nothing.

    Without a rail, dice kept before may be among them after an undo: those faces are no part of the throw.
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
    thrown: the throw last taken. If the hand is larger, dice kept before belong to it and may be picked up again.
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
    """Return whether the whole hand is in the tray, and nothing that was thrown."""
    return _hand_lying(rest, memory, request, thrown)[2]


def intended_keep(rest: Rest, memory: TableMemory, request: Request, thrown: Faces) -> Faces | None:
    """Return what is set aside at a keep, as `aside` does; if other dice came and it is no legal part, what was meant.

    That is what is left on the rail or, once no die of the hand is in the tray any more, what had been set aside. So a
    BANK that was forgotten still keeps it, though the next player has picked up all the dice and thrown.
    """
    seen = aside(rest, memory, request, thrown)
    if seen in request.legal or not new_dice(rest, memory):
        return seen
    lying, rail, _ = _hand_lying(rest, memory, request, thrown)
    return memory.aside if memory.aside and not lying else rail if rail in request.legal else seen


def with_dice_aside(rest: Rest, memory: TableMemory, request: Request, thrown: Faces) -> TableMemory:
    """Return the memory with the dice set aside, which ends an older walk to other dice.

    Only while the whole hand is there: while dice are picked up, those left in the tray are aside for a moment only.
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
