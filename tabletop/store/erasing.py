"""Delete a match, or the name of a player, for good: the one exception to "events never change".

Only a person's explicit wish leads here. The wish is on disk before anything changes, and `finish` carries it out again
from the beginning after a power cut. It reaches recordings, pictures of throws, the store with its free pages and its
log, both automatic copies and the summaries of `tabletop stats`. Archives and damaged stores put aside stay as they
are.
"""

import fcntl
import json
import os
import sqlite3
import tarfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from typing import Any

from tabletop.core.errors import InputError, StoreError
from tabletop.core.message import say
from tabletop.store import Store, opening
from tabletop.store.copies import BEFORE, NEWEST, PART
from tabletop.store.database import BUSY_S
from tabletop.store.rows import ADDED_TABLES, stored_json, stored_players
from tabletop.store.throws import READING, delete_pictures, folder_of

WISH = ".erasing"  # suffix of the file with the wish, beside the store
DERIVED = (".stats", ".stats.part")  # recomputed when they are needed
UNNAMED = "Player"  # and the seat: what is left of a deleted player in the matches of others
OF_A_MATCH = (
    "event",
    "clock",
    "colour",
    "playing",
    "result",
)  # tables; ids in the sequence stay: they are never given again
JOINS = '{"kind": "join",'

Playing = Callable[[int], bool]
"""Returns whether a table is playing the match of this number."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to go. matches: number and when it began. names: old -> new name, "" for none. folders: of recordings."""

    matches: Sequence[tuple[int, str]]
    names: Mapping[str, str]
    folders: Sequence[str]


def delete_match(store: Path, number: int, playing: Playing, folders: Iterable[Path] = ()) -> None:
    """Delete a match for good; raises InputError if there is none or a table is playing it, StoreError and OSError.

    folders: where recordings are, besides the store's.
    """
    with Store(store, looking=True) as opened:
        match = opened.match(number)
    _erase(store, Wish([(number, match.begun)], {}, _texts(store, folders)), [number], playing)


def replace_player(store: Path, old: str, new: str, playing: Playing, folders: Iterable[Path] = ()) -> None:
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
        begun = {match.number: match.begun for match in opened.matches()}
    with opening.explained(store, "read"), closing(_connected(store)) as database:
        there = {number: who for number, who in _seats(database) if names.keys() & {*who}}
    if not there and old not in known:
        raise InputError(say("that name is not known here"))
    if new and (both := [who for who in there.values() if len({names.get(name, name) for name in who}) < len(who)]):
        one, other, *_ = (name for name in both[0] if names.get(name, name) == new)
        raise InputError(say("{text} and {text2} played the same match: they are two people", text=one, text2=other))
    alone = [(number, begun[number]) for number, who in there.items() if not new and {*who} <= names.keys()]
    _erase(store, Wish(alone, names, _texts(store, folders)), there, playing)


def finish(store: Path) -> None:
    """Carry out what was wished for and not finished; raises StoreError and OSError, and may be called again."""
    with _alone(store):
        _finish(store)


def _texts(store: Path, folders: Iterable[Path]) -> list[str]:
    return sorted({str(folder.absolute()) for folder in (store.parent, *folders)})


def _erase(store: Path, wish: Wish, numbers: Iterable[int], playing: Playing) -> None:
    for number in numbers:
        if playing(number):
            raise InputError(say("match {n} is on the table: begin another one first", n=number))
    with _alone(store):
        _finish(store)
        path = store.with_name(store.name + WISH)
        part = path.with_name(path.name + ".part")
        with part.open("w", encoding="utf-8") as file:
            json.dump(asdict(wish), file)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
        _finish(store)


@contextmanager
def _alone(store: Path) -> Iterator[None]:
    """Hold the lock of the store's folder: one deletion at a time."""
    if not store.exists():
        yield
        return
    folder = os.open(store.absolute().parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
        os.fsync(folder)
    finally:
        os.close(folder)


def _finish(store: Path) -> None:
    path = store.with_name(store.name + WISH)
    if not path.exists():
        return
    wish = Wish(**json.loads(path.read_text(encoding="utf-8")))
    with opening.explained(store, "written"), closing(_connected(store)) as database:
        database.execute("PRAGMA journal_mode=WAL")
        _delete_recordings(database, wish)
        _change_pictures(store, database, wish)
        _change(database, wish)
        store.with_name(store.name + PART).unlink(missing_ok=True)  # a copy in the making may be old
        for suffix in (NEWEST, BEFORE):
            _change_copy(store.with_name(store.name + suffix), wish)
        for suffix in DERIVED:
            store.with_name(store.name + suffix).unlink(missing_ok=True)
        database.execute("VACUUM")
        if database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
            raise StoreError(f"expected that nobody reads {store}: what is deleted goes from its log at the next start")
    path.unlink()


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
            seated = stored_players(cell)
            yield number, [*dict.fromkeys((*seated, *joined.get(number, ())))]


def _change(database: sqlite3.Connection, wish: Wish) -> None:
    """Carry out a wish in a store or a copy, in one transaction; a copy may be of another store, and an older one."""
    with opening.transaction(database):
        for statement in ADDED_TABLES:
            database.execute(statement)
        for number, begun in wish.matches:
            if database.execute("DELETE FROM match WHERE id=? AND begun=?", (number, begun)).rowcount:
                for table in OF_A_MATCH:
                    database.execute(f"DELETE FROM {table} WHERE match=?", (number,))  # noqa: S608 - one of ours
                database.execute("INSERT OR IGNORE INTO deleted VALUES (?)", (number,))
        for number, there in _seats(database):
            if new := _new_names(there, wish.names):
                _rename_in_match(database, number, there, new)
        _rename_beside(database, wish.names)


def _new_names(there: Sequence[str], names: Mapping[str, str]) -> dict[str, str]:
    """Return old -> new name in a match with these players; who has none is called by the seat."""
    new = dict[str, str]()
    for seat, name in enumerate(there, start=1):
        if name in names:
            free = (f"{UNNAMED}{n}" for n in count(seat) if f"{UNNAMED}{n}" not in {*there, *new.values()})
            new[name] = names[name] or next(free)
    return new


def _rename_in_match(database: sqlite3.Connection, number: int, there: list[str], new: Mapping[str, str]) -> None:
    seated = stored_players(database.execute("SELECT players FROM match WHERE id=?", (number,)).fetchone()[0])
    players = json.dumps([new.get(name, name) for name in seated])
    database.execute("UPDATE match SET players=? WHERE id=?", (players, number))
    for name in new:
        for table in ("colour", "result"):
            rename = f"UPDATE OR REPLACE {table} SET name=? WHERE match=? AND name=?"  # noqa: S608 - one of these
            database.execute(rename, (new[name], number, name))
    rows = database.execute("SELECT n, body FROM event WHERE match=?", (number,)).fetchall()
    bodies = dict[int, Any]()
    for n, body in rows:
        with suppress(ValueError):
            bodies[n] = stored_json(body)
    chosen = any(_asks_for_player(body, {*there}) for body in bodies.values())
    for n, body in rows:
        if isinstance(bodies.get(n), dict):
            text = json.dumps(renamed(bodies[n], new, chosen=chosen))
        else:  # damaged: no one can say what its words mean
            text = str(body)
            for name in new:
                text = text.replace(json.dumps(name), json.dumps(new[name]))
        if text != body:
            database.execute("UPDATE event SET body=? WHERE match=? AND n=?", (text, number, n))


def _asks_for_player(body: Any, there: set[str]) -> bool:  # noqa: ANN401 - any value of JSON
    """Return whether an event answers which of the others is meant; a player may be called as other options are."""
    match body:
        case {"request": {"player": player, "options": [*options]}}:
            return bool(options) and {*options} <= there - {player}
    return False


def renamed(body: Mapping[str, Any], new: Mapping[str, str], *, chosen: bool) -> dict[str, Any]:
    """Return the JSON of an event, or of its request, with players renamed. chosen: whether options are players."""
    changed = dict(body)
    for key, value in body.items():
        if key == "player" or (key == "choice" and chosen):
            changed[key] = new.get(value, value)
        elif isinstance(value, dict):
            inside = key in ("faces", "dice") or (key == "gives" and chosen)
            changed[key] = {new.get(name, name) if inside else name: one for name, one in value.items()}
            if key == "request":
                changed[key] = renamed(value, new, chosen=chosen)
        elif key == "options" and chosen:
            changed[key] = [new.get(option, option) for option in value]
    return changed


def _rename_beside(database: sqlite3.Connection, names: Mapping[str, str]) -> None:
    """Rename players in what is kept besides matches; presets of deleted ones go."""
    for old, new in names.items():
        database.execute("DELETE FROM same_name WHERE name=?1 OR means=?1", (old,))
        database.execute("UPDATE OR REPLACE name SET name=?2 WHERE name=?1 AND ?2<>''", (old, new))
        database.execute("DELETE FROM name WHERE name=?", (old,))
        for preset, cell in database.execute("SELECT name, players FROM preset").fetchall():
            with suppress(ValueError):
                players = [new if name == old else name for name in stored_players(cell)]
                database.execute("UPDATE preset SET players=? WHERE name=?", (json.dumps(players), preset))
                if not new and ("" in players or old in preset.split()):
                    database.execute("DELETE FROM preset WHERE name=?", (preset,))


def _change_copy(path: Path, wish: Wish) -> None:
    """Carry out a wish in an automatic copy; one that cannot be read goes as a whole."""
    if not path.exists():
        return
    made = path.stat()
    try:
        with closing(_connected(path)) as database:
            _change(database, wish)
            database.execute("VACUUM")
    except (sqlite3.Error, ValueError):
        path.unlink()
    else:
        os.utime(path, ns=(made.st_atime_ns, made.st_mtime_ns))  # its day


def _change_pictures(store: Path, database: sqlite3.Connection, wish: Wish) -> None:
    for number, _ in wish.matches:
        delete_pictures(store, number)
    for number, there in _seats(database):
        new = _new_names(there, wish.names)
        for path in folder_of(store).glob(f"{number}-*{READING}") if new else ():
            try:
                facts = json.loads(path.read_bytes())
                facts["event"] = renamed(facts["event"], new, chosen=False)
            except (ValueError, KeyError, AttributeError):  # written in part
                path.unlink()
            else:
                path.write_text(json.dumps(facts), encoding="utf-8")


def _delete_recordings(database: sqlite3.Connection, wish: Wish) -> None:
    """Delete the recordings that show one of the matches or name one of the players, as far as they can be read."""
    logs = list[tuple[str, list[str], list[Any]]]()
    for number, _ in wish.matches:
        bodies = database.execute("SELECT body FROM event WHERE match=? ORDER BY n", (number,)).fetchall()
        for game, players in database.execute("SELECT game, players FROM match WHERE id=?", (number,)):
            with suppress(ValueError):  # damaged: no recording can be compared with it
                logs.append((game, stored_json(players), [stored_json(body) for (body,) in bodies]))
    for path in (path for folder in wish.folders for path in sorted(Path(folder).glob("*.tar"))):
        shown, named = list[tuple[object, list[str], list[Any]]](), False
        with suppress(tarfile.TarError, EOFError, ValueError, KeyError, TypeError):
            for line in _lines(path):
                named = named or any(json.dumps(name) in line for name in wish.names)
                turn = json.loads(line)
                if match := turn.get("match"):
                    shown.append((match["game"], match["players"], match["log"]))
                elif shown:
                    shown[-1][2].extend(turn.get("events", ()))
        if named or any(
            (game, players) == (own_game, own_players) and log[: len(own)] == own
            for own_game, own_players, own in shown
            for game, players, log in logs
        ):
            path.unlink(missing_ok=True)


def _lines(recording: Path) -> Iterator[str]:
    with tarfile.open(recording) as tar:
        for member in tar:
            file = tar.extractfile(member) if member.name.startswith("lines/") else None
            yield from file.read().decode().splitlines() if file else ()
