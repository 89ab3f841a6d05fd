"""The hub: reads each new event once, in a separate thread, and hands it to all followers.

The table's thread only says that something was stored, or shows a snapshot; both return at once.
"""

import threading
from collections import deque
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any
from uuid import uuid4

from tabletop.broadcast.history import LAST_PART, History, Place, Told
from tabletop.broadcast.state import TableState, state_of
from tabletop.broadcast.vocabulary import VERSION, Fields
from tabletop.core.errors import StoreError
from tabletop.core.ports import Frame
from tabletop.store.clock import written
from tabletop.views.snapshot import Snapshot

MOST_KEPT = 2000  # newest events in memory: a follower further behind reads the store
HELP_S = 1.5  # a hint that stands for less is gone before anybody has turned round
JOIN_S = 2.0  # for the last reading


class Hub:
    """Reads a store's new events. It listens to stored events, is a view, and may be used by any thread.

    path: the store. state: what `GET /api/v1/state` returns; replaced, never changed.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.state = path, state_of(Snapshot())
        self._changed = threading.Condition()
        self._changes = self._news = self._closed = False
        self._kept: deque[tuple[int, Told]] = deque(maxlen=MOST_KEPT)
        self._run, self._numbers, self._newest = uuid4().hex[:8], count(1), 0
        self._place, self._calls = Place(0), list[Callable[[], None]]()
        self._table = TableState(HELP_S)
        self._thread = threading.Thread(target=self._read, name="events", daemon=True)

    def start(self, newest: int) -> None:
        """Begin to read. newest: the id of what the store has already (`Store.newest_sequence`)."""
        self._place = Place(newest, LAST_PART)
        self._thread.start()

    def stored(self, _: Mapping[str, Any]) -> None:
        """Note that an event was stored; returns at once."""
        self._wake(news=True)

    def show(self, snapshot: Snapshot, frame: Frame | None, now_s: float) -> None:  # noqa: ARG002 - as every view
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

    @property
    def closed(self) -> bool:
        """Whether no more events will come."""
        return self._closed and not self._thread.is_alive()

    def call(self, listener: Callable[[], None]) -> None:
        """Call this from the reading thread after each reading, also the last one; it must return at once."""
        self._calls.append(listener)

    def leave(self, listener: Callable[[], None]) -> None:
        """No longer call this."""
        self._calls.remove(listener)

    def kept(self) -> tuple[Place, int, list[tuple[int, Told]]]:
        """Return the place of the newest stored event read, the newest running number, and the numbered kept events."""
        with self._changed:
            return self._place, self._newest, list(self._kept)

    def _live(self, fields: Fields) -> Fields:
        own = f"{self._run}-{next(self._numbers)}"  # no digits and a dot: never the id of a stored event
        return {"id": own, "v": VERSION, "match": self.state["match"], "time": written(datetime.now(UTC)), **fields}

    def _keep(self, told: list[Told]) -> None:
        with self._changed:
            for one in told:
                self._newest += 1
                self._kept.append((self._newest, one))
                self._place = one.place or self._place

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
            while news and (told := _after(history, self._place)):
                self._keep(told)
            for listener in tuple(self._calls):
                listener()


class Follower:
    """One follower's place in the events. Use it in one thread.

    after: the place of the last event that it has, None for only new ones.
    """

    def __init__(self, hub: Hub, after: Place | None = None) -> None:
        self._hub = hub
        newest, self._number, _ = hub.kept()
        self.place = newest if after is None else after
        self._behind = self.place < newest
        self._history: History | None = None

    def take(self) -> list[Told]:
        """Return the next events, oldest first; empty if there are none."""
        newest, number, kept = self._hub.kept()
        if kept and self._number < kept[0][0] - 1:  # some are no longer kept
            self._behind, self._number = True, number
        if self._behind:
            self._history = self._history or History(self._hub.path)
            told = _after(self._history, self.place)
            if told:
                self.place = told[-1].place or self.place
                return told
            self._behind, self._history = False, None
        told = [one for own, one in kept if own > self._number and (one.place is None or one.place > self.place)]
        self._number = number
        self.place = max(self.place, newest)
        return told


def _after(history: History, place: Place) -> list[Told]:
    try:
        return history.after(place)
    except StoreError:  # damaged, or gone: the table itself says so
        return []
