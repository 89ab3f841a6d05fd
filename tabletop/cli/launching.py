"""The program as a person starts it, measured from outside: for `tabletop bench`."""

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
from collections.abc import Iterator

PLAY = (sys.executable, "-m", "tabletop", "play", "pig", "--players", "Ann,Ben", "--seed", "1", "--camera", "sim")
SHORT = ("--set", "target=6", "--json")  # memory does not grow with the match: a short one tells as much
ROWS, COLUMNS = 40, 120  # of the terminal: room for tray and OLED together
TRAY_DRAWN = ("▀".encode(), "▄".encode())  # half-blocks: the tray's picture is on the screen
PATIENCE_S = 60.0
KIB_IN_MIB = 1024 if sys.platform != "darwin" else 1024 * 1024  # ru_maxrss counts KiB, on a Mac bytes


def first_frame_s() -> float | None:
    """Return the seconds from starting `tabletop play` to the tray drawn in a terminal; None if it never was."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    with _own_folders() as environment:
        begun = time.perf_counter()
        program = subprocess.Popen(  # noqa: S603 - our own program
            PLAY, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
        )
        os.close(theirs)
        try:
            return _until_drawn(ours, begun)
        finally:
            program.send_signal(signal.SIGTERM)
            _drain(ours)
            os.close(ours)
            program.wait()


def memory_after_a_game_mib() -> float | None:
    """Return the largest resident memory of a whole game of simulated players; None if it failed."""
    with _own_folders() as environment:
        program = subprocess.Popen(  # noqa: S603 - our own program
            [*PLAY, *SHORT], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=environment
        )
        _, status, usage = os.wait4(program.pid, 0)
        program.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_maxrss / KIB_IN_MIB if program.returncode == 0 else None


@contextlib.contextmanager
def _own_folders() -> Iterator[dict[str, str]]:
    """Keep matches and configuration of the measured program apart from the user's own."""
    with tempfile.TemporaryDirectory() as folder:
        yield {
            **os.environ,
            "TERM": "xterm-256color",
            "STATE_DIRECTORY": folder,
            "XDG_STATE_HOME": folder,
            "XDG_CONFIG_HOME": folder,
        }


def _until_drawn(terminal: int, begun: float) -> float | None:
    written = b""
    while time.perf_counter() - begun < PATIENCE_S:
        if select.select([terminal], [], [], 0.5)[0]:
            try:
                part = os.read(terminal, 1 << 16)
            except OSError:  # the program has ended
                return None
            written += part
            if any(block in written for block in TRAY_DRAWN):
                return time.perf_counter() - begun
    return None


def _drain(terminal: int) -> None:
    """Read what the program says at its end, so that it is never stopped by a full terminal."""
    with contextlib.suppress(OSError):
        while os.read(terminal, 1 << 16):
            pass
