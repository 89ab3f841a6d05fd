"""The tables of the store and questions to them, in SQL, and the numbers by which its file is known."""

APPLICATION_ID = 0x44494345  # "DICE", in the file's header, so that `file` and we know whose it is
VERSION = 1  # of the tables below, kept as SQLite's user_version

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
# Made in stores of before it as well, which stay readable for the programs that wrote them: these ask for it nowhere.
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
ADDED_TABLES = (SAME_NAME_TABLE, NAME_TABLE, COLOUR_TABLE, PRESET_TABLE, CLOCK_TABLE, PLAYING_TABLE)

LARGEST_NUMBER = 2**63 - 1  # of a row in SQLite
NEWEST_NUMBER = """
SELECT ifnull(max(CASE typeof(number) WHEN 'integer' THEN number END), 0)
FROM (SELECT max(id) AS number FROM match UNION SELECT max(match) FROM event)
"""
BROKEN_LOGS = """
SELECT match FROM event {} GROUP BY match HAVING max(n)<>count(*) OR
sum(CASE WHEN typeof(body)='text' AND json_valid(body) THEN json_type(body)<>'object' ELSE 1 END)
"""
# A line for each event, missing cells too, with the types of its cells: STRICT tables may be damaged.
LOG_BYTES = """
SELECT CAST(group_concat(
    n || ' ' || typeof(time) || ifnull(time, '') || typeof(body) || ifnull(body, ''), x'0a'
) AS BLOB)
FROM (SELECT n, time, body FROM event WHERE match=? ORDER BY n)
"""
