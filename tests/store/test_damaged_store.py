"""A store whose file is damaged, deleted or replaced: copies are kept, people choose, and no event is lost."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import date, datetime
from pathlib import Path

import pytest

from tabletop.core.errors import DamagedStoreError, StoreError
from tabletop.store import Store
from tabletop.store.copies import BEFORE, NEWEST, begin_again, keep_copy, kept_copies, opened_store

MONDAY, TUESDAY = date(2001, 1, 1), date(2001, 1, 2)  # none is today
PAGE = 4096  # bytes of a page of SQLite


def play(store: Store, count: int = 1) -> None:
    for _ in range(count):
        number = store.begin("pig", ["Ann", "Ben"], {"target": 50}, "2026-11-20T19:00:00Z")
        store.append(number, 1, [("2026-11-20T19:00:01Z", {"kind": "throw", "filler": "x" * 3000})] * 2)


def counted(path: Path) -> int:
    with closing(sqlite3.connect(path)) as other:
        assert other.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        (count,) = other.execute("SELECT count(*) FROM match").fetchone()
        return int(count)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with Store(tmp_path / "a.db") as store:
        play(store, 3)
        assert keep_copy(tmp_path / "a.db", MONDAY)
        play(store, 2)
    return tmp_path / "a.db"


def _header(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(bytes(PAGE))


def _middle(path: Path) -> None:
    with path.open("r+b") as file:
        for page in range(1, path.stat().st_size // PAGE):
            file.seek(page * PAGE)
            file.write(b"\xff" * PAGE)


def _truncated(path: Path) -> None:
    os.truncate(path, 2 * PAGE + 100)


def _empty(path: Path) -> None:
    os.truncate(path, 0)


def _text(path: Path) -> None:
    path.write_text("a shopping list, and not a short one " * 500)


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _foreign(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE songs (name)")


def _no_tables(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("DROP TABLE event")
        other.execute("DROP TABLE match")


DAMAGES = [_header, _middle, _truncated, _empty, Path.unlink, _text, _folder, _foreign, _no_tables]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_store_can_be_replaced_by_its_copy_or_a_new_one(path: Path, damage: Callable[[Path], None]) -> None:
    """It replaces no copy; whichever is chosen, the damaged file stays, however often that happens."""
    whole = path.with_name(path.name + NEWEST).read_bytes()
    for copies in (True, False, True):
        damage(path)
        damaged = path.read_bytes() if path.is_file() else b""
        with pytest.raises((StoreError, OSError)):
            keep_copy(path, TUESDAY)
        assert path.with_name(path.name + NEWEST).read_bytes() == whole
        with pytest.raises(DamagedStoreError):
            opened_store(path)
        (copy,) = kept_copies(path)
        assert copy.matches == 3
        begin_again(path, copy.path if copies else None)
        assert counted(path) == (3 if copies else 0)
        aside = [file.read_bytes() for file in path.parent.glob("a.db.damaged-*") if file.is_file()]
        assert damage in (Path.unlink, _folder) or damaged in aside
        with opened_store(path) as store:
            play(store, 1)
    assert len([file for file in path.parent.glob("a.db.damaged-*") if file.name[-4:] not in ("-wal", "-shm")]) == (
        0 if damage is Path.unlink else 3
    )


def test_two_copies_are_kept_of_two_days(path: Path) -> None:
    """The older one goes only once the new one is whole; a second start of the day makes none."""
    newest, before = (path.with_name(path.name + suffix) for suffix in (NEWEST, BEFORE))
    assert (counted(newest), before.exists()) == (3, False)
    assert keep_copy(path, TUESDAY)
    assert (counted(newest), counted(before)) == (5, 3)
    assert not keep_copy(path, datetime.fromtimestamp(newest.stat().st_mtime).astimezone().date())
    _middle(before)
    assert [copy.matches for copy in kept_copies(path)] == [5]
    assert sorted(file.name for file in path.parent.iterdir()) == ["a.db", "a.db.copy", "a.db.copy-before"]


CUT = """
import resource, signal, sys
from pathlib import Path
from tabletop.store.copies import NEWEST, begin_again
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
begin_again(Path(sys.argv[1]), Path(sys.argv[1] + NEWEST))
"""


def test_a_plug_pulled_while_a_copy_is_put_back_leaves_the_question(path: Path) -> None:
    """The system kills the program half-way through the file: people are asked again, and no empty store begins."""
    _truncated(path)
    half = path.with_name(path.name + NEWEST).stat().st_size // 2
    killed = subprocess.run([sys.executable, "-c", CUT, str(path), str(half)], check=False)
    assert killed.returncode == -signal.SIGXFSZ
    with pytest.raises(DamagedStoreError):
        opened_store(path)
    begin_again(path, kept_copies(path)[0].path)
    assert counted(path) == 3


@pytest.mark.parametrize("gone", ["a.db", "a.db*", "a.db-wal", "a.db-shm", "folder", "replaced"])
@pytest.mark.parametrize("looks", [True, False])
def test_a_file_deleted_during_play_is_written_again(tmp_path: Path, gone: str, *, looks: bool) -> None:
    """With the next event, or the next look at its trouble; the program may be killed right after."""
    path = tmp_path / "table" / "a.db"
    with Store(path) as store:
        play(store, 2)
        store.claim(store.match(1))
        if gone == "folder":
            shutil.rmtree(path.parent)
        elif gone == "replaced":
            path.with_name("other").write_bytes(b"another file")
            path.with_name("other").replace(path)
        for file in path.parent.glob(gone):
            file.unlink()
        if looks:
            assert store.trouble == ""
        else:
            store.presets.keep("Friday", "pig", ["Ann"], {})
        play(store)
        assert [match.events for match in store.matches()] == [2, 2, 2]
        copied = tmp_path / "seen.db"  # what a killed program leaves: nothing was closed
        for end in ("", "-wal"):
            shutil.copyfile(path.with_name(path.name + end), copied.with_name(copied.name + end))
        assert counted(copied) == 3
    assert counted(path) == 3
    aside = [file.read_bytes() for file in path.parent.glob("a.db.damaged-????-??-??")]
    assert aside == ([b"another file"] if gone == "replaced" else [])


def test_a_file_that_cannot_be_written_again_yet_is_written_later(tmp_path: Path) -> None:
    """A file lies where its folder was."""
    path = tmp_path / "table" / "a.db"
    with Store(path) as store:
        play(store)
        shutil.rmtree(path.parent)
        path.parent.touch()
        with pytest.raises(StoreError, match="cannot be written"):
            play(store)
        path.parent.unlink()
        play(store)
    assert counted(path) == 2
