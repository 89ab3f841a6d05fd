"""Distribute the newest snapshot to all viewers: encoded once, and only while there are viewers.

The thread that plays the match puts snapshots in and never waits. Viewers are coroutines of the server's thread: each
asks for something newer than it has, so a slow viewer misses snapshots and delays nobody.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from tabletop.views.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Published:
    """An encoded snapshot or picture. count: its number."""

    count: int
    data: bytes


class Bell:
    """Wakes the coroutines of one loop."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._rung = asyncio.Event()

    def ring(self) -> None:
        """Wake all who wait, from any thread; returns at once."""
        if self._loop is not None:
            with suppress(RuntimeError):  # the server's loop has ended in the meantime
                self._loop.call_soon_threadsafe(self._wake)

    def next(self) -> asyncio.Event:
        """Return what is set when it rings next: ask for it before looking for news."""
        self._loop = asyncio.get_running_loop()
        return self._rung

    def _wake(self) -> None:
        waited, self._rung = self._rung, asyncio.Event()
        waited.set()


class Feed:
    """Delivers the newest snapshot to any number of viewers. encode: makes bytes of count and snapshot."""

    def __init__(self, encode: Callable[[int, Snapshot], bytes]) -> None:
        self.encodings = 0
        self._encode = encode
        self._newest: tuple[int, Snapshot] | None = None
        self._encoded: Published | None = None
        self._bell, self._closed = Bell(), False

    @property
    def count(self) -> int:
        """The number of snapshots so far."""
        return self._newest[0] if self._newest else 0

    def put(self, snapshot: Snapshot) -> None:
        """Publish the newest snapshot, from any one thread; returns at once."""
        self._newest = self.count + 1, snapshot
        self._bell.ring()

    def close(self) -> None:
        """Disconnect all viewers, from any thread."""
        self._closed = True
        self._bell.ring()

    async def after(self, count: int) -> Published | None:
        """Wait for a snapshot newer than this number, -1 for any, and return it; None once closed."""
        rung = self._bell.next()
        while not self._closed:
            newest = self._newest
            if newest is None or newest[0] <= count:
                await rung.wait()
                rung = self._bell.next()
                continue
            if self._encoded is None or self._encoded.count != newest[0]:
                self._encoded = Published(newest[0], self._encode(*newest))
                self.encodings += 1
            return self._encoded
        return None
