"""The events of one match: stored first, then applied, then passed on."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from tabletop.core import message, values
from tabletop.core.errors import DamagedError, ReplayError, StoreError, TabletopError
from tabletop.records import book
from tabletop.rules import Event, Match
from tabletop.store import Ending, Store, StoredEvent, StoredMatch

EventListener = Callable[[Mapping[str, Any]], None]
"""Receives each event, as a line of `play --json`, once it is on disk and applied."""


class Journal:
    """A match with the store that keeps its events.

    match: the current state; only the journal changes it. store: None if the match is stored elsewhere or not at all.
    number: the match's number in the store. time: returns the moment of an event. listener: called with each event once
    it is on disk. fallen: the record that the newest events have set, empty if none.
    """

    def __init__(
        self, match: Match, store: Store | None, number: int, time: Callable[[], values.Moment], listener: EventListener
    ) -> None:
        self.match, self.number = match, number
        self._store, self._time, self._listener = store, time, listener
        self._noted = ending_of(match)
        self.fallen = ""

    @property
    def asked(self) -> tuple[int, int]:
        """The identity of the current question: match number and log length."""
        return self.number, len(self.match.log)

    def record(self, events: tuple[Event, ...]) -> None:
        """Store events, apply them and pass them on. Raises StoreError; nothing has happened then."""
        first, moment = len(self.match.log) + 1, self._time()
        if self._store is not None:
            self._store.append(self.number, first, [(moment.time, event.to_json()) for event in events], moment.clock)
        for n, event in enumerate(events, start=first):
            self.match.apply(event)
            line = {key: value for key, value in event.to_json().items() if key != "request"}
            self._listener({"n": n, "time": moment.time, **line})
        self._note_ending()
        self.fallen = ""
        with suppress(TabletopError):  # what is missing is derived at the next start
            self.fallen = book.note_end(self._store, self.number, self.match)

    def change_options(self, **options: Any) -> None:  # noqa: ANN401 - whatever type the game's options have
        """Restart the match with other options, before its first event. Raises StoreError; nothing has changed then."""
        match = Match(self.match.game.id, self.match.seated, **{**self.match.options, **options})
        if self._store is not None:
            self._store.change_options(self.number, match.options)
        self.match = match

    def keep_colour(self, name: str, colour: str) -> None:
        """Store the colour of a player's dice for resuming; raises StoreError."""
        if self._store is not None:
            self._store.keep_colour(self.number, name, colour)

    def _note_ending(self) -> None:
        """Update the store's list of open matches; if that fails now, the next event tries again.

        Nothing is lost meanwhile: whether the match is over follows from its events, which are on disk.
        """
        ending = ending_of(self.match)
        if self._store is None or ending == self._noted:
            return
        with suppress(StoreError):
            self._store.end(self.number, ending)
            self._noted = ending


def ending_of(match: Match) -> Ending | None:
    """Return the store's name for how this match ended, None while it is open."""
    if match.abandoned:
        return "abandoned"
    return "over" if match.over else None


def check_match(stored: StoredMatch) -> None:
    """Raise DamagedError if a cell of the match's row cannot be read."""
    if stored.damage:
        raise DamagedError(damaged(stored.number, stored.damage))


def damaged(number: int, what: str) -> message.Message:
    """Return the error text for a match that a damaged memory card has corrupted."""
    return message.say(
        "match {n} cannot be read any more ({text}): `tabletop doctor` shows the damage; nothing is deleted",
        n=number,
        text=what,
    )


def read_event(stored: StoredMatch, event: StoredEvent) -> Event:
    """Return an event of a stored match; raises DamagedError."""
    try:
        return Event.from_json(event.body)
    except ReplayError as error:
        raise DamagedError(damaged(stored.number, message.say("event {n}", n=event.n))) from error


def load_match(store: Store, stored: StoredMatch) -> Match:
    """Load a stored match and replay all its events.

    Raises ReplayError naming the first event that no longer fits; its `match` is the match up to there. Raises its
    subclass DamagedError if the match or one of its events cannot be read.
    """
    check_match(stored)
    events = [read_event(stored, event) for event in store.events(stored.number)]
    try:
        return Match.replay(stored.game, stored.players, stored.options, events)
    except ReplayError as error:
        text = message.say(
            "match {n} cannot be resumed: the rules have changed since ({text}); `tabletop replay {n2}` shows it up to "
            "there, and nothing is deleted",
            n=stored.number,
            text=str(error),
            n2=stored.number,
        )
        raise ReplayError(text, error.match) from error
