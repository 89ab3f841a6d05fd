"""The archive: a ZIP file with an index that knows each file's length and SHA-256, and the store as one database."""

import hashlib
import json
import os
import shutil
import stat
import struct
import tempfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from encodings import cp437, utf_8_sig  # noqa: F401 - before root is given up: others may not read where Python lies
from pathlib import Path
from typing import Any

from tabletop.cli.backup.contents import check_content
from tabletop.cli.backup.places import STORE, Places, can_hold
from tabletop.core.errors import InputError, TabletopError
from tabletop.store.clock import set_by
from tabletop.store.copies import checked_store, copy_store

VERSION = 1  # of the archive's form
INDEX = "backup.json"
MOST_BYTES = 2_000_000_000  # unpacked: larger than any table's, and what a ZIP file holds in its first form
LARGEST_INDEX = 1_000_000
MOST_FILES = 1_000  # of one archive: a table with hundreds of set-ups and games has fewer
PLURALS = {"match": "matches", "file of own dice": "files of own dice", "file of examples": "files of examples"}
CHUNK = 1 << 20  # bytes read at a time
END, END_MARK = struct.Struct("<4s8xI6x"), b"PK\5\6"  # of the ZIP file: after its mark the bytes of its list of entries
LARGER_MARK, LARGER_BYTES = b"PK\6\7", 20  # what stands before that end in a ZIP file of the second, larger form


@dataclass(frozen=True, slots=True)
class Archive:
    """A checked archive, unpacked. files: name in the archive -> the unpacked file. matches: None without a store."""

    files: dict[str, Path]
    matches: int | None

    @property
    def summary(self) -> str:
        """What is in it, in words."""
        counts = Counter(_kind(name) for name in self.files if name != STORE)
        parts = [] if self.matches is None else [_counted(self.matches, "match")]
        parts += [_counted(count, kind) for kind, count in sorted(counts.items())]
        return ", ".join(parts) or "nothing"


def write_archive(places: Places, out: Path) -> list[str]:
    """Write everything that is there into an archive, which appears whole or not at all. Raises TabletopError.

    Return a line for each file that is left out, since it could not be put back.
    """
    files, left_out = _sound(places.files())
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
    return left_out


def _sound(found: dict[str, Path]) -> tuple[dict[str, Path], list[str]]:
    """Return the files that can be put back, and a line for each other one."""
    files, left_out = dict[str, Path](), list[str]()
    for name, path in found.items():
        try:
            if not can_hold(found, name):
                raise InputError(f"{path}: expected a plain name, without its twin in other letters")
            check_content(name, path)
            files[name] = path
        except TabletopError as error:
            left_out.append(f"left out: {error}")
    return files, left_out


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

    Archives are untrusted: all that a backup would not have written raises InputError, which names it.
    """
    with tempfile.TemporaryDirectory(prefix="tabletop-") as folder:
        files = dict[str, Path]()
        try:
            if not path.is_file():
                raise InputError(f"{path}: expected an archive that `tabletop backup` wrote, got no file")
            _check_end(path)
            with zipfile.ZipFile(path) as archive:
                entries = _index(path, archive)
                _check_room(path, Path(folder), [length for _, length, _ in entries])
                for name, length, digest in entries:
                    files[name] = Path(folder) / str(len(files))
                    _unpack(path, archive, name, files[name], length, digest)
        except OSError as error:
            raise InputError(f"{path}: expected an archive that can be read: {error.strerror or error}") from None
        except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, ValueError) as error:
            raise InputError(f"{path}: expected an archive that `tabletop backup` wrote: {error}") from None
        yield Archive(files, _check_contents(path, files))


def _check_end(path: Path) -> None:
    """Raise BadZipFile unless the list of entries is short: it is read as a whole, before anything can be looked at."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - END.size - LARGER_BYTES))
        end = file.read()
    mark, length = END.unpack(end[-END.size :].rjust(END.size))
    if mark != END_MARK or length > LARGEST_INDEX or end.startswith(LARGER_MARK):
        raise zipfile.BadZipFile(f"it has no list of at most {LARGEST_INDEX} bytes at its end")


def _check_room(path: Path, folder: Path, lengths: list[int]) -> None:
    if min(lengths, default=0) < 0 or sum(lengths) > MOST_BYTES:
        raise InputError(f"{path}: expected at most {MOST_BYTES} bytes, got more")
    if sum(lengths) > shutil.disk_usage(folder).free:
        raise InputError(f"{path}: expected {sum(lengths)} bytes free in {folder.parent} to unpack it, got less")


def _index(path: Path, archive: zipfile.ZipFile) -> list[tuple[str, int, str]]:
    """Return name, length and digest of each file; each is a plain file, and of a kind that a backup writes."""
    for each in archive.infolist():
        kind = stat.S_IFMT(each.external_attr >> 16)  # 0: said by nobody
        if kind not in (0, stat.S_IFREG) or each.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise InputError(f"{path}: expected plain files, got {each.orig_filename!r:.60} of another kind")
    try:
        if archive.getinfo(INDEX).file_size > LARGEST_INDEX:
            raise InputError(f"{path}: expected at most {LARGEST_INDEX} bytes in {INDEX}, got more")
        index = json.loads(archive.read(INDEX))
        version = index["version"]
        entries = [(str(each["name"]), int(each["bytes"]), str(each["sha256"])) for each in index["files"]]
    except (KeyError, TypeError, ValueError, RecursionError, OverflowError):
        raise InputError(f"{path}: expected {INDEX} with a version and files, as `tabletop backup` writes it") from None
    if version != VERSION:
        raise InputError(f"{path}: expected an archive of version {VERSION}, got {version!r:.60}: use a newer tabletop")
    names = [name for name, _, _ in entries]
    if len(names) > MOST_FILES:
        raise InputError(f"{path}: expected at most {MOST_FILES} files, got {len(names)}")
    if strange := [name for name in names if names.count(name) > 1 or not can_hold(names, name)]:
        raise InputError(f"{path}: expected names such as games/my_game.py, each once, got {strange[0]!r:.60}")
    packed = [each.orig_filename for each in archive.infolist()]
    if missing := sorted({*names} - {*packed}):
        raise InputError(f"{path}: expected {missing[0]}, as {INDEX} has it; it is missing")
    if len(packed) != len(names) + 1:
        raise InputError(f"{path}: expected the files of {INDEX} and no others, each once")
    return entries


def _unpack(path: Path, archive: zipfile.ZipFile, name: str, out: Path, length: int, digest: str) -> None:
    found, count = hashlib.sha256(), 0
    with archive.open(name) as packed, out.open("xb") as file:
        while (chunk := packed.read(CHUNK)) and count <= length:
            found.update(chunk)
            count += len(chunk)
            file.write(chunk)
    if count != length or found.hexdigest() != digest:
        raise InputError(f"{path}: expected {name} as it was written, it is damaged; use another archive")


def _check_contents(path: Path, files: dict[str, Path]) -> int | None:
    """Return how many matches the store has, None without one; InputError names the first file that is no such file."""
    matches = None
    for name, file in files.items():
        try:
            check_content(name, file)
            if name == STORE:
                matches = checked_store(file)
        except TabletopError as error:
            raise InputError(f"{path}: {str(error).replace(str(file), name)}") from None
    return matches


def _kind(name: str) -> str:
    kinds = {".toml": "settings file", ".dice": "file of own dice", ".py": "program", ".txt": "file of examples"}
    return kinds.get(Path(name).suffix, "other file")


def _counted(count: int, kind: str) -> str:
    return f"{count} {kind if count == 1 else PLURALS.get(kind, f'{kind}s')}"
