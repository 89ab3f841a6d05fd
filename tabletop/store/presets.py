"""Matches that people begin often, under names of their own: kept, renamed, forgotten.

Unlike events they may be changed: nothing is played by them before a match is begun with one.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from tabletop.core.errors import InputError
from tabletop.core.message import say
from tabletop.store.added_table import AddedTable
from tabletop.store.rows import stored_options, stored_players

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
        with self._explaining("written"), self._transaction():
            newest = self._database().execute("SELECT ifnull(max(kept), 0) FROM preset").fetchone()[0]
            self._database().execute(
                "INSERT OR REPLACE INTO preset (name, game, players, options, kept) VALUES (?, ?, ?, ?, ?)",
                (name, game, json.dumps(list(players)), json.dumps(dict(options)), newest + 1),
            )

    def rename(self, name: str, new: str) -> None:
        """Give a preset another name; InputError if there is none of the old one, or one of the new one."""
        known = {preset.name for preset in self.all()}
        if name not in known or (new in known and new != name):
            taken = name in known
            raise InputError(say("{text} is there already", text=new) if taken else say("{text} is gone", text=name))
        with self._explaining("written"), self._transaction():
            self._database().execute("UPDATE preset SET name=? WHERE name=?", (new, name))

    def forget(self, name: str) -> None:
        """Delete a preset; does nothing if there is none of this name."""
        with self._explaining("written"), self._transaction():
            self._database().execute("DELETE FROM preset WHERE name=?", (name,))
