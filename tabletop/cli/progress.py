"""The progress of a long command: a line on the terminal that is erased when the command ends."""

import math
import sys
import time
from typing import Self

EVERY_S = 0.5  # between two lines: often enough to be seen moving
ERASE = "\r\033[K"  # ECMA-48: back to the first column, and nothing in the line


class Progress:
    """The progress line of a command, on standard error if that is a terminal. Use as a context manager."""

    def __init__(self, command: str) -> None:
        self._command, self._shown = command, False
        self._next_s = time.monotonic() + EVERY_S if sys.stderr.isatty() else math.inf

    def __enter__(self) -> Self:
        """Return the line itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Erase it."""
        self.erase()

    def show(self, text: str) -> None:
        """Replace the progress line, if an update is due."""
        if (now_s := time.monotonic()) >= self._next_s:
            self._next_s, self._shown = now_s + EVERY_S, True
            sys.stderr.write(f"{ERASE}tabletop {self._command}: {text}")
            sys.stderr.flush()

    def erase(self) -> None:
        """Erase the line before other output."""
        if self._shown:
            sys.stderr.write(ERASE)
            sys.stderr.flush()
            self._shown = False
