"""A store opened: whose database it is, the tables it lacks, and the file written again where it is gone."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from itertools import chain, count
from pathlib import Path

from tabletop.core.errors import DamagedStoreError, StoreError
from tabletop.store.tables import ADDED_TABLES, APPLICATION_ID, TABLES, VERSION

PARTS = ("", "-wal", "-shm")  # the files of one store
ASIDE = ".damaged-{:%Y-%m-%d}"  # behind the name of a store
NO_STORE = "expected a store at {}, got {}: no match was played yet, or name it with --store"
Files = tuple[tuple[int, int] | None, ...]
"""Device and inode of each of `PARTS`, None for one that is not there."""


def prepare(database: sqlite3.Connection, path: Path, *, looking: bool) -> None:
    """Check that a database is a store of ours, and make what it lacks unless it is only looked at; StoreError."""
    version, tables = one(database, "PRAGMA user_version"), one(database, "SELECT count(*) FROM sqlite_master")
    if tables and one(database, "PRAGMA application_id") != APPLICATION_ID:
        raise DamagedStoreError(f"expected a store of ours, got another program's database: {path}; name another file")
    if tables and version != VERSION:
        raise StoreError(
            f"expected a store of version {VERSION}, got version {version}: {path}; use the tabletop that "
            "wrote it, or name another file with --store"
        )
    if looking:
        if not tables:  # what a table leaves whose card is full at its first start
            raise StoreError(NO_STORE.format(path, "an empty file"))
        return
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=FULL")
    database.execute("PRAGMA foreign_keys=ON")
    if not tables:
        with transaction(database):
            if not one(database, "SELECT count(*) FROM sqlite_master"):  # another table may have been quicker
                for statement in TABLES.split(";\n"):
                    database.execute(statement)
                database.execute(f"PRAGMA application_id={APPLICATION_ID}")
                database.execute(f"PRAGMA user_version={VERSION}")
    with transaction(database):  # shows a read-only file now, not at the first throw
        for table in ADDED_TABLES:
            database.execute(table)
        database.execute("UPDATE match SET ending=ending WHERE 0")


def as_text(cell: bytes) -> str:
    """Return a text as stored; bytes that are no UTF-8 become lone surrogates, by which the rows are found damaged."""
    return str(cell, "utf-8", "surrogateescape")


def one(database: sqlite3.Connection, statement: str) -> int:
    """Return the whole number that a question has as its answer."""
    return int(database.execute(statement).fetchone()[0])


@contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[None]:
    """Store all of it or nothing."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        if database.in_transaction:
            database.execute("ROLLBACK")
        raise


def files_of(path: Path) -> Files:
    """Return which files a store consists of now."""
    found: list[tuple[int, int] | None] = []
    for part in PARTS:
        try:
            stat = path.with_name(path.name + part).stat()
            found.append((stat.st_dev, stat.st_ino))
        except OSError:
            found.append(None)
    return tuple(found)


def write_again(database: sqlite3.Connection, path: Path, before: Files) -> None:
    """Write what an open connection still has to a new file at its path; raises OSError and sqlite3.Error.

    SQLite reads on from files that were deleted. Another file that lies there by now is kept under another name.
    before: which files the connection has opened.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.part")
    with suppress(FileNotFoundError):
        new.unlink()
    with closing(sqlite3.connect(new)) as copy:
        database.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")
    if files_of(path)[:1] not in (before[:1], (None,)):
        put_aside(path)
    for part in PARTS[1:]:  # they belong to the file that is gone
        path.with_name(path.name + part).unlink(missing_ok=True)
    new.replace(path)


def put_aside(store: Path) -> Path | None:
    """Rename the files of a store that nobody can use; return the new name, None if there is none. Raises OSError.

    The name has the day, and is never one that is taken.
    """
    there = [part for part in PARTS if os.path.lexists(store.with_name(store.name + part))]
    if not there:
        return None
    day = ASIDE.format(datetime.now().astimezone())
    names = (store.with_name(store.name + day + more) for more in chain([""], (f"-{n}" for n in count(2))))
    aside = next(name for name in names if not any(os.path.lexists(name.with_name(name.name + part)) for part in PARTS))
    for part in there:
        store.with_name(store.name + part).rename(aside.with_name(aside.name + part))
    return aside
