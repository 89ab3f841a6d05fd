"""What BANK would take now, the choice that HOLD has stepped to, and the labels of both buttons."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from tabletop.core.message import say
from tabletop.interpret.choices import AskedDie, Back, Faces, Group, Stop, Take, keep_label, row_of, stop_at
from tabletop.interpret.dice_state import CursorWalk, TableMemory
from tabletop.interpret.press_table import PRESS_TABLE, STOP, Situation
from tabletop.rules import HIDDEN, Answer, Choose, Keep, Request

Allowed = Callable[[tuple[Answer, ...]], bool]
"""Returns whether these answers, one after the other, are legal now; changes nothing."""

ROLL_ON = "roll"
BACK = say("back")  # leads out of a group
STOPS = (say("bank"), say("stop"))  # the words of the rule texts for ending a turn by choice


@dataclass(frozen=True, slots=True)
class Offer:
    """What BANK takes.

    label: for users, "keep 3 3" or "full house 25"; of a group "ones to fours", of a die "keep this 5?". answers: the
    answers for the referee; empty for a group, for the way back, and for a die in question. situation: the row of the
    press table. kept: the dice set aside by it, or so far. asks: the face of the die in question.
    """

    label: str
    answers: tuple[Answer, ...]
    situation: Situation
    kept: Faces = ()
    asks: int | None = None


def stop_option(request: Request) -> str | None:
    """Return the option that ends the turn if the question is to roll on or to stop, else None."""
    if request.kind != "choose" or len(request.options) != len((ROLL_ON, "stop")) or ROLL_ON not in request.options:
        return None
    return next((stop for stop in STOPS if stop in request.options), None)


def walked(request: Request, memory: TableMemory, seen_aside: Faces | None) -> CursorWalk:
    """Return the choice that HOLD has stepped to; the latest action counts.

    Dice set aside after HOLD was pressed, other than those selected with it, restart the steps.
    """
    walk = memory.walk
    if walk is None:
        return CursorWalk(aside=seen_aside)
    others = seen_aside != walk.aside and seen_aside in request.legal
    if others and Counter(seen_aside) - Counter(kept_at(stop_at(row_of(request, walk.aside), walk.path))):
        return CursorWalk(aside=seen_aside)
    return walk


def kept_at(stop: Stop) -> Faces:
    """Return the dice that would be kept at a stop, empty if it is not a part."""
    if isinstance(stop, Take) and isinstance(stop.answer, Keep):
        return stop.answer.faces
    return tuple(sorted(stop.kept)) if isinstance(stop, AskedDie) else ()


def offer(
    request: Request, memory: TableMemory, seen_aside: Faces | None, allowed: Allowed, *, by_hand: bool = False
) -> Offer | None:
    """Return what BANK takes now at a keep, a choice, a claim or a hidden throw, None at other throws and the end.

    by_hand: no throw can tell that a player keeps and rolls on, so a keep never ends the turn, and HOLD rolls on
    without being asked again.
    """
    if request.kind == "hide":
        return Offer(HIDDEN, (Choose(HIDDEN),), "hide")
    if request.kind not in ("keep", "choose", "claim"):
        return None
    if stopping := stop_option(request):
        asked = by_hand or memory.unconfirmed == ROLL_ON
        points = request.gives.get(stopping)
        label = stopping if points is None else say("{box} {n}", box=stopping, n=points)
        return Offer(label, (Choose(stopping),), "asked again" if asked else "roll or stop")
    walk = walked(request, memory, seen_aside)
    stop = stop_at(row_of(request, walk.aside), walk.path)
    if isinstance(stop, Take) and isinstance(stop.answer, Keep):
        return _keep(stop.answer, () if by_hand or walk.lying else STOPS, allowed)
    return _no_keep(stop, "claim" if request.kind == "claim" else "choose")


def _keep(keep: Keep, stops: tuple[str, ...], allowed: Allowed) -> Offer:
    for stopping in stops:
        if allowed((keep, Choose(stopping))):
            return Offer(keep_label(keep, stopping), (keep, Choose(stopping)), "keep and stop", keep.faces)
    return Offer(keep_label(keep), (keep,), "keep", keep.faces)


def _no_keep(stop: Stop, taken: Literal["choose", "claim"]) -> Offer:
    match stop:
        case Take(label, answer):
            return Offer(label, (answer,), taken)
        case Group(label):
            return Offer(label, (), "group")
        case AskedDie(face, kept):
            return Offer(say("keep this {n}?", n=face), (), "die by die", tuple(sorted(kept)), face)
        case Back():
            return Offer(BACK, (), "back")


def situation(request: Request, memory: TableMemory, taken: Offer | None, *, lying: bool) -> Situation:
    """Return the row of the press table. taken: what BANK takes. lying: the unread dice match the number due."""
    if request.kind == "over":
        return "over"
    if memory.paused:
        return "paused"
    if taken is None:
        return "dice unread" if lying else "roll"
    return taken.situation


def labels(request: Request, memory: TableMemory, taken: Offer | None, *, lying: bool) -> tuple[str, str]:
    """Return the labels of HOLD and BANK, at most nine characters each, empty if they do nothing."""
    buttons = PRESS_TABLE[situation(request, memory, taken, lying=lying)]
    last = taken.answers[-1] if taken and taken.answers else None
    word = last.option if isinstance(last, Choose) else ""
    return buttons.hold.label, word if buttons.bank.label == STOP else buttons.bank.label
