"""`tabletop play` with a page, as a program of its own: started, looked at, ended."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def page_of(folder: Path, *words: str) -> Iterator[tuple[str, str]]:
    """Play with these words and a page on a free port; yield its address, "127.0.0.1:8080", and its digits.

    folder: for the store and everything else that would be kept. It is ended as systemd does, and must end in order.
    """
    with program_of(folder, *words) as (address, digits, _):
        yield address, digits


@contextmanager
def program_of(folder: Path, *words: str) -> Iterator[tuple[str, str, subprocess.Popen[str]]]:
    """Do the same, and yield the program itself, too; a test that stops it has to let it go on."""
    environment = {**os.environ, "XDG_STATE_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    program = [sys.executable, "-m", "tabletop", "play", *words, "--listen", "local", "--port", "0"]
    rest = ["--screen", "none", "--buttons", "none", "--store", str(folder / "a.db")]
    with subprocess.Popen(
        [*program, *rest], env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as playing:
        assert playing.stderr is not None
        line = playing.stderr.readline()
        found = re.search(r"http://(127\.0\.0\.1:\d+)/#(\d{4})", line)
        assert found, line + (playing.stderr.read() if playing.poll() is not None else "")
        try:
            yield found[1], found[2], playing
        finally:
            playing.terminate()
            said = playing.stderr.read()
    assert (playing.returncode, said) == (0, "")
