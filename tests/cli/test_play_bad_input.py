"""Whatever people get wrong at `tabletop play`: one clear line, status 2, and nothing is lost."""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tabletop.cli.main import main
from tabletop.store import Store

LONGEST_LINE = 400  # characters of a refusal: paths of temporary folders are long
NOBODY = 65534  # the user without rights on every Debian


@pytest.fixture
def folder() -> Iterator[Path]:
    """Give a folder that everybody may look into."""
    path = Path(tempfile.mkdtemp())
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


@pytest.fixture(autouse=True)
def _own_configuration(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Leave the configuration of whoever runs the tests out of it."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@contextmanager
def _without_rights() -> Iterator[None]:
    """Run as somebody who is not root, for whom file modes count."""
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


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["pigg"], "pig"),
        (["../pig"], "game"),
        (["pig", "--players", ""], "names"),
        (["pig", "--players", "Ann,,Ben"], "name"),
        (["pig", "--players", "Ann,Ann"], "Ann"),
        (["pig", "--players", "Bartholomew-the-Third,Ben"], "12"),
        (["pig", "--players", ",".join(f"P{i}" for i in range(40))], "player"),
        (["pig", "--set", "target=-3"], "target"),
        (["pig", "--set", "target=lots"], "target"),
        (["pig", "--set", "colour=red"], "colour"),
        (["pig", "--set", "target"], "option=value"),
        (["--set", "target=50"], "GAME"),
        (["pig", "--camera", "nowhere"], "--camera"),
        (["pig", "--camera", "pi"], "sudo apt install python3-picamera2"),
        (["pig", "--camera", "usb:99"], "usb:99"),
        (["pig", "--buttons", "foot"], "--buttons"),
        (["pig", "--screen", "cinema"], "--screen"),
        (["pig", "--screen", "terminal"], "terminal"),
        (["pig", "--screen", "ssd1306:height=31"], "height"),
        (["pig", "--buttons", "gpio:bank=99"], "bank"),
        (["pig", "--profile", "missing.toml"], "missing.toml"),
        (["pig", "--config", "missing.toml"], "missing.toml"),
        (["pig", "--listen", "0.0.0.0:80"], "expected --listen local or lan, got '0.0.0.0:80'"),
        (["pig", "--listen", "local", "--port", "99999"], "expected a port from 0 to 65535"),
        (["pig", "--port", "8080"], "expected --listen"),
        (["pig", "--record", "film.txt"], "--record"),
        (["pig", "--resume"], "open match"),
        (["pig", "--resume", "7"], "7"),
        (["pig", "--seed", "x"], "--seed: expected a whole number, got 'x'"),
        (["pig", "--seed", "1.5"], "--seed: expected a whole number, got '1.5'"),
        (["pig", "--record-mib", "x"], "--record-mib: expected a whole number, got 'x'"),
        (["pig", "--record-mib", "0"], "from 1 to"),
        (["pig", "--resume", "0"], "1 or more, got '0'"),
        (["pig", "--resume", "one"], "1 or more, got 'one'"),
        (["pig", "--players", "A" * 500], "with 500"),
        (["farkel"], "did you mean Farkle?"),
        (["pig", "--frobnicate"], "frobnicate"),
    ],
)
def test_a_wrong_word_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    """Each wrong word gives one line that names it."""
    assert said in _refused(capsys, *words, "--store", str(tmp_path / "a.db"))


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


def test_help_names_only_what_works(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is put off until later, and the Pi's own camera is among the cameras."""
    assert main(["play", "--help"]) == 0
    said = capsys.readouterr().out
    assert "later" not in said
    assert "|pi|" in said


def test_files_that_are_not_what_they_should_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A broken film, a folder without pictures, a profile and a configuration with a wrong line, named with it."""
    (tmp_path / "film.mp4").write_bytes(b"\x00\x00\x00 ftypisom" + bytes(500))
    (tmp_path / "empty").mkdir()
    (tmp_path / "profile.toml").write_text("version = 1\nwidth_px = wide\n")
    (tmp_path / "tabletop.toml").write_text('game = "pig"\ncamra = "sim"\n')
    store = ["--store", str(tmp_path / "a.db")]
    assert "film" in _refused(capsys, "pig", "--camera", str(tmp_path / "film.mp4"), *store)
    assert "photographs" in _refused(capsys, "pig", "--camera", str(tmp_path / "empty"), *store)
    assert "2" in _refused(capsys, "pig", "--profile", str(tmp_path / "profile.toml"), *store)
    told = _refused(capsys, "--config", str(tmp_path / "tabletop.toml"), *store)
    assert "2" in told
    assert "camera" in told
    assert "--screen none, with nothing behind it" in _refused(capsys, "pig", "--screen", "none:3", *store)
    for line in ('camera = "usb:0,size=big"', 'screen = "ssd1306:address=0x78"', 'buttons = "gpio:bank=17,hold=17"'):
        (tmp_path / "tabletop.toml").write_text(f'game = "pig"\n{line}\n')
        told = _refused(capsys, "--config", str(tmp_path / "tabletop.toml"), *store)
        assert "tabletop.toml, line 2: expected" in told


def test_a_store_that_cannot_be_used(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No database, another version, another program's, read-only, a folder: told, and left as it was."""
    with Store(folder / "good.db") as store:
        store.begin("pig", ["Ann"], {}, "2026-01-01T00:00:00Z")
    (folder / "text.db").write_text("a shopping list, and not a short one " * 50)
    newer = sqlite3.connect(shutil.copy(folder / "good.db", folder / "newer.db"))
    newer.execute("PRAGMA user_version=2")
    newer.close()
    other = sqlite3.connect(folder / "other.db")
    other.execute("CREATE TABLE songs (name)")
    other.close()
    for name, said in (("text.db", "not a database"), ("newer.db", "version"), ("other.db", "another program")):
        before = (folder / name).read_bytes()
        assert said in _refused(capsys, "pig", "--store", str(folder / name))
        assert (folder / name).read_bytes() == before
    assert "doctor" in _refused(capsys, "pig", "--store", str(folder))
    (folder / "good.db").chmod(0o444)
    folder.chmod(0o555)
    with _without_rights():
        assert "read-only" in _refused(capsys, "pig", "--store", str(folder / "good.db"))
        assert "make it" in _refused(capsys, "pig", "--store", str(folder / "new" / "a.db"))
    folder.chmod(0o755)
    with Store(folder / "good.db") as store:
        assert len(store.matches()) == 1
