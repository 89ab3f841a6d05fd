"""Open a store: check that it is ours, create missing tables, and rewrite the file if it was deleted.

Also explains what keeps a store from being opened or written: SQLite errors, a full disk, another table.
"""

import errno
import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from itertools import chain, count
from math import ceil
from pathlib import Path

from tabletop.core.errors import DamagedStoreError, StoreError
from tabletop.core.message import say
from tabletop.store.rows import ADDED_TABLES, APPLICATION_ID, TABLES, VERSION

PARTS = ("", "-wal", "-shm")  # suffixes of a store's files
ASIDE = ".damaged-{:%Y-%m-%d}"  # suffix of a store moved aside
NO_STORE = "expected a store at {}, got {}: no match was played yet, or name it with --store"


def prepare(database: sqlite3.Connection, path: Path, *, looking: bool) -> None:
    """Check that a database is a store and create missing tables unless read-only; raises StoreError."""
    version, tables = one(database, "PRAGMA user_version"), one(database, "SELECT count(*) FROM sqlite_master")
    if tables and one(database, "PRAGMA application_id") != APPLICATION_ID:
        raise DamagedStoreError(f"expected a store of ours, got another program's database: {path}; name another file")
    if tables and version != VERSION:
        raise StoreError(
            f"expected a store of version {VERSION}, got version {version}: {path}; use the tabletop that "
            "wrote it, or name another file with --store"
        )
    if looking:
        if not tables:  # left behind by a first start with a full card
            raise StoreError(NO_STORE.format(path, "an empty file"))
        return
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=FULL")
    database.execute("PRAGMA foreign_keys=ON")
    if not tables:
        with transaction(database):
            if not one(database, "SELECT count(*) FROM sqlite_master"):  # another table may have been faster
                for statement in TABLES.split(";\n"):
                    database.execute(statement)
                database.execute(f"PRAGMA application_id={APPLICATION_ID}")
                database.execute(f"PRAGMA user_version={VERSION}")
    with transaction(database):  # fails on a read-only file now, not at the first throw
        for table in ADDED_TABLES:
            database.execute(table)
        database.execute("UPDATE match SET ending=ending WHERE 0")


def as_text(cell: bytes) -> str:
    """Decode a stored text; invalid UTF-8 becomes lone surrogates, which mark a row as damaged."""
    return str(cell, "utf-8", "surrogateescape")


def one(database: sqlite3.Connection, statement: str) -> int:
    """Return the result of a query that yields one integer."""
    return int(database.execute(statement).fetchone()[0])


@contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[None]:
    """Run the block in one transaction, rolled back on any exception."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        if database.in_transaction:
            database.execute("ROLLBACK")
        raise


def files_of(path: Path) -> list[tuple[int, int] | None]:
    """Return device and inode of each file of a store, None for a missing one."""
    found: list[tuple[int, int] | None] = []
    for part in PARTS:
        try:
            stat = path.with_name(path.name + part).stat()
            found.append((stat.st_dev, stat.st_ino))
        except OSError:
            found.append(None)
    return found


def write_again(database: sqlite3.Connection, path: Path, *, replaced: bool) -> None:
    """Write the content of an open connection to a new file at its path; raises OSError and sqlite3.Error.

    SQLite can still read files that were deleted. replaced: another file is there now, which is moved aside.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.part")
    new.unlink(missing_ok=True)
    with closing(sqlite3.connect(new)) as copy:
        database.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")
    if replaced:
        put_aside(path)
    for part in PARTS[1:]:  # they belong to the deleted file
        path.with_name(path.name + part).unlink(missing_ok=True)
    new.replace(path)


def put_aside(store: Path) -> Path | None:
    """Rename the files of an unusable store; return the new name, None if there are none. Raises OSError.

    The new name contains the date and is always unused.
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


DAMAGED = ("SQLITE_NOTADB", "SQLITE_CORRUPT", "SQLITE_IOERR_SHORT_READ", "SQLITE_ERROR")  # the last: a table is missing


def damage(path: Path, why: str) -> str:
    """Return the error text for a damaged store. why: SQLite's message."""
    return say(
        "the store {text} is damaged ({text2}): see `tabletop doctor`; a table with buttons offers its copies",
        text=str(path),
        text2=why,
    )


@contextmanager
def explained(path: Path, done: str) -> Iterator[None]:
    """Convert SQLite's errors to StoreError. done: the attempted operation, such as "read"."""
    try:
        yield
    except sqlite3.IntegrityError as error:
        raise StoreError(
            f"expected to be the only table at this match, got events of another one in {path}; end the other"
        ) from error
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorname", "") in DAMAGED or (path.is_dir() and path.name):
            raise DamagedStoreError(damage(path, str(error))) from error
        name, why = str(path), _advice(error)
        if done == "read":
            raise StoreError(say("the store {text} cannot be read: {reason}", text=name, reason=why)) from error
        if done == "written":
            raise StoreError(say("the store {text} cannot be written: {reason}", text=name, reason=why)) from error
        raise StoreError(f"the store {path} cannot be {done}: {why}") from error


def _advice(error: sqlite3.Error) -> str:
    name = getattr(error, "sqlite_errorname", "")
    known = {
        "SQLITE_FULL": say("the disk is full; free some space"),
        "SQLITE_READONLY": "it is read-only; make it writable, or name another with --store",
        "SQLITE_CANTOPEN": "it is no file that can be opened and written; name another with --store",
        "SQLITE_BUSY": say("another program is writing it; close that one"),
        "SQLITE_IOERR": say("the disk reports an error; check its space and its health"),
    }
    return next((text for key, text in known.items() if name.startswith(key)), str(error))


# SQLite writes up to 1,000 pages of 4,096 bytes to the log before copying them into the file (wal_autocheckpoint).
LEAST_FREE_BYTES = 2 * 1000 * 4096
BYTES_PER_MB = 1_000_000


def store_trouble(store: Path) -> str:
    """Return why this store cannot be written now, empty if it can. Only asks the file system; writes nothing."""
    if not os.access(store.parent, os.W_OK) or (store.exists() and not os.access(store, os.W_OK)):
        return say("read-only: nothing is stored. Throws wait; make it writable")
    try:
        free = os.statvfs(store.parent)
    except OSError:  # some file systems only tell when written to
        return ""
    missing = LEAST_FREE_BYTES - free.f_bavail * free.f_frsize
    return say("no room to store: throws wait. Free {n} MB", n=ceil(missing / BYTES_PER_MB)) if missing > 0 else ""


SUFFIX = ".playing"  # of the empty file beside the store whose bytes are locked
TAKEN = (errno.EACCES, errno.EAGAIN)  # fcntl(2): errors for a byte locked by another process


class MatchLock:
    """A table's lock on the match it is playing.

    Each match has one byte of a file beside the store, at the offset of its number. The kernel releases the lock when
    the process ends, however it ends, so no lock outlives its table. On a file system without locks nothing is refused
    here, and the events' key still keeps two tables apart.
    """

    def __init__(self, store: Path) -> None:
        self._path = store.with_name(store.name + SUFFIX)
        self._file: int | None = None
        self._number: int | None = None

    def take(self, number: int) -> bool:
        """Lock a match and release the previous one; returns False and changes nothing if another table plays it."""
        if number == self._number:
            return True
        try:
            if self._file is None:
                self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, number)
        except OSError as error:
            if error.errno in TAKEN:
                return False
        self.release()
        self._number = number
        return True

    def release(self) -> None:
        """Release the locked match, if any."""
        if self._file is not None and self._number is not None:
            fcntl.lockf(self._file, fcntl.LOCK_UN, 1, self._number)
        self._number = None

    def renew(self) -> None:
        """Lock the same match in a new file: the old one may have been deleted."""
        number = self._number
        self.close()
        if number is not None:
            self.take(number)

    def close(self) -> None:
        """Release everything. Closing twice does nothing."""
        if self._file is not None:
            os.close(self._file)
        self._file = self._number = None
