"""The store of matches; see `database`."""

from tabletop.store.database import FILE_NAME, Store, default_path
from tabletop.store.rows import Ending, StoredEvent, StoredMatch

LANGUAGE = "language"  # the file beside the store in which the choice made in the menu is kept

__all__ = ["FILE_NAME", "LANGUAGE", "Ending", "Store", "StoredEvent", "StoredMatch", "default_path"]
