"""Derive results that are missing, such as after an update, in a thread beside the table."""

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
PAUSE_S = 0.1  # between two matches: several replays a second, and the table's own threads come first
LAST_S = 1.0  # to finish the current match


@contextmanager
def catching_up(path: Path) -> Iterator[None]:
    """Derive what is missing in a store while the block runs; then rate the players, which is slow the first time."""
    ended = Event()

    def run() -> None:
        with suppress(StoreError):
            if ended.wait(FIRST_S):
                return
            with Store(path) as store:
                for _ in derive_missing(store, lambda number: load_match(store, store.match(number))):
                    if ended.wait(PAUSE_S):
                        return
                for matches in read_book(store).values():
                    ratings_of(matches)

    thread = Thread(target=run, name="results", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join(LAST_S)
