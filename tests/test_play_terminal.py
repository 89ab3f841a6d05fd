"""`tabletop play` as people start it: in a terminal, with nothing but keys, over simulated dice and the real reader."""

import signal
import sys
import time
from pathlib import Path

import pexpect
import pyte
import pytest

from tabletop.store import Store

COLUMNS, ROWS = 110, 36
PATIENCE_S = 60.0  # a busy machine reads a tray slowly; nothing is asserted about time


class Terminal:
    """A program in a pseudo-terminal, and what an emulator that is not ours shows of it."""

    def __init__(self, *words: str, home: Path, size: tuple[int, int] = (COLUMNS, ROWS)) -> None:
        self._screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self._screen)
        environ = {"TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", "HOME": str(home)}
        command = [sys.executable, "-m", "tabletop", "play", *words, "--store", str(home / "a.db")]
        self.child = pexpect.spawn(command[0], command[1:], dimensions=size[::-1], env=environ, timeout=PATIENCE_S)

    def shows(self, words: str) -> bool:
        """Wait until these words are on the screen; False where the program ends, or never shows them."""
        end_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < end_s:
            if any(words in line for line in self._screen.display):
                return True
            try:
                self._stream.feed(self.child.read_nonblocking(65536, timeout=0.2))
            except pexpect.TIMEOUT:
                continue
            except pexpect.EOF:
                return any(words in line for line in self._screen.display)
        return False

    def type(self, keys: str) -> None:
        """Type keys."""
        self.child.send(keys)

    def end(self) -> int:
        """Wait for the program's end and return its status."""
        self.child.expect(pexpect.EOF)
        self.child.close()
        return int(self.child.exitstatus)


def test_a_turn_of_pig_is_played_with_keys(tmp_path: Path) -> None:
    """Thrown dice are read, the stake is shown, BANK banks it, q leaves the match open in the store."""
    terminal = Terminal("pig", "--players", "Ann,Ben", "--seed", "8", home=tmp_path)
    assert terminal.shows("Ann: throw one die")
    terminal.type("t")
    assert terminal.shows("Ann: roll or bank?")
    terminal.type("b")
    assert terminal.shows("Ben: throw one die")
    terminal.type("q")
    assert terminal.end() == 0
    with Store(tmp_path / "a.db", looking=True) as store:
        assert [event.body["kind"] for event in store.events(1)] == ["throw", "choose"]
        assert store.match(1).ending is None


def test_without_a_game_the_menu_asks_and_resumes(tmp_path: Path) -> None:
    """The start menu leads to a match with HOLD and BANK alone; started again it offers to go on."""
    terminal = Terminal("--seed", "8", home=tmp_path)
    assert terminal.shows("Which game?")
    terminal.type("b")
    assert terminal.shows("Who plays?")
    terminal.type("b")
    assert terminal.shows("start")
    terminal.type("b")
    assert terminal.shows("Ann: throw one die")
    terminal.type("q")
    assert terminal.end() == 0
    again = Terminal(home=tmp_path)
    assert again.shows("Go on?")
    again.type("b")
    assert again.shows("Ann: throw one die")
    again.type("q")
    assert again.end() == 0


@pytest.mark.parametrize("size", [(20, 30), (100, 5)])
def test_a_terminal_that_is_too_small_is_told(tmp_path: Path, size: tuple[int, int]) -> None:
    """One clear line and status 2."""
    terminal = Terminal("pig", home=tmp_path, size=size)
    assert terminal.end() == 2
    said = terminal.child.before.decode()
    assert "expected a terminal of at least" in said
    assert "Traceback" not in said


def test_it_gives_the_terminal_back_when_it_is_ended(tmp_path: Path) -> None:
    """SIGTERM ends the table properly: status 0, the cursor shown, the other screen left."""
    terminal = Terminal("pig", "--seed", "1", home=tmp_path)
    assert terminal.shows("throw one die")
    terminal.child.kill(signal.SIGTERM)
    assert terminal.end() == 0
    assert b"\x1b[?1049l" in terminal.child.before
    assert b"\x1b[?25h" in terminal.child.before
