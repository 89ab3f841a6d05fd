"""How a signal ends a table: in order, however early it comes.

ending = Ending()
with ending.heeded():
    while not ending.asked:
        ...
        ending.wait(0.05)
"""

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from types import FrameType
from typing import Any

from tabletop.service.service_manager import STOP_S

ASKING = (signal.SIGTERM, signal.SIGHUP)  # what a service manager sends, and a terminal that is closed


class EndedEarlyError(BaseException):
    """A signal came before the table was ready. Not an `Exception`: nothing that tries again may swallow it."""


class Ending:
    """Hears the signals that ask the program to end. asked: whether one has come.

    The handler only notes it and wakes whoever waits, so whatever is half done is finished. What hangs for `STOP_S`
    seconds after it, before the table is ready, is left: `EndedEarlyError` is raised there.
    """

    def __init__(self) -> None:
        self.asked = self._armed = False
        self._alarm: Any = signal.SIG_DFL
        self._calls: SimpleQueue[None] = SimpleQueue()  # the one thing of its kind that a signal's handler may use

    @contextmanager
    def heeded(self, numbers: Sequence[signal.Signals] = ASKING, *, early: bool = False) -> Iterator[None]:
        """Heed these signals meanwhile, but for those that are ignored, as `nohup` has it; main thread only.

        early: the table is not ready, so nobody may look at `asked` for a long time.
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
        """Let these signals end the program as they end any other, until `heeded` is left."""
        for number in ASKING:
            if callable(signal.getsignal(number)):
                signal.signal(number, signal.SIG_DFL)

    def check(self) -> None:
        """Raise EndedEarlyError if the program is asked to end: between two steps of a start."""
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
        """Wake whoever waits; any thread or handler of a signal may call."""
        self._calls.put(None)

    def wait(self, timeout_s: float) -> bool:
        """Wait for a call of `wake`, for this long at most; return whether the program is asked to end."""
        with suppress(Empty):
            self._calls.get(timeout=timeout_s)
            while True:
                self._calls.get_nowait()
        return self.asked


def _leave(_number: int, _frame: FrameType | None) -> None:
    raise EndedEarlyError
