"""Notify systemd over its socket: ready, status, still alive (sd_notify(3)).

Only the loop that owns the match calls `ServiceManager.turn`, so a hanging loop does not feed the watchdog, whatever
other threads do. There is one exception: while the loop waits for a write to the card (`outlast`). In the other
direction, a signal ends the table cleanly, however early it comes (`Ending`).
"""

import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from types import FrameType
from typing import Any, Self

ADDRESS, WATCHDOG_USEC, WATCHDOG_PID = "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"  # sd_notify(3)
POWER_OFF_STATUS = 77  # exit status of "switch off" under a service manager: tabletop.service then ends the machine
FEEDS = 4  # times within the time that the watchdog allows; sd_watchdog_enabled(3) advises two or more
STATUS_EVERY_S = 1.0  # a status line is for people: it need not follow every die
STOP_S = 1.5  # after this a part that does not stop is left behind: a stop takes two seconds at most
LONGEST_WRITE_S = 300.0  # worn cards were seen to stall for 25 s; after ten times that the card is broken
ASKING = (signal.SIGTERM, signal.SIGHUP)  # what a service manager sends, and a terminal that is closed
LONGEST_STATUS = 200  # characters of a status line, so that `systemctl status` shows it whole


class ServiceManager:
    """The service manager that started this program, or none.

    address: a path, or with @ in front a name in Linux's abstract namespace; empty for none. watchdog_s: seconds after
    which a silent program is killed, 0.0 for never. Times are those of `turn`, seconds on a monotonic clock.
    """

    def __init__(self, address: str = "", watchdog_s: float = 0.0) -> None:
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self._feed_every_s = watchdog_s / FEEDS
        self._fed_s = self._told_s = float("-inf")
        self._status: str | None = None
        self._ready = False
        self._leaving: threading.Timer | None = None
        self._left = threading.Event()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Everything has stopped in time."""
        self._left.set()
        if self._leaving is not None:
            self._leaving.cancel()

    @classmethod
    def of_environment(cls, environ: Mapping[str, str]) -> Self:
        """Return the one named by these variables. A watchdog meant for another process is ignored."""
        mine = environ.get(WATCHDOG_PID, str(os.getpid())) == str(os.getpid())
        usec = environ.get(WATCHDOG_USEC, "") if mine else ""
        return cls(environ.get(ADDRESS, ""), int(usec) / 1e6 if usec.isascii() and usec.isdigit() else 0.0)

    @classmethod
    def taken_from(cls, environ: MutableMapping[str, str]) -> Self:
        """Do the same, and remove the variables, so that child processes do not send notifications."""
        found = cls.of_environment(environ)
        for name in (ADDRESS, WATCHDOG_USEC, WATCHDOG_PID):
            environ.pop(name, None)
        return found

    @property
    def present(self) -> bool:
        """Whether a service manager started this program and wants notifications."""
        return bool(self._address)

    def turn(self, now_s: float, status: str) -> None:
        """Report an iteration of the loop: READY at the first, then watchdog and status when due.

        status: one line, as shown by `systemctl status`.
        """
        if not self.present:
            return
        lines = []
        if not self._ready:
            lines.append("READY=1")
        if status != self._status and now_s - self._told_s >= STATUS_EVERY_S:
            lines.append(_status_line(status))
        if self._feed_every_s and now_s - self._fed_s >= self._feed_every_s:
            lines.append("WATCHDOG=1")
        if not lines or not self._send(lines):
            return
        self._ready = True
        if lines[-1] == "WATCHDOG=1":
            self._fed_s = now_s
        if any(line.startswith("STATUS=") for line in lines):
            self._status, self._told_s = status, now_s

    def outlast(self, write_began_s: Callable[[], float | None]) -> None:
        """Feed the watchdog while the loop waits for a write to the card, for at most `LONGEST_WRITE_S`.

        write_began_s: returns when the current write began, by `time.monotonic`; None if there is none.
        """
        if self.present and self._feed_every_s:
            threading.Thread(target=self._feed_through, args=(write_began_s,), daemon=True).start()

    def _feed_through(self, write_began_s: Callable[[], float | None]) -> None:
        while not self._left.wait(self._feed_every_s):
            began_s = write_began_s()
            if began_s is not None and time.monotonic() - began_s < LONGEST_WRITE_S:
                self._send([_status_line("waiting for the card, which is slow"), "WATCHDOG=1"])
                self._status = None  # the loop sends its own again

    def failing(self, why: str) -> None:
        """Report why the table cannot start; it is not ready."""
        self._send([_status_line(why)])

    def stopping(self, status: int = 0, leave: Callable[[int], object] = os._exit) -> None:
        """Report that the program is ending, and limit how long that takes: a bus or a camera may hang.

        status: the exit status. leave: ends the program with it, unless the program ends first.
        """
        if self._send(["STOPPING=1", "STATUS=stopping"]):
            self._leaving = threading.Timer(STOP_S, leave, (status,))
            self._leaving.daemon = True
            self._leaving.start()

    def _send(self, lines: list[str]) -> bool:
        """Send one datagram; a manager that does not listen now gets it at the next turn."""
        if not self.present:
            return False
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sender:
            sender.setblocking(False)
            sender.connect(self._address)
            sender.send("\n".join(lines).encode())
            return True
        return False


def _status_line(text: str) -> str:
    return "STATUS=" + " ".join(text.split())[:LONGEST_STATUS]


class EndedEarlyError(BaseException):
    """A signal came before the table was ready. Not an `Exception`, so that retries do not swallow it."""


class Ending:
    """Handles the signals that ask the program to end. asked: whether one has come.

    The handler only sets a flag and wakes the waiting thread, so that pending work is finished. If the start hangs for
    `STOP_S` seconds after the signal, `EndedEarlyError` is raised there.
    """

    def __init__(self) -> None:
        self.asked = self._armed = False
        self._alarm: Any = signal.SIG_DFL
        self._calls: SimpleQueue[None] = SimpleQueue()  # the one thing of its kind that a signal's handler may use

    @contextmanager
    def heeded(self, numbers: Sequence[signal.Signals] = ASKING, *, early: bool = False) -> Iterator[None]:
        """Handle these signals inside the `with` block, except ignored ones, as with `nohup`; main thread only.

        early: the table is not ready, so `asked` may not be checked for a long time.
        """

        def ask(_number: int, _frame: FrameType | None) -> None:
            self.asked = True
            self.wake()
            if early:
                self._arm()

        self._disarm()
        heeded = [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]
        before = {number: signal.signal(number, ask) for number in heeded}
        try:
            yield
        finally:
            self._disarm()
            for number, handler in before.items():
                signal.signal(number, handler)

    def let_go(self) -> None:
        """Restore the default action of these signals until the `heeded` block ends."""
        for number in ASKING:
            if callable(signal.getsignal(number)):
                signal.signal(number, signal.SIG_DFL)

    def check(self) -> None:
        """Raise EndedEarlyError if the program was asked to end; called between the steps of a start."""
        if self.asked:
            raise EndedEarlyError

    def _arm(self) -> None:
        if not self._armed:
            self._armed, self._alarm = True, signal.signal(signal.SIGALRM, _leave)
            signal.setitimer(signal.ITIMER_REAL, STOP_S)

    def _disarm(self) -> None:
        if self._armed:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            signal.signal(signal.SIGALRM, self._alarm)
            self._armed = False

    def wake(self) -> None:
        """Wake all waiting threads; may be called from any thread or signal handler."""
        self._calls.put(None)

    def wait(self, timeout_s: float) -> bool:
        """Wait for a call of `wake`, at most this long; return whether the program was asked to end."""
        with suppress(Empty):
            self._calls.get(timeout=timeout_s)
            while True:
                self._calls.get_nowait()
        return self.asked


def _leave(_number: int, _frame: FrameType | None) -> None:
    raise EndedEarlyError
