"""Commands whose streams are closed, full or cannot show a letter: one line at most, a status, no traceback."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tabletop.cli.main import main

COMMANDS = ("--help", "--version", "games --json", "games mia", "stats", "replay", "play --help", "nonsense")
TROUBLES = {"closed": ">&- 2>&- <&-", "no output": ">&-", "no errors": "2>&-", "no input": "<&-", "full": ">/dev/full"}


def run(
    words: str, redirected: str, home: Path, most_kib: int | None = None, **environ: str
) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], "XDG_STATE_HOME": str(home), "XDG_CONFIG_HOME": str(home), **environ}
    command = f"ulimit -v {most_kib or 'unlimited'}; exec {sys.executable} -m tabletop {words} {redirected}"
    return subprocess.run(
        ["sh", "-c", command], capture_output=True, text=True, env=environment, timeout=60, check=False
    )


@pytest.mark.parametrize("words", [pytest.param(w, marks=() if w == "stats" else pytest.mark.slow) for w in COMMANDS])
@pytest.mark.parametrize("trouble", TROUBLES)
def test_a_stream_that_takes_nothing_is_one_line_at_most(words: str, trouble: str, tmp_path: Path) -> None:
    """Status 0 or 2, and never more than a line about it."""
    done = run(words, TROUBLES[trouble], tmp_path)
    assert done.returncode in (0, 2)
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) <= 1 or trouble == "no input"


def test_letters_that_the_terminal_has_not_are_written_as_escapes(tmp_path: Path) -> None:
    """The rules of Mia hold letters beyond ASCII."""
    done = run("games mia", "", tmp_path, LC_ALL="C", PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert done.stdout.isascii()
    assert not done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("most_kib", [150_000, 300_000, 600_000])
def test_too_little_memory_is_no_traceback(most_kib: int, tmp_path: Path) -> None:
    """Any part may be the first that gets none; OpenBLAS ends the program with its own line."""
    words = "play pig --players Ann,Ben --seed 1 --set target=3 --screen none --buttons none"
    done = run(words, "", tmp_path, most_kib=most_kib)
    assert done.returncode != 0
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("kind", ["fifo", "folder", "socket", "device"])
def test_a_store_that_is_no_file_is_refused(kind: str, tmp_path: Path) -> None:
    """Neither a wait without end nor a word about the disk."""
    path = Path(os.devnull) if kind == "device" else tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as end:
        if kind == "fifo":
            os.mkfifo(path)
        elif kind == "folder":
            path.mkdir()
        elif kind == "socket":
            end.bind(str(path))
        done = run(f"stats --store {path}", "", tmp_path)
    assert done.returncode == 2
    assert "expected a file for the store" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_package_that_is_not_installed_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The mat needs one that players without a printer may leave out: one line says which, and nothing is written."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "reportlab"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "reportlab", None)  # as where it is not installed
    monkeypatch.delitem(sys.modules, "calibration.mat_pdf", raising=False)
    out = tmp_path / "mat.pdf"
    assert main(["mat", "--out", str(out)]) == 2
    said = capsys.readouterr().err
    assert (said.count("\n"), "reportlab" in said, out.exists()) == (1, True, False)
