"""Delete a match, or the name of a player, for good: the one exception to "events never change".

Only a person's explicit wish leads here. The wish is on disk before anything changes, and `finish` carries it out again
from the beginning after a power cut. It reaches recordings beside the store, pictures of throws, the store with its
free pages and its log, the summaries of `tabletop stats`, and both automatic copies, which one new copy replaces.
Films, archives, recordings in other folders and damaged stores put aside stay as they are.
"""

import fcntl
import json
import os
import re
import sqlite3
import tarfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from datetime import datetime
from itertools import count
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from tabletop.core import InputError, StoreError, say
from tabletop.store import Store, copies, opening, throws
from tabletop.store.database import BUSY_S, UNNAMED
from tabletop.store.rows import stored_json, stored_players

WISH = ".erasing"  # suffix of the file with the wish, beside the store
# Bytes: about 1,000 matches. On a PC, events waited up to 0.14 s while such a store was rewritten, and 2 s at 10,000.
LARGE = 40_000_000
CHECKPOINT_S = 0.05  # between two tries: another connection's checkpoint is not waited for by SQLite
DERIVED = (".stats", ".stats.part")  # recomputed when they are needed
OF_A_MATCH = ("event", "clock", "colour", "playing", "result")  # tables; ids in the sequence are never given again
JOINS = '{"kind": "join",'
Names = Mapping[str, str]
"""Old -> new name."""

Playing = Callable[[int], bool]
"""Returns whether a table is playing the match of this number."""


def delete_match(store: Path, number: int, playing: Playing) -> None:
    """Delete a match for good; raises InputError if there is none or a table is playing it, StoreError and OSError."""
    with Store(store, looking=True) as opened:
        opened.match(number)
    _erase(store, {"matches": [number], "names": {}}, [number], playing)


def replace_player(store: Path, old: str, new: str, playing: Playing) -> None:
    """Rename a player for good, with all spellings merged into the name, or merge them into another player.

    new: the name to use, already checked; "" deletes the player, and the matches that nobody else played. Raises
    InputError if nobody has the old name, or both sat in one match, or one of the matches is being played; else as
    `delete_match`.
    """
    with Store(store, looking=True) as opened:
        same = opened.same_names.all()
        new = same.get(new, new) if same.get(new) != old else new
        names = {name: new for name in (old, *(name for name, means in same.items() if means == old)) if name != new}
        known = {*opened.names(), *same}
    with opening.explained(store, "read"), closing(_connected(store)) as database:
        there = {number: who for number, who in _seats(database) if names.keys() & {*who}}
    if not there and old not in known:
        raise InputError(say("that name is not known here"))
    if new and (both := [who for who in there.values() if len({names.get(name, name) for name in who}) < len(who)]):
        one, other, *_ = (name for name in both[0] if names.get(name, name) == new)
        raise InputError(say("{text} and {text2} played the same match: they are two people", text=one, text2=other))
    alone = [number for number, who in there.items() if not new and {*who} <= names.keys()]
    _erase(store, {"matches": alone, "names": names}, there, playing)


def _erase(store: Path, wish: Mapping[str, Any], numbers: Iterable[int], playing: Playing) -> None:
    if number := next(filter(playing, numbers), None):
        raise InputError(say("match {n} is on the table: begin another one first", n=number))
    with opening.explained(store, "read"), closing(_connected(store)) as database:
        unfinished = [number for (number,) in database.execute("SELECT id FROM match WHERE ending IS NULL")]
    if store.stat().st_size > LARGE and any(map(playing, unfinished)):
        raise InputError(say("too large to delete during a match"))
    finish(store)
    part = store.with_name(f"{store.name}{WISH}.part")
    with part.open("w", encoding="utf-8") as file:
        json.dump(wish, file)
        file.flush()
        os.fsync(file.fileno())
    part.replace(store.with_name(store.name + WISH))
    finish(store)


def finish(store: Path) -> None:
    """Carry out what was wished for and not finished; raises StoreError and OSError, and may be called again."""
    path = store.with_name(store.name + WISH)
    if not path.exists():
        return
    Store(store).close()  # adds the tables of later versions
    with (
        path.open(encoding="utf-8") as file,
        opening.explained(store, "written"),
        closing(_connected(store)) as database,
    ):
        fcntl.flock(file, fcntl.LOCK_EX)  # one at a time
        wish = json.load(file)
        os.fsync(folder := os.open(store.absolute().parent, os.O_RDONLY))
        os.close(folder)
        _delete_recordings(store, database, wish)
        with opening.transaction(database):
            there = dict(_seats(database)) if wish["names"] else {}
            changed = {number: new for number, who in there.items() if (new := _new_names(who, wish["names"]))}
            _change_pictures(store, wish["matches"], changed)
            _change(database, wish, there, changed)
        database.execute("VACUUM")  # pages that were split keep parts of what moved, which secure_delete does not reach
        end_s = monotonic() + BUSY_S
        while database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
            if monotonic() > end_s:
                raise StoreError(f"expected that nobody reads {store}: the next start deletes the rest")
            sleep(CHECKPOINT_S)
        for suffix in (*DERIVED, copies.PART, copies.BEFORE, copies.NEWEST):  # a copy in the making fails
            store.with_name(store.name + suffix).unlink(missing_ok=True)
        copies.keep_copy(store, datetime.now().astimezone().date())
        path.unlink(missing_ok=True)


def _connected(path: Path) -> sqlite3.Connection:
    """Open a store, without its references: the sequence names matches that are gone."""
    database = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None)
    database.text_factory = opening.as_text
    database.execute("PRAGMA secure_delete=ON")
    return database


def _seats(database: sqlite3.Connection) -> Iterator[tuple[int, list[str]]]:
    """Yield each readable match with its players, also those who joined it later."""
    joined = dict[int, list[str]]()
    joins = "SELECT match, body FROM event WHERE substr(body, 1, ?)=?"
    for number, body in database.execute(joins, (len(JOINS), JOINS)):
        with suppress(ValueError, KeyError):
            joined.setdefault(number, []).append(stored_json(body)["player"])
    for number, cell in database.execute("SELECT id, players FROM match").fetchall():
        with suppress(ValueError):
            yield number, [*dict.fromkeys((*stored_players(cell), *joined.get(number, ())))]


def _change(
    database: sqlite3.Connection, wish: Mapping[str, Any], there: Mapping[int, list[str]], changed: Mapping[int, Names]
) -> None:
    for number in wish["matches"]:
        for table in OF_A_MATCH:
            database.execute(f"DELETE FROM {table} WHERE match=?", (number,))  # noqa: S608 - one of ours
        database.execute("DELETE FROM match WHERE id=?", (number,))
        database.execute("INSERT OR IGNORE INTO deleted VALUES (?)", (number,))
    for number, new in changed.items():
        if number not in wish["matches"]:
            _rename_in_match(database, number, there[number], new)
    for old, new in wish["names"].items():
        database.execute("DELETE FROM same_name WHERE name=?1 OR means=?1", (old,))
        database.execute("UPDATE OR REPLACE name SET name=?2 WHERE name=?1 AND ?2<>''", (old, new))
        database.execute("DELETE FROM name WHERE name=?", (old,))
        told = (json.dumps(old), new, f" {old} ")
        database.execute(
            "DELETE FROM preset WHERE ?2='' AND (instr(players, ?1) OR instr(' ' || name || ' ', ?3))", told
        )
        database.execute("UPDATE preset SET players=replace(players, ?, ?)", (json.dumps(old), json.dumps(new)))


def _new_names(there: Sequence[str], names: Names) -> dict[str, str]:
    """Return old -> new name in a match with these players; who has none is called by the seat."""
    new = dict[str, str]()
    for seat, name in enumerate(there, start=1):
        if name in names:
            free = (f"{UNNAMED}{n}" for n in count(seat) if f"{UNNAMED}{n}" not in {*there, *new.values()})
            new[name] = names[name] or next(free)
    return new


def _rename_in_match(database: sqlite3.Connection, number: int, there: list[str], new: Names) -> None:
    """Rename players in a match. An event that cannot be read becomes empty, which cannot be read either."""
    for name in new:
        quoted = (json.dumps(name), json.dumps(new[name]), number)
        database.execute("UPDATE match SET players=replace(players, ?, ?) WHERE id=?", quoted)
        for table in ("colour", "result"):
            rename = f"UPDATE OR REPLACE {table} SET name=? WHERE match=? AND name=?"  # noqa: S608 - one of these
            database.execute(rename, (new[name], number, name))
    cells = dict(database.execute("SELECT n, body FROM event WHERE match=?", (number,)).fetchall())
    texts = {n: _quickly_renamed(cell, new) for n, cell in cells.items()}
    if None in texts.values():
        bodies = {n: dict[str, Any]() for n in cells}
        for n, cell in cells.items():
            with suppress(ValueError):
                bodies[n] = stored_json(cell)
        chosen = any(_asks_for_player(body, {*there}) for body in bodies.values())
        texts = {n: json.dumps(renamed(body, new, chosen=chosen)) for n, body in bodies.items()}
    rows = [(text, number, n) for n, text in texts.items() if text != cells[n]]
    database.executemany("UPDATE event SET body=? WHERE match=? AND n=?", rows)


def _quickly_renamed(cell: object, new: Names) -> str | None:
    """Return an event's text with its player renamed, a tenth of the work; None if it has a name elsewhere."""
    if not isinstance(cell, str):
        return None
    for name in new:
        cell = cell.replace(f'"player": {json.dumps(name)}', f'"player": {json.dumps(new[name])}')
    spelled = "|".join(re.escape(text) for name in new for text in (name, json.dumps(name)[1:-1]))
    return None if re.search(rf"(?<!\w)(?:{spelled})(?!\w)", cell) else cell


def _asks_for_player(body: Any, there: set[str]) -> bool:  # noqa: ANN401 - any value of JSON
    """Return whether an event answers which of the others is meant; a player may be called as other options are."""
    match body:
        case {"request": {"player": player, "options": [*options]}}:
            return bool(options) and {*options} <= there - {player}
    return False


def renamed(value: Any, new: Mapping[str, str], key: str = "", *, chosen: bool) -> Any:  # noqa: ANN401 - values of JSON
    """Return the JSON of an event, or its part of this key, with players renamed. chosen: whether options are names."""
    if isinstance(value, dict):
        named = key in ("faces", "dice") or (chosen and key == "gives")
        parts = {name: renamed(part, new, name, chosen=chosen) for name, part in value.items()}
        return {new.get(name, name) if named else name: part for name, part in parts.items()}
    if chosen and key == "options":
        return [new.get(option, option) for option in value]
    return new.get(value, value) if key == "player" or (chosen and key == "choice") else value


def _change_pictures(store: Path, matches: Iterable[int], changed: Mapping[int, Names]) -> None:
    for number in matches:
        throws.delete_pictures(store, number)
    for path in throws.folder_of(store).glob(f"*-*{throws.READING}") if changed else ():
        try:
            if new := changed.get(int(path.stem.partition("-")[0])):
                facts = json.loads(path.read_bytes())
                path.write_text(json.dumps(facts | {"event": renamed(facts["event"], new, chosen=False)}))
        except (ValueError, KeyError, TypeError):  # written in part
            path.unlink()


def _delete_recordings(store: Path, database: sqlite3.Connection, wish: Mapping[str, Any]) -> None:
    """Delete the recordings with one of the names, or with the players and the first event of one of the matches."""
    marks = [[json.dumps(name)] for name in wish["names"]]
    first = "SELECT game, players, ifnull(body, '') FROM match LEFT JOIN event ON match=id AND n=1 WHERE id=?"
    for number in wish["matches"]:
        rows = database.execute(first, (number,)).fetchall()
        marks += [[f'"game": {json.dumps(game)}, "players": {players}', body] for game, players, body in rows]
    for path in store.parent.glob("*.tar"):
        text = ""
        with suppress(tarfile.TarError, EOFError), tarfile.open(path) as tar:
            for file in (tar.extractfile(member) for member in tar if member.name.startswith("lines/")):
                text += file.read().decode(errors="replace") if file else ""
        if any(all(word in text for word in words) for words in marks):
            path.unlink(missing_ok=True)
