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
        self._lines: list[str] = []

    def heard(self) -> list[list[str]]:
        found = []
        with suppress(BlockingIOError):
            while True:
                found.append(self.socket.recv(LONGEST).decode().split("\n"))
        return found

    def hears(self, wanted: Callable[[str], bool]) -> str:
        """Return the first line of this kind, from the beginning on; wait for it, and return nothing if none comes."""
        end_s = time.monotonic() + PATIENCE_S
        while True:
            found = next((line for line in self._lines if wanted(line)), None)
            left_s = end_s - time.monotonic()
            if found is not None or left_s <= 0:
                return found or ""
            if select.select([self.socket], [], [], left_s)[0]:
                self._lines += self.socket.recv(LONGEST).decode().split("\n")
