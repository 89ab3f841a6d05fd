"""`tabletop play` in a pseudo-terminal, seen through a terminal emulator that is not ours."""

import signal
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pexpect
import pyte
from signals import children_with

COLUMNS, ROWS = 110, 36

PATIENCE_S = 60.0  # a busy machine reads a tray slowly; nothing is asserted about time


class Terminal:
    """A program in a pseudo-terminal, and what an emulator that is not ours shows of it."""

    def __init__(
        self, *words: str, home: Path, size: tuple[int, int] = (COLUMNS, ROWS), environ: Mapping[str, str] | None = None
    ) -> None:
        self._screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self._screen)
        usual = {"TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", "HOME": str(home)}
        command = [sys.executable, "-m", "tabletop", "play", *words, "--store", str(home / "a.db")]
        with children_with(signal.SIG_DFL):
            self.child = pexpect.spawn(
                command[0], command[1:], dimensions=size[::-1], env={**usual, **(environ or {})}, timeout=PATIENCE_S
            )

    def shows(self, words: str) -> bool:
        """Wait until these words are on the screen; False where the program ends, or never shows them."""
        return self._comes(lambda: any(words in line for line in self._screen.display))

    @property
    def text(self) -> str:
        return "\n".join(self._screen.display)

    def chooses_other_than(self, line: str) -> bool:
        """Wait until HOLD has stepped to another line of the menu."""
        return self._comes(lambda: self.chosen() != line)

    def _comes(self, there: Callable[[], bool]) -> bool:
        end_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < end_s:
            if there():
                return True
            try:
                self._stream.feed(self.child.read_nonblocking(65536, timeout=0.2))
            except pexpect.TIMEOUT:
                continue
            except pexpect.EOF:
                return there()
        return False

    def chosen(self) -> str:
        """Return the line of a menu that HOLD has stepped to, empty if there is no menu."""
        chosen = (line.partition("> ")[2].split("  ")[0].strip() for line in self._screen.display if "> " in line)
        return next(chosen, "")

    def type(self, keys: str) -> None:
        self.child.send(keys)

    def end(self) -> int:
        self.child.expect(pexpect.EOF)
        self.child.wait()  # closing it before it has ended would end it by a signal
        self.child.close()
        return int(self.child.exitstatus)
