"""The store: every match as a list of events, in one SQLite file that survives power cuts.

An event is on disk (WAL, synchronous=FULL, one transaction for events that belong together) before anything acts on it.
Events are never changed or deleted, except by `erasing.py`: undo and correction are events as well. One table at a time
writes the file; a second one that appends to the same match is refused by the key (match, n).
"""

import json
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

from platformdirs import user_state_path

from tabletop.core import InputError, StoreError, join, say
from tabletop.core.values import ClockState
from tabletop.store import opening, results
from tabletop.store.clock import BEGINNING, clocks_of, dates_of, note_clock
from tabletop.store.rows import (
    BROKEN_LOGS,
    LARGEST_NUMBER,
    LOG_BYTES,
    NEWEST_NUMBER,
    NEXT_IN_SEQUENCE,
    Ending,
    StoredEvent,
    StoredMatch,
    sound,
    stored_event,
    stored_match,
    stored_options,
    stored_players,
)


class AddedTable:
    """One additional table of the store. NAME: its name. read: returns the rows of a query about it, by name.

    writing: opens a transaction.
    """

    NAME: ClassVar[str]

    def __init__(
        self,
        read: Callable[..., list[tuple[Any, ...]]],
        writing: Callable[[], AbstractContextManager[sqlite3.Connection]],
    ) -> None:
        self._read, self._writing = read, writing

    def _rows(self, query: str, *types: type) -> list[tuple[Any, ...]]:
        """Return what this query finds, without damaged rows; nothing in a store without the table."""
        return [row for row in self._read(self.NAME, query) if sound(row, *types)]


MOST_PRESETS = 40  # more than anybody scrolls through


@dataclass(frozen=True, slots=True)
class StoredPreset:
    """The settings to begin a match with. options: those that differ from the defaults."""

    name: str
    game: str
    players: tuple[str, ...]
    options: Mapping[str, Any]


class StoredPresets(AddedTable):
    """The presets in one store."""

    NAME = "preset"

    def all(self) -> tuple[StoredPreset, ...]:
        """Return all presets, the one saved last first; empty for a store from before presets."""
        presets = []
        for name, game, players, options in self._rows(
            "SELECT name, game, players, options FROM preset ORDER BY kept DESC", str, str, str, str
        ):
            with suppress(ValueError):  # skips a damaged one: `tabletop doctor` names it
                presets.append(StoredPreset(name, game, stored_players(players), stored_options(options)))
        return tuple(presets)

    def keep(self, name: str, game: str, players: Sequence[str], options: Mapping[str, Any]) -> None:
        """Save a preset, replacing one of the same name; raises InputError if there are too many."""
        known = {preset.name for preset in self.all()}
        if name not in known and len(known) >= MOST_PRESETS:
            raise InputError(say("there are {n} presets already: delete one first", n=len(known)))
        with self._writing() as database:
            newest = database.execute("SELECT ifnull(max(kept), 0) FROM preset").fetchone()[0]
            database.execute(
                "INSERT OR REPLACE INTO preset (name, game, players, options, kept) VALUES (?, ?, ?, ?, ?)",
                (name, game, json.dumps(list(players)), json.dumps(dict(options)), newest + 1),
            )

    def rename(self, name: str, new: str) -> None:
        """Rename a preset; raises InputError if the old name does not exist or the new one does."""
        known = {preset.name for preset in self.all()}
        if name not in known or (new in known and new != name):
            taken = name in known
            raise InputError(say("{text} exists already", text=new) if taken else say("{text} is gone", text=name))
        with self._writing() as database:
            database.execute("UPDATE preset SET name=? WHERE name=?", (new, name))

    def forget(self, name: str) -> None:
        """Delete a preset; does nothing if it does not exist."""
        with self._writing() as database:
            database.execute("DELETE FROM preset WHERE name=?", (name,))


class SameNames(AddedTable):
    """The merged player names in one store: names that mean another name."""

    NAME = "same_name"

    def all(self) -> Mapping[str, str]:
        """Return merged name -> the name it stands for; empty for a store that predates merging."""
        return dict(self._rows("SELECT name, means FROM same_name ORDER BY name", str, str))

    def of_all(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return these names with merged ones resolved, each once."""
        known = self.all()
        return tuple(dict.fromkeys(known.get(name, name) for name in names))

    def merge(self, name: str, means: str) -> None:
        """Merge a name, and all names merged into it, into another one; if both are equal, undo the merge."""
        means = self.all().get(means, means) if means != name else name
        with self._writing() as database:
            if means == name:
                database.execute("DELETE FROM same_name WHERE name=?", (name,))
            else:
                database.execute("UPDATE same_name SET means=? WHERE means=?", (means, name))
                database.execute("INSERT OR REPLACE INTO same_name VALUES (?, ?)", (name, means))
                database.execute("DELETE FROM same_name WHERE name=means")


MATCHES = """
SELECT id, game, players, options, begun, ending, (SELECT count(*) FROM event WHERE match=id) FROM match
"""
UNNAMED = "#"  # and the seat: what is left of a deleted player in the matches of others
NOT_OFFERED = {f"{UNNAMED}{seat}" for seat in range(1, 100)}
FITTING = """
WHERE (?1 IS NULL OR id<?1) AND (?4='' OR game=?4) AND (?5='' OR begun>=?5) AND (?6='' OR begun<?6)
AND (?3='[]' OR EXISTS (SELECT 1 FROM json_each(?3) WHERE instr(players, value))) ORDER BY id DESC LIMIT ?2
"""
EVERYBODY = """
SELECT DISTINCT value FROM match, json_each(CASE WHEN json_valid(players) THEN players ELSE '[]' END)
"""
BUSY_S = 5.0  # how long to wait for another program that has locked the file
FILE_NAME = "tabletop.db"


def default_path() -> Path:
    """Return the store's path: in the systemd unit's state directory, else in the user's."""
    folder = os.environ.get("STATE_DIRECTORY", "").split(":")[0]
    return (Path(folder) if folder else user_state_path("tabletop")) / FILE_NAME


class Store:
    """An open store. Use it as a context manager; every method raises StoreError with a text for users.

    path: the file; created, with its folder, if missing. looking: read-only; the file must exist, but may be
    write-protected. presets: saved match settings. same_names: different spellings of one player. results: derived from
    the events. write_began_s: when the current write began, by `time.monotonic`; None if there is none.
    """

    def __init__(self, path: Path, *, looking: bool = False) -> None:
        self.path = path
        self.write_began_s: float | None = None
        # For a path without permission os.path returns False while pathlib raises. A folder counts as a damaged store.
        found = not os.path.exists(path) or os.path.isfile(path)  # noqa: PTH110, PTH113
        if not found and (looking or not path.is_dir()):
            raise StoreError(f"expected a file for the store, got another kind: {path}; name one with --store")
        self._playing = opening.MatchLock(path)
        if looking and not path.is_file():
            raise StoreError(opening.NO_STORE.format(path, "no file"))
        with opening.explained(self.path, "opened"):
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise StoreError(
                    f"expected a folder for the store at {path.parent}, got: {error.strerror}; make it, or name "
                    "another with --store"
                ) from error
            self._open(looking=looking)
        self.presets, self.same_names = StoredPresets(self._added, self._writing), SameNames(self._added, self._writing)
        self.results = results.StoredResults(self._added, self._writing)

    def _open(self, *, looking: bool) -> None:
        self._database = sqlite3.connect(self.path, timeout=BUSY_S, isolation_level=None)
        self._database.text_factory = opening.as_text
        try:
            opening.prepare(self._database, self.path, looking=looking)
        except BaseException:
            self._database.close()
            raise
        self._files = None if looking else opening.files_of(self.path)  # None: not monitored

    def __enter__(self) -> Self:
        """Return the store itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Close the file. Nothing is lost if this is never called."""
        self._playing.close()
        self._database.close()

    @property
    def trouble(self) -> str:
        """Why events cannot be stored now, as a text for users; empty if they can."""
        with suppress(StoreError):  # the next write reports it
            self._write_again_if_gone()
        return opening.store_trouble(self.path)

    def claim(self, match: StoredMatch) -> None:
        """Claim this match for this table and release the previous one; StoreError if another table plays it."""
        if not self._playing.take(match.number):
            raise StoreError(
                say(
                    "another table is playing match {n} ({names}); quit that one first",
                    n=match.number,
                    names=join(", ", match.players),
                )
            )
        with suppress(StoreError), self._writing():  # with a full card, play continues
            self._database.execute("INSERT OR REPLACE INTO playing VALUES (1, ?)", (match.number,))

    @property
    def taken_up_last(self) -> int | None:
        """The number of the match claimed last, None if there was none."""
        rows = self._rows("SELECT match FROM playing")
        return rows[0][0] if rows and sound(rows[0], int) else None

    def begin(
        self,
        game: str,
        players: Sequence[str],
        options: Mapping[str, Any],
        time: str,
        clock: ClockState | None = None,
        *,
        told: bool = True,
    ) -> int:
        """Create a match and return its number.

        clock: None if the time does not come from the machine's clock. told: whether it belongs to the sequence.
        """
        with self._writing():
            cursor = self._database.execute(
                "INSERT INTO match (id, game, players, options, begun) VALUES (?, ?, ?, ?, ?)",
                (self._next_number(), game, json.dumps(list(players)), json.dumps(dict(options)), time),
            )
            number = int(cursor.lastrowid or 0)
            note_clock(self._database, number, range(BEGINNING, BEGINNING + 1), clock)
            self._database.executemany(NEXT_IN_SEQUENCE, [(number, BEGINNING)] if told else [])
            return number

    def _next_number(self) -> int | None:
        """Return a number that no match has, and no event of one whose row was lost; None lets SQLite choose."""
        newest = self._one(NEWEST_NUMBER)
        return newest + 1 if newest < LARGEST_NUMBER else None

    def append(
        self,
        match: int,
        first: int,
        events: Iterable[tuple[str, Mapping[str, Any]]],
        clock: ClockState | None = None,
        *,
        told: bool = True,
    ) -> None:
        """Store (time, body) pairs as the events `first`, `first` + 1, ... of the match, all or none of them.

        clock, told: as in `begin`.
        """
        rows = [(match, first + i, time, json.dumps(body)) for i, (time, body) in enumerate(events)]
        with self._writing():
            self._database.executemany("INSERT INTO event (match, n, time, body) VALUES (?, ?, ?, ?)", rows)
            note_clock(self._database, match, range(first, first + len(rows)), clock)
            self._database.executemany(NEXT_IN_SEQUENCE, [(match, n) for _, n, _, _ in rows if told])

    def change_options(self, match: int, options: Mapping[str, Any]) -> None:
        """Change the options of a match without events; does nothing if there are any."""
        with self._writing():
            self._database.execute(
                "UPDATE match SET options=? WHERE id=? AND NOT EXISTS (SELECT 1 FROM event WHERE match=?)",
                (json.dumps(dict(options)), match, match),
            )

    def keep_colour(self, match: int, name: str, colour: str) -> None:
        """Store the colour of this player's die in this match."""
        with self._writing():
            self._database.execute("INSERT OR REPLACE INTO colour VALUES (?, ?, ?)", (match, name, colour))

    def colours(self, match: int) -> dict[str, str]:
        """Return the colours of the players' dice in this match, empty if none were registered."""
        rows = self._rows("SELECT name, colour FROM colour WHERE match=?", match)
        return {name: colour for name, colour in rows if sound((name, colour), str, str)}

    def end(self, match: int, ending: Ending | None) -> None:
        """Store how the match ended; None reopens it (an undo past its end)."""
        with self._writing():
            self._database.execute("UPDATE match SET ending=? WHERE id=?", (ending, match))

    def matches(
        self,
        before: int | None = None,
        most: int = -1,
        players: Sequence[str] = (),
        game: str = "",
        since: str = "",
        until: str = "",
    ) -> tuple[StoredMatch, ...]:
        """Return all matches, newest first, unreadable ones with their damage; empty for a new store.

        before: only those with a smaller number. most: no more than this, if not negative. players: only those that one
        of these began. game: only those of this one. since, until: only those that began at the first or later, and
        before the second; times as in the store.
        """
        names = json.dumps([json.dumps(name) for name in players])
        rows = self._rows(f"{MATCHES} {FITTING}", before, most, names, game, since, until)
        return tuple(stored_match(number, cells, count) for number, *cells, count in rows if sound([number], int))

    def played(self) -> tuple[list[str], list[str]]:
        """Return the ids of the games and the names of the players that began any match, in no order."""
        games, names = self._rows("SELECT DISTINCT game FROM match"), self._rows(EVERYBODY)
        return [game for (game,) in games if sound([game], str)], [name for (name,) in names if sound([name], str)]

    def broken_logs(self, among: Sequence[int] | None = None) -> frozenset[int]:
        """Return the matches with an event that is missing or is not a JSON object.

        among: check these matches only, None for all. The content of the JSON is not checked.
        """
        where = "" if among is None else f"WHERE match IN ({','.join(map(str, among))})"
        return frozenset(match for (match,) in self._rows(BROKEN_LOGS.format(where)))

    def names(self) -> tuple[str, ...]:
        """Return the names of players to offer, most recently played first.

        Older versions allowed forgetting names: those are left out until they play again.
        """
        newest: dict[str, int] = {}
        for match in self.matches():
            for name in match.players:
                newest.setdefault(name, match.number)
        rows = self._added("name", "SELECT name, match, remembered FROM name")
        for name, match_number, remembered in (row for row in rows if sound(row, str, int, int)):
            if remembered:
                newest[name] = max(newest.get(name, 0), match_number)
            elif newest.get(name, 0) <= match_number:
                newest.pop(name, None)
        offered = [name for name in newest if name not in NOT_OFFERED]
        return self.same_names.of_all(sorted(offered, key=lambda name: -newest[name]))

    def remember(self, name: str) -> None:
        """Remember a name as a player of the newest match: players who joined later are not in its list."""
        with self._writing():
            newest = self._one("SELECT ifnull(max(id), 0) FROM match")
            self._database.execute("INSERT OR REPLACE INTO name VALUES (?, ?, 1)", (name, newest))

    def match(self, number: int) -> StoredMatch:
        """Return one match; raises InputError naming the valid numbers."""
        rows = self._rows(f"{MATCHES} WHERE id=?", number) if number <= LARGEST_NUMBER else []
        if not rows or not sound(rows[0][:1], int):
            found = [match.number for match in self.matches()]
            known = f"1 to {max(found)}" if found else "none yet"
            raise InputError(f"expected the number of a stored match ({known}), got {number}")
        (_, *cells, count), *_ = rows
        return stored_match(number, cells, count)

    def event(self, match: int, n: int) -> StoredEvent:
        """Return one event of a match, without the state of its clock; an empty one if it is missing or damaged."""
        rows = self._rows("SELECT n, time, body FROM event WHERE match=? AND n=?", match, n)
        return stored_event(*rows[0]) if rows else StoredEvent(n, "", {})

    def events(self, match: int) -> tuple[StoredEvent, ...]:
        """Return the events of a match in order, up to a gap, which is marked by an empty event."""
        rows = self._rows("SELECT n, time, body FROM event WHERE match=? ORDER BY n", match)
        with opening.explained(self.path, "read"):
            clocks = clocks_of(self._database, match)
        events = tuple(stored_event(n, time, body, clocks.get(n)) for n, time, body in rows)
        hole = next((n for n, event in enumerate(events, start=1) if event.n != n), 0)
        return (*events[: hole - 1], StoredEvent(hole, "", {})) if hole else events

    def sequence(self, after: int, most: int) -> tuple[tuple[int, int, int], ...]:
        """Return (id, match, n) of what was stored after this id, oldest first; n is 0 for the beginning of a match.

        most: the largest number of rows. Events stored before sequences were kept have none.
        """
        rows = self._added("sequence", "SELECT id, match, n FROM sequence WHERE id>? ORDER BY id LIMIT ?", after, most)
        return tuple(row for row in rows if sound(row, int, int, int))

    def newest_sequence(self) -> int:
        """Return the id of what was stored last, 0 in a store without sequence."""
        rows = self._added("sequence", "SELECT ifnull(max(id), 0) FROM sequence")
        return int(rows[0][0]) if rows else 0

    def log_bytes(self, match: StoredMatch) -> bytes:
        """Return the match and all its events as bytes that change whenever any of them does."""
        ((log, rest),) = self._rows(LOG_BYTES, match.number)
        return repr((match.game, match.players, dict(match.options), match.damage, rest)).encode() + (log or b"")

    def dates(self) -> dict[int, str | None]:
        """Return when each match began, by match number, None if unknown; see `dates_of`."""
        with opening.explained(self.path, "read"):
            return dates_of(self._database)

    def _added(self, table: str, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Return what this query finds, nothing in a store that predates the table."""
        there = self._rows("SELECT 1 FROM sqlite_master WHERE type='table' AND name=?", table)
        return self._rows(query, *values) if there else []

    def _one(self, statement: str) -> int:
        return opening.one(self._database, statement)

    def _rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        with opening.explained(self.path, "read"):
            return self._database.execute(query, values).fetchall()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        self.write_began_s = time.monotonic()
        try:
            with opening.explained(self.path, "written"):
                self._write_again_if_gone()
                with opening.transaction(self._database):
                    yield self._database
        finally:
            self.write_began_s = None

    def _write_again_if_gone(self) -> None:
        """Write the file again from what is open, if it was deleted or replaced; nothing is lost."""
        if self._files is None or (files := opening.files_of(self.path)) == self._files:
            return
        with opening.explained(self.path, "written"):
            try:
                opening.write_again(self._database, self.path, replaced=files[0] not in (self._files[0], None))
            except OSError as error:
                text, why = str(self.path), str(error.strerror)
                raise StoreError(say("the store {text} cannot be written: {reason}", text=text, reason=why)) from error
            self._database.close()
            self._open(looking=False)
        self._playing.renew()
