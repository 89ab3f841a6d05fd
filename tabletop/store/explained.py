"""SQLite's errors in one line that says what to do."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tabletop.core.errors import DamagedStoreError, StoreError
from tabletop.core.message import say

DAMAGED = ("SQLITE_NOTADB", "SQLITE_CORRUPT", "SQLITE_IOERR_SHORT_READ", "SQLITE_ERROR")  # the last: a table is missing


def damage(path: Path, why: str) -> str:
    """Return what is said of a damaged store. why: in SQLite's words."""
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
