"""Restore: archives whose inner files are damaged, or short and long to read, are refused in one line and at once."""

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from restored_table import CONFIG, PROFILE, Files, Table, archive_of, profile, rewrite

from tabletop.config.profile import load_profile


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Table:
    """Return an empty table."""
    return Table(tmp_path / "table", monkeypatch, capsys)


def dice(entries: str = '{"version": 1, "dice": []}', picture: bytes = b"", how: int = zipfile.ZIP_STORED) -> bytes:
    """Return a file of own dice with this index and this picture."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", how) as archive:
        archive.writestr("dice.json", entries)
        archive.writestr("0.png", picture)
    return packed.getvalue()


def one_die(face: str) -> str:
    """Return the index of one taught die, as JSON."""
    return f'{{"version":1,"dice":[{{"face":{face},"look":"a","taught":true}}]}}'


def spoilt(packed: bytes, name: bytes) -> bytes:
    """Return a ZIP file with other bytes where the packed ones of its first file of this name begin."""
    at = packed.index(name) + len(name)
    return packed[:at] + b"\xff" * 16 + packed[at + 16 :]


DAMAGED: dict[str, Callable[[Path], Files]] = {
    "dice whose packed bytes are damaged": lambda _: {
        "state/own.dice": spoilt(dice(one_die("1"), how=zipfile.ZIP_DEFLATED), b"dice.json")
    },
    "dice packed by another method": lambda _: {"state/own.dice": dice(how=zipfile.ZIP_LZMA)},
    "dice with a face of 400 digits": lambda _: {"state/own.dice": dice(one_die("1" + "0" * 400))},
    "dice with a picture of another kind": lambda _: {"state/own.dice": dice(one_die("1"), b"v/1\1" + bytes(50))},
}


@pytest.mark.parametrize("what", DAMAGED)
def test_damaged_dice_are_refused(what: str, table: Table, tmp_path: Path) -> None:
    """They are a ZIP file in the archive, with pictures in it."""
    table.refuses(archive_of(tmp_path / "evil.zip", DAMAGED[what](tmp_path)))


SLOW: dict[str, Callable[[Path], Files]] = {
    "a key of 9,000 parts": lambda _: {"config/tabletop.toml": b"a." * 9_000 + b"a = 1\n"},
    "a configuration of a million lines": lambda _: {"config/tabletop.toml": b"#\n" * 1_000_000},
    "a line that is looked for in 9,000": lambda at: {
        "config/tabletop.toml": b"#\n" * 9_000 + b'profile = """/etc/x.toml"""\n',
        "profile/x.toml": profile(at),
    },
}


@pytest.mark.parametrize("what", SLOW)
def test_what_takes_long_to_read_is_refused(what: str, table: Table, tmp_path: Path) -> None:
    """By its size: a key of 27,000 parts, within the size of an archive, takes 10 s to read (with tomllib of 3.11)."""
    table.refuses(archive_of(tmp_path / "evil.zip", SLOW[what](tmp_path)))


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
