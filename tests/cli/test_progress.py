"""How far a long command is: shown on a terminal only, and gone at the end."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from tabletop.cli import progress
from tabletop.cli.main import main
from tabletop.store import Store

RECORDING = Path(__file__).parents[1] / "compatibility" / "files" / "leaning-die.tar"


@pytest.mark.parametrize(("made", "shows"), [(os.openpty, True), (os.pipe, False)])
@pytest.mark.parametrize(("command", "says"), [("stats", b"1 of 2 matches"), ("replay", b"of 0:04.4 minutes")])
def test_progress_is_shown_on_a_terminal_only(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    made: Callable[[], tuple[int, int]],
    command: str,
    says: bytes,
    *,
    shows: bool,
) -> None:
    with Store(tmp_path / "a.db") as store:
        for _ in range(2):
            store.begin("pig", ["Ann"], {}, "2026-11-20T19:00:00Z")
    words = {"stats": ["--store", str(tmp_path / "a.db")], "replay": ["--frames", str(RECORDING)]}[command]
    monkeypatch.setattr(progress, "EVERY_S", 0)
    read, write = made()
    with os.fdopen(write, "w") as err:
        monkeypatch.setattr("sys.stderr", err)
        assert main([command, *words, "--json"]) == 0
    seen = b""
    with suppress(OSError), os.fdopen(read, "rb", 0) as terminal:  # one that nothing writes to any more
        while part := terminal.read(1000):
            seen += part
    assert (says in seen, seen.endswith(progress.ERASE.encode())) == (shows, shows)
    assert shows or seen == b""
