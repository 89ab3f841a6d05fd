"""The store of matches; see `database`."""

from tabletop.store.database import FILE_NAME, Store, default_path
from tabletop.store.rows import Ending, StoredEvent, StoredMatch

__all__ = ["FILE_NAME", "Ending", "Store", "StoredEvent", "StoredMatch", "default_path"]
