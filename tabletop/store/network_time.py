"""Whether the network has told this machine the time, asked of chrony where the kernel may not be asked.

The unit of the appliance may not call adjtimex(2) (ProtectClock), and only systemd's own client of network time leaves
a file behind. Chrony, the usual other one, answers anybody on this machine. (systemd's timedatectl would know of every
client, but on Debian 12 the system's bus turns a user away that DynamicUser has made.)
"""

import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

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
