"""A table of the store that came later: a store that is only looked at may have been written before there was one."""

import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, ClassVar

from tabletop.store.rows import sound


class AddedTable:
    """One such table. NAME: its own.

    database: returns the connection, which may change. explaining: turns errors of SQLite into words; given "read" or
    "written". transaction: all of it or nothing.
    """

    NAME: ClassVar[str]

    def __init__(
        self,
        database: Callable[[], sqlite3.Connection],
        explaining: Callable[[str], AbstractContextManager[None]],
        transaction: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self._database, self._explaining, self._transaction = database, explaining, transaction

    def _rows(self, query: str, *types: type) -> list[tuple[Any, ...]]:
        """Return what this query finds, without damaged rows; nothing in a store without the table."""
        with self._explaining("read"):
            there = self._database().execute("SELECT 1 FROM sqlite_master WHERE type='table' AND name=?", (self.NAME,))
            rows = [] if there.fetchone() is None else self._database().execute(query).fetchall()
        return [row for row in rows if sound(row, *types)]
