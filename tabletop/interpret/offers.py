"""What BANK would take now, HOLD walking from one offer to the next, and what both buttons are called."""

from collections.abc import Callable
from dataclasses import dataclass

from tabletop.interpret.hands import Attention, Faces
from tabletop.rules import Answer, Choose, Keep, Request

Allowed = Callable[[tuple[Answer, ...]], bool]
"""Tells whether these answers, one after the other, are legal now; changes nothing."""

ROLL_ON = "roll"
STOPS = ("bank", "stop")  # the words of the rule texts for ending a turn of one's own will


@dataclass(frozen=True, slots=True)
class Offer:
    """What BANK takes. label: for people, "keep 3 3" or "full house 25". answers: what it means to the referee."""

    label: str
    answers: tuple[Answer, ...]


def stop_option(request: Request) -> str | None:
    """Return the option that ends the turn where the question is to roll on or to stop, else None."""
    if request.kind != "choose" or len(request.options) != len((ROLL_ON, "stop")) or ROLL_ON not in request.options:
        return None
    return next((option for option in request.options if option in STOPS), None)


def ordered(request: Request, seen_aside: Faces | None) -> tuple[Faces, ...]:
    """Return the legal parts, the one seen aside first, then as the game has them: best first."""
    if seen_aside in request.legal:
        return (seen_aside, *(part for part in request.legal if part != seen_aside))
    return request.legal


def offer(
    request: Request, attention: Attention, seen_aside: Faces | None, allowed: Allowed, *, by_hand: bool = False
) -> Offer | None:
    """Return what BANK takes now at a keep or a choice, None at a roll, a joint throw and the end.

    by_hand: no throw can say that somebody keeps and rolls on, so that a keep never stops of itself.
    """
    if request.kind == "keep":
        parts = ordered(request, seen_aside)
        part = parts[attention.walk % len(parts)]
        label = "keep " + (" ".join(map(str, part)) or "nothing")
        for stop in () if by_hand else STOPS:
            if allowed((Keep(part), Choose(stop))):
                return Offer(f"{label}, {stop}", (Keep(part), Choose(stop)))
        return Offer(label, (Keep(part),))
    if request.kind == "choose":
        option = stop_option(request) or best_first(request)[attention.walk % len(request.options)]
        gives = request.gives.get(option)
        return Offer(option if gives is None else f"{option} {gives}", (Choose(option),))
    return None


def best_first(request: Request) -> tuple[str, ...]:
    """Return the options of a choice, those that give most first, else in the game's order."""
    return tuple(sorted(request.options, key=lambda option: -request.gives.get(option, 0)))


def labels(request: Request, attention: Attention, *, lying: bool) -> tuple[str, str]:
    """Return what HOLD and BANK do now, at most nine characters each. lying: unread dice lie in the tray."""
    if request.kind == "roll":
        return ("go on" if attention.paused else "pause"), ("take" if lying else "")
    if request.kind == "keep":
        return "next", "keep"
    if request.kind == "choose":
        stop = stop_option(request)
        return ("roll", stop) if stop else ("next", "take")
    return "", "again"
