"""The program as the unit of the appliance starts it, in a folder of the test."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from notify_listener import NotifyListener


@contextmanager
def service(
    folder: Path, configured: str, *python: str, before: Callable[[], object] = lambda: None
) -> Iterator["subprocess.Popen[str]"]:
    """Start the program as the unit does; afterwards it is gone. python: its options; before: done before it starts."""
    (folder / "tabletop.toml").write_text(configured)
    before()
    words = ["play", *(["--port", "0"] if "listen" in configured else [])]
    environ = {
        **os.environ,
        "NOTIFY_SOCKET": str(folder / "notify"),
        "WATCHDOG_USEC": "2000000",
        "STATE_DIRECTORY": str(folder),
        "XDG_CONFIG_HOME": str(folder),
    }
    environ.pop("WATCHDOG_PID", None)
    command = [sys.executable, *python, "-m", "tabletop", *words, "--config", str(folder / "tabletop.toml")]
    with subprocess.Popen(command, env=environ, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as program:
        try:
            yield program
        finally:
            program.kill()


@contextmanager
def listening(folder: Path) -> Iterator[NotifyListener]:
    listener = NotifyListener(str(folder / "notify"))
    try:
        yield listener
    finally:
        listener.socket.close()
