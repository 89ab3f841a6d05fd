"""Restore: an archive comes from anybody, and what a backup would not have written is put nowhere."""

import io
import json
import os
import shutil
import sqlite3
import stat
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from restored_table import CONFIG, PROFILE, Files, Table, archive_of, profile, rewrite

from tabletop.cli.backup import can_hold
from tabletop.config.profile import load_profile
from tabletop.store import Store


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Table:
    return Table(tmp_path / "table", monkeypatch, capsys)


def store(path: Path, *statements: str) -> bytes:
    with Store(path) as made:
        made.begin("pig", ("Ann", "Ben"), {}, "2026-01-01T00:00:00Z")
    with sqlite3.connect(path) as database:
        for statement in ("PRAGMA journal_mode=DELETE", *statements):
            database.execute(statement)
    packed = path.read_bytes()
    path.unlink()
    return packed


PLAIN = """
/etc/cron.d/evil ../evil.py games/../evil.py games/.. games/. games/ games//evil.py games games/sub/evil.py
./games/evil.py Games/evil.py games/.evil.py games/evil.PY games/evil.pyc games/evil.so games/evil.pth games/__init__
state/evil.py state/tabletop.db state/tabletop.db-wal state/evil.toml state/authorized_keys state/OWN.DICE
state/Language state/evil.dice state/table.score.previous profile/evil-cron profile/tray.sh profile/tray.dice
setups/club setups/club.py setups/.club.toml etc/passwd home/tray.toml backup.json TABLETOP.DB tabletop.db/ config
config/ config/.toml
"""
NAMES = {
    *PLAIN.split(),
    *("games\\..\\evil.py", "games/..\\evil.py", "C:\\evil.py", "games/evil.py ", "games/ evil.py"),
    *("games/evil\n.py", "games/evil\x1b[2J.py", "games/e\u202eyp.py", "games/evil\x00.py"),
    *("games/\ud800.py", f"games/{'e' * 250}.py", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(NAMES))
def test_a_name_that_no_backup_writes_is_refused(name: str, table: Table, tmp_path: Path) -> None:
    """Whatever stands in it, whether it is a program or a text, and with other files that are fine."""
    archive = tmp_path / "evil.zip"
    if "\ud800" in name or name == "backup.json":
        entry = {"name": name, "bytes": 1, "sha256": ""}
        rewrite(archive, {"backup.json": json.dumps({"version": 1, "files": [entry]}).encode()})
    else:
        archive_of(archive, {"config/tabletop.toml": CONFIG.encode(), name: b"* * * * * root reboot\n"})
    table.refuses(archive)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(st.sampled_from("aB/\\.~ \x00\n:games/state/profile/setups/config\u00e4\u202e-") | st.characters()))
def test_a_name_that_is_taken_stays_in_its_folder(name: str) -> None:
    """Any text: joined to a folder, what is taken lies directly in it, is seen, and can be written."""
    for taken in (name, *(f"{root}/{name}" for root in ("state", "setups", "config", "profile", "games"))):
        if can_hold((taken,), taken) and taken != "tabletop.db":
            root, _, file = taken.partition("/")
            assert os.path.normpath(f"/t/{root}/{file}") == f"/t/{root}/{file}"
            assert Path("/t", root, file).parent == Path("/t", root)
            assert file == Path(file).name
            assert not file.startswith(".")
            assert len(f".{file}.restoring".encode()) <= 255
            assert file.isprintable()


def dice(entries: str = '{"version": 1, "dice": []}', picture: bytes = b"", how: int = zipfile.ZIP_STORED) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", how) as archive:
        archive.writestr("dice.json", entries)
        archive.writestr("0.png", picture)
    return packed.getvalue()


def one_die(face: str) -> str:
    return f'{{"version":1,"dice":[{{"face":{face},"look":"a","taught":true}}]}}'


def spoilt(packed: bytes, name: bytes) -> bytes:
    at = packed.index(name) + len(name)
    return packed[:at] + b"\xff" * 16 + packed[at + 16 :]


CONTENTS: dict[str, Callable[[Path], Files]] = {
    "a configuration that is none, by the name of a kept profile": lambda _: {
        "config/a.unreadable.toml": b"profile = 5"
    },
    "a folder where the configuration goes": lambda at: {
        "config/tabletop.toml": b'profile = "tabletop.toml/x.toml"\n',
        "profile/x.toml": profile(at),
    },
    "a configuration that is none": lambda _: {"config/tabletop.toml": b"* * * * * root reboot\n"},
    "a configuration of another program": lambda _: {"config/tabletop.toml": b'command = "reboot"\n'},
    "two configurations": lambda _: {"config/a.toml": CONFIG.encode(), "config/b.toml": CONFIG.encode()},
    "a profile that is none": lambda _: {"setups/club.toml": b'shell = "sh"\n'},
    "a profile beside that is none": lambda _: {"state/tray.toml": b"no = 1\n"},
    "dice that are none": lambda _: {"state/own.dice": b"#!/bin/sh\n"},
    "a language of two lines": lambda _: {"state/language": b"de\nreboot\n"},
    "a game in other bytes": lambda _: {"games/evil.py": b"\xff\xfe"},
    "a store that is none": lambda _: {"tabletop.db": b"no database any more" * 400},
    "twins": lambda at: dict.fromkeys(("setups/Club.toml", "setups/club.toml"), profile(at)),
    "twins in Unicode": lambda at: dict.fromkeys(("setups/\u00e9.toml", "setups/e\u0301.toml"), profile(at)),
    "a profile and a stranger": lambda at: {
        "config/tabletop.toml": b'profile = "/etc/cron.d/x.toml"\n',
        "profile/x.toml": profile(at),
        "profile/y.toml": profile(at),
    },
    "a profile that is the configuration": lambda at: {
        "config/tabletop.toml": b'profile = "tabletop.toml"\n',
        "profile/tabletop.toml": profile(at),
    },
    "a trigger": lambda at: {
        "tabletop.db": store(at / "s", "CREATE TRIGGER evil AFTER INSERT ON event BEGIN DELETE FROM match; END")
    },
    "a view": lambda at: {"tabletop.db": store(at / "s", "CREATE VIEW evil AS SELECT load_extension('/tmp/evil.so')")},
    "a view for a table": lambda at: {
        "tabletop.db": store(at / "s", "DROP TABLE colour", "CREATE VIEW colour AS SELECT 'a' name, 'b' colour")
    },
    "a virtual table": lambda at: {"tabletop.db": store(at / "s", "CREATE VIRTUAL TABLE evil USING fts5(text)")},
    "a table more": lambda at: {"tabletop.db": store(at / "s", "CREATE TABLE evil (text)")},
    "an index that computes": lambda at: {"tabletop.db": store(at / "s", "CREATE INDEX evil ON match (abs(id))")},
    "a column that computes": lambda at: {
        "tabletop.db": store(at / "s", "ALTER TABLE match ADD COLUMN evil TEXT AS (upper(game))")
    },
    "another program's database": lambda at: {"tabletop.db": store(at / "s", "PRAGMA application_id=7")},
    "a store of a later version": lambda at: {"tabletop.db": store(at / "s", "PRAGMA user_version=99")},
    "a page that is two tables'": lambda at: {
        "tabletop.db": store(
            at / "s",
            "PRAGMA writable_schema=ON",
            "UPDATE sqlite_master SET rootpage=2 WHERE name IN ('match', 'event')",
        )
    },
    "dice whose packed bytes are damaged": lambda _: {
        "state/own.dice": spoilt(dice(one_die("1"), how=zipfile.ZIP_DEFLATED), b"dice.json")
    },
    "dice packed by another method": lambda _: {"state/own.dice": dice(how=zipfile.ZIP_LZMA)},
    "dice with a face of 400 digits": lambda _: {"state/own.dice": dice(one_die("1" + "0" * 400))},
    "dice with a picture of another kind": lambda _: {"state/own.dice": dice(one_die("1"), b"v/1\1" + bytes(50))},
    "a key of 9,000 parts": lambda _: {"config/tabletop.toml": b"a." * 9_000 + b"a = 1\n"},
    "a configuration of a million lines": lambda _: {"config/tabletop.toml": b"#\n" * 1_000_000},
    "a line that is looked for in 9,000": lambda at: {
        "config/tabletop.toml": b"#\n" * 9_000 + b'profile = """/etc/x.toml"""\n',
        "profile/x.toml": profile(at),
    },
}


@pytest.mark.parametrize("what", CONTENTS)
def test_a_file_that_is_not_what_its_name_says_is_refused(what: str, table: Table, tmp_path: Path) -> None:
    """Each kind has a form, and the store our tables and nothing else. What takes long to read is too large."""
    table.refuses(archive_of(tmp_path / "evil.zip", CONTENTS[what](tmp_path)))


TYPES = {"link": stat.S_IFLNK, "pipe": stat.S_IFIFO, "device": stat.S_IFCHR, "folder": stat.S_IFDIR}
MEMBERS: dict[str, Callable[[zipfile.ZipInfo], object]] = {
    kind: lambda info, bits=bits: setattr(info, "external_attr", bits << 16) for kind, bits in TYPES.items()
} | {"packed by another method": lambda info: setattr(info, "compress_type", zipfile.ZIP_LZMA)}


@pytest.mark.parametrize("kind", MEMBERS)
def test_what_is_no_plain_file_in_the_archive_is_refused(kind: str, table: Table, tmp_path: Path) -> None:
    """By the mode that ZIP files keep, and by how it is packed."""
    files = {"config/tabletop.toml": CONFIG.encode()}
    table.refuses(archive_of(tmp_path / "evil.zip", files, member=MEMBERS[kind]))


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("extra", ["games/evil.py", "config/tabletop.toml", "../evil"])
def test_what_the_index_does_not_name_is_refused(extra: str, table: Table, tmp_path: Path) -> None:
    """A file more, or one that is there twice."""
    archive = archive_of(tmp_path / "evil.zip", {"config/tabletop.toml": CONFIG.encode()})
    with zipfile.ZipFile(archive, "a") as opened:
        opened.writestr(extra, "import os\n")
    table.refuses(archive)


def test_bombs_are_refused(table: Table, tmp_path: Path) -> None:
    """More than was said, more than there is room for, too many, and a list of entries that fills the memory."""
    bomb = archive_of(tmp_path / "a.zip", {"games/a.py": b"#" * 30_000_000})
    table.refuses(bomb)
    for entry in ({"bytes": 10}, {"bytes": 10**15}, {"bytes": -1}, {"bytes": "9" * 9999}, {"bytes": float("inf")}):
        index = {"version": 1, "files": [{"name": "games/a.py", "sha256": "", **entry}]}
        rewrite(tmp_path / "b.zip", {"games/a.py": b"#" * 99_999, "backup.json": json.dumps(index).encode()})
        table.refuses(tmp_path / "b.zip")
    table.refuses(archive_of(tmp_path / "c.zip", {f"games/a{n}.py": b"" for n in range(1_001)}))
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 1, 1, 4_000_000_000, 0, 0)
    larger = struct.pack("<4sLQL", b"PK\6\7", 0, 0, 1) + struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 1, 1, 46, 0, 0)
    for packed in (end, larger, b"", b"PK\5\6"):
        (tmp_path / "d.zip").write_bytes(packed)
        table.refuses(tmp_path / "d.zip")
    os.mkfifo(tmp_path / "e.zip")
    table.refuses(tmp_path / "e.zip")


@pytest.mark.parametrize(
    "word", ["/etc/cron.d/x.toml", "../../x.toml", "trays/../../../x.toml", "~/x.toml", ".ssh/x.toml"]
)
def test_a_profile_from_elsewhere_lies_below_the_configuration(word: str, table: Table, tmp_path: Path) -> None:
    """Only its line is changed, which is reported; what lies beside it goes with it."""
    text = f'# ours\r\ngame = "pig"  # profile = "no"\nprofile = "{word}"  # of the club\n[set]\ntarget = 50\n'
    files = {"config/tabletop.toml": text.encode(), "profile/x.toml": profile(tmp_path)}
    archive = archive_of(tmp_path / "b.zip", files)
    status, out, _ = table.run("restore", archive)
    put = table.config / "profiles" / "x.toml"
    assert (status, word in out, str(put) in out) == (0, True, True) or word == "~/x.toml"
    found = list(table.config.rglob("x.toml"))
    assert [path.is_relative_to(table.config) for path in found] == [True]
    assert load_profile(found[0]) == PROFILE
    if found == [put]:
        changed = text.replace(f'"{word}"', '"profiles/x.toml"')
        assert (table.config / "tabletop.toml").read_bytes() == changed.encode()
    assert {name.split("/")[0] for name in table.files()} == {"config"}


def test_a_profile_below_the_configuration_stays_there(table: Table, tmp_path: Path) -> None:
    """By a path from that folder on, or a whole one into this very folder: nothing is changed."""
    for word in ("trays/x.toml", str(table.config / "trays" / "x.toml")):
        text = f'profile = "{word}"\n'
        files = {"config/tabletop.toml": text.encode(), "profile/x.toml": profile(tmp_path)}
        assert table.run("restore", "--replace", archive_of(tmp_path / "b.zip", files))[0] == 0
        assert (table.config / "tabletop.toml").read_text() == text
        assert load_profile(table.config / "trays" / "x.toml") == PROFILE


@pytest.mark.parametrize("link", ["state/tabletop/setups", "state/tabletop/setups/club.toml", "config/tabletop/trays"])
def test_nothing_is_written_past_a_link(link: str, table: Table, tmp_path: Path) -> None:
    """A folder or a file of the table that points elsewhere."""
    elsewhere = tmp_path / "etc"
    elsewhere.mkdir()
    (table.folder / link).parent.mkdir(parents=True)
    (table.folder / link).symlink_to(elsewhere / ("passwd" if link.endswith(".toml") else ""))
    files = {
        "config/tabletop.toml": b'profile = "trays/x.toml"\n',
        "profile/x.toml": profile(tmp_path),
        "setups/club.toml": profile(tmp_path),
    }
    assert Path(link).name in table.refuses(archive_of(tmp_path / "b.zip", files))
    assert list(elsewhere.iterdir()) == []


def test_games_are_put_back_only_if_asked(table: Table, tmp_path: Path) -> None:
    """What has been put back is not what was left out."""
    files = {"games/a.py": b"", "games/b.py": b"", "config/tabletop.toml": CONFIG.encode()}
    archive = archive_of(tmp_path / "b.zip", files)
    out = table.run("restore", archive)[1].splitlines()
    assert ["games/a.py, games/b.py" in line for line in out] == [False, True]
    assert not table.games.exists()
    assert table.run("restore", "--programs", archive)[0] == 0
    assert sorted(path.name for path in table.games.iterdir()) == ["a.py", "b.py"]


def test_what_could_not_be_put_back_is_left_out_of_a_backup(table: Table, tmp_path: Path) -> None:
    """Each with a line; the rest is kept, and a profile that was kept since it cannot be read goes with it."""
    setups = table.state / "setups"
    setups.mkdir(parents=True)
    for name in ("club.toml", "club.unreadable.toml"):
        (setups / name).write_text("half a pro")
    (setups / "home.toml").write_bytes(profile(tmp_path))
    status, _, err = table.run("backup", tmp_path / "b.zip")
    assert (status, err.count("\n"), "club.toml" in err) == (0, 1, True)
    shutil.rmtree(setups)
    assert table.run("restore", tmp_path / "b.zip")[0] == 0
    assert sorted(path.name for path in setups.iterdir()) == ["club.unreadable.toml", "home.toml"]


WATCHED = """
import os, sys
def heard(event, words):
    if event == "open" and str(words[0]).endswith("b.zip"):
        sys.stderr.write(f"opened by {os.geteuid()} of {os.getgroups()}\\n")
import tabletop.cli.main
sys.addaudithook(heard)
sys.exit(tabletop.cli.main.main(["restore", sys.argv[1]]))
"""
MAKER = 61234  # the number of a user


@pytest.fixture
def open_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.mark.parametrize("sudo", [False, True])
def test_root_opens_no_archive(sudo: bool, open_folder: Path) -> None:
    """It is the one who called sudo by then, or the owner of the table's folder; what is put back is theirs."""
    if os.geteuid() != 0 and "CI" not in os.environ:  # there it is root, or the test fails
        pytest.skip("gives up root: needs root")
    archive_of(open_folder / "b.zip", {"setups/home.toml": profile(open_folder)}).chmod(0o644)
    state = open_folder / "state"
    (state / "tabletop").mkdir(parents=True)
    os.chown(state / "tabletop", MAKER, MAKER)
    environ = {"XDG_STATE_HOME": str(state), "HOME": str(open_folder), "PATH": os.environ["PATH"]}
    environ |= {"SUDO_UID": str(MAKER), "SUDO_GID": str(MAKER)} if sudo else {}
    command = [sys.executable, "-c", WATCHED, str(open_folder / "b.zip")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environ, cwd=open_folder)
    assert done.returncode == 0, done.stderr
    assert set(done.stderr.splitlines()) == {f"opened by {MAKER} of []"}
    assert (state / "tabletop" / "setups" / "home.toml").stat().st_uid == MAKER


def test_a_profile_in_many_folders_lies_below_the_configuration(table: Table, tmp_path: Path) -> None:
    """A path of 2,500 folders was looked at folder by folder, for most of a minute."""
    files = {"config/tabletop.toml": b'profile = "' + b"a/" * 2_500 + b'x.toml"\n', "profile/x.toml": profile(tmp_path)}
    assert table.run("restore", archive_of(tmp_path / "b.zip", files))[0] == 0
    assert load_profile(table.config / "profiles" / "x.toml") == PROFILE


def test_an_index_packed_by_another_method_is_not_unpacked(table: Table, tmp_path: Path) -> None:
    """Damaged bytes of it raise an error of that method alone; a version that is long is not repeated."""
    files = {"config/tabletop.toml": CONFIG.encode()}
    lzma = archive_of(tmp_path / "a.zip", files, member=lambda info: setattr(info, "compress_type", zipfile.ZIP_LZMA))
    lzma.write_bytes(spoilt(lzma.read_bytes(), b"backup.json"))
    table.refuses(lzma)
    rewrite(tmp_path / "b.zip", {"backup.json": json.dumps({"version": "9" * 99_999, "files": []}).encode()})
    assert len(table.refuses(tmp_path / "b.zip")) < 1_000
