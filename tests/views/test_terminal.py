"""The terminal view on real pseudo-terminals: keys, sizes, poor terminals, and all as it was at the end."""

import os
import re
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Self

import pexpect
import pyte
import pytest
from signals import children_with

PROGRAM = """
import os
import signal
import sys
import numpy as np
from tabletop.core.values import Die, Reading
from tabletop.core.errors import TabletopError
from tabletop.views.snapshot import Snapshot
from tabletop.views.terminal.view import TerminalView

if "STOP_HALFWAY" in os.environ:
    draw, pictures = TerminalView._draw, []
    class Halting(list):
        def __iter__(self):
            os.kill(os.getpid(), signal.SIGTSTP)
            return super().__iter__()
    def stopping(view, drawn, lines, size):
        pictures.append(1)
        draw(view, drawn, Halting(lines) if len(pictures) == 2 else lines, size)
    TerminalView._draw = stopping

minutes = []
signal.signal(signal.SIGUSR1, lambda *_: minutes.append(1))
pixels = np.full((480, 640, 3), (40, 90, 60), np.uint8)
pixels[180:300, 260:380] = 240
reading = Reading(0.0, 640, 480, (Die(5, 320, 240, 120, 0, "white", 0.99),))
hint, count = "ready", 0
try:
    with TerminalView(clock=lambda: 60.0 * len(minutes), tray_keys="REAL_DICE" not in os.environ) as view:
        while True:
            table = Snapshot(players=("Ann", "Ben"), scores=(1, 2), asked="Ann", ask="throw one die", hint=hint)
            view.show(pixels, table)
            for key in view.keys(timeout_s=0.02):
                count += 1
                hint = f"key {count} {key.action} {key.face}"
                if key.action == "quit":
                    sys.exit(0)
                if key.action == "nudge":
                    raise ValueError("a defect")
except TabletopError as error:
    print(error, file=sys.stderr)
    sys.exit(2)
"""
PATIENCE_S = 30.0  # for a busy machine; nothing waits for so long if all is well


class Console:
    """A terminal of our own with a program in it, watched through an emulator."""

    def __init__(
        self,
        columns: int = 100,
        rows: int = 30,
        *,
        environ: Mapping[str, str] | None = None,
        hangups: signal.Handlers = signal.SIG_DFL,
    ) -> None:
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = b""
        usual = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"}
        colours = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR")
        inherited = {name: value for name, value in os.environ.items() if name not in colours}
        wanted = {**inherited, **usual, **(environ or {})}
        with children_with(signal.SIG_DFL), children_with(hangups, signal.SIGHUP):
            self.child = pexpect.spawn(
                sys.executable, ["-c", PROGRAM], dimensions=(rows, columns), env=wanted, timeout=PATIENCE_S
            )
        self.before = self.settings()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.child.close(force=True)

    def resize(self, columns: int, rows: int) -> None:
        self.screen.resize(rows, columns)
        self.child.setwinsize(rows, columns)

    def type(self, text: str) -> None:
        self.child.send(text)

    def text(self) -> str:
        return "\n".join(self.screen.display)

    def until(self, pattern: str) -> None:
        self.until_true(lambda: re.search(pattern, self.text()) is not None)

    def until_true(self, wanted: Callable[[], bool]) -> None:
        until_s = time.monotonic() + PATIENCE_S
        while not wanted():
            assert time.monotonic() < until_s, f"never came true; on the screen:\n{self.text()}"
            try:
                data = self.child.read_nonblocking(1 << 16, timeout=0.02)
            except pexpect.TIMEOUT:
                continue
            self.raw += data
            self._stream.feed(data)

    def end(self) -> int:
        self.child.expect(pexpect.EOF)
        self.raw += self.child.before
        self.child.wait()
        return int(-self.child.signalstatus if self.child.signalstatus else self.child.exitstatus)

    def settings(self) -> list[Any]:
        return termios.tcgetattr(self.child.child_fd)


def is_stopped(pid: int) -> bool:
    """Return whether a process was stopped by a signal (proc(5): its state follows the name in parentheses)."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"


def given_back(console: Console) -> bool:
    left, shown = console.raw.rfind(b"\x1b[?1049l"), console.raw.rfind(b"\x1b[?25h")
    after = console.raw[max(left, shown) :]
    return console.settings() == console.before and left > 0 and shown > 0 and b"\x1b[?25l" not in after


def test_keys_are_told_and_the_terminal_is_given_back() -> None:
    """Keys arrive in order with their names, TAB changes the picture; q ends with status 0 and all as it was."""
    with Console() as console:
        console.until(r"Ann: throw one die *\n *ready")
        assert "▀" in console.text()
        assert console.settings() != console.before
        console.type("t")
        console.until("key 1 throw 0")
        console.type("4BbHh")
        console.until("key 6 hold 0")
        console.type("\t")
        console.until_true(lambda: "▀" not in console.text())
        assert re.search(r"> Ann +1 +▄+ *\n +Ben +2 +▄+ *\n", console.text())
        console.type("\t")
        console.until("▀")
        console.type("q")
        assert console.end() == 0
        assert given_back(console)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signals_that_end_the_program_give_the_terminal_back(number: signal.Signals) -> None:
    """SIGTERM and SIGHUP end the program as they always do, and the terminal is as it was."""
    with Console() as console:
        console.until("ready")
        console.child.kill(number)
        assert console.end() == -number
        assert given_back(console)


def test_a_hangup_that_is_ignored_stays_ignored() -> None:
    """Started by `nohup`, the program goes on drawing after a hangup."""
    with Console(hangups=signal.SIG_IGN) as console:
        console.until("ready")
        console.child.kill(signal.SIGHUP)
        console.type("b")
        console.until("key 1 bank")
        console.type("q")
        assert console.end() == 0
        assert given_back(console)


def test_a_defect_gives_the_terminal_back() -> None:
    """After an exception the terminal is as it was, and the traceback is not lost."""
    with Console() as console:
        console.until("ready")
        console.type("n")
        assert console.end() == 1
        assert b"ValueError: a defect" in console.raw
        assert given_back(console)


@pytest.mark.parametrize("halfway", [False, True])
def test_ctrl_z_gives_the_terminal_back_until_fg(halfway: bool) -> None:
    """SIGTSTP leaves it as it was, also while the lines of a picture are compared; SIGCONT draws everything again."""
    with Console(environ={"STOP_HALFWAY": "yes"} if halfway else {}) as console:
        console.until("ready")
        if halfway:
            console.type("b")
        else:
            console.child.kill(signal.SIGTSTP)
        console.until_true(lambda: given_back(console) and is_stopped(console.child.pid))
        console.screen.reset()
        console.child.kill(signal.SIGCONT)
        console.until(r"throw one die *\n *" + ("key 1 bank" if halfway else "ready"))
        console.type("q")
        assert console.end() == 0
        assert given_back(console)


def test_sizes_change_while_playing() -> None:
    """At each size the whole table, at 20 columns one line, then all again; nothing is left of the size before."""
    with Console() as console:
        console.until("ready")
        for number, (columns, rows) in enumerate([(60, 18), (120, 40), (40, 12), (80, 24)], start=1):
            console.resize(columns, rows)
            console.type("b")
            console.until(f"key {number} bank")
            shown = console.text()
            assert shown.count("throw one die") == 1
            assert shown.count("h HOLD") == shown.count("b BANK") == 1
            assert "b BANK" in console.screen.display[-2]
            assert "▀" in "".join(console.screen.display[:2])
            assert "▀" not in "".join(console.screen.display[-4:])
        console.resize(20, 10)
        console.until("enlarge to 40x12")
        assert console.text().split() == ["enlarge", "to", "40x12"]
        console.resize(120, 40)
        console.type("h")
        console.until("key 5 hold")
        assert "enlarge" not in console.text()
        console.type("q")
        assert console.end() == 0
        assert given_back(console)


def test_help_opens_over_the_table_and_keys_leave_it() -> None:
    """? and both spellings of F1; keys turn its pages and do nothing else, Esc leaves at once."""
    with Console(60, 18) as console:
        console.until("ready")
        for key in ("?", "\x1bOP", "\x1b[11~"):
            console.type(key)
            console.until(r"long HOLD: the menu(.|\n)*page 2 of 2")
            assert "throw one die" not in console.text()
            console.type("\x1b")
            console.until("throw one die")
        for key, shown in (("?", "page 2 of 2"), ("b", "any key: back to the table"), ("h", "throw one die")):
            console.type(key)
            console.until(shown)
        assert "key 1" not in console.text()
        console.type("h")
        console.until("key 1 hold")


def test_a_key_that_means_nothing_is_told_for_a_moment() -> None:
    """The remark names the key, stands where the hint is, and goes when its time is over or another key is pressed."""
    with Console() as console:
        console.until("ready")
        console.type("x")
        console.until(r"x does nothing here; \? shows the keys")
        assert "ready" not in console.text()
        console.child.kill(signal.SIGUSR1)  # its clock goes on by a minute
        console.until("ready")
        assert "does nothing" not in console.text()
        console.type("\x1b[A")
        console.until("UP does nothing here")
        console.type("\x1b[42;1H")  # no key that anybody knows: neither 4 nor 2 nor H is meant
        console.until("this key does nothing here")
        console.type("b")
        console.until("key 1 bank")
        assert "does nothing" not in console.text()
        console.type("q")
        assert console.end() == 0


def test_nothing_is_written_while_nothing_changes() -> None:
    """One line of text is written for a new hint, not the tray again; the same remark again is not written again."""
    with Console() as console:
        console.until("ready")
        console.type("b")
        console.until("key 1 bank")
        before = len(console.raw)
        console.type("x")
        console.until("x does nothing")
        console.type("xx")
        console.type("h")
        console.until("key 2 hold")
        changed = console.raw[before:]
        assert changed.count(b"key 2 hold") == changed.count(b"x does nothing") == 1
        assert len(changed) < 300


ASCII_ONLY = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"}


@pytest.mark.parametrize(
    ("environ", "written", "never"),
    [
        ({"NO_COLOR": "1"}, "[░▒▓█]", "[34]8;|▀"),  # the tray in shades
        ({"TERM": "vt100", "COLORTERM": ""}, "[░▒▓█]", "[34]8;|▀"),
        ({"COLORTERM": ""}, "38;5;.*▀", "[34]8;2;"),  # 256 colours
        ({"TERM": "dumb", "COLORTERM": ""}, "throw one die +ready", "\x1b"),  # a line for each change
        (ASCII_ONLY, "h HOLD: -", "[^\x00-\x7f]"),
    ],
)
def test_poor_terminals(environ: dict[str, str], written: str, never: str) -> None:
    """Each gets what it can show and no more; keys of simulated dice do nothing over real ones; all end clean."""
    with Console(environ={**environ, "REAL_DICE": "1"}) as console:
        console.until("ready")
        console.type("t")
        console.until("t does nothing here")
        console.type("q")
        assert console.end() == 0
        raw = console.raw.decode()
        assert re.search(written, raw, re.DOTALL)
        assert re.search(never, raw) is None
        assert console.settings() == console.before


def test_too_small_from_the_start_is_said_in_one_line() -> None:
    """At 20 columns the program ends with status 2 and one line on standard error, and touches nothing."""
    with Console(20, 24) as console:
        assert console.end() == 2
        assert console.raw == b"expected a terminal of at least 40 columns and 12 rows, got 20 and 24: enlarge it\r\n"


def test_no_terminal_is_said_in_one_line() -> None:
    """In a pipe it says in one line that a terminal is needed."""
    done = subprocess.run([sys.executable, "-c", PROGRAM], input=b"", capture_output=True, check=False)
    assert done.returncode == 2
    assert done.stderr.decode().count("\n") == 1
    assert b"expected a terminal to draw on" in done.stderr
