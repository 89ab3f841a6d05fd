"""On which day a match began: what the calendar may count, and what it may not since the clock was not set by then."""

import sqlite3
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from tabletop.core.values import ClockState
from tabletop.store.clock import BUILT, written
from tabletop.store.rows import sound

BEGINNING = 0  # number of the row for the beginning of a match; its events have theirs from 1
MS_PER_S = 1000
NEVER = datetime(9999, 1, 1, tzinfo=UTC)  # a date so late is damage; in some time zones Python cannot show it
Known = tuple[int, str]  # the time in milliseconds by the clock that never jumps, and what time it truly was


def note_clock(database: sqlite3.Connection, match: int, numbers: range, clock: ClockState | None) -> None:
    """Store what the clocks were worth at these events of a match; nothing for a time that no clock gave."""
    if clock is None:
        return
    state = (clock.boot, round(clock.monotonic_s * MS_PER_S), int(clock.trusted))
    rows = [(match, n, *state) for n in numbers]
    database.executemany("INSERT OR REPLACE INTO clock VALUES (?, ?, ?, ?, ?)", rows)


def clocks_of(database: sqlite3.Connection, match: int) -> dict[int, ClockState]:
    """Return what the clocks were worth at each event of a match, by its number; nothing where it was not noted."""
    if not has_clocks(database):
        return {}
    rows = database.execute("SELECT n, boot, monotonic_ms, trusted FROM clock WHERE match=?", (match,))
    whole = (row for row in rows if sound(row, int, str, int, int))
    return {n: ClockState(boot, ms / MS_PER_S, bool(trusted)) for n, boot, ms, trusted in whole}


def dates_of(database: sqlite3.Connection) -> dict[int, str | None]:
    """Return when each match began, by its number: ISO 8601 in UTC, None where that is not known.

    Where the clock was set only later, while the machine was on, the date follows from how long before that it was. In
    stores of before clocks were noted, a date is as good as it looks.
    """
    begun = dict(database.execute("SELECT id, begun FROM match ORDER BY id").fetchall())
    noted = dict[int, tuple[str, int, int]]()
    known = dict[str, Known]()
    if has_clocks(database):
        rows = database.execute("SELECT match, boot, monotonic_ms, trusted FROM clock WHERE n=?", (BEGINNING,))
        noted = {row[0]: row[1:] for row in rows if sound(row, int, str, int, int)}
        if not all(trusted for _, _, trusted in noted.values()):
            known = _known_times(database)
    dates = dict[int, str | None]()
    for match, time in begun.items():
        boot, ms, trusted = noted.get(match, ("", 0, 1))
        dates[match] = _checked(time) if trusted else _reckoned(ms, known.get(boot))
    return dates


def _known_times(database: sqlite3.Connection) -> dict[str, Known]:
    """Return for each run of the machine a moment at which the wall clock was right, if there was one."""
    rows = database.execute(
        "SELECT boot, monotonic_ms, ifnull(event.time, match.begun) FROM clock JOIN match ON match.id=clock.match"
        " LEFT JOIN event ON event.match=clock.match AND event.n=clock.n WHERE trusted AND boot<>'' GROUP BY boot"
    )
    return {boot: (ms, time) for boot, ms, time in rows if sound((boot, ms, time), str, int, str)}


def _reckoned(ms: int, known: Known | None) -> str | None:
    if known is None:
        return None
    known_ms, time = known
    with suppress(ValueError, OverflowError):  # damaged
        return written(datetime.fromisoformat(time) + timedelta(milliseconds=ms - known_ms))
    return None


def _checked(time: str) -> str | None:
    """Return a time if a table can have been played at by then: films and simulations count from 1970."""
    try:
        return time if BUILT <= datetime.fromisoformat(time) < NEVER else None
    except (ValueError, TypeError):
        return None


def has_clocks(database: sqlite3.Connection) -> bool:
    """Return whether this store has noted clocks at all; one that is only looked at may be of before."""
    (count,) = database.execute("SELECT count(*) FROM sqlite_master WHERE type='table' AND name='clock'").fetchone()
    return bool(count)
