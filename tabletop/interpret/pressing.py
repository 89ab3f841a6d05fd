"""Interpret a press in the current situation, by the rows of `press_table`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from tabletop.core import ports, values
from tabletop.interpret import dice_state, hints, press_table
from tabletop.interpret.choices import Faces, Stop, after_bank, after_hold, row_of, stop_at
from tabletop.interpret.dice_state import CursorWalk, TableMemory
from tabletop.interpret.offers import ROLL_ON, Allowed, Offer, offer, situation, walked
from tabletop.interpret.rests import Outcome, throw_taken
from tabletop.rules import Choose, Request


def on_press(
    request: Request,
    memory: TableMemory,
    press: ports.Press,
    rest: values.Rest | None,
    thrown: Faces,
    allowed: Allowed,
    *,
    by_hand: bool = False,
) -> Outcome:
    """Return the outcome of a press.

    rest: the dice in the tray, None while something moves. by_hand: there is no camera, so HOLD means to roll on.
    """
    if press.long or press.repeat:  # the loop handles undo and the menu; repeats are for its lists
        return Outcome(memory)
    memory = dice_state.settled(memory)
    calm = replace(memory, unconfirmed="") if memory.unconfirmed else memory
    seen = dice_state.intended_keep(rest, memory, request, thrown) if rest and request.kind == "keep" else None
    # HOLD does the same whether or not BANK would also stop: the referee need not be asked.
    asked = allowed if press.button == "bank" else lambda _: False
    taken = offer(request, memory, seen, asked, by_hand=by_hand)
    lying = rest is not None and bool(dice_state.unread_throw(request, rest, memory))
    buttons = press_table.PRESS_TABLE[situation(request, memory, taken, lying=lying)]
    does = buttons.hold if press.button == "hold" else buttons.bank
    return DEEDS[does.deed](_Asked(request, calm, rest, seen, taken))


@dataclass(frozen=True, slots=True)
class _Asked:
    """All that a press may depend on. memory: without a risky press that waited. seen: what is set aside at a keep."""

    request: Request
    memory: TableMemory
    rest: values.Rest | None
    seen: Faces | None
    taken: Offer | None


def _say_whose_throw(now: _Asked) -> Outcome:
    lying = dice_state.unread(now.rest, now.memory) if now.rest else ()
    if now.rest and lying:  # not the number due, which is worth a hint
        return throw_taken(now.request, now.memory, now.rest, lying, dice_state.unread_unsure(now.rest, now.memory))
    return Outcome(now.memory, hint=hints.waiting(now.request))


def _take_unread_dice(now: _Asked) -> Outcome:
    if now.rest is None:
        return Outcome(now.memory)
    lying = dice_state.unread_throw(now.request, now.rest, now.memory)
    return throw_taken(now.request, now.memory, now.rest, lying, dice_state.unread_unsure(now.rest, now.memory))


def _walk_on(now: _Asked) -> Outcome:
    walk = walked(now.request, now.memory, now.seen)
    on = _after_hold(now, walk)
    if walked(now.request, replace(now.memory, walk=on), now.seen) != on:  # dice set aside since restart it
        on = _after_hold(now, CursorWalk(aside=now.seen))
        if _stop(now, on) == _stop(now, walk):
            on = _after_hold(now, on)
    return Outcome(replace(now.memory, walk=_said(now, on)))


def _said(now: _Asked, on: CursorWalk) -> CursorWalk:
    """Return the walk with a note if a throw is already in the tray, which then waits for BANK."""
    thrown = now.rest is not None and bool(dice_state.new_dice(now.rest, now.memory))
    return replace(on, lying=now.request.kind == "keep" and thrown)


def _after_hold(now: _Asked, walk: CursorWalk) -> CursorWalk:
    return CursorWalk(after_hold(row_of(now.request, walk.aside), walk.path), walk.aside)


def _stop(now: _Asked, walk: CursorWalk) -> Stop:
    return stop_at(row_of(now.request, walk.aside), walk.path)


def _walk_in(now: _Asked) -> Outcome:
    walk = walked(now.request, now.memory, now.seen)
    row = row_of(now.request, walk.aside)
    return Outcome(replace(now.memory, walk=_said(now, CursorWalk(after_bank(row, walk.path), walk.aside))))


DEEDS: Mapping[press_table.Deed, Callable[[_Asked], Outcome]] = {
    "pause": lambda now: Outcome(replace(now.memory, paused=True)),
    "go on": lambda now: Outcome(replace(now.memory, paused=False)),
    "say it is paused": lambda now: Outcome(now.memory, hint=hints.PAUSED),
    "say whose throw": _say_whose_throw,
    "take unread dice": _take_unread_dice,
    "walk on": _walk_on,
    "walk in": _walk_in,
    "answer": lambda now: Outcome(now.memory, now.taken.answers if now.taken else ()),
    "ask again": lambda now: Outcome(replace(now.memory, unconfirmed=ROLL_ON), hint=hints.ROLL_ON_HOW),
    "roll on": lambda now: Outcome(now.memory, (Choose(ROLL_ON),)),
    "left to the loop": lambda now: Outcome(now.memory),
}
