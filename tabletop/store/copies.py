"""The whole store copied and put back, each at once or not at all, while a table may be running."""

import fcntl
import os
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import zip_longest
from pathlib import Path

from tabletop.core.errors import StoreError
from tabletop.store.database import BUSY_S, Store
from tabletop.store.match_lock import SUFFIX
from tabletop.store.opening import put_aside
from tabletop.store.tables import ADDED_TABLES, TABLES

_COMMENT = re.compile(r"--[^\n]*")  # in SQL


def copy_store(store: Path, out: Path) -> None:
    """Copy the store as it is at one moment into a new file; raises StoreError. A table may go on writing meanwhile.

    A card that the system has locked can be copied too: SQLite would have to write beside the store.
    """
    if os.statvfs(store.parent).f_flag & os.ST_RDONLY:
        _copy_locked(store, out)
        return
    Store(store, looking=True).close()  # or it is none of ours
    with (
        _explained(store, "copied"),
        closing(sqlite3.connect(store, timeout=BUSY_S)) as source,
        closing(sqlite3.connect(out)) as copy,
    ):
        source.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # one file, whatever the store uses


def _copy_locked(store: Path, out: Path) -> None:
    """Copy a store that nobody can write, with the newest events, which lie beside it when a plug was pulled."""
    for end in ("", "-wal"):
        if (file := store.with_name(store.name + end)).exists():
            shutil.copyfile(file, out.with_name(out.name + end))
    Store(out, looking=True).close()
    with _explained(out, "copied"), closing(sqlite3.connect(out)) as copy:
        copy.execute("PRAGMA journal_mode=DELETE")


def checked_store(path: Path) -> int:
    """Return how many matches a copied store holds; raises StoreError if it is damaged, or none of ours.

    It may come from anybody: it may hold our tables and nothing else, since SQLite runs what a schema holds (triggers,
    views, virtual tables).
    """
    ours = "; ".join([TABLES.rstrip("\n;"), *ADDED_TABLES])
    with (
        _explained(path, "read"),
        closing(sqlite3.connect(path)) as database,
        closing(sqlite3.connect(":memory:")) as model,
    ):
        database.execute("PRAGMA trusted_schema=OFF")
        model.executescript(ours)
        if strange := sorted(_schema(database) - _schema(model)):
            raise StoreError(f"expected the tables of a store and no others, got {strange[0][1]!r:.60}: {path}")
        with Store(path, looking=True):  # or it says why this is no store, or of which version
            pass
        found = [text for (text,) in database.execute("PRAGMA integrity_check(1)")]
        if found != ["ok"]:
            raise StoreError(f"expected a whole store, got a damaged one: {path}: {found[0]}")
        return int(database.execute("SELECT count(*) FROM match").fetchone()[0])


def _schema(database: sqlite3.Connection) -> set[tuple[str, str, str]]:
    """Return kind, name and SQL of all that a database holds, without the comments and spaces of the SQL."""
    rows = database.execute("SELECT type, name, ifnull(sql, tbl_name) FROM sqlite_master")
    return {(str(kind), str(name), "".join(_COMMENT.sub("", str(sql)).split())) for kind, name, sql in rows}


def same_store(copy: Path, store: Path) -> bool:
    """Return whether a copied store holds the same as the one that is there; False if that cannot be read."""
    try:
        with closing(sqlite3.connect(copy)) as one, closing(sqlite3.connect(store, timeout=BUSY_S)) as other:
            return all(left == right for left, right in zip_longest(one.iterdump(), other.iterdump()))
    except sqlite3.Error:
        return False


def replace_store(new: Path, store: Path) -> None:
    """Put a checked store in the place of the one that is there, or where none is; in one transaction.

    What is there and cannot be read is put aside, see `put_aside`. Raises StoreError if a table is playing.
    """
    with nobody_plays(store):
        try:
            if store.exists():
                Store(store, looking=True).close()
        except StoreError:
            put_aside(store)
        with (
            _explained(store, "replaced"),
            closing(sqlite3.connect(new)) as source,
            closing(sqlite3.connect(store, timeout=BUSY_S)) as target,
        ):
            source.backup(target)
        with Store(store):
            pass  # the tables that later programs added, and the usual journal


@contextmanager
def nobody_plays(store: Path) -> Iterator[None]:
    """Hold the lock of every match; StoreError if one is being played."""
    with store.with_name(store.name + SUFFIX).open("a+b") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise StoreError(f"expected that nobody plays, got a table at {store}: switch it off first") from None
        yield


@contextmanager
def _explained(path: Path, done: str) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(f"the store {path} cannot be {done}: {error}") from error
