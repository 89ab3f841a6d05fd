"""The store of matches: see `database`."""

from tabletop.store.database import FILE_NAME, Ending, Store, StoredEvent, StoredMatch, default_path

__all__ = ["FILE_NAME", "Ending", "Store", "StoredEvent", "StoredMatch", "default_path"]
