"""Views of a match's log, and trial continuations. Changes nothing."""

from collections.abc import Iterable, Sequence

from tabletop.core.errors import RefusedError
from tabletop.interpret import obvious
from tabletop.rules import COUNTED, Answer, Correction, Event, Match

Entries = tuple[Event, ...]


def in_force(log: Sequence[Event]) -> list[Event]:
    """Return the entries that an undo can still reach, oldest first: answers, corrections, leaves and joins."""
    return [log[at] for at in places_in_force(log)]


def places_in_force(log: Iterable[Event]) -> list[int]:
    """Return the log indices of the entries that an undo can still reach, oldest first."""
    places: list[int] = []
    for at, event in enumerate(log):
        if event.kind == "undo":
            places.pop()
        else:
            places.append(at)
    return places


def undone_throws(log: Sequence[Event], entries: int) -> list[int]:
    """Return the log indices of the throws among the newest entries in force, oldest first."""
    return [place for place in places_in_force(log)[-entries:] if log[place].kind == "throw"]


def places_standing(log: Sequence[Event]) -> list[int]:
    """Return the log indices of the throws, keeps and choices that a correction can name, in its order."""
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
    """Return the throw, keep or choice in force with this number, from 1; None if there is none."""
    counted = [event.answer for event in match.events if event.kind in COUNTED]
    return counted[number - 1] if 1 <= number <= len(counted) else None


def is_forced(event: Event) -> bool:
    """Return whether this was the only possible answer, so that the table gave it."""
    return event.request is not None and bool(obvious(event.request))


def undos(count: int) -> Entries:
    """Return this many undos."""
    return (Event("undo"),) * count


def replayed_with(match: Match, events: Sequence[Event] = ()) -> Match:
    """Return a copy of the match with these drafted entries appended, replayed once."""
    return Match.replay(match.game.id, match.seated, match.options, (*match.log, *events))


def draft_undo(match: Match, entries: int, answers: tuple[Answer, ...] = ()) -> Entries:
    """Draft an undo of the newest `entries` followed by these answers.

    Raises RefusedError if fewer entries are in force, or an answer is not legal then.
    """
    force = len(in_force(match.log))
    if entries > force:
        raise RefusedError(f"expected at most {force} entries to take back, got {entries}")
    given = replayed_with(match, undos(entries)).draft(*answers) if answers else ()
    return undos(entries) + given
