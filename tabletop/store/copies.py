"""Copy and restore the whole store, atomically, while a table may be running.

Two verified copies are kept beside the store, at most one a day.
"""

import fcntl
import os
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import date, datetime
from itertools import zip_longest
from pathlib import Path

from tabletop.core.errors import DamagedStoreError, StoreError
from tabletop.store.database import BUSY_S, Store
from tabletop.store.opening import LEAST_FREE_BYTES, PARTS, SUFFIX, damage, explained, put_aside
from tabletop.store.rows import ADDED_TABLES, TABLES

_COMMENT = re.compile(r"--[^\n]*")  # in SQL


def copy_store(store: Path, out: Path) -> None:
    """Copy a consistent snapshot of the store to a new file; raises StoreError. A table may keep writing to it.

    A store on a read-only file system can be copied too, although SQLite would have to write beside it.
    """
    if os.statvfs(store.parent).f_flag & os.ST_RDONLY:
        _copy_locked(store, out)
        return
    Store(store, looking=True).close()  # raises if it is not a store
    with (
        explained(store, "copied"),
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
    with explained(out, "copied"), closing(sqlite3.connect(out)) as copy:
        copy.execute("PRAGMA journal_mode=DELETE")


def checked_store(path: Path) -> int:
    """Return the number of matches in a copied store; raises StoreError if it is damaged or not a store.

    The file may come from anywhere: it may contain our tables and nothing else, because SQLite executes parts of a
    schema (triggers, views, virtual tables).
    """
    ours = "; ".join([TABLES.rstrip("\n;"), *ADDED_TABLES])
    with (
        explained(path, "read"),
        closing(sqlite3.connect(path)) as database,
        closing(sqlite3.connect(":memory:")) as model,
    ):
        database.execute("PRAGMA trusted_schema=OFF")
        model.executescript(ours)
        if strange := sorted(_schema(database) - _schema(model)):
            raise StoreError(f"expected the tables of a store and no others, got {strange[0][1]!r:.60}: {path}")
        with Store(path, looking=True):  # raises if it is not a store, or one of another version
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
    """Return whether a copied store has the same content as the current one; False if that cannot be read."""
    try:
        with closing(sqlite3.connect(copy)) as one, closing(sqlite3.connect(store, timeout=BUSY_S)) as other:
            return all(left == right for left, right in zip_longest(one.iterdump(), other.iterdump()))
    except sqlite3.Error:
        return False


def replace_store(new: Path, store: Path) -> None:
    """Replace the store with a verified one in one transaction, or create it.

    An unreadable store is moved aside, see `put_aside`. Raises StoreError if a table is playing.
    """
    with nobody_plays(store):
        try:
            if store.exists():
                Store(store, looking=True).close()
        except StoreError:
            put_aside(store)
        with (
            explained(store, "replaced"),
            closing(sqlite3.connect(new)) as source,
            closing(sqlite3.connect(store, timeout=BUSY_S)) as target,
        ):
            source.backup(target)
        with Store(store):
            pass  # adds the tables of later versions, and the usual journal mode


@contextmanager
def nobody_plays(store: Path) -> Iterator[None]:
    """Hold the lock of every match; raises StoreError if one is being played."""
    with store.with_name(store.name + SUFFIX).open("a+b") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise StoreError(f"expected that nobody plays, got a table at {store}: switch it off first") from None
        yield


NEWEST, BEFORE, PART = ".copy", ".copy-before", ".copy.part"  # suffixes of the store's name


@dataclass(frozen=True, slots=True)
class KeptCopy:
    """A verified copy. day: when it was made. matches: how many it contains."""

    path: Path
    day: date
    matches: int


def keep_copy(store: Path, today: date) -> bool:
    """Copy the store unless that was done today; return whether it was done now. The previous copy is kept as well.

    Nothing is changed until the new copy has been verified, so a damaged store never replaces a copy. Takes about a
    second for 100 MB. Raises StoreError and OSError on failure, such as a full card.
    """
    newest, part = store.with_name(store.name + NEWEST), store.with_name(store.name + PART)
    if newest.exists() and _day(newest) == today:
        return False
    if shutil.disk_usage(store.parent).free < store.stat().st_size + LEAST_FREE_BYTES:
        return False
    part.unlink(missing_ok=True)
    try:
        copy_store(store, part)
        checked_store(part)
        _flush(part)
        if newest.exists():
            newest.replace(store.with_name(store.name + BEFORE))
        part.replace(newest)
    finally:
        part.unlink(missing_ok=True)
    return True


def kept_copies(store: Path) -> list[KeptCopy]:
    """Return the intact copies, newest first; reads all of them."""
    found = []
    for suffix in (NEWEST, BEFORE):
        path = store.with_name(store.name + suffix)
        with suppress(StoreError, OSError):
            found.append(KeptCopy(path, _day(path), checked_store(path)))
    return found


def opened_store(path: Path) -> Store:
    """Open the store of a table and read what its menu needs; raises DamagedStoreError if that cannot be read.

    A file that is empty or missing while a copy exists also counts as damaged.
    """
    lost = not any(path.with_name(path.name + part).stat().st_size for part in PARTS[:2] if _is_there(path, part))
    if lost and path.with_name(path.name + NEWEST).exists():
        raise DamagedStoreError(damage(path, "it is empty or gone"))
    store = Store(path)
    try:
        store.names()
        store.presets.all()
    except StoreError:
        store.close()
        raise
    return store


def begin_again(store: Path, copy: Path | None) -> None:
    """Move the store aside and start with this copy, or with an empty one; raises StoreError and OSError.

    The copy is on disk before the store is moved, so a power cut or a full card leaves nothing half-written.
    """
    part = store.with_name(store.name + PART)
    try:
        with nobody_plays(store):
            if copy is not None:
                shutil.copyfile(copy, part)
                _flush(part)
            put_aside(store)
            if copy is not None:
                part.replace(store)
        Store(store).close()
    finally:
        part.unlink(missing_ok=True)


def _flush(file: Path) -> None:
    with file.open("rb") as written:
        os.fsync(written.fileno())


def _is_there(path: Path, part: str) -> bool:
    return path.with_name(path.name + part).exists()


def _day(path: Path) -> date:
    return datetime.fromtimestamp(path.stat().st_mtime).astimezone().date()
