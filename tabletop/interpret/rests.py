"""Interpret a rest in the current situation.

The effects of throws are in `press_table`; the table's reactions to everything that goes wrong in a tray are in
README.md. A throw at a keep keeps the dice set aside, or the part chosen with HOLD, and rolls on. The latest action
counts, except that dice left in the tray that make up the hand together with those thrown are kept regardless of HOLD.
In die-by-die questions, it keeps the dice kept so far. An unreadable die in the tray makes every throw wait, with a
hint that names it.
"""

from dataclasses import dataclass, replace
from math import inf

from tabletop.core.values import Die, Rest, Unsure
from tabletop.interpret import dice_state, hints, joint, unreadable
from tabletop.interpret.choices import Faces, row_of, stop_at
from tabletop.interpret.dice_state import TableMemory, Waiting
from tabletop.interpret.offers import ROLL_ON, STOPS, Allowed, kept_at, stop_option, walked
from tabletop.interpret.press_table import THROW_TABLE, Situation
from tabletop.rules import Answer, Choose, Keep, Request, Throw


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a rest or press: the new memory, answers for the referee in order, or a hint for users."""

    memory: TableMemory
    answers: tuple[Answer, ...] = ()
    hint: str = ""


def on_rest(
    request: Request, memory: TableMemory, rest: Rest, thrown: Faces, allowed: Allowed, *, own: int | None = None
) -> Outcome:
    """Return the outcome of this rest.

    thrown: the last throw. own: how many dice a player has; if more are due they come in parts. None: enough.
    """
    waits_for: Situation = "paused" if memory.paused else "roll or stop" if stop_option(request) else request.kind
    deed = THROW_TABLE[waits_for]
    if deed == "nothing":
        return Outcome(memory)
    new, unsure = dice_state.new_dice(rest, memory), dice_state.new_unsure(rest, memory)
    if deed == "is it":
        return _throw_due(request, memory, rest, own)
    if unsure and new:
        return Outcome(memory, hint=unreadable.hint(unsure[0], rest))
    if deed == "waits":
        return Outcome(memory, hint=hints.CHOOSE_FIRST if new else "")
    if deed == "keeps, rolls on":
        outcome = _keep_and_throw(request, memory, rest, thrown, allowed)
    else:
        outcome = _roll_on(request, memory, rest, thrown, allowed) if new else Outcome(memory)
    return outcome if outcome.answers or outcome.hint else replace(outcome, hint=_rolled_on_unread(rest, memory))


def _rolled_on_unread(rest: Rest, memory: TableMemory) -> str:
    """Return what to say where somebody may have rolled on and none of what was thrown can be read, else nothing."""
    if lain := dice_state.lain_unsure(rest, memory):
        return unreadable.hint(lain[0], rest)
    bare = not (rest.reading.dice or rest.reading.unsure)  # somebody who only sorts leaves some dice
    return hints.AGAIN if bare and dice_state.gone_unread(rest, memory) else ""


def obvious(request: Request) -> tuple[Answer, ...]:
    """Return the only possible answer to a question, empty if people must decide."""
    if request.kind == "keep" and len(request.legal) == 1:
        return (Keep(request.legal[0]),)
    if request.kind == "choose" and len(request.options) == 1:
        return (Choose(request.options[0]),)
    return ()


def memory_after_throw(rest: Rest, dice: tuple[Die, ...]) -> TableMemory:
    """Return the memory after these dice of the rest were taken as a throw."""
    now_s = rest.reading.time_s
    beside = tuple(die.face for die in rest.reading.dice if die not in dice)
    return TableMemory(ignored_until_s=now_s, counted_s=now_s, kept_faces=beside, counted=rest.reading.dice)


def throw_taken(
    request: Request, memory: TableMemory, rest: Rest, dice: tuple[Die, ...], unsure: tuple[Unsure, ...]
) -> Outcome:
    """Take these dice as the throw that is due, or explain why not."""
    if not dice:
        return Outcome(memory)
    if unsure:
        return Outcome(memory, hint=unreadable.hint(unsure[0], rest))
    if not isinstance(request.dice, int):
        return _joint_taken(request, memory, rest, dice)
    if len(dice) == request.dice and (others := {die.whose for die in dice} - {"", request.player}):
        return Outcome(memory, hint=hints.not_theirs(min(others), request.player or ""))
    if len(dice) != request.dice:
        return Outcome(memory, hint=hints.count(request.dice, len(dice)))
    return Outcome(memory_after_throw(rest, dice), (_thrown(dice),))


def _joint_taken(request: Request, memory: TableMemory, rest: Rest, dice: tuple[Die, ...]) -> Outcome:
    """Take these dice as a joint throw; dice of players who are not due do not count."""
    if throw := joint.whole(request, dice):
        return Outcome(memory_after_throw(rest, dice), (throw,))
    owned = any(die.whose for die in rest.reading.dice)
    return Outcome(memory, hint=joint.missing(request, dice) if owned else hints.TOGETHER)


def _throw_due(request: Request, memory: TableMemory, rest: Rest, own: int | None) -> Outcome:
    """Take what was thrown as the throw that is due, whole or in parts, or say what is wrong with it."""
    new, unsure, waits = dice_state.new_dice(rest, memory), dice_state.new_unsure(rest, memory), memory.waiting
    due = request.dice if isinstance(request.dice, int) else sum(request.dice.values())
    if not new and not unsure:
        alone = own if isinstance(request.dice, int) else None
        outcome = _nothing_lies(dice_state.watched(memory, rest, ()), rest, due, alone)
        # Before the cup is lifted, dice may have been seen while their player looked.
        return replace(outcome, hint="") if request.reveals and outcome.hint == hints.AGAIN else outcome
    new = dice_state.without_knocked(memory, rest, new, due)
    came = Waiting(tuple(sorted(die.face for die in new)), len(unsure), waits.parts, _newest_s(rest, new))
    # A part that is picked up die by die stays what it was.
    parts_of_it = own is not None and due > own and not waits.unsure and not unsure
    if not (parts_of_it and came.arrived_s <= waits.arrived_s and len(new) < len(waits.faces)):
        waits = came
    if len(waits.faces) + len(unsure) >= due or len(waits.parts) + len(waits.faces) + len(unsure) > due:
        waits = replace(waits, parts=())  # all of it again, or a restart
    waiting = replace(memory, waiting=waits)
    if unsure:
        return Outcome(waiting, hint=unreadable.hint(unsure[0], rest))
    got = len(waits.parts) + len(waits.faces)
    if waits.parts and got == due:
        return Outcome(memory_after_throw(rest, new), (Throw(tuple(sorted((*waits.parts, *waits.faces)))),))
    if own is not None and isinstance(request.dice, int) and got < due > own:
        return Outcome(waiting, hint=hints.part_lies(due, got))
    outcome = throw_taken(request, memory, rest, new, ())
    return outcome if outcome.answers else replace(outcome, memory=waiting)


def _newest_s(rest: Rest, dice: tuple[Die, ...]) -> float:
    return max((at_s for die, at_s in rest.dated_dice if die in dice), default=-inf)


def _nothing_lies(memory: TableMemory, rest: Rest, due: int, own: int | None) -> Outcome:
    """Say what has become of dice that came to rest for a throw and are in the hand again."""
    waits = memory.waiting
    if own is not None and due > own and not waits.unsure:
        parts = (*waits.parts, *waits.faces)
        counted = replace(memory, waiting=Waiting(parts=parts))
        return Outcome(counted, hint=hints.parts_counted(due, len(parts)) if parts else "")
    gone = len(waits.faces) + waits.unsure == due or dice_state.gone_unread(rest, memory)
    return Outcome(memory, hint=hints.AGAIN if gone else "")


def _keep_and_throw(request: Request, memory: TableMemory, rest: Rest, thrown: Faces, allowed: Allowed) -> Outcome:
    """Keep what is set aside or was walked to, roll on, and take the other dice as the throw, if they were thrown.

    If people were asked whether dice only changed places, the question stands while the whole hand is there. A player
    a player who picks up other dice instead of answering keeps the moved ones, and only later dice are thrown.
    """
    if memory.moved_s <= memory.ignored_until_s:
        return _kept_and_thrown(request, memory, rest, thrown, allowed)
    kept = replace(memory, moved_kept=True)
    if dice_state.new_dice(rest, kept):
        kept = dice_state.settled(kept)
    elif dice_state.hand_lies(rest, kept, request, thrown):
        return Outcome(replace(memory, moved_kept=False), hint=hints.DICE_MOVED)
    return _kept_and_thrown(request, kept, rest, thrown, allowed)


def _kept_and_thrown(request: Request, memory: TableMemory, rest: Rest, thrown: Faces, allowed: Allowed) -> Outcome:
    new, seen = dice_state.new_dice(rest, memory), dice_state.aside(rest, memory, request, thrown)
    if not new:
        return _with_dice_aside(request, dice_state.watched(memory, rest, seen), rest, thrown, seen)
    walk = walked(request, memory, seen)
    part, seen = dice_state.part_kept(memory, seen), seen or ()
    carried = dice_state.on_its_way(request, memory, rest, new)
    if carried or dice_state.unchanged(rest, memory, request, thrown, seen):
        asked = memory if carried else replace(memory, moved_s=_newest_s(rest, new), held=None)
        return Outcome(asked, hint="" if carried else hints.DICE_MOVED)
    away = dice_state.taken_away(request, memory, rest, new)
    if walk.lying:
        return Outcome(memory, hint=hints.BANK_KEEPS)
    if memory.walk is not None and not dice_state.fits(request, part, new):
        part = kept_at(stop_at(row_of(request, walk.aside), walk.path))
    elif away and (parts := dice_state.parts_of(request, away)):
        if len(parts) > 1:
            return Outcome(memory, hint=hints.which_kept(request, away))
        part = parts[0]
    elif not part and tuple(sorted(thrown)) in request.legal and () not in request.legal:
        part = tuple(sorted(thrown))  # none is set aside because all of it counts: hot dice
    if part not in request.legal:
        aside = hints.illegal_aside(request, part)
        return Outcome(memory, hint=_forgotten(request, thrown, new, allowed) or aside)
    due = request.dice - len(part) if isinstance(request.dice, int) else 0
    new = dice_state.without_knocked(memory, rest, new, due) if due else new
    candidates: tuple[tuple[Answer, ...], ...] = (
        (Keep(part), _thrown(new)),
        (Keep(part), Choose(ROLL_ON), _thrown(new)),
    )
    kept = _first_allowed(candidates, rest, new, allowed)
    wrong = hints.count(due, len(new)) if due else hints.not_due(new)  # all kept: only the game knows what is due then
    return kept or Outcome(memory, hint=_forgotten(request, thrown, new, allowed) or wrong)


def _with_dice_aside(request: Request, memory: TableMemory, rest: Rest, thrown: Faces, seen: Faces | None) -> Outcome:
    """Note what lies aside: it ends an older walk to other dice."""
    noted = dice_state.with_dice_aside(rest, memory, request, thrown)
    if noted.walk is None:
        return Outcome(noted, hint=hints.illegal_aside(request, seen))
    return Outcome(replace(noted, walk=walked(request, noted, seen)) if noted.aside == seen else noted)


def _roll_on(request: Request, memory: TableMemory, rest: Rest, thrown: Faces, allowed: Allowed) -> Outcome:
    """Take the dice as rolling on, if the player whose turn it is has thrown them."""
    new = dice_state.new_dice(rest, memory)
    if any(die.whose for die in new):  # in a joint throw, others may still decide, and the die waits
        if request.player in {die.whose for die in new} and allowed((Choose(ROLL_ON),)):
            return Outcome(memory, (Choose(ROLL_ON),))
        return Outcome(memory, hint=hints.decides_first(request.player or ""))
    rolled_on = _first_allowed(((Choose(ROLL_ON), _thrown(new)),), rest, new, allowed)
    return rolled_on or Outcome(memory, hint=_forgotten(request, thrown, new, allowed) or hints.not_due(new))


def _forgotten(request: Request, thrown: Faces, new: tuple[Die, ...], allowed: Allowed) -> str:
    """Return a hint if these dice are as many as the next player throws once BANK is pressed, else nothing.

    BANK leaves them where they are, so they count for that player. Faces thrown before are dice moved by hand.
    """
    throw = _thrown(new)
    if throw == Throw(tuple(sorted(thrown))):
        return ""
    kept: tuple[Answer, ...] = (Keep(request.legal[0]),) if request.kind == "keep" else ()
    return hints.BANK_FIRST if any(allowed((*kept, Choose(stop), throw)) for stop in STOPS) else ""


def _first_allowed(
    candidates: tuple[tuple[Answer, ...], ...], rest: Rest, new: tuple[Die, ...], allowed: Allowed
) -> Outcome | None:
    return next((Outcome(memory_after_throw(rest, new), way) for way in candidates if allowed(way)), None)


def _thrown(dice: tuple[Die, ...]) -> Throw:
    return Throw(tuple(sorted(die.face for die in dice)))
