"""Two copies of the store beside it, each checked: for the day on which a worn card has damaged the file."""

import os
import shutil
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from tabletop.core.errors import DamagedStoreError, StoreError
from tabletop.store.copies import checked_store, copy_store, nobody_plays
from tabletop.store.database import Store
from tabletop.store.explained import damage
from tabletop.store.opening import PARTS, put_aside
from tabletop.store.room import LEAST_FREE_BYTES

NEWEST, BEFORE, PART = ".copy", ".copy-before", ".copy.part"  # behind the name of the store


@dataclass(frozen=True, slots=True)
class KeptCopy:
    """A copy that is whole. day: on which it was made. matches: how many it holds."""

    path: Path
    day: date
    matches: int


def keep_copy(store: Path, today: date) -> bool:
    """Copy the store unless that was done today; return whether it was. The copy before is kept as a second one.

    Nothing is changed unless the new copy was checked and is whole, so a damaged store replaces none. Takes about a
    second for 100 MB. Raises StoreError and OSError where it cannot be done, such as on a full card.
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
    """Return the copies that are whole, the newest first; reads all of them."""
    found = []
    for suffix in (NEWEST, BEFORE):
        path = store.with_name(store.name + suffix)
        with suppress(StoreError, OSError):
            found.append(KeptCopy(path, _day(path), checked_store(path)))
    return found


def opened_store(path: Path) -> Store:
    """Open the store of a table and read what its menu needs; raises DamagedStoreError if that cannot be read.

    A file that is empty or gone, while a copy is there, counts as damaged, too.
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
    """Put the store aside and begin with this copy, or with an empty one; raises StoreError and OSError.

    The copy is on disk before the store is put aside, so a power cut or a full card leaves nothing half written.
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
