"""The current time, and whether it can be trusted: most Raspberry Pis have no battery-backed clock.

Such a board starts with the time at which it was switched off, or an older one, until it gets the time from the
network. The table plays at once, so each event records whether the clock was right (`ClockState.trusted`), and a match
is dated by its first event with a trusted clock.
"""

import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from tabletop.core.values import ClockState, Moment
from tabletop.store.rows import sound

BUILT = datetime(2026, 11, 1, tzinfo=UTC)  # an earlier date is wrong: the program did not exist yet
SYNCHRONIZED = Path("run/systemd/timesync/synchronized")  # exists once systemd has got the time from the network
BOARD = Path("proc/device-tree")  # exists on boards without a PC's firmware; a PC has a clock battery
BATTERY_CLOCKS = "sys/class/rtc/*/since_epoch"  # seconds, of each hardware clock (on a Pi 5 perhaps without a battery)
BOOT_ID = Path("proc/sys/kernel/random/boot_id")
AGREES_S = 300.0  # a battery-backed clock drifts by about a minute a month
SetBy = Literal["network", "battery", "machine", ""]


def set_by(now: datetime, root: Path = Path("/")) -> SetBy:
    """Return the source of the wall clock's time: network, battery, or a machine that has one; "" if unknown.

    now: of the wall clock. root: of the file system.
    """
    if now < BUILT:
        return ""
    if (root / SYNCHRONIZED).exists():
        return "network"
    if any(abs(kept_s - now.timestamp()) < AGREES_S for kept_s in _battery_clocks(root)):
        return "battery"
    return "" if (root / BOARD).exists() else "machine"


def _battery_clocks(root: Path) -> list[float]:
    """Return what each clock with a battery says, in seconds since 1970; empty if there is none."""
    found = []
    for file in sorted(root.glob(BATTERY_CLOCKS)):
        with suppress(OSError, ValueError):
            found.append(float(file.read_text(encoding="ascii")))
    return found


class SystemClock:
    """The clocks of this machine; call it to get the current moment.

    now: the wall clock. monotonic: seconds on a clock that never jumps. root: of the file system.
    """

    def __init__(
        self,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        monotonic: Callable[[], float] = time.monotonic,
        root: Path = Path("/"),
    ) -> None:
        self._now, self._monotonic, self._root = now, monotonic, root
        self._boot = _boot(root)

    def __call__(self) -> Moment:
        """Return the moment, to the millisecond."""
        now = self._now()
        trusted = set_by(now, self._root) != ""
        return Moment(written(now), ClockState(self._boot, round(self._monotonic(), 3), trusted))


def written(moment: datetime) -> str:
    """Format a time for the store: ISO 8601 in UTC, to the millisecond."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _boot(root: Path) -> str:
    """Return what names this run of the machine; empty where the system has no name for it."""
    with suppress(OSError, UnicodeDecodeError):
        return (root / BOOT_ID).read_text(encoding="ascii").strip()
    return ""


BEGINNING = 0  # row number for the beginning of a match; events are numbered from 1
MS_PER_S = 1000
NEVER = datetime(9999, 1, 1, tzinfo=UTC)  # a date this late is damage; in some time zones Python cannot show it


def note_clock(database: sqlite3.Connection, match: int, numbers: range, clock: ClockState | None) -> None:
    """Store the clock state at these events of a match; does nothing for a time that no clock gave."""
    if clock is None:
        return
    state = (clock.boot, round(clock.monotonic_s * MS_PER_S), int(clock.trusted))
    rows = [(match, n, *state) for n in numbers]
    database.executemany("INSERT OR REPLACE INTO clock VALUES (?, ?, ?, ?, ?)", rows)


def clocks_of(database: sqlite3.Connection, match: int) -> dict[int, ClockState]:
    """Return the clock state at each event of a match, by event number, where recorded."""
    if not has_clocks(database):
        return {}
    rows = database.execute("SELECT n, boot, monotonic_ms, trusted FROM clock WHERE match=?", (match,))
    whole = (row for row in rows if sound(row, int, str, int, int))
    return {n: ClockState(boot, ms / MS_PER_S, bool(trusted)) for n, boot, ms, trusted in whole}


def dates_of(database: sqlite3.Connection) -> dict[int, str | None]:
    """Return when each match began, by match number: ISO 8601 in UTC, None if unknown.

    If the clock was set only during the match, that is the time of the first event afterwards. Stores from before clock
    states were recorded use any plausible date.
    """
    dates = dict(database.execute("SELECT id, begun FROM match ORDER BY id").fetchall())
    if has_clocks(database):
        rows = database.execute("SELECT match, trusted FROM clock WHERE n=?", (BEGINNING,))
        unset = [row[0] for row in rows if sound(row, int, int) and not row[1] and row[0] in dates]
        later = (
            "SELECT clock.match, min(time) FROM clock JOIN event USING (match, n) WHERE trusted GROUP BY clock.match"
        )
        known = dict(database.execute(later).fetchall())
        dates |= {match: known.get(match) for match in unset}
    return {match: _checked(time) for match, time in dates.items()}


def _checked(time: object) -> str | None:
    """Return a time if a table can have been played at by then: films and simulations count from 1970."""
    try:
        return time if isinstance(time, str) and BUILT <= datetime.fromisoformat(time) < NEVER else None
    except (ValueError, TypeError):
        return None


def has_clocks(database: sqlite3.Connection) -> bool:
    """Return whether this store records clock states; an older one opened read-only may not."""
    (count,) = database.execute("SELECT count(*) FROM sqlite_master WHERE type='table' AND name='clock'").fetchone()
    return bool(count)
