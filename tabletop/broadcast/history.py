"""Read the events of a store in the order in which they were stored, each with what follows from it."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Self

from tabletop.broadcast.vocabulary import VERSION, Fields, Standing, beginning, consequences, line_of
from tabletop.core.errors import InputError, ReplayError
from tabletop.rules import Event, Match
from tabletop.store import Store, StoredMatch

AT_ONCE = 500  # rows of one reading
LAST_PART = 1 << 20  # behind all that follows from one stored event


class Place(NamedTuple):
    """A place in the sequence of all events of a store. part: 0 for the stored event, then what follows from it.

    As text "ID.PART", an event's id.
    """

    sequence: int
    part: int = 0

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse an event's id; raises InputError."""
        sequence, dot, part = text.partition(".")
        if not (dot and all(word.isascii() and word.isdigit() and len(word) < 20 for word in (sequence, part))):  # noqa: PLR2004 - digits of the largest row id
            raise InputError(f"expected the id of an event such as 17.0, got {text[:40]!r}")
        return cls(int(sequence), int(part))

    def __str__(self) -> str:
        """Return the event's id."""
        return f"{self.sequence}.{self.part}"


@dataclass(frozen=True, slots=True)
class Told:
    """An event for other programs. place: None for a live event, which is not stored. data: its JSON object."""

    place: Place | None
    data: Fields


class History:
    """The events of one store. The match read last is kept, so that its next events cost no replay.

    Use it in one thread. path: the store, which is opened for each reading.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._number, self._n = 0, 0
        self._match: Match | None = None

    def after(self, place: Place) -> list[Told]:
        """Return some of what comes after this place, oldest first; empty if nothing does. Raises StoreError."""
        told, last = list[Told](), place.sequence - 1
        with Store(self._path, looking=True) as store:
            while not told and (rows := store.sequence(last, AT_ONCE)):
                for last, number, n in rows:
                    if last > place.sequence or place.part < LAST_PART:
                        told += self._read(store, last, number, n, place)
        return told

    def of_match(self, number: int) -> list[Fields]:
        """Return all events of one match, without ids; raises InputError for a number that no match has, StoreError."""
        with Store(self._path, looking=True) as store:
            stored = store.match(number)
            ends = stored.events + 1
            return [data for n in range(ends) for data in self._lines(store, stored, n)]

    def _read(self, store: Store, sequence: int, number: int, n: int, after: Place) -> Iterator[Told]:
        try:
            stored = store.match(number)
        except InputError:  # deleted
            return
        for part, data in enumerate(self._lines(store, stored, n)):
            place = Place(sequence, part)
            if place > after:
                yield Told(place, {"id": str(place), **data})

    def _lines(self, store: Store, stored: StoredMatch, n: int) -> Iterator[Fields]:
        """Yield event n of a match and what follows from it; nothing if it is damaged or no longer fits the rules."""
        try:
            match, time = self._replayed(store, stored, n), stored.begun
            if n == 0:
                lines = [*beginning(match)]
            else:
                row, before = store.event(stored.number, n), Standing.of(match)
                event, time = Event.from_json(row.body), row.time
                match.apply(event)
                lines = [line_of(event), *consequences(event, before, match)]
        except (InputError, ReplayError, ValueError):
            self._match = None
            return
        self._n = n
        fields = {"v": VERSION, "match": stored.number, "n": n, "time": time}  # in the order of `play --json`
        yield from ({**fields, **line} for line in lines)

    def _replayed(self, store: Store, stored: StoredMatch, n: int) -> Match:
        """Return the kept match, brought to where event n happened."""
        before = max(n - 1, 0)
        if self._match is None or (self._number, self._n) != (stored.number, before) or n == 0:
            events = (Event.from_json(row.body) for row in store.events(stored.number)[:before])
            self._match = Match.replay(stored.game, stored.players, stored.options, events)
            self._number = stored.number
        return self._match
