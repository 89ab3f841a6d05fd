"""Backup and restore: what a table cannot make again comes back whole, elsewhere too, and nothing else is touched."""

import json
import os
import sqlite3
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from restored_table import PROFILE, Table, rewrite

from tabletop.config.own_dice import load_own_dice, save_own_dice
from tabletop.config.profile import load_profile, save_profile
from tabletop.core.errors import StoreError
from tabletop.store import Store
from tabletop.store.copies import copy_store, replace_store

GAME = (Path(__file__).parents[1] / "own_games" / "fifty.py").read_text(encoding="utf-8")


MakeTable = Callable[[str], Table]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> MakeTable:
    return lambda name: Table(tmp_path / name, monkeypatch, capsys)


@pytest.fixture
def ann(home: MakeTable) -> Table:
    """Return a user who has played: a match, a profile named by the configuration, own dice, a game."""
    ann = home("ann")
    for folder in (ann.config / "trays", ann.games):
        folder.mkdir(parents=True)
    ann.begin("Ann", "Ben")
    profile = ann.config / "trays" / "tray.toml"
    save_profile(PROFILE, profile)
    save_own_dice((), profile.with_suffix(".dice"))
    (ann.config / "tabletop.toml").write_text('profile = "trays/tray.toml"\n')
    (ann.config / "trays" / "letter.toml").write_text("private = true\n")
    (ann.games / "fifty.py").write_text(GAME)
    return ann


def test_everything_comes_back_at_another_table(ann: Table, home: MakeTable, tmp_path: Path) -> None:
    """Matches, configuration, profile with its dice, and game: where the other user's programs look for them."""
    status, out, _ = ann.run("backup", tmp_path / "b.zip")
    assert status == 0
    assert "1 match, 1 program, 3 other files" in out
    zoe = home("zoe")
    assert zoe.run("restore", "--programs", tmp_path / "b.zip")[0] == 0
    assert zoe.players() == [("Ann", "Ben")]
    profile = zoe.config / "trays" / "tray.toml"
    assert load_profile(profile) == load_profile(ann.config / "trays" / "tray.toml")
    assert load_own_dice(profile.with_suffix(".dice")) == ()
    assert zoe.run("games", "fifty")[0] == 0
    assert set(zoe.files()) == set(ann.files()) - {"config/tabletop/trays/letter.toml"}


def test_named_set_ups_come_back(ann: Table, home: MakeTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Home and club, each with the profile before it and its dice, though the configuration names one of them only."""
    setups = ann.store.with_name("setups")
    setups.mkdir()
    for name in ("home.toml", "home.previous.toml", "club.toml"):
        save_profile(PROFILE, setups / name)
    save_own_dice((), setups / "club.dice")
    (setups / ".club.toml.new").write_text("half")
    (ann.config / "tabletop.toml").write_text('profile = "club"\n')
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "club.toml").write_text("of somebody else\n")
    monkeypatch.chdir(elsewhere)
    assert ann.run("backup", tmp_path / "b.zip")[0] == 0
    zoe = home("zoe")
    assert zoe.run("restore", tmp_path / "b.zip")[0] == 0
    restored = zoe.store.with_name("setups")
    names = ["club.dice", "club.toml", "home.previous.toml", "home.toml"]
    assert sorted(path.name for path in restored.iterdir()) == names
    assert load_profile(restored / "club.toml") == PROFILE
    assert [path.name for path in elsewhere.iterdir()] == ["club.toml"]
    assert (elsewhere / "club.toml").read_text() == "of somebody else\n"


def test_nothing_is_written_over_unasked(ann: Table, home: MakeTable, tmp_path: Path) -> None:
    """Neither by backup nor by restore; with --replace both do, and what is the same already does not count."""
    assert ann.run("backup", tmp_path / "b.zip")[0] == 0
    status, _, err = ann.run("backup", tmp_path / "b.zip")
    assert (status, err.count("\n"), "--replace" in err) == (2, 1, True)
    assert ann.run("backup", tmp_path / "b.zip", "--replace")[0] == 0
    zoe = home("zoe")
    zoe.begin("Zoe", "Yan")
    before = zoe.files()
    status, _, err = zoe.run("restore", tmp_path / "b.zip")
    assert (status, err.count("\n"), "tabletop.db: expected nothing there" in err) == (2, 1, True)
    assert zoe.files() == before
    assert zoe.run("restore", tmp_path / "b.zip", "--replace")[0] == 0
    assert zoe.players() == [("Ann", "Ben")]
    assert zoe.run("restore", tmp_path / "b.zip")[0] == 0


def damaged(path: Path, change: Callable[[dict[str, bytes]], None]) -> None:
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    change(files)
    rewrite(path, files)


DAMAGES: dict[str, Callable[[dict[str, bytes]], object]] = {
    "expected games/fifty.py as it was written": lambda files: files.update({"games/fifty.py": b"# other"}),
    "it is missing": lambda files: files.pop("games/fifty.py"),
    "expected backup.json": lambda files: files.pop("backup.json"),
    "expected an archive of version 1": lambda files: files.update({"backup.json": b'{"version": 2, "files": []}'}),
    "expected backup.json with": lambda files: files.update({"backup.json": b"[" * 9999}),
}


@pytest.mark.parametrize("said", DAMAGES)
def test_a_damaged_archive_changes_nothing(said: str, ann: Table, home: MakeTable, tmp_path: Path) -> None:
    """One line, status 2, and no file at all."""
    assert ann.run("backup", tmp_path / "b.zip")[0] == 0
    damaged(tmp_path / "b.zip", DAMAGES[said])  # type: ignore[arg-type]  # what it returns does not matter
    zoe = home("zoe")
    for words in (("restore",), ("restore", "--check")):
        status, out, err = zoe.run(*words, tmp_path / "b.zip")
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert said in err
    assert zoe.files() == {}


def test_half_an_archive_is_no_archive(ann: Table, home: MakeTable, tmp_path: Path) -> None:
    """However short it was cut, and whatever byte was turned over in the middle of it."""
    assert ann.run("backup", tmp_path / "b.zip")[0] == 0
    whole = (tmp_path / "b.zip").read_bytes()
    zoe = home("zoe")
    for cut in (0, 1, len(whole) // 3, len(whole) - 1):
        (tmp_path / "b.zip").write_bytes(whole[:cut])
        assert zoe.run("restore", tmp_path / "b.zip")[0] == 2
    for at in range(200, len(whole) // 2, len(whole) // 10):
        (tmp_path / "b.zip").write_bytes(whole[:at] + bytes([whole[at] ^ 255]) + whole[at + 1 :])
        assert zoe.run("restore", tmp_path / "b.zip")[0] == 2
    assert zoe.files() == {}
    assert zoe.run("restore", tmp_path / "nothing.zip")[0] == 2


def test_a_table_that_plays_is_copied_and_not_replaced(ann: Table, tmp_path: Path) -> None:
    """What was stored up to then is in the copy; another process cannot put an old store under a running match."""
    with Store(ann.store) as store:
        store.append(1, 2, [("t", {"kind": "choose"})])
        store.claim(store.match(1))
        copy_store(ann.store, tmp_path / "copy.db")
        with sqlite3.connect(tmp_path / "copy.db") as copy:
            assert copy.execute("SELECT count(*) FROM event").fetchone() == (2,)
        child = os.fork()
        if not child:  # locks are those of a process
            try:
                replace_store(tmp_path / "copy.db", ann.store)
            except StoreError as error:
                os._exit(7 if "switch it off first" in str(error) else 8)
            os._exit(9)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def test_a_damaged_store_is_put_aside(ann: Table, tmp_path: Path) -> None:
    """That is what a backup is for: the matches are back, and what was there is kept beside them."""
    assert ann.run("backup", tmp_path / "b.zip")[0] == 0
    ann.store.write_bytes(b"no database any more" * 400)
    assert ann.run("backup", tmp_path / "c.zip")[0] == 2
    assert ann.run("restore", tmp_path / "b.zip", "--replace")[0] == 0
    assert ann.players() == [("Ann", "Ben")]
    (aside,) = ann.store.parent.glob("tabletop.db.damaged-*")
    assert aside.read_bytes().startswith(b"no database")


def test_with_nothing_there_is_nothing_to_keep(home: MakeTable, tmp_path: Path) -> None:
    """One line, and no archive."""
    status, _, err = home("eve").run("backup", tmp_path / "b.zip")
    assert (status, err.count("\n")) == (2, 1)
    assert list(tmp_path.iterdir()) == []


def test_check_tells_what_is_inside(ann: Table, tmp_path: Path) -> None:
    """Nothing is written; the index is plain JSON with a digest of each file."""
    assert ann.run("backup", tmp_path / "b.zip")[0] == 0
    status, out, _ = ann.run("restore", "--check", tmp_path / "b.zip")
    assert (status, "whole; 1 match" in out) == (0, True)
    with zipfile.ZipFile(tmp_path / "b.zip") as archive:
        index = json.loads(archive.read("backup.json"))
    assert {entry["name"] for entry in index["files"]} == {
        *("tabletop.db", "config/tabletop.toml", "profile/tray.toml", "profile/tray.dice", "games/fifty.py")
    }
