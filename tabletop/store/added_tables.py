"""Tables of the store that came later: a store that is only looked at may have been written before there was one."""

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from typing import Any, ClassVar

from tabletop.core.errors import InputError
from tabletop.core.message import say
from tabletop.store.rows import sound, stored_options, stored_players


class AddedTable:
    """One such table. NAME: its own. read: returns the rows of a query. writing: a connection; all of it or nothing."""

    NAME: ClassVar[str]

    def __init__(
        self,
        read: Callable[..., list[tuple[Any, ...]]],
        writing: Callable[[], AbstractContextManager[sqlite3.Connection]],
    ) -> None:
        self._read, self._writing = read, writing

    def _rows(self, query: str, *types: type) -> list[tuple[Any, ...]]:
        """Return what this query finds, without damaged rows; nothing in a store without the table."""
        there = self._read("SELECT 1 FROM sqlite_master WHERE type='table' AND name=?", self.NAME)
        return [row for row in (self._read(query) if there else ()) if sound(row, *types)]


MOST_PRESETS = 40  # more than anybody looks through


@dataclass(frozen=True, slots=True)
class StoredPreset:
    """What a match is begun with. options: those that are not as usual."""

    name: str
    game: str
    players: tuple[str, ...]
    options: Mapping[str, Any]


class StoredPresets(AddedTable):
    """The presets of one store."""

    NAME = "preset"

    def all(self) -> tuple[StoredPreset, ...]:
        """Return all presets, the one kept last first; none in a store of before there were any."""
        presets = []
        for name, game, players, options in self._rows(
            "SELECT name, game, players, options FROM preset ORDER BY kept DESC", str, str, str, str
        ):
            with suppress(ValueError):  # a damaged one is passed over: `tabletop doctor` names it
                presets.append(StoredPreset(name, game, stored_players(players), stored_options(options)))
        return tuple(presets)

    def keep(self, name: str, game: str, players: Sequence[str], options: Mapping[str, Any]) -> None:
        """Keep a preset under this name, in place of the one that had it; InputError if there are too many."""
        known = {preset.name for preset in self.all()}
        if name not in known and len(known) >= MOST_PRESETS:
            raise InputError(say("{n} presets are kept already: delete one first", n=len(known)))
        with self._writing() as database:
            newest = database.execute("SELECT ifnull(max(kept), 0) FROM preset").fetchone()[0]
            database.execute(
                "INSERT OR REPLACE INTO preset (name, game, players, options, kept) VALUES (?, ?, ?, ?, ?)",
                (name, game, json.dumps(list(players)), json.dumps(dict(options)), newest + 1),
            )

    def rename(self, name: str, new: str) -> None:
        """Give a preset another name; InputError if there is none of the old one, or one of the new one."""
        known = {preset.name for preset in self.all()}
        if name not in known or (new in known and new != name):
            taken = name in known
            raise InputError(say("{text} is there already", text=new) if taken else say("{text} is gone", text=name))
        with self._writing() as database:
            database.execute("UPDATE preset SET name=? WHERE name=?", (new, name))

    def forget(self, name: str) -> None:
        """Delete a preset; does nothing if there is none of this name."""
        with self._writing() as database:
            database.execute("DELETE FROM preset WHERE name=?", (name,))


class SameNames(AddedTable):
    """The names of one store that stand for another name of it."""

    NAME = "same_name"

    def all(self) -> Mapping[str, str]:
        """Return for each merged name the one that stands for it; none in a store of before there were any."""
        return dict(self._rows("SELECT name, means FROM same_name ORDER BY name", str, str))

    def of_all(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return these names, each once, with merged ones as the name that stands for them."""
        known = self.all()
        return tuple(dict.fromkeys(known.get(name, name) for name in names))

    def merge(self, name: str, means: str) -> None:
        """Let a name mean another one, and with it all that meant this one; equal ones part them again."""
        means = self.all().get(means, means) if means != name else name
        with self._writing() as database:
            if means == name:
                database.execute("DELETE FROM same_name WHERE name=?", (name,))
            else:
                database.execute("UPDATE same_name SET means=? WHERE means=?", (means, name))
                database.execute("INSERT OR REPLACE INTO same_name VALUES (?, ?)", (name, means))
                database.execute("DELETE FROM same_name WHERE name=means")
