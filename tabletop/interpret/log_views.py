"""What stands in a match's log, and what the match would be with a few entries more. Nothing is changed here."""

from collections.abc import Iterable, Sequence

from tabletop.core.errors import RefusedError
from tabletop.interpret import obvious
from tabletop.rules import Answer, Correction, Event, Match
from tabletop.rules.events import COUNTED

Entries = tuple[Event, ...]

MANY_ANSWERS = 100  # more obvious answers in a row than this would be a game that asks nobody


def in_force(log: Sequence[Event]) -> list[Event]:
    """Return the entries that an undo can still reach, oldest first: answers, corrections, who left and joined."""
    return [log[at] for at in places_in_force(log)]


def places_in_force(log: Iterable[Event]) -> list[int]:
    """Return where in the log the entries stand that an undo can still reach, oldest first."""
    places: list[int] = []
    for at, event in enumerate(log):
        if event.kind == "undo":
            places.pop()
        else:
            places.append(at)
    return places


def places_standing(log: Sequence[Event]) -> list[int]:
    """Return where in the log the throws, keeps and choices stand that a correction counts, from 1 on, in its order."""
    standing: list[int] = []
    for at in places_in_force(log):
        event = log[at]
        if event.kind in COUNTED:
            standing.append(at)
        elif isinstance(event.value, Correction):
            dropped = event.value.dropped
            standing = [place for number, place in enumerate(standing, start=1) if number not in dropped]
    return standing


def answer_standing(match: Match, number: int) -> Answer | None:
    """Return the throw, keep or choice that stands with this number, from 1; None if there is none."""
    counted = [event.answer for event in match.events if event.kind in COUNTED]
    return counted[number - 1] if 1 <= number <= len(counted) else None


def is_forced(event: Event) -> bool:
    """Return whether this answer was the only one that could be given, so that the table gave it."""
    return event.request is not None and bool(obvious(event.request))


def undos(count: int) -> Entries:
    """Return this many undos."""
    return (Event("undo"),) * count


def replayed_with(match: Match, events: Sequence[Event] = ()) -> Match:
    """Return another match: this one with these drafted entries after it, played through once."""
    return Match.replay(match.game.id, match.seated, match.options, (*match.log, *events))


def draft_undo(match: Match, entries: int, answers: Iterable[Answer]) -> Entries:
    """Draft that the newest `entries` are taken back and these answers given then; nothing is changed.

    RefusedError if fewer entries are in force, or an answer is not legal then.
    """
    force = len(in_force(match.log))
    if entries > force:
        raise RefusedError(f"expected at most {force} entries to take back, got {entries}")
    given = tuple(answers)
    if not given:  # nothing to check: the match need not be played through again
        return undos(entries)
    past = replayed_with(match, undos(entries))
    return undos(entries) + tuple(_given(past, answer) for answer in given)


def played_on(match: Match, answer: Answer) -> Entries:
    """Give this match an answer and those after it that give themselves; return the events that they are.

    RefusedError if the first is not legal; the match is then as it was.
    """
    events = [_given(match, answer)]
    for _ in range(MANY_ANSWERS):
        alone = obvious(match.request)
        if not alone:
            break
        events += [_given(match, answer) for answer in alone]
    return tuple(events)


def _given(match: Match, answer: Answer) -> Event:
    (event,) = match.draft(answer)
    match.apply(event)
    return event
