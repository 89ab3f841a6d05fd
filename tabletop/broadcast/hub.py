"""The hub: reads each new event once, in a separate thread, and hands it to all followers.

The table's thread only says that something was stored, or shows a snapshot; both return at once.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any, Protocol
from uuid import uuid4

from tabletop.broadcast.history import LAST_PART, History, Place, Told
from tabletop.broadcast.state import TableState, state_of
from tabletop.broadcast.vocabulary import VERSION, Fields
from tabletop.core import errors, ports
from tabletop.store.clock import written
from tabletop.store.copies import NEWEST
from tabletop.views.snapshot import Snapshot

MOST_KEPT = 2000  # newest events in memory: a follower further behind reads the store
HELP_S = 1.5  # a hint that stands for less is gone before anybody has turned round
JOIN_S = 2.0  # for the last reading


class Hub:
    """Reads a store's new events. It listens to stored events, is a view, and may be used by any thread.

    path: the store. state: what `GET /api/v1/state` returns; replaced, never changed. place: of the newest event; a
    live one has the next place behind the stored event before it.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.state = path, state_of(Snapshot())
        self._changed = threading.Condition()
        self._changes = self._news = self._closed = False
        self._kept = deque[tuple[Place, Told]]()
        self._run, self._numbers = uuid4().hex[:8], count(1)
        self._copy = (0, 0)  # the automatic copy when it last forgot
        self.place = self._since = Place(0)  # since: all that came behind this is kept
        self._calls = list[Callable[[], None]]()
        self._table = TableState(HELP_S)
        self._thread = threading.Thread(target=self._read, name="events", daemon=True)

    def start(self, newest: int) -> None:
        """Begin to read. newest: the id of what the store has already (`Store.newest_sequence`)."""
        self.forget_erased()
        self.place = self._since = Place(newest, LAST_PART)
        self._thread.start()

    def stored(self, _: Mapping[str, Any]) -> None:
        """Note that an event was stored; returns at once."""
        self._wake(news=True)

    def show(self, snapshot: Snapshot, frame: ports.Frame | None, now_s: float) -> None:  # noqa: ARG002 - as every view
        """Note what the table shows; returns at once."""
        before, state = self.state, state_of(snapshot)
        live = [Told(None, self._live(fields)) for fields in self._table.changes(snapshot, now_s)]
        if live or state != before:
            self.state = state
            self._keep(live)
            self._wake(news=state["match"] != before["match"])  # it may have begun just now

    def close(self) -> None:
        """Read what was stored before, then stop. Closing twice does nothing."""
        self._closed = True
        self._wake(news=True)
        if self._thread.is_alive():
            self._thread.join(JOIN_S)

    @property
    def begun(self) -> bool:
        """Whether it knows what the store holds."""
        return self._thread.ident is not None

    def call(self, listener: Callable[[], None]) -> None:
        """Call this from the reading thread after each reading, also the last one; it must return at once."""
        self._calls.append(listener)

    def kept(self) -> tuple[Place, list[tuple[Place, Told]]]:
        """Return the newest events with their places, and the place behind which they are all."""
        self.forget_erased()
        with self._changed:
            return self._since, list(self._kept)

    def forget_erased(self) -> None:
        """Forget the events in memory if something was deleted for good, by any process: all read the store again.

        A deletion replaces the automatic copies; so does a new day, where this costs a reading and nothing else.
        """
        copy = (0, 0)
        with suppress(OSError):
            stat = self.path.with_name(self.path.name + NEWEST).stat()
            copy = (stat.st_ino, stat.st_mtime_ns)
        with self._changed:
            if copy != self._copy:
                self._copy, self._since = copy, self.place
                self._kept.clear()

    def _live(self, fields: Fields) -> Fields:
        own = f"{self._run}-{next(self._numbers)}"  # no digits and a dot: never the id of a stored event
        return {"id": own, "v": VERSION, "match": self.state["match"], "time": written(datetime.now(UTC)), **fields}

    def _keep(self, told: list[Told]) -> None:
        with self._changed:
            for one in told:
                sequence, part = self.place
                self.place = Place(one.place.sequence, LAST_PART) if one.place else Place(sequence, part + 1)
                self._kept.append((one.place or self.place, one))
                if len(self._kept) > MOST_KEPT:
                    self._since, _ = self._kept.popleft()

    def _wake(self, *, news: bool) -> None:
        with self._changed:
            self._changes, self._news = True, self._news or news
            self._changed.notify_all()

    def _read(self) -> None:
        history, ends = History(self.path), False
        while not ends:
            with self._changed:
                self._changed.wait_for(lambda: self._changes)
                news, ends = self._news, self._closed
                self._changes = self._news = False
            while news and (told := _after(history, self.place)):
                self._keep(told)
            for listener in tuple(self._calls):
                listener()


class Follower:
    """One follower's place in the events. Use it in one thread.

    after: the place of the last event that it has, None for only new ones.
    """

    def __init__(self, hub: Hub, after: Place | None = None) -> None:
        self._hub, self._begun = hub, hub.place
        self.place = self._begun if after is None else after

    def take(self) -> list[Told]:
        """Return the next events, oldest first; empty if there are none. A live one from before it began is none."""
        since, kept = self._hub.kept()
        if self.place < since:  # some are no longer kept
            told = _after(History(self._hub.path), self.place)
            self.place = (told[-1].place if told else None) or since
            if told:
                return told
        new = [(place, one) for place, one in kept if place > self.place and (one.place or place > self._begun)]
        self.place = new[-1][0] if new else self.place
        return [one for _, one in new]


def _after(history: History, place: Place) -> list[Told]:
    try:
        return history.after(place)
    except errors.StoreError:  # damaged, or gone: the table itself says so
        return []


class Outlet(Protocol):
    """Carries events to others in its thread. A slow or broken receiver never delays the table."""

    thread: threading.Thread

    def start(self, hub: Hub) -> None:
        """Begin to follow the hub; returns at once."""

    def end(self, ends_s: float) -> None:
        """Send what is left, until this moment of `time.monotonic` at most, then stop; returns at once."""


def close_all(outlets: Iterable[Outlet], within_s: float) -> None:
    """Let all outlets of a closed hub send what is left, side by side, and wait for them at most this long."""
    running, ends_s = tuple(outlets), time.monotonic() + within_s
    for outlet in running:
        outlet.end(ends_s)
    for outlet in running:
        outlet.thread.join(max(0.0, ends_s - time.monotonic()))
