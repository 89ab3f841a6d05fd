"""Derive results that are missing, such as after an update, in a thread beside the table."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

from tabletop.core.errors import StoreError
from tabletop.records import book, deriving, rating
from tabletop.store import Store

FIRST_S = 5.0  # the table opens first
PAUSE_S = 0.1  # between two matches: several replays a second, and the table's own threads come first
LAST_S = 1.0  # to finish the current match


@contextmanager
def catching_up(path: Path, *, rates: bool) -> Iterator[None]:
    """Derive what is missing in a store while the block runs.

    rates: then rate the players, which is slow the first time, for a page.
    """
    ended = Event()
    thread = Thread(target=_catch_up, args=(path, ended, rates), name="results", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join(LAST_S)


def _catch_up(path: Path, ended: Event, rates: bool) -> None:
    with suppress(StoreError):
        if not ended.wait(FIRST_S):
            with Store(path) as store:
                if not any(ended.wait(PAUSE_S) for _ in deriving.derive_missing(store)):
                    for matches in book.read_book(store).values() if rates else ():
                        rating.ratings_of(matches)
