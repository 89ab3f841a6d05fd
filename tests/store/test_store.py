"""The store keeps what it was given, says what is wrong in one line, and never loses anything."""

import sqlite3
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest

from tabletop.core.errors import InputError, StoreError
from tabletop.store import Ending, Store, default_path


def _filled(path: Path) -> int:
    with Store(path) as store:
        number = store.begin("pig", ["Ann", "Ben"], {"target": 50}, "2026-01-01T00:00:00Z")
        store.append(number, 1, [("2026-01-01T00:00:01Z", {"kind": "throw", "faces": [3]})])
        store.append(number, 2, [("t", {"kind": "choose"}), ("t", {"kind": "throw", "faces": [1]})])
        return number


def test_what_was_appended_is_read_back_by_another_program(tmp_path: Path) -> None:
    number = _filled(tmp_path / "a.db")
    with Store(tmp_path / "a.db", looking=True) as store:
        stored = store.match(number)
        assert (stored.game, stored.players, stored.options) == ("pig", ("Ann", "Ben"), {"target": 50})
        assert (stored.ending, stored.events) == (None, 3)
        events = [(event.n, event.body["kind"]) for event in store.events(number)]
        assert events == [(1, "throw"), (2, "choose"), (3, "throw")]


def test_it_is_plain_sqlite_with_full_synchronous_wal(tmp_path: Path) -> None:
    """Another SQLite program finds a healthy WAL database (an oracle outside our code)."""
    _filled(tmp_path / "a.db")
    other = sqlite3.connect(tmp_path / "a.db")
    assert other.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert other.execute("SELECT count(*) FROM event").fetchone() == (3,)
    other.close()


def test_a_batch_is_stored_whole_or_not_at_all(tmp_path: Path) -> None:
    """Where one event of several clashes, none of them is stored, and the clash is told in words."""
    number = _filled(tmp_path / "a.db")
    with Store(tmp_path / "a.db") as store:
        with pytest.raises(StoreError, match="only table at this match"):
            store.append(number, 2, [("t", {"kind": "throw"}), ("t", {"kind": "keep"})])
        assert len(store.events(number)) == 3


def test_a_write_under_way_is_known(tmp_path: Path) -> None:
    """Another program holds the file: the write waits, and its beginning can be seen until it is done."""
    number = _filled(tmp_path / "a.db")
    with (
        Store(tmp_path / "a.db") as store,
        closing(sqlite3.connect(tmp_path / "a.db", check_same_thread=False)) as other,
    ):
        assert store.write_began_s is None
        other.execute("BEGIN IMMEDIATE")
        seen = list[float | None]()
        watching = Thread(target=_until_written, args=(store, other, seen))
        watching.start()
        store.end(number, "over")
        watching.join()
        assert seen[-1] is not None
        assert store.write_began_s is None


def _until_written(store: Store, other: sqlite3.Connection, seen: list[float | None]) -> None:
    while not seen or seen[-1] is None:
        seen.append(store.write_began_s)
    other.rollback()


def test_endings(tmp_path: Path) -> None:
    endings: tuple[Ending | None, ...] = ("over", None, "left")
    number = _filled(tmp_path / "a.db")
    with Store(tmp_path / "a.db") as store:
        for ending in endings:
            store.end(number, ending)
            assert store.match(number).ending == ending
        with pytest.raises(InputError, match="1 to 1"):
            store.match(7)


def test_a_store_of_another_version_is_told_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    _filled(path)
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA user_version=99")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="version 1, got version 99"):
        Store(path)
    assert path.read_bytes() == before


def test_a_full_disk_is_told_and_loses_nothing(tmp_path: Path) -> None:
    """When SQLite says that it is full (a cap on its pages), the batch is refused; with room again it goes in."""
    number = _filled(tmp_path / "a.db")
    with Store(tmp_path / "a.db") as store:
        database = store._database  # noqa: SLF001 - only SQLite itself can be told to be full
        pages = database.execute("PRAGMA page_count").fetchone()[0]
        database.execute(f"PRAGMA max_page_count={pages}")
        big = [("t", {"kind": "throw", "filler": "x" * 5000})] * 20
        with pytest.raises(StoreError, match="free some space"):
            store.append(number, 4, big)
        assert len(store.events(number)) == 3
        database.execute("PRAGMA max_page_count=100000")
        store.append(number, 4, big)
        assert len(store.events(number)) == 23


@pytest.mark.parametrize("bytes_there", [None, b""])
def test_looking_at_what_holds_no_match_says_so(tmp_path: Path, bytes_there: bytes | None) -> None:
    """No file, or the empty one that a table leaves whose card is full at its first start."""
    path = tmp_path / "a.db"
    if bytes_there is not None:
        path.write_bytes(bytes_there)
    with pytest.raises(StoreError, match="no match was played yet"):
        Store(path, looking=True)
    assert path.exists() == (bytes_there is not None)


def test_the_unit_s_state_folder_comes_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Under systemd the store lies in the unit's StateDirectory, else in the user's state folder."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    assert default_path() == tmp_path / "tabletop.db"
    monkeypatch.delenv("STATE_DIRECTORY")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert default_path() == tmp_path / "state" / "tabletop" / "tabletop.db"


def test_names_come_from_the_matches_newest_first(tmp_path: Path) -> None:
    with Store(tmp_path / "a.db") as store:
        assert store.names() == ()
        store.begin("pig", ["Ann", "Ben"], {}, "2026-01-01T00:00:00Z")
        store.begin("pig", ["Cleo", "Ann"], {}, "2026-01-01T00:00:00Z")
        assert store.names() == ("Cleo", "Ann", "Ben")


def test_who_joined_a_match_is_remembered(tmp_path: Path) -> None:
    with Store(tmp_path / "a.db") as store:
        store.begin("pig", ["Ann", "Ben"], {}, "2026-01-01T00:00:00Z")
        store.remember("Zoe")
    with Store(tmp_path / "a.db") as store:
        assert store.names() == ("Ann", "Ben", "Zoe")


def test_a_store_without_a_table_of_names_is_read_and_gets_one(tmp_path: Path) -> None:
    """A store of before there were any: its matches give the names, looked at or played with."""
    with Store(tmp_path / "a.db") as store:
        store.begin("pig", ["Ann", "Ben"], {}, "2026-01-01T00:00:00Z")
    with sqlite3.connect(tmp_path / "a.db") as database:
        database.execute("DROP TABLE name")
    database.close()
    with Store(tmp_path / "a.db", looking=True) as store:
        assert store.names() == ("Ann", "Ben")
    with Store(tmp_path / "a.db") as store:
        store.remember("Zoe")
        assert store.names() == ("Ann", "Ben", "Zoe")
