"""The table's manners: what a rest or a press means while the game waits for something.

| the game waits for | a rest with dice thrown since | HOLD | BANK |
|---|---|---|---|
| a throw | as many as due: the throw; else the hint how many are missing or too many | pause | takes unread dice |
| a keep | keep what lies aside (or was walked to), roll on, throw | next part | keeps; stops where it may |
| roll or stop | roll on, throw | roll on, at the second press | stops |
| another choice | waits, with a hint: it is not lost | next | takes |

Something in the tray that cannot be read makes every one of these wait, with a hint that names it.
"""

from dataclasses import dataclass, replace

from tabletop.dice import Die, Rest, Unsure
from tabletop.interpret import doubts, hands
from tabletop.interpret.hands import Attention, Faces
from tabletop.interpret.offers import ROLL_ON, Allowed, offer, ordered, stop_option
from tabletop.ports import Press
from tabletop.rules import Answer, Choose, Keep, Request, Throw


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it: what to remember, answers for the referee in order, an undo, or a hint for people."""

    attention: Attention
    answers: tuple[Answer, ...] = ()
    undo: bool = False
    hint: str = ""


def on_rest(request: Request, attention: Attention, rest: Rest, thrown: Faces, allowed: Allowed) -> Outcome:
    """Return what this rest means. thrown: the throw last taken."""
    if attention.paused or request.kind == "over":
        return Outcome(attention)
    new, unsure = hands.fresh(rest, attention), hands.fresh_unsure(rest, attention)
    if unsure and (new or request.kind == "roll"):
        return Outcome(attention, hint=doubts.hint(unsure[0], rest))
    if request.kind == "roll":
        return _throw(request, attention, rest, new, ())
    if request.kind == "keep":
        return _at_keep(request, attention, rest, thrown, allowed)
    return _at_choice(request, attention, rest, new, allowed)


def on_press(
    request: Request,
    attention: Attention,
    press: Press,
    rest: Rest | None,
    thrown: Faces,
    allowed: Allowed,
    *,
    by_hand: bool = False,
) -> Outcome:
    """Return what a press means.

    rest: what lies in the tray, None while something moves. by_hand: nobody watches the tray, so that rolling on is
    said with HOLD, once.
    """
    if press.long:
        return Outcome(replace(attention, again=""), undo=press.button == "bank")
    if press.button == "hold":
        return _hold(request, attention, by_hand=by_hand)
    calm = replace(attention, again="")
    if request.kind == "roll":
        return _bank_at_roll(request, calm, rest)
    seen = hands.aside(rest, attention, request, thrown) if rest and request.kind == "keep" else None
    taken = offer(request, attention, seen, allowed, by_hand=by_hand)
    return Outcome(calm, taken.answers) if taken else Outcome(calm)


def obvious(request: Request) -> tuple[Answer, ...]:
    """Return the answer to a question that has only one, empty where people must decide."""
    if request.kind == "keep" and len(request.legal) == 1:
        return (Keep(request.legal[0]),)
    if request.kind == "choose" and len(request.options) == 1:
        return (Choose(request.options[0]),)
    return ()


def taken(rest: Rest, dice: tuple[Die, ...]) -> Attention:
    """Return the attention after these dice of the rest were taken as a throw."""
    now_s = rest.reading.time_s
    beside = tuple(die.face for die in rest.reading.dice if die not in dice)
    return Attention(spent_s=now_s, counted_s=now_s, laid=beside)


def _hold(request: Request, attention: Attention, *, by_hand: bool) -> Outcome:
    if request.kind == "roll":
        return Outcome(replace(attention, paused=not attention.paused))
    if request.kind == "keep" or (request.kind == "choose" and not stop_option(request)):
        return Outcome(replace(attention, walk=attention.walk + 1))
    if request.kind == "choose":
        if by_hand or attention.again == ROLL_ON:
            return Outcome(replace(attention, again=""), (Choose(ROLL_ON),))
        return Outcome(replace(attention, again=ROLL_ON), hint="to roll on just throw, or press HOLD again")
    return Outcome(attention)


def _bank_at_roll(request: Request, attention: Attention, rest: Rest | None) -> Outcome:
    lying = hands.unread(rest, attention) if rest else ()
    if rest and lying:
        return _throw(request, attention, rest, lying, rest.reading.unsure)
    return Outcome(attention, hint=f"waiting for {request}")


def _throw(
    request: Request, attention: Attention, rest: Rest, dice: tuple[Die, ...], unsure: tuple[Unsure, ...]
) -> Outcome:
    """Take these dice as the throw that is due, or say why not."""
    if not dice:
        return Outcome(attention)
    if unsure:
        return Outcome(attention, hint=doubts.hint(unsure[0], rest))
    if not isinstance(request.dice, int):
        return Outcome(attention, hint="several players throw at once: that comes later")
    if len(dice) != request.dice:
        return Outcome(attention, hint=_count_hint(request.dice, len(dice)))
    return Outcome(taken(rest, dice), (_thrown(dice),))


def _at_keep(request: Request, attention: Attention, rest: Rest, thrown: Faces, allowed: Allowed) -> Outcome:
    """Keep what lies aside or was walked to, roll on, and take the other dice as the throw, if they were thrown."""
    new, seen = hands.fresh(rest, attention), hands.aside(rest, attention, request, thrown)
    if not new:
        return Outcome(attention, hint=_illegal_aside(request, seen))
    seen = seen or ()
    if hands.unchanged(rest, attention, request, thrown, seen):
        return Outcome(attention, hint="dice moved, same faces: BANK keeps")
    part = ordered(request, seen)[attention.walk % len(request.legal)] if attention.walk else seen
    if not part and tuple(sorted(thrown)) in request.legal and () not in request.legal:
        part = tuple(sorted(thrown))  # nothing lies aside because all of it counts: hot dice
    if part not in request.legal:
        return Outcome(attention, hint=_illegal_aside(request, part))
    ways: tuple[tuple[Answer, ...], ...] = (
        (Keep(part), _thrown(new)),
        (Keep(part), Choose(ROLL_ON), _thrown(new)),
    )
    due = request.dice - len(part) if isinstance(request.dice, int) else 0
    return _first_allowed(ways, rest, new, allowed) or Outcome(attention, hint=_count_hint(due, len(new)))


def _at_choice(request: Request, attention: Attention, rest: Rest, new: tuple[Die, ...], allowed: Allowed) -> Outcome:
    if not new:
        return Outcome(attention)
    if not stop_option(request):
        return Outcome(attention, hint="choose first: HOLD next, BANK takes")
    rolled_on = _first_allowed(((Choose(ROLL_ON), _thrown(new)),), rest, new, allowed)
    return rolled_on or Outcome(attention, hint=f"{_count(new)} thrown: that is not what is due")


def _first_allowed(
    ways: tuple[tuple[Answer, ...], ...], rest: Rest, new: tuple[Die, ...], allowed: Allowed
) -> Outcome | None:
    return next((Outcome(taken(rest, new), way) for way in ways if allowed(way)), None)


def _thrown(dice: tuple[Die, ...]) -> Throw:
    return Throw(tuple(sorted(die.face for die in dice)))


def _count(dice: tuple[Die, ...]) -> str:
    return "one die" if len(dice) == 1 else f"{len(dice)} dice"


def _count_hint(due: int, got: int) -> str:
    if got < due:
        return "one die is missing" if due - got == 1 else f"{due - got} dice are missing"
    return "one die too many" if got - due == 1 else f"{got - due} dice too many"


def _illegal_aside(request: Request, seen: Faces | None) -> str:
    """Return the hint that what lies aside may not be kept, naming what may; empty where all is well."""
    if request.kind != "keep" or seen is None or seen in request.legal:
        return ""
    best = " ".join(map(str, request.legal[0])) or "nothing"
    if not seen:
        return f"set something aside first, such as {best}"
    return f"{' '.join(map(str, seen))} cannot be kept: keep {best}" + (", or less" if len(request.legal) > 1 else "")
