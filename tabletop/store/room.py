"""Whether a store can take events now: asked before a throw is taken, so that none is lost."""

import os
from math import ceil
from pathlib import Path

from tabletop.core.message import say

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
