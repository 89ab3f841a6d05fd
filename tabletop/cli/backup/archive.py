"""The archive: a ZIP file with an index that knows each file's length and SHA-256, and the store as one database."""

import hashlib
import json
import os
import tempfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tabletop.cli.backup.places import ROOTS, STORE, Places
from tabletop.core.errors import InputError
from tabletop.store.clock import set_by
from tabletop.store.copies import checked_store, copy_store

VERSION = 1  # of the archive's form
INDEX = "backup.json"
MOST_BYTES = 4_000_000_000  # unpacked: larger than any table's, so that no archive fills a card unseen
LARGEST_INDEX = 1_000_000
CHUNK = 1 << 20  # bytes read at a time


@dataclass(frozen=True, slots=True)
class Archive:
    """A checked archive, unpacked. files: name in the archive -> the unpacked file. matches: None without a store."""

    files: dict[str, Path]
    matches: int | None

    @property
    def summary(self) -> str:
        """What is in it, in words."""
        counts = Counter(_kind(name) for name in self.files if name != STORE)
        parts = [] if self.matches is None else [_counted(self.matches, "match", "matches")]
        parts += [_counted(count, kind, f"{kind}s") for kind, count in sorted(counts.items())]
        return ", ".join(parts) or "nothing"


def write_archive(places: Places, out: Path) -> None:
    """Write everything that is there into an archive, which appears whole or not at all. Raises TabletopError."""
    files = places.files()
    part = out.with_name(f".{out.name}.part")
    try:
        with tempfile.TemporaryDirectory(prefix=".backup-", dir=out.resolve().parent) as folder:
            if places.store.is_file():
                files[STORE] = Path(folder) / STORE
                copy_store(places.store, files[STORE])
            if not files:
                raise InputError(f"expected something to keep, there is nothing yet: no matches at {places.store}")
            with part.open("wb") as file:
                _write(file, files)
                file.flush()
                os.fsync(file.fileno())
        part.replace(out)
    except OSError as error:
        raise InputError(f"{out}: expected a place for the archive: {error.strerror or error}") from None
    finally:
        with suppress(OSError):
            part.unlink()


def _write(out: Any, files: dict[str, Path]) -> None:  # noqa: ANN401 - an open file
    entries = []
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in files.items():
            packed = path.read_bytes()
            archive.writestr(name, packed)
            entries.append({"name": name, "bytes": len(packed), "sha256": hashlib.sha256(packed).hexdigest()})
        now = datetime.now(UTC)
        made = {"made": f"{now:%Y-%m-%dT%H:%M:%SZ}", "clock": set_by(now) or "not set"}
        archive.writestr(INDEX, json.dumps({"version": VERSION, **made, "files": entries}, indent=1))


@contextmanager
def checked_archive(path: Path) -> Iterator[Archive]:
    """Unpack an archive into a folder that is gone afterwards, and check all of it: nothing else is touched.

    Raises InputError, naming what is damaged or strange.
    """
    with tempfile.TemporaryDirectory(prefix="tabletop-") as folder:
        try:
            with zipfile.ZipFile(path) as archive:
                files = dict[str, Path]()
                for name, length, digest in _index(path, archive):
                    files[name] = Path(folder) / str(len(files))
                    _unpack(path, archive, name, files[name], length, digest)
        except OSError as error:
            raise InputError(f"{path}: expected an archive that can be read: {error.strerror or error}") from None
        except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, ValueError) as error:
            raise InputError(f"{path}: expected an archive that `tabletop backup` wrote: {error}") from None
        yield Archive(files, checked_store(files[STORE]) if STORE in files else None)


def _index(path: Path, archive: zipfile.ZipFile) -> list[tuple[str, int, str]]:
    """Return name, length and digest of each file; no name could be written anywhere but where it belongs."""
    try:
        if archive.getinfo(INDEX).file_size > LARGEST_INDEX:
            raise InputError(f"{path}: expected at most {LARGEST_INDEX} bytes in {INDEX}, got more")
        index = json.loads(archive.read(INDEX))
        version = index["version"]
        entries = [(str(each["name"]), int(each["bytes"]), str(each["sha256"])) for each in index["files"]]
    except (KeyError, TypeError, ValueError, RecursionError):
        raise InputError(f"{path}: expected {INDEX} with a version and files, as `tabletop backup` writes it") from None
    if version != VERSION:
        raise InputError(f"{path}: expected an archive of version {VERSION}, got {version!r}: use a newer tabletop")
    for name, _, _ in entries:
        root, _, file = name.partition("/")
        if name != STORE and (root not in ROOTS or not file or Path(file).name != file or file in (".", "..")):
            raise InputError(f"{path}: expected names such as games/my_game.py, got {name!r}")
    if sum(length for _, length, _ in entries) > MOST_BYTES:
        raise InputError(f"{path}: expected at most {MOST_BYTES} bytes, got more")
    return entries


def _unpack(path: Path, archive: zipfile.ZipFile, name: str, out: Path, length: int, digest: str) -> None:
    found, count = hashlib.sha256(), 0
    try:
        with archive.open(name) as packed, out.open("wb") as file:
            while (chunk := packed.read(CHUNK)) and count <= length:
                found.update(chunk)
                count += len(chunk)
                file.write(chunk)
    except KeyError:
        raise InputError(f"{path}: expected {name}, as {INDEX} has it; it is missing") from None
    if count != length or found.hexdigest() != digest:
        raise InputError(f"{path}: expected {name} as it was written, it is damaged; use another archive")


def _kind(name: str) -> str:
    if name.startswith("games/"):
        return "game file"
    return {".toml": "settings file", ".dice": "file of own dice"}.get(Path(name).suffix, "other file")


def _counted(count: int, one: str, many: str) -> str:
    kind = one if count == 1 else many.replace("file of own dices", "files of own dice")
    return f"{count} {kind}"
