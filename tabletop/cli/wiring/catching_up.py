"""Derive results that are missing, such as after an update, in a thread beside the table."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

from tabletop.core.errors import StoreError
from tabletop.records.book import read_book
from tabletop.records.deriving import derive_missing
from tabletop.records.rating import ratings_of
from tabletop.session.journal import load_match
from tabletop.store import Store

FIRST_S = 5.0  # the table opens first
LAST_S = 1.0  # to finish the current match


@contextmanager
def catching_up(path: Path, *, rates: bool) -> Iterator[None]:
    """Derive what is missing in a store while the block runs, at most half of the time.

    rates: rate the players after that, for the page: only the first time takes longer than a moment.
    """
    ended = Event()

    def run() -> None:
        worked_s = time.monotonic()

        def goes_on(*_: int) -> bool:
            nonlocal worked_s
            ends = ended.wait(time.monotonic() - worked_s)
            worked_s = time.monotonic()
            return not ends

        if not ended.wait(FIRST_S):
            with suppress(StoreError), Store(path) as store:
                derive_missing(store, lambda number: load_match(store, store.match(number)), goes_on)
                for matches in read_book(store).values() if rates else ():
                    if goes_on():
                        ratings_of(matches)

    thread = Thread(target=run, name="results", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join(LAST_S)
