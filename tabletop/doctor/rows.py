"""The line about the rows of the store: which of them cannot be read, match by match and event by event."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

from tabletop.core.checks import Check
from tabletop.core.errors import ReplayError, StoreError
from tabletop.core.message import join, say
from tabletop.rules import Event
from tabletop.store import Store
from tabletop.store.opening import as_text
from tabletop.store.rows import sound, stored_options, stored_players

MOST_NAMED = 20  # damaged rows, before the others are only counted
TYPES = {"TEXT": str, "INTEGER": int}  # of the columns of the side tables; any other is damage
SIDE_TABLES = ("name", "clock", "colour", "playing", "preset", "same_name")


def rows_check(path: Path, *, thorough: bool) -> Check | None:
    """Return whether every row can be read; None if the store cannot be opened, of which another line tells.

    thorough: read the events as well.
    """
    try:
        with Store(path, looking=True) as store:
            found = list(islice(_damaged(store, thorough=thorough), MOST_NAMED + 1))
    except StoreError:
        return None
    except sqlite3.Error as error:  # a table was replaced by what cannot be read at all
        away = say("move {text} away, and take a backup", text=str(path))
        return Check(say("store"), say("rows"), found=True, right=False, figure=str(error), remedy=away)
    more = (say("and more"),) if len(found) > MOST_NAMED else ()
    figure = join("; ", (*found[:MOST_NAMED], *more)) or say("all can be read")
    remedy = say("the matches named cannot be played on; the others can. Nothing is deleted") if found else ""
    return Check(say("store"), say("rows"), found=True, right=not found, figure=figure, remedy=remedy)


def _damaged(store: Store, *, thorough: bool) -> Iterator[str]:
    """Yield what is damaged, in words."""
    matches = store.matches()
    for match in matches:
        if match.damage:
            yield say("match {n}: {text}", n=match.number, text=match.damage)
        for event in store.events(match.number) if thorough else ():
            try:
                Event.from_json(event.body)
            except ReplayError:
                yield say("match {n}: event {n2}", n=match.number, n2=event.n)
    if thorough:
        yield from _damaged_beside(store.path, {match.number for match in matches})


def _damaged_beside(path: Path, matches: set[int]) -> Iterator[str]:
    """Yield the events whose match is lost, and the damaged rows of the other tables."""
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as database:
        database.text_factory = as_text
        for (match,) in database.execute("SELECT DISTINCT match FROM event"):
            if match not in matches:
                yield say("match {text} is lost, its events are there", text=str(match))
        for table in SIDE_TABLES:
            types = [TYPES.get(kind, object) for _, _, kind, *_ in database.execute(f"PRAGMA table_info({table})")]
            rows = database.execute(f"SELECT * FROM {table}") if types else ()  # noqa: S608 - one of the names above
            for n, row in enumerate(rows, start=1):
                if not sound(row, *types) or (table == "preset" and not _is_preset(row)):
                    yield say("{text}: row {n}", text=table, n=n)


def _is_preset(row: tuple[str, ...]) -> bool:
    try:
        stored_players(row[2])
        stored_options(row[3])
    except ValueError:
        return False
    return True
