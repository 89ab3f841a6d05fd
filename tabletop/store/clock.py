"""What time it is, and whether the machine knows that: most Raspberry Pis have no battery that keeps a clock going.

Such a board starts with the time at which it was switched off, or an older one, until the network tells it the time.
The table plays at once, so each event says whether the clock was right by then (`ClockState.trusted`).
"""

import ctypes
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from tabletop.core.moment import ClockState, Moment

ASK = ("chronyc", "-c", "tracking")  # one line of figures and the "leap status" at its end (chronyc(1))
UNSET = "Not synchronised"  # the status until the network was heard; all others are of a clock that is right
AGAIN_S = 10.0  # from one answer that was no to the next question: it costs a small process
PATIENCE_S = 2.0  # for an answer that somebody waits for


class NetworkTime:
    """Asks in a process of its own, and is never waited for; a yes stays one until the machine is switched off.

    ask: the command. monotonic: seconds on a clock that never jumps. patience_s: the longest that `answer` waits.
    """

    def __init__(
        self,
        ask: Sequence[str] = ASK,
        monotonic: Callable[[], float] = time.monotonic,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._ask, self._monotonic, self._patience_s = ask, monotonic, patience_s
        self._asking: subprocess.Popen[str] | None = None
        self._next_s = monotonic()
        self._told = False

    def __call__(self) -> bool:
        """Return whether the answer was yes so far; asks again where it was no. Takes some milliseconds at most."""
        if self._told:
            return True
        if self._asking is None:
            self._begin()
        elif self._asking.poll() is not None:
            self._hear(self._asking.communicate()[0])
        return self._told

    def answer(self) -> bool:
        """Wait for an answer, and return whether it is yes."""
        if not self() and self._asking is not None:
            try:
                self._hear(self._asking.communicate(timeout=self._patience_s)[0])
            except subprocess.TimeoutExpired:
                self._asking.kill()
                self._hear(self._asking.communicate()[0])
        return self._told

    def _begin(self) -> None:
        if self._monotonic() < self._next_s:
            return
        self._next_s = self._monotonic() + AGAIN_S
        with suppress(OSError):  # a machine without it: nobody vouches for the time
            self._asking = subprocess.Popen(  # noqa: S603 - the constant above
                self._ask, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
            )

    def _hear(self, said: str) -> None:
        status = said.strip().rpartition(",")[2]
        self._told = "," in said and status != UNSET
        self._asking = None


BUILT = datetime(2026, 11, 1, tzinfo=UTC)  # no table plays before it was written: an earlier date is none
SYNCHRONIZED = Path("run/systemd/timesync/synchronized")  # there once systemd has heard the time from the network
BOARD = Path("proc/device-tree")  # what Linux has of a board instead of a PC's firmware; a PC has a clock battery
BATTERY_CLOCKS = "sys/class/rtc/*/since_epoch"  # seconds, by each clock with a battery (or, on a Pi 5, without)
BOOT_ID = Path("proc/sys/kernel/random/boot_id")
AGREES_S = 300.0  # a clock with a battery goes wrong by a minute a month; this is more
TIMEX_BYTES = 512  # more than struct timex has anywhere (208): all zero, it only asks (adjtimex(2))
TIME_ERROR = 5  # what adjtimex(2) returns while nobody has set the clock right
SetBy = Literal["network", "battery", "machine", ""]


def set_by(now: datetime, root: Path = Path("/"), told: Callable[[], bool] | None = None) -> SetBy:
    """Return what vouches for the wall clock: the network, a clock with a battery, a machine that has one; else "".

    now: of the wall clock. root: of the system. told: says whether the network has told it the time, where no file
    does; without it kernel and system are asked, this system only, which may take two seconds.
    """
    if now < BUILT:
        return ""
    if (root / SYNCHRONIZED).exists():
        return "network"
    if any(abs(kept_s - now.timestamp()) < AGREES_S for kept_s in _battery_clocks(root)):
        return "battery"
    if not (root / BOARD).exists():
        return "machine"
    return "network" if (told or _word(root, NetworkTime().answer))() else ""


def _battery_clocks(root: Path) -> list[float]:
    """Return what each clock with a battery says, in seconds since 1970; empty if there is none."""
    found = []
    for file in sorted(root.glob(BATTERY_CLOCKS)):
        with suppress(OSError, ValueError):
            found.append(float(file.read_text(encoding="ascii")))
    return found


def _word(root: Path, else_ask: Callable[[], bool]) -> Callable[[], bool]:
    """Return what asks the kernel, `else_ask` where it may not be asked; no word on another system."""

    def told() -> bool:
        state = _kernel_state() if root == Path("/") else TIME_ERROR
        return else_ask() if state < 0 else state < TIME_ERROR

    return told


def _kernel_state() -> int:
    """Return what adjtimex(2) says: below 0 where it may not be asked."""
    if sys.platform != "linux":
        return -1
    with suppress(OSError, AttributeError):
        return int(ctypes.CDLL(None).ntp_adjtime(ctypes.create_string_buffer(TIMEX_BYTES)))
    return -1


class SystemClock:
    """The clocks of this machine; call it for the moment that is now.

    now: of the wall clock. monotonic: seconds on a clock that never jumps. root: of the system. told: as of `set_by`;
    without it this system is asked, and nobody waits for the answer.
    """

    def __init__(
        self,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        monotonic: Callable[[], float] = time.monotonic,
        root: Path = Path("/"),
        told: Callable[[], bool] | None = None,
    ) -> None:
        self._now, self._monotonic, self._root = now, monotonic, root
        self._told = told or _word(root, NetworkTime())
        self._boot = _boot(root)

    def __call__(self) -> Moment:
        """Return the moment, to the millisecond."""
        now = self._now()
        trusted = set_by(now, self._root, self._told) != ""
        return Moment(written(now), ClockState(self._boot, round(self._monotonic(), 3), trusted))


def written(moment: datetime) -> str:
    """Return a time as the store has it: ISO 8601 in UTC, to the millisecond."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _boot(root: Path) -> str:
    """Return what names this run of the machine; empty where the system has no name for it."""
    with suppress(OSError, UnicodeDecodeError):
        return (root / BOOT_ID).read_text(encoding="ascii").strip()
    return ""
