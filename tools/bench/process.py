"""Measure the whole program from outside, as a user starts it, for `make bench`."""

import contextlib
import fcntl
import os
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

PLAY = (sys.executable, "-m", "tabletop", "play", "pig", "--players", "Ann,Ben", "--seed", "1", "--camera", "sim")
SHORT = ("--set", "target=6", "--json")  # memory does not grow with the match: a short one shows as much
READ = (sys.executable, "-m", "tabletop", "read", "--json")
BETWEEN = """
import os, sys
program = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ,
                         file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
_, status, usage = os.wait4(program, 0)
print(usage.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status) != 0)
"""
ROWS, COLUMNS = 40, 120  # of the terminal: room for tray and OLED together
TRAY_DRAWN = ("▀".encode(), "▄".encode())  # half-blocks: the tray's picture is on the screen
PATIENCE_S = 60.0
KIB_IN_MIB = 1024 if sys.platform != "darwin" else 1024 * 1024  # ru_maxrss is in KiB, on a Mac in bytes


def first_frame_s() -> float | None:
    """Return the seconds from starting `tabletop play` to the tray drawn in a terminal; None if it never appears."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    with _own_folders() as environment:
        start_s = time.perf_counter()
        program = subprocess.Popen(
            PLAY, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
        )
        os.close(theirs)
        try:
            return _until_drawn(ours, start_s)
        finally:
            program.send_signal(signal.SIGTERM)
            _drain(ours)
            os.close(ours)
            program.wait()


def memory_after_a_game_mib() -> float | None:
    """Return the peak resident memory of a whole game of simulated players; None if it failed."""
    with _own_folders() as environment:
        return largest_mib([*PLAY, *SHORT], environment)


def memory_of_reading_mib(picture: Path, *hints: str) -> float | None:
    """Return the peak resident memory of `tabletop read` on one picture; None if it failed."""
    with _own_folders() as environment:
        return largest_mib([*READ, str(picture), *hints], environment)


def largest_mib(command: Sequence[str], environment: Mapping[str, str]) -> float | None:
    """Return the peak resident memory of a program, in MiB; None if it failed.

    A new process inherits the peak memory of the process that started it, and this one holds OpenCV and pictures, so
    a small process is started in between.
    """
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", BETWEEN, *command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    return int(done.stdout) / KIB_IN_MIB if done.returncode == 0 else None


@contextlib.contextmanager
def _own_folders() -> Iterator[dict[str, str]]:
    """Keep matches and configuration of the measured program apart from those of the user."""
    with tempfile.TemporaryDirectory() as folder:
        yield {
            **os.environ,
            "TERM": "xterm-256color",
            "STATE_DIRECTORY": folder,
            "XDG_STATE_HOME": folder,
            "XDG_CONFIG_HOME": folder,
        }


def _until_drawn(terminal: int, start_s: float) -> float | None:
    written = b""
    while time.perf_counter() - start_s < PATIENCE_S:
        if select.select([terminal], [], [], 0.5)[0]:
            try:
                part = os.read(terminal, 1 << 16)
            except OSError:  # the program has ended
                return None
            written += part
            if any(block in written for block in TRAY_DRAWN):
                return time.perf_counter() - start_s
    return None


def _drain(terminal: int) -> None:
    """Read what the program prints at its end, so that it never blocks on a full terminal."""
    with contextlib.suppress(OSError):
        while os.read(terminal, 1 << 16):
            pass
