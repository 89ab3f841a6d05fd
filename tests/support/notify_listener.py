"""The service manager's end of the socket of sd_notify(3), to hear what a service says."""

import select
import socket
import time
from collections.abc import Callable
from contextlib import suppress

LONGEST = 4096  # bytes of a datagram that is read here
PATIENCE_S = 60.0  # a busy machine starts a program slowly; nothing is asserted about that


class NotifyListener:
    """A bound datagram socket. address: a path, or with a NUL in front a name in the abstract namespace."""

    def __init__(self, address: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.setblocking(False)
        self.socket.bind(address)

    def heard(self) -> list[list[str]]:
        """Return the lines of every datagram that has arrived since the last call."""
        found = []
        with suppress(BlockingIOError):
            while True:
                found.append(self.socket.recv(LONGEST).decode().split("\n"))
        return found

    def hears(self, wanted: Callable[[str], bool], patience_s: float = PATIENCE_S) -> str:
        """Wait for a line of this kind and return it, empty if none comes. What came before it is heard and gone."""
        end_s = time.monotonic() + patience_s
        while (left_s := end_s - time.monotonic()) > 0:
            if select.select([self.socket], [], [], left_s)[0]:
                lines = self.socket.recv(LONGEST).decode().split("\n")
                found = next((line for line in lines if wanted(line)), None)
                if found is not None:
                    return found
        return ""
