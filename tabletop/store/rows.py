"""The tables of the store, and the values read from them: matches and events.

All cells are validated: a failing memory card may corrupt any of them.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NoReturn, get_args

from tabletop.core.values import ClockState

Ending = Literal["over", "left", "abandoned"]
LONGEST_WORD = 200  # characters of a game's id or a player's name; names have a dozen letters plus combining marks


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """One match as listed by the store. ending: None while it is open. events: how many are stored.

    damage: the columns that cannot be read and are empty here; a match with damage cannot be played.
    """

    number: int
    game: str
    players: tuple[str, ...]
    options: Mapping[str, Any]
    begun: str
    ending: Ending | None
    events: int
    damage: str = ""


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """One stored event. n: from 1. time: ISO 8601, UTC. clock: None if not recorded.

    body: JSON-serialisable; empty if damaged or missing (a valid event is never empty).
    """

    n: int
    time: str
    body: Mapping[str, Any]
    clock: ClockState | None = None


def _refuse(figure: str) -> NoReturn:
    raise ValueError(f"expected whole numbers in the store, got {figure[:20]}")


_DECODER = json.JSONDecoder(parse_float=_refuse, parse_constant=_refuse)


def is_text(cell: object) -> bool:
    """Return whether a cell holds valid UTF-8: damaged bytes are lone surrogates, which cannot be encoded."""
    try:
        return isinstance(cell, str) and cell.encode() is not None
    except UnicodeEncodeError:
        return False


def sound(row: Sequence[object], *types: type) -> bool:
    """Return whether the cells have these types, in order, and all texts are valid UTF-8."""
    return all(type(cell) is kind and (kind is not str or is_text(cell)) for cell, kind in zip(row, types, strict=True))


def stored_json(cell: object) -> Any:  # noqa: ANN401 - any value of JSON
    """Parse the JSON of a cell; raises ValueError if it is invalid or contains a lone surrogate."""
    if not isinstance(cell, str) or not is_text(cell):
        raise ValueError("expected text in UTF-8, got something else")
    try:
        value = _DECODER.decode(cell)
        if "\\u" in cell:
            json.dumps(value, ensure_ascii=False).encode()
    except RecursionError:
        raise ValueError("expected a flat value, got nested ones without end") from None
    return value


def stored_players(cell: object) -> tuple[str, ...]:
    """Parse a cell of the column `players`; raises ValueError."""
    names = stored_json(cell)
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        raise ValueError("expected a list of names, got something else")
    if max(map(len, names)) > LONGEST_WORD:
        raise ValueError("expected names, got an endless one")
    return tuple(names)


def stored_options(cell: object) -> dict[str, Any]:
    """Parse a cell of the column `options`; raises ValueError."""
    options = stored_json(cell)
    if not isinstance(options, dict) or not all(isinstance(value, bool | int | str) for value in options.values()):
        raise ValueError("expected options with a value each, got something else")
    return options


def _game(cell: object) -> str:
    if not isinstance(cell, str) or not is_text(cell) or not 0 < len(cell) <= LONGEST_WORD:
        raise ValueError("expected the id of a game, got something else")
    return cell


def _begun(cell: object) -> str:
    if not isinstance(cell, str) or not cell.isascii():
        raise ValueError("expected a date, got something else")
    datetime.fromisoformat(cell)
    return cell


def _ending(cell: object) -> Ending | None:
    if cell is not None and cell not in get_args(Ending):
        raise ValueError("expected how a match ended, got something else")
    return cell  # type: ignore[return-value]  # one of them, as was just seen


def stored_match(number: int, cells: Sequence[object], events: int) -> StoredMatch:
    """Build a match. cells: of the columns game, players, options, begun and ending."""
    readers: dict[str, tuple[Callable[[object], Any], Any]] = {
        "game": (_game, ""), "players": (stored_players, ()), "options": (stored_options, {}), "begun": (_begun, ""),
        "ending": (_ending, None),
    }  # fmt: skip
    values, damaged = dict[str, Any](), list[str]()
    for (column, (read, empty)), cell in zip(readers.items(), cells, strict=True):
        try:
            values[column] = read(cell)
        except ValueError:
            values[column] = empty
            damaged.append(column)
    return StoredMatch(number, events=events, damage=", ".join(damaged), **values)


def stored_event(n: int, time: object, body: object, clock: ClockState | None = None) -> StoredEvent:
    """Build an event; its body is empty if a cell is damaged."""
    try:
        read = stored_json(body)
    except ValueError:
        read = None
    if not isinstance(read, dict) or not is_text(time):
        return StoredEvent(n, "", {})
    return StoredEvent(n, str(time), read, clock)


APPLICATION_ID = 0x44494345  # "DICE", in the file's header: identifies the store, also for `file`
VERSION = 1  # of the tables below, stored as SQLite's user_version

TABLES = """
CREATE TABLE match (
    id INTEGER PRIMARY KEY,
    game TEXT NOT NULL,
    players TEXT NOT NULL,      -- JSON array, seat order
    options TEXT NOT NULL,      -- JSON object
    begun TEXT NOT NULL,        -- ISO 8601, UTC
    ending TEXT                 -- NULL: open; over: played to its end; left: somebody chose to leave it
                                -- abandoned: ended without a winner, as its events tell
) STRICT;
CREATE TABLE event (
    match INTEGER NOT NULL REFERENCES match (id),
    n INTEGER NOT NULL,         -- from 1, without holes
    time TEXT NOT NULL,         -- ISO 8601, UTC
    body TEXT NOT NULL,         -- JSON object: the event with the request that it answered
    PRIMARY KEY (match, n)
) STRICT, WITHOUT ROWID;
"""
# Also created in older stores; older versions of the program ignore them.
NAME_TABLE = """
CREATE TABLE IF NOT EXISTS name (
    name TEXT PRIMARY KEY,
    match INTEGER NOT NULL,     -- the newest match there was when this was told
    remembered INTEGER NOT NULL -- 1: it joined that match; 0: it was to be forgotten
) STRICT, WITHOUT ROWID
"""
CLOCK_TABLE = """
CREATE TABLE IF NOT EXISTS clock (
    match INTEGER NOT NULL REFERENCES match (id),
    n INTEGER NOT NULL,            -- the event; 0: the beginning of the match
    boot TEXT NOT NULL,            -- names the run of the machine
    monotonic_ms INTEGER NOT NULL, -- on a clock that never jumps in this run
    trusted INTEGER NOT NULL,      -- 1: the wall clock was known to be right
    PRIMARY KEY (match, n)
) STRICT, WITHOUT ROWID
"""
PLAYING_TABLE = """
CREATE TABLE IF NOT EXISTS playing (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    match INTEGER NOT NULL REFERENCES match (id) -- the one taken up last, which goes on when the table starts again
) STRICT
"""
COLOUR_TABLE = """
CREATE TABLE IF NOT EXISTS colour (
    match INTEGER NOT NULL REFERENCES match (id),
    name TEXT NOT NULL,
    colour TEXT NOT NULL,       -- of the die with which this player plays this match
    PRIMARY KEY (match, name)
) STRICT, WITHOUT ROWID
"""
PRESET_TABLE = """
CREATE TABLE IF NOT EXISTS preset (
    name TEXT PRIMARY KEY,
    game TEXT NOT NULL,
    players TEXT NOT NULL,      -- JSON array, seat order
    options TEXT NOT NULL,      -- JSON object: those that are not as usual
    kept INTEGER NOT NULL       -- the higher, the later
) STRICT, WITHOUT ROWID
"""
SAME_NAME_TABLE = """
CREATE TABLE IF NOT EXISTS same_name (
    name TEXT PRIMARY KEY,      -- as somebody typed it once
    means TEXT NOT NULL         -- the name that is offered and counted instead
) STRICT, WITHOUT ROWID
"""
SEQUENCE_TABLE = """
CREATE TABLE IF NOT EXISTS sequence (
    id INTEGER PRIMARY KEY,    -- the order in which this table stored everything, over all matches
    match INTEGER NOT NULL REFERENCES match (id),
    n INTEGER NOT NULL          -- the event; 0: the beginning of the match
) STRICT
"""
RESULT_TABLE = """
CREATE TABLE IF NOT EXISTS result ( -- derived from the events (store/results.py)
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL, name TEXT NOT NULL, score INTEGER NOT NULL, place INTEGER NOT NULL, throws INTEGER NOT NULL,
    turns INTEGER NOT NULL, points INTEGER NOT NULL, best INTEGER NOT NULL,
    rules TEXT NOT NULL,        -- digest of the code that derived it
    PRIMARY KEY (match, seat)
) STRICT, WITHOUT ROWID
"""
DELETED_TABLE = """
CREATE TABLE IF NOT EXISTS deleted (
    match INTEGER PRIMARY KEY  -- the number of a match that somebody deleted for good; no other gets it
) STRICT
"""
ADDED_TABLES = (
    *(SAME_NAME_TABLE, NAME_TABLE, COLOUR_TABLE, PRESET_TABLE, CLOCK_TABLE, PLAYING_TABLE, SEQUENCE_TABLE),
    *(RESULT_TABLE, DELETED_TABLE),
)
# The first id is random, so that the events of two stores have different ids; all stay exact in JavaScript (2^53).
NEXT_IN_SEQUENCE = """
INSERT INTO sequence
SELECT ifnull(max(id) + 1, abs(random() % 2147483648) * 1048576), ?, ? FROM sequence WHERE id < 1 << 53
"""

LARGEST_NUMBER = 2**63 - 1  # largest row id in SQLite
NEWEST_NUMBER = """
SELECT ifnull(max(CASE typeof(number) WHEN 'integer' THEN number END), 0)
FROM (SELECT max(id) AS number FROM match UNION SELECT max(match) FROM event UNION SELECT max(match) FROM deleted)
"""
# The bodies, and what else there is of the events in the order of their key; even the types in STRICT tables may be
# damaged. Twice as fast as a line for each event.
LOG_BYTES = """
SELECT CAST(group_concat(body, x'0a') AS BLOB),
group_concat(time) || ' ' || group_concat(n) || ' ' || sum(typeof(time)<>'text' OR typeof(body)<>'text')
FROM event WHERE match=?
"""
BROKEN_LOGS = """
SELECT match FROM event {} GROUP BY match HAVING max(n)<>count(*) OR
sum(CASE WHEN typeof(body)='text' AND json_valid(body) THEN json_type(body)<>'object' ELSE 1 END)
"""
