"""BANK was forgotten: Ann should have stopped, Ben threw, and the table took it for Ann rolling on. Pure.

It is found in the log, not in what is asked now: the throw may have cost Ann her turn, or Ben may have gone on for a
while. What stands is then played again as if Ann had stopped: first the stop, then what was given after it, for as long
as the player asked then could have given it. The number of dice tells whether the throw can be the next player's.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tabletop.core.errors import RefusedError
from tabletop.core.message import say
from tabletop.dialogs.event_text import change_text, win_text
from tabletop.interpret.log_views import Entries, is_forced, played_on, replayed_with, undos
from tabletop.interpret.offers import ROLL_ON, stop_option
from tabletop.rules import Answer, Choose, Event, Match, Request
from tabletop.rules.events import COUNTED


@dataclass(frozen=True, slots=True)
class MissedBank:
    """A stop that may have been forgotten, and what would stand with it.

    text: one line for people. entries: how many of the newest entries in force it takes back. answers: what is given
    instead, the stop first. replayed: the events that those make after the stop, without those that give themselves;
    the first is the throw, if it can be the next player's. lost: what was given after the stop and no longer fits.
    change: what it changes in the scores. may_be: whether the dice speak for it: the next player may have thrown them,
    or with the stop nobody has anything more to throw.
    """

    text: str
    entries: int
    answers: tuple[Answer, ...]
    replayed: Entries
    lost: Entries
    change: str
    may_be: bool


def missed_banks(match: Match, entries: Sequence[Event], most: int) -> list[MissedBank]:
    """Return the stops that may have been forgotten, the newest first, at most this many.

    entries: those in force. A stop is looked for only before throws of one player, with nobody else's answer since: who
    has seen the next player throw in his own name has nothing to complain of. Where the same player is asked after the
    stop as well, nobody else can have thrown.
    """
    found: list[MissedBank] = []
    for at in _rolled_on(entries):
        if len(found) == most:
            break
        slip = _as_stopped(match, entries, at)
        if slip is not None:
            found.append(slip)
    return found


def _rolled_on(entries: Sequence[Event]) -> Iterator[int]:
    """Yield where somebody rolled on who might have stopped, and what followed was a throw, the newest first."""
    thrower: str | None = None
    after: Event | None = None  # what people gave next
    for at in range(len(entries) - 1, -1, -1):
        event = entries[at]
        if event.kind not in COUNTED or event.player is None:
            return
        if is_forced(event):
            continue
        rolled_on = event.request is not None and stop_option(event.request) and event.answer == Choose(ROLL_ON)
        if rolled_on and after is not None and after.kind == "throw":
            yield at
        thrower = thrower or event.player
        if event.player != thrower:
            return
        after = event


def _as_stopped(match: Match, entries: Sequence[Event], at: int) -> MissedBank | None:
    """Play what came after as if the answer at this place had been to stop; None if nobody else is asked then."""
    slip = entries[at]
    stop = stop_option(slip.request) if slip.request else None
    past = replayed_with(match, undos(len(entries) - at))
    if stop is None:
        return None
    given = list(played_on(past, Choose(stop)))
    asked = past.request
    if asked.player == slip.player:
        return None
    later = [event for event in entries[at + 1 :] if not is_forced(event)]
    replayed: list[Event] = []
    for event in later:
        if past.request.player != asked.player:
            break
        try:
            played = played_on(past, event.answer)
        except RefusedError:
            break
        replayed.append(played[0])
        given += played
    return MissedBank(
        _stopped_first(stop, slip.player or "", _then(asked, past.winners, replayed)),
        len(entries) - at,
        tuple(event.answer for event in given),
        tuple(replayed),
        tuple(later[len(replayed) :]),
        change_text(match, past),
        may_be=bool(replayed) or past.over,
    )


def _stopped_first(stop: str, name: str, then: str) -> str:
    if stop == "bank":
        return say("{name} banked first, {then}", name=name, then=then)
    return say("{name} stopped first, {then}", name=name, then=then)


def _then(asked: Request, winners: Sequence[str], replayed: Sequence[Event]) -> str:
    """Say what comes after the stop. asked: the request then; replayed: what was given again; winners: after all."""
    throws = sum(event.kind == "throw" for event in replayed)
    name = asked.player or ""
    if throws == 1:
        return say("this throw is {name}'s", name=name)
    if throws == len(("one", "another")):
        return say("both throws are {name}'s", name=name)
    if throws:
        return say("{n} throws are {name}'s", n=throws, name=name)
    if asked.kind == "over":
        return win_text(winners)
    if asked.kind != "roll":
        return say("{name} goes on", name=name)
    return say("all throw again") if asked.player is None else say("{name} throws again", name=name)
