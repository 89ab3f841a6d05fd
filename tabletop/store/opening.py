"""A store opened: whose database it is, the tables it lacks, and the file written again where it is gone.

Here too is what may keep a store from being opened or written: errors of SQLite in words, a full disk, another table.
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

PARTS = ("", "-wal", "-shm")  # the files of one store
ASIDE = ".damaged-{:%Y-%m-%d}"  # behind the name of a store
NO_STORE = "expected a store at {}, got {}: no match was played yet, or name it with --store"


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


def files_of(path: Path) -> list[tuple[int, int] | None]:
    """Return device and inode of each file of a store, None for one that is not there."""
    found: list[tuple[int, int] | None] = []
    for part in PARTS:
        try:
            stat = path.with_name(path.name + part).stat()
            found.append((stat.st_dev, stat.st_ino))
        except OSError:
            found.append(None)
    return found


def write_again(database: sqlite3.Connection, path: Path, *, replaced: bool) -> None:
    """Write what an open connection still has to a new file at its path; raises OSError and sqlite3.Error.

    SQLite reads on from files that were deleted. replaced: another file lies there now, which is put aside.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.part")
    new.unlink(missing_ok=True)
    with closing(sqlite3.connect(new)) as copy:
        database.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")
    if replaced:
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


DAMAGED = ("SQLITE_NOTADB", "SQLITE_CORRUPT", "SQLITE_IOERR_SHORT_READ", "SQLITE_ERROR")  # the last: a table is missing


def damage(path: Path, why: str) -> str:
    """Return the error for a damaged store. why: in SQLite's words."""
    return say(
        "the store {text} is damaged ({text2}): see `tabletop doctor`; a table with buttons offers its copies",
        text=str(path),
        text2=why,
    )


@contextmanager
def explained(path: Path, done: str) -> Iterator[None]:
    """Raise StoreError for what SQLite says of this store. done: what was to be done with it, such as "read"."""
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


# SQLite writes up to 1,000 pages of 4,096 bytes beside the file before it copies them into it (wal_autocheckpoint).
LEAST_FREE_BYTES = 2 * 1000 * 4096
BYTES_PER_MB = 1_000_000


def store_trouble(store: Path) -> str:
    """Return why this store takes no events now, empty if it does. Asks the file system; writes nothing."""
    if not os.access(store.parent, os.W_OK) or (store.exists() and not os.access(store, os.W_OK)):
        return say("read-only: nothing is stored. Throws wait; make it writable")
    try:
        free = os.statvfs(store.parent)
    except OSError:  # a file system that does not say so is asked by writing
        return ""
    missing = LEAST_FREE_BYTES - free.f_bavail * free.f_frsize
    return say("no room to store: throws wait. Free {n} MB", n=ceil(missing / BYTES_PER_MB)) if missing > 0 else ""


SUFFIX = ".playing"  # of the file beside the store whose bytes are locked; it stays empty
TAKEN = (errno.EACCES, errno.EAGAIN)  # fcntl(2): what a byte locked by another process gives


class MatchLock:
    """The lock of one table on the match it plays.

    One byte of a file beside the store stands for each match, at the offset of its number. The kernel lets it go when
    the process ends, however it ends, so no lock outlives a table. Where the file system has no locks nothing is
    refused here, and the key of the events still keeps two tables apart.
    """

    def __init__(self, store: Path) -> None:
        self._path = store.with_name(store.name + SUFFIX)
        self._file: int | None = None
        self._number: int | None = None

    def take(self, number: int) -> bool:
        """Lock a match and release the one before; False, and nothing changed, if another table plays it."""
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
        """Release the locked match, if there is one."""
        if self._file is not None and self._number is not None:
            fcntl.lockf(self._file, fcntl.LOCK_UN, 1, self._number)
        self._number = None

    def renew(self) -> None:
        """Lock the same match in a new file: the one before may have been deleted."""
        number = self._number
        self.close()
        if number is not None:
            self.take(number)

    def close(self) -> None:
        """Release everything. Closing twice does nothing."""
        if self._file is not None:
            os.close(self._file)
        self._file = self._number = None
