"""A command of `play` that is refused: one clear line, status 2, no match in the store, no file, nothing lost."""

import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
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
    files = {
        "old.tar": "somebody's evening",
        "wide.toml": "version = 1\nwidth_px = wide\n",
        "a.toml": 'game = "pig"\ncamra = "sim"\n',
        "b.toml": 'game = "pig"\ncamera = "usb:0,size=big"\n',
        "c.toml": 'game = "pig"\nscreen = "ssd1306:address=0x78"\n',
        "d.toml": 'game = "pig"\nbuttons = "gpio:bank=17,hold=17"\n',
        **dict.fromkeys(("text.jpg", "text.mp4", "texts/a.jpg"), "a shopping list"),
        **dict.fromkeys(("empty.jpg", "empty.mp4"), ""),
    }
    for name in ("folder", "texts"):
        (tmp_path / name).mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "film.mp4").write_bytes(b"\x00\x00\x00 ftypisom" + bytes(500))
    return tmp_path


WRONG = [
    ("pigg", "pig"),
    ("../pig", "game"),
    ("pig --players=", "names"),
    ("pig --players Ann,Ann", "Ann"),
    ("pig --players Bartholomew-the-Third,Ben", "12"),
    (f"pig --players {','.join(f'P{i}' for i in range(40))}", "player"),
    (f"pig --players {'A' * 500}", "with 500"),
    ("pig --set target=-3", "target"),
    ("--set target=50", "GAME"),
    ("--resume 1 --set target=50", "--resume"),
    ("pig --camera nowhere", "--camera"),
    ("pig --camera pi", "sudo apt install python3-picamera2"),
    ("pig --camera usb:99", "usb:99"),
    *(
        (f"pig --camera {{0}}/{name}", name)
        for name in ("text.jpg", "text.mp4", "empty.jpg", "empty.mp4", "folder", "texts", "missing.jpg", "film.mp4")
    ),
    *((f"pig --record {{0}}/{name}", name) for name in ("x.xyz", "old.tar")),
    ("pig --record {0}/missing/x.tar", "expected an existing folder for --record"),
    ("pig --record {0}/missing/x.mp4", "expected an existing folder for --record"),
    ("pig --record-mib 0", "0"),
    ("pig --record-mib=-5", "-5"),
    ("pig --record-mib x", "--record-mib: expected a whole number, got 'x'"),
    ("pig --buttons foot", "--buttons"),
    ("pig --screen cinema", "--screen"),
    ("pig --screen terminal", "terminal"),
    ("pig --screen none:3", "--screen none, with nothing behind it"),
    ("pig --screen ssd1306:height=31", "height"),
    ("pig --buttons gpio:bank=99", "bank"),
    ("pig --profile missing.toml", "missing.toml"),
    ("pig --profile {0}/wide.toml", "2"),
    ("pig --config missing.toml", "missing.toml"),
    *((f"--config {{0}}/{name}.toml", f"{name}.toml, line 2: expected") for name in "abcd"),
    ("pig --language klingon", 'expected a language ("de" for Deutsch, "en" for English)'),
    ("pig --listen 0.0.0.0:80", "expected --listen local or lan, got '0.0.0.0:80'"),
    ("pig --listen local --port 99999", "expected a port from 0 to 65535"),
    ("pig --port 8080", "expected --listen"),
    ("pig --resume", "open match"),
    ("pig --resume 7", "7"),
    ("pig --resume 0", "1 or more, got '0'"),
    ("pig --seed x", "--seed: expected a whole number, got 'x'"),
    ("farkel", "did you mean Farkle?"),
    ("pig --frobnicate", "frobnicate"),
]


@pytest.mark.parametrize(("words", "said"), WRONG)
def test_a_wrong_word_is_told(folder: Path, capsys: pytest.CaptureFixture[str], words: str, said: str) -> None:
    """One line names it, status 2, no match, no new file, and what was there is as before."""
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert said in _refused(capsys, *words.format(folder).split(" "), "--store", str(folder / "a.db"))
    after = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert after == before or "--resume" in words  # which looks into a store


@pytest.mark.parametrize("words", ["--record {0}/x.xyz", "--camera {0}/text.jpg", "--camera {0}/texts"])
def test_nothing_is_left_in_a_terminal(folder: Path, words: str) -> None:
    """The same where people sit at a terminal: the terminal is as before, and no match is in the store."""
    terminal = Terminal("pig", "--players", "A,B", *words.format(folder).split(), home=folder)
    assert terminal.end() == 2
    assert terminal.child.before.decode().count("tabletop play: expected ") == 1
    assert not (folder / "a.db").exists()


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


LONGEST_LINE = 400  # characters of a refusal: paths of temporary folders are long
NOBODY = 65534  # the user without rights on every Debian


@pytest.fixture
def open_folder() -> Iterator[Path]:
    path = Path(tempfile.mkdtemp())
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


@pytest.fixture(autouse=True)
def _own_configuration(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@contextmanager
def _without_rights() -> Iterator[None]:
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


def _refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["play", *words]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("tabletop play: ")
    assert told.err.count("\n") == 1
    assert len(told.err) <= LONGEST_LINE
    return told.err


def test_a_folder_that_is_not_there_makes_no_store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A mistyped --store is refused, and no folder is made."""
    assert "expected an existing folder for --store" in _refused(capsys, "pig", "--store", str(tmp_path / "a" / "b.db"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("word", ["-1", "0", "9" * 30])
def test_a_match_that_cannot_be(capsys: pytest.CaptureFixture[str], word: str) -> None:
    """`replay` says what the number of a match is."""
    assert main(["replay", word]) == 2
    assert capsys.readouterr().err == (
        f"tabletop replay: expected the number of a stored match, 1 or more, got '{word}'\n"
    )


def test_a_store_that_cannot_be_used(open_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No database, another version, another program's, read-only, a folder: told, and left as it was."""
    with Store(open_folder / "good.db") as store:
        store.begin("pig", ["Ann"], {}, "2026-01-01T00:00:00Z")
    (open_folder / "text.db").write_text("a shopping list, and not a short one " * 50)
    newer = sqlite3.connect(shutil.copy(open_folder / "good.db", open_folder / "newer.db"))
    newer.execute("PRAGMA user_version=2")
    newer.close()
    other = sqlite3.connect(open_folder / "other.db")
    other.execute("CREATE TABLE songs (name)")
    other.close()
    for name, said in (("text.db", "not a database"), ("newer.db", "version"), ("other.db", "another program")):
        before = (open_folder / name).read_bytes()
        assert said in _refused(capsys, "pig", "--store", str(open_folder / name))
        assert (open_folder / name).read_bytes() == before
    assert "doctor" in _refused(capsys, "pig", "--store", str(open_folder))
    (open_folder / "good.db").chmod(0o444)
    open_folder.chmod(0o555)
    with _without_rights():
        assert "read-only" in _refused(capsys, "pig", "--store", str(open_folder / "good.db"))
        assert "make it" in _refused(capsys, "pig", "--store", str(open_folder / "new" / "a.db"))
    open_folder.chmod(0o755)
    with Store(open_folder / "good.db") as store:
        assert len(store.matches()) == 1
