"""Tables below a folder that archives are put back to, and archives made by hand."""

import hashlib
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from calibration.corners import profile_from
from tabletop.cli.main import main
from tabletop.config.profile import save_profile
from tabletop.store import Store

PROFILE = profile_from((640, 480), ((80, 60), (560, 60), (560, 420), (80, 420)), (300.0, 225.0), 16.0)
CONFIG = 'game = "pig"\n'
Files = dict[str, bytes]


class Table:
    """A table below a folder, empty at first. state, config, games: its folders; store: the file of its matches."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self._patch, self._capsys = folder, patch, capsys
        self.state, self.config = folder / "state" / "tabletop", folder / "config" / "tabletop"
        self.store, self.games = self.state / "tabletop.db", folder / "data" / "tabletop" / "games"

    def run(self, *words: object) -> tuple[int, str, str]:
        """Run a command of this table; return status, standard output and standard error."""
        for name in ("state", "config", "data"):
            self._patch.setenv(f"XDG_{name.upper()}_HOME", str(self.folder / name))
        for name in ("STATE_DIRECTORY", "SUDO_UID"):
            self._patch.delenv(name, raising=False)
        status = main([str(word) for word in words])
        return (status, *self._capsys.readouterr())

    def files(self) -> dict[str, bytes]:
        found = (path for path in self.folder.rglob("*") if path.is_file() and not path.is_symlink())
        beside = ("-wal", "-shm", ".playing")
        return {
            str(path.relative_to(self.folder)): path.read_bytes() for path in found if not path.name.endswith(beside)
        }

    def refuses(self, archive: Path) -> str:
        """Let it refuse an archive, with --check, with --replace and as it is: one line, and nothing has changed."""
        before, said = self.files(), set()
        for words in ((), ("--check",), ("--replace", "--programs")):
            status, out, err = self.run("restore", archive, *words)
            assert (status, out, err.count("\n")) == (2, "", 1)
            said.add(err)
        assert self.files() == before
        (line,) = said
        return line

    def begin(self, *names: str) -> None:
        with Store(self.store) as store:
            number = store.begin("pig", names, {"target": 50}, "2026-01-01T00:00:00Z")
            store.append(number, 1, [("2026-01-01T00:00:01Z", {"kind": "throw", "faces": [3]})])

    def players(self) -> list[tuple[str, ...]]:
        with Store(self.store, looking=True) as store:
            return [match.players for match in store.matches()]


def profile(tmp_path: Path) -> bytes:
    save_profile(PROFILE, tmp_path / "profile.toml")
    return (tmp_path / "profile.toml").read_bytes()


def archive_of(path: Path, files: Files, *, member: Callable[[zipfile.ZipInfo], object] = lambda _: None) -> Path:
    """Write an archive whose index names these files; member: changes how each stands in the ZIP file."""
    entries = [
        {"name": name, "bytes": len(packed), "sha256": hashlib.sha256(packed).hexdigest()}
        for name, packed in files.items()
    ]
    with zipfile.ZipFile(path, "w") as archive:
        for name, packed in {**files, "backup.json": json.dumps({"version": 1, "files": entries}).encode()}.items():
            info = zipfile.ZipInfo(name)
            member(info)
            archive.writestr(info, packed, info.compress_type)
    return path


def rewrite(path: Path, files: Files) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name, packed in files.items():
            archive.writestr(name, packed)
