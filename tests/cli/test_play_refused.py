"""A command that is refused leaves nothing: no match in the store, no file, and status 2 with one line."""

import resource
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from emulated_terminal import Terminal
from PIL import Image

from tabletop.cli.main import main
from tabletop.store import Store

WRITABLE_BYTES = 150_000  # of one file: the store gets its tables and a few throws into it


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a folder with files that are not what their names say."""
    (tmp_path / "text.jpg").write_text("a shopping list")
    (tmp_path / "text.mp4").write_text("a shopping list")
    (tmp_path / "empty.jpg").touch()
    (tmp_path / "empty.mp4").touch()
    (tmp_path / "old.tar").write_bytes(b"somebody's evening")
    (tmp_path / "folder").mkdir()
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.jpg").write_text("a shopping list")
    return tmp_path


REFUSED = [
    ("--record", "x.xyz"),
    ("--record", "old.tar"),
    ("--record", "missing/x.tar"),
    ("--record", "missing/x.mp4"),
    ("--record-mib", "0"),
    ("--record-mib", "-5"),
    ("--camera", "text.jpg"),
    ("--camera", "text.mp4"),
    ("--camera", "empty.jpg"),
    ("--camera", "empty.mp4"),
    ("--camera", "folder"),
    ("--camera", "texts"),
    ("--camera", "missing.jpg"),
]


@pytest.mark.parametrize(("option", "word"), REFUSED)
def test_nothing_is_left(folder: Path, capsys: pytest.CaptureFixture[str], option: str, word: str) -> None:
    """One line, status 2, no match, no new file, and what was there is as before."""
    before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    value = word if option == "--record-mib" else str(folder / word)
    assert main(["play", "pig", "--players", "A,B", option, value, "--store", str(folder / "a.db")]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("tabletop play: expected ")
    assert said.err.count("\n") == 1
    assert {path: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before


@pytest.mark.parametrize(("option", "word"), REFUSED[:1] + REFUSED[6:8] + REFUSED[11:12])
def test_nothing_is_left_in_a_terminal(folder: Path, option: str, word: str) -> None:
    """The same where people sit at a terminal: the terminal is as before, and no match is in the store."""
    terminal = Terminal("pig", "--players", "A,B", option, str(folder / word), home=folder)
    assert terminal.end() == 2
    assert terminal.child.before.decode().count("tabletop play: expected ") == 1
    assert not (folder / "a.db").exists()


def test_a_terminal_that_is_too_small_leaves_no_match(tmp_path: Path) -> None:
    """It is found out before the match begins."""
    assert Terminal("pig", "--players", "A,B", home=tmp_path, size=(30, 10)).end() == 2
    with Store(tmp_path / "a.db") as store:
        assert store.matches() == ()


def test_a_picture_that_cannot_be_read_is_passed_over(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is refused only where no picture is left; here one is, of an empty table."""
    cv2.imwrite(str(folder / "texts" / "b.png"), np.full((480, 640, 3), 90, np.uint8))
    assert main(["play", "pig", "--camera", str(folder / "texts"), "--store", str(folder / "a.db")]) == 0
    assert "left out" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["a.png", "a.gif"])
def test_a_picture_without_dice_leaves_no_open_match(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """One line names it, and there is nothing to resume."""
    pictures = [Image.new("RGB", (640, 480), (grey, grey, grey)) for grey in (90, 95)]
    if name == "a.gif":
        pictures[0].save(tmp_path / name, save_all=True, append_images=pictures[1:])
    else:
        pictures[0].save(tmp_path / name)
    words = ["--camera", str(tmp_path / name), "--store", str(tmp_path / "a.db")]
    assert main(["play", "pig", *words]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert str(tmp_path / name) in line
    assert main(["play", "--resume", *words]) == 2


def test_a_match_without_events_is_never_the_newest_open_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--resume` opens the match that was played, not an empty one begun after it."""
    with Store(tmp_path / "a.db") as store:
        store.begin("pig", ["Ann", "Ben"], {"target": 10}, "2026-01-01T00:00:00Z")
        store.begin("pig", ["Cat", "Dan"], {}, "2026-01-02T00:00:00Z")
        event = {"kind": "throw", "player": "Ann", "faces": [4]}
        request = {"kind": "roll", "player": "Ann", "dice": 1, "legal": [], "options": [], "gives": {}}
        store.append(1, 1, [("2026-01-01T00:00:01Z", {**event, "request": request})])
    words = ["play", "--resume", "--seed", "1", "--store", str(tmp_path / "a.db"), "--json"]
    assert main(words) == 0
    assert "Cat" not in capsys.readouterr().out
    with Store(tmp_path / "a.db") as store:
        newest, played = store.matches()
        assert (newest.events, played.ending) == (0, "over")


@pytest.mark.slow
def test_a_disk_that_takes_no_more_is_named_as_such(tmp_path: Path) -> None:
    """Simulated players cannot make room: the command ends with what the disk says, not with advice on the reader."""
    limits = (WRITABLE_BYTES, WRITABLE_BYTES)
    ended = subprocess.run(
        [sys.executable, "-m", "tabletop", "play", "pig", "--seed", "1", "--store", str(tmp_path / "a.db")],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limits),  # the kernel refuses what goes beyond
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert ended.returncode == 2
    assert "cannot be written: the disk reports an error; check its space" in ended.stderr
    assert "reader" not in ended.stderr
    assert ended.stderr.count("\n") == 1
    with Store(tmp_path / "a.db", looking=True) as store:
        (match,) = store.matches()
        assert 0 < match.events == len(ended.stdout.splitlines())
