"""`tabletop backup`: save matches, profiles, taught dice, custom games and the configuration in one archive.

The archive is a ZIP file with an index of each file's length and SHA-256, and the store as one database. A file whose
content does not match its name is neither saved nor restored.
"""

import argparse
import hashlib
import json
import os
import shutil
import stat
import struct
import sys
import tempfile
import unicodedata
import zipfile
import zlib
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from encodings import cp437, utf_8_sig  # noqa: F401 - before root is given up: others may not read where Python lies
from pathlib import Path
from typing import Any

from tabletop.config.file import NAMES, configuration
from tabletop.config.file import default_path as usual_configuration
from tabletop.config.own_dice import FILE_NAME as OWN_DICE
from tabletop.config.own_dice import SUFFIX as DICE
from tabletop.config.own_dice import load_own_dice
from tabletop.config.own_games import games_folder
from tabletop.config.profile import FOLDER as SETUPS
from tabletop.config.profile import SUFFIX as PROFILE
from tabletop.config.profile import UNREADABLE, is_name, load_profile
from tabletop.core.errors import InputError, TabletopError, printable
from tabletop.core.toml_file import read_toml
from tabletop.store import clock, copies
from tabletop.store import default_path as usual_store

STORE = "tabletop.db"  # in the archive
ROOTS = ("state", "setups", "config", "profile", "games")
STATE_FILES = (OWN_DICE, "table.score", "language")  # beside the matches; a measurement is of earlier versions
GROUP = (".toml", ".dice", ".score", ".previous")  # suffixes of the files beside a profile
GAME_SUFFIXES = (".py", ".txt")
LONGEST_NAME = 200  # bytes of a file's name: below Linux's NAME_MAX of 255, leaving room for temporary suffixes
LARGEST_TOML = 20_000  # letters of a configuration or profile: ten times the usual size
MOST_DOTS = 200  # in a line of these: the time and memory of Python's reader grow with the square of a key's parts
LARGEST = 20_000_000  # bytes of one file but the store
VERSION = 1  # of the archive's form
INDEX = "backup.json"
MOST_BYTES = 2_000_000_000  # unpacked: larger than any table's, and what a ZIP file holds in its first form
LARGEST_INDEX = 1_000_000
MOST_FILES = 1_000  # of one archive: a table with hundreds of set-ups and games has fewer
CHUNK = 1 << 20  # bytes read at a time
END, END_MARK = struct.Struct("<4s8xI6x"), b"PK\5\6"  # of the ZIP file: after its mark the bytes of its list of entries
LARGER_MARK, LARGER_BYTES = b"PK\6\7", 20  # the record before that end in a ZIP64 file
BYTES_PER_MB = 1_000_000


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the output file and the places of the table."""
    parser.add_argument("out", nargs="?", type=Path, metavar="OUT.zip", help="the archive (default: tabletop-DATE.zip)")
    parser.add_argument("--replace", action="store_true", help="overwrite an existing archive")
    place_arguments(parser)


def place_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options for the places of this table's files."""
    parser.add_argument("--store", type=Path, metavar="FILE", help="file of matches (default: the usual one)")
    parser.add_argument("--config", type=Path, metavar="FILE", help="configuration file (default: the usual one)")
    parser.add_argument("--profile", type=Path, metavar="FILE", help="profile (default: as configured)")


def run(options: argparse.Namespace) -> int:
    """Write the archive, verify it, and print a summary; status 0."""
    now = datetime.now(UTC)
    out = options.out or Path(f"tabletop-{now.astimezone().date() if clock.set_by(now) else 'no-date'}.zip")
    if out.exists() and not options.replace:
        raise InputError(f"{out}: expected a name that is free, something lies there; name another, or --replace")
    if options.config is not None and not options.config.is_file():
        raise InputError(f"{options.config}: expected a configuration file, there is none of this name")
    places = Places.of(options.store, options.config, options.profile).with_profile()
    for line in write_archive(places, out):
        sys.stderr.write(f"tabletop backup: {printable(line)}\n")
    with checked_archive(out) as archive:
        sys.stdout.write(f"{out}: {archive.summary(archive.files)}, {out.stat().st_size / BYTES_PER_MB:.1f} MB\n")
    return 0


@dataclass(frozen=True, slots=True)
class Places:
    """The places of one table.

    config: the configuration file, which may be missing. profile: a profile outside the usual folder, None if there is
    none; named profiles are kept with the others.
    """

    store: Path
    config: Path
    profile: Path | None
    games: Path

    @staticmethod
    def of(store: Path | None, config: Path | None, profile: Path | None) -> "Places":
        """Return the places named on the command line, with defaults for the others."""
        own = None if profile is None or is_name(profile) else profile
        return Places(store or usual_store(), config or usual_configuration(), own, games_folder())

    def with_profile(self) -> "Places":
        """Return the places with the profile of the configuration, if none was named; InputError if that is invalid."""
        if self.profile is not None or not self.config.exists():
            return self
        return Places.of(self.store, self.config, configuration(self.config).profile)

    def folder(self, root: str) -> Path:
        """Return the folder of one of `ROOTS`; without a profile, profiles belong to the configuration's folder."""
        if root == "games":
            return self.games
        if root == "profile" and self.profile is not None:
            return self.profile.parent
        if root in ("config", "profile"):
            return self.config.parent
        return self.store.with_name(SETUPS) if root == "setups" else self.store.parent

    def files(self) -> dict[str, Path]:
        """Return the files to archive except the store, by their names in the archive."""
        found = dict[str, Path]()
        for root, path in self._candidates():
            if path.is_file() and path not in found.values() and not path.name.startswith("."):
                found[f"{root}/{path.name}"] = path
        return found

    def _candidates(self) -> Iterator[tuple[str, Path]]:
        state = self.folder("state")
        yield "config", self.config
        for name in STATE_FILES:
            yield "state", state / name
        for path in sorted(state.glob("*.toml")):
            if _is_profile(path):
                yield from (("state", beside) for beside in _group(path))
        for path in sorted(self.folder("setups").glob("*")):
            if path.suffix in GROUP:
                yield "setups", path
        if self.profile is not None:
            yield from (("profile", path) for path in _group(self.profile))
        for path in sorted(self.games.glob("*")):
            if path.suffix in GAME_SUFFIXES:
                yield "games", path


def can_hold(names: Collection[str], name: str) -> bool:
    """Return whether an archive with these names may contain this one: known kinds, and no misleading names.

    Each becomes one file in one folder. Two names that another file system cannot tell apart are both refused.
    """
    root, _, file = name.partition("/")
    suffix = Path(file).suffix
    kinds = {
        "config": sum(each.startswith("config/") for each in names) == 1,
        "state": file in STATE_FILES or (suffix in GROUP and _has_profile(names, name)),
        "profile": suffix in GROUP and _has_profile(names, name),
        "setups": suffix in GROUP,
        "games": suffix in GAME_SUFFIXES,
    }
    alone = sum(_same_anywhere(each) == _same_anywhere(name) for each in names) == 1
    return name == STORE or (kinds.get(root, False) and is_plain(file) and alone)


def is_plain(file: str) -> bool:
    """Return whether this is a plain, visible file name without surprises."""
    fine = file.isprintable() and not {"/", "\\"} & {*file} and not file.startswith(".") and file == file.strip()
    return fine and 0 < len(file.encode()) <= LONGEST_NAME


def _has_profile(names: Collection[str], name: str) -> bool:
    """Return whether the profile beside which this file lies is among them."""
    parts = name.split(".")
    return any(f"{'.'.join(parts[:count])}.toml" in names for count in range(1, len(parts)))


def _same_anywhere(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _group(profile: Path) -> Iterator[Path]:
    """Yield a profile with what lies beside it under its name: its dice, its measurement, the profile before it."""
    for path in sorted(profile.parent.glob(f"{profile.stem}.*")):
        if path.suffix in GROUP:
            yield path


def _is_profile(path: Path) -> bool:
    try:
        load_profile(path)
    except InputError:
        return False
    return True


def check_content(name: str, path: Path) -> None:
    """Raise TabletopError unless a file with this name in an archive has valid content.

    Profiles that were set aside as unreadable are accepted as they are.
    """
    kept = name.endswith(f"{UNREADABLE}{PROFILE}") and not name.startswith("config/")
    if name == STORE or kept:
        return
    suffix = Path(name).suffix
    if path.stat().st_size > LARGEST:
        raise InputError(f"{path}: expected at most {LARGEST} bytes, got {path.stat().st_size}")
    if name.startswith("config/"):
        _check_short(path)
        file = read_toml(path)
        file.check_names(NAMES)
        if not isinstance(file.values.get("profile", ""), str):
            raise file.wrong("profile", 'a word in "quotes"', file.values["profile"])
    elif name.startswith("games/") and suffix in GAME_SUFFIXES:
        _text(path)
    elif suffix == PROFILE:
        _check_short(path)
        load_profile(path)
    elif suffix == DICE:
        load_own_dice(path)
    elif suffix:
        _text(path)
    elif len(lines := _text(path).splitlines()) != 1 or not lines[0].isprintable():
        raise InputError(f"{path}: expected one line, the language that was chosen in the menu")


def _check_short(path: Path) -> None:
    """Raise InputError for a TOML file that takes long to read."""
    text = _text(path)
    if len(text) > LARGEST_TOML or any(line.count(".") > MOST_DOTS for line in text.split("\n")):
        raise InputError(f"{path}: expected at most {LARGEST_TOML} letters, and {MOST_DOTS} dots in a line")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{path}: expected text, saved as UTF-8, got other bytes") from None


@dataclass(frozen=True, slots=True)
class Archive:
    """A verified, unpacked archive. files: name in the archive -> the unpacked file. matches: None without a store."""

    files: dict[str, Path]
    matches: int | None

    def summary(self, files: Collection[str]) -> str:
        """Describe these files of the archive."""
        programs = sum(name.startswith("games/") for name in files)
        others = len(files) - programs - (STORE in files)
        parts = [counted(programs, "program", "programs"), counted(others, "other file", "other files")]
        matches = counted(self.matches or 0, "match", "matches") if STORE in files else ""
        return ", ".join(part for part in (matches, *parts) if part) or "nothing"


def counted(count: int, one: str, many: str) -> str:
    """Return a count with its noun; empty for none."""
    return f"{count} {one if count == 1 else many}" if count else ""


def write_archive(places: Places, out: Path) -> list[str]:
    """Write everything into an archive, which appears complete or not at all. Raises TabletopError.

    Returns a line for each file that is left out because it could not be restored.
    """
    files, left_out = _sound(places.files())
    part = out.with_name(f".{out.name}.part")
    try:
        with tempfile.TemporaryDirectory(prefix=".backup-", dir=out.resolve().parent) as folder:
            if places.store.is_file():
                files[STORE] = Path(folder) / STORE
                copies.copy_store(places.store, files[STORE])
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
        made = {"made": f"{now:%Y-%m-%dT%H:%M:%SZ}", "clock": clock.set_by(now) or "not set"}
        archive.writestr(INDEX, json.dumps({"version": VERSION, **made, "files": entries}, indent=1))


@contextmanager
def checked_archive(path: Path) -> Iterator[Archive]:
    """Unpack an archive into a temporary folder and verify all of it; nothing else is touched.

    Archives are untrusted: anything that a backup would not have written raises InputError with its name.
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
        kind = stat.S_IFMT(each.external_attr >> 16)  # 0: not set
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
                matches = copies.checked_store(file)
        except TabletopError as error:
            raise InputError(f"{path}: {str(error).replace(str(file), name)}") from None
    return matches
