"""`tabletop restore`: restore the files saved by `tabletop backup` to this table.

An archive is untrusted: each file goes into a folder of this table, following no links, or nothing is written at all.
"""

import argparse
import filecmp
import json
import os
import pwd
import re
import sys
import tomllib
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from tabletop.cli.backup import STORE, Places, checked_archive, is_plain, place_arguments
from tabletop.config.profile import SETUP_NAME
from tabletop.core.errors import InputError, printable
from tabletop.core.toml_file import read_toml
from tabletop.store import default_path
from tabletop.store.copies import replace_store, same_store

ELSEWHERE = "profiles"  # below the configuration's folder: for a profile that lay in another table's own place
MOST_PARTS = 5  # of such a profile's path in an archive: the limit of `systemd/tabletop-command`
HAND_OVER = "TABLETOP_HAND_OVER"  # names the folder for what belongs beside the configuration, where that is root's
SIDES = ("", "-wal", "-shm", "-journal", ".playing")  # of the names beside a store that are written with it
_PROFILE_LINE = re.compile(r"""^(\s*["']?profile["']?\s*=\s*)("(?:[^"\\]|\\.)*"|'[^']*')""", re.MULTILINE)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the archive, and the places of the table."""
    parser.add_argument("archive", type=Path, metavar="FILE.zip", help="an archive that `tabletop backup` wrote")
    parser.add_argument("--check", action="store_true", help="only check the archive and list its contents")
    parser.add_argument("--replace", action="store_true", help="overwrite existing files (default: overwrite nothing)")
    parser.add_argument("--programs", action="store_true", help="also restore games: programs, which run as you")
    place_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Verify the archive, then restore everything, the matches first; status 0."""
    _give_up_root(options.store)
    with checked_archive(options.archive) as archive:
        places, files, moved = _places(options, archive.files)
        targets = _targets(files, places)
        if options.check:
            sys.stdout.write(f"{options.archive}: whole; {archive.summary(files)}\n{moved}")
            return 0
        programs = [] if options.programs else [name for name in files if name.startswith("games/")]
        kept = {name: path for name, path in files.items() if name not in programs}
        targets = {out: path for out, path in targets.items() if path in kept.values()}
        _check_free(targets, places.store, may_replace=options.replace)
        if hand_over := os.environ.get(HAND_OVER):
            base = places.config.parent
            put = {out: Path(hand_over) / out.relative_to(base) for out in targets if base in out.parents}
            targets = {put.get(out, out): path for out, path in targets.items()}
        staged = _staged({out: path for out, path in targets.items() if out != places.store})
        try:
            if STORE in files:
                places.store.parent.mkdir(parents=True, exist_ok=True)
                replace_store(files[STORE], places.store)
            for out, part in staged.items():
                part.replace(out)
        finally:
            for part in staged.values():
                part.unlink(missing_ok=True)
        sys.stdout.write(f"put back: {archive.summary(kept)}\n{moved}")
        if programs:
            said = f"{archive.summary(programs)}, {', '.join(programs)}; read them, then add --programs"
            sys.stdout.write(f"left out: {said}\n")
    return 0


def _give_up_root(store: Path | None) -> None:
    """Go on as the user whose table this is: as the one who called sudo, else as the owner of the store's folder."""
    if os.geteuid() != 0:
        return
    folder = (store or default_path()).absolute().parent
    owner = next(place.stat() for place in (folder, *folder.parents) if place.exists())
    uid, gid = int(os.environ.get("SUDO_UID", "0")), int(os.environ.get("SUDO_GID", "0"))
    uid, gid = (uid, gid) if uid else (owner.st_uid, owner.st_gid)
    if uid:
        os.setgroups([])
        os.setgid(gid)
        os.setuid(uid)
        with suppress(KeyError):
            os.environ["HOME"] = pwd.getpwuid(uid).pw_dir


def _places(options: argparse.Namespace, files: dict[str, Path]) -> tuple[Places, dict[str, Path], str]:
    """Return where things go, the files to put there, and a line if the profile goes elsewhere than it lay.

    The profile goes where the configuration that is put back says, if that is below its own folder; else into a folder
    there, and the line of the configuration is changed.
    """
    places = Places.of(options.store, options.config, options.profile)
    kept = next((name for name in files if name.startswith("config/")), None)
    profiles = sorted(name for name in files if name.startswith("profile/"))
    if places.profile is not None or kept is None:
        return places.with_profile(), files, ""
    file = read_toml(files[kept])
    word = file.values.get("profile")
    if not profiles or word is None or SETUP_NAME.fullmatch(word):
        return places, files, ""
    path = Path(word)
    if strange := [name for name in profiles if not name.startswith(f"profile/{path.stem}.")]:
        raise InputError(
            f"{options.archive}: expected what lies beside the profile {word!r:.60}, got {strange[0]!r:.60}"
        )
    base = places.config.absolute().parent
    within = path.relative_to(base) if path.is_relative_to(base) else path
    if all(map(is_plain, within.parts)) and len(within.parts) <= MOST_PARTS:
        return replace(places, profile=places.config.parent / within), files, ""
    new = f"{ELSEWHERE}/{path.name}"
    changed = files[kept].with_suffix(".changed")
    if not (text := _with_profile(files[kept].read_bytes().decode("utf-8-sig"), new)):
        raise InputError(f'{options.archive}: expected {kept} to have the profile in a line profile = "..."')
    changed.write_bytes(text.encode())
    at = places.config.parent / new
    moved = f'the profile lay at {word}: it goes to {at}, and the configuration has a line profile = "{new}"'
    return replace(places, profile=at), {**files, kept: changed}, f"{printable(moved)}\n"


def _with_profile(text: str, profile: str) -> str:
    """Return a configuration with another profile, and each other letter as it was; empty if that cannot be."""
    changed = _PROFILE_LINE.sub(lambda found: found[1] + json.dumps(profile, ensure_ascii=False), text, count=1)
    with suppress(tomllib.TOMLDecodeError):
        if tomllib.loads(changed) == {**tomllib.loads(text), "profile": profile}:
            return changed
    return ""


def _targets(files: dict[str, Path], places: Places) -> dict[Path, Path]:
    """Return where each file goes; raises InputError if a link or a device stands in the way of one."""
    targets = dict[Path, Path]()
    for name, path in files.items():
        root, _, file = name.partition("/")
        folder = places.folder(root if name != STORE else "state")
        out = {STORE: places.store, "config": places.config}.get(root, folder / file)
        if out in targets:
            raise InputError(f"expected one file for each place, got two for {out}; nothing was changed")
        beside = [out.with_name(out.name + side) for side in (SIDES if name == STORE else ("",))]
        for place in (*beside, *_between(folder, places)):
            if place.is_symlink() or (place.exists() and not (place.is_file() if place in beside else place.is_dir())):
                raise InputError(f"{place}: expected a file or folder of this table, got a link or a device; remove it")
        targets[out] = path
    if inside := targets.keys() & {folder for out in targets for folder in out.parents}:
        raise InputError(f"{min(inside)}: expected a file there, and no folder with another; nothing was changed")
    return targets


def _between(folder: Path, places: Places) -> list[Path]:
    """Return the folders that belong to the table up to this one: the outermost may lie where its owner wants it."""
    own = {places.store.parent, places.config.parent, places.games}
    return [place for place in (folder, *folder.parents) if own & {*place.parents}]


def _check_free(targets: dict[Path, Path], store: Path, *, may_replace: bool) -> None:
    """Raise InputError if something else lies where one of the files goes."""
    taken = [
        out
        for out, path in targets.items()
        if out.exists() and not (same_store(path, out) if out == store else filecmp.cmp(out, path, shallow=False))
    ]
    if taken and not may_replace:
        raise InputError(f"{taken[0]}: expected nothing there, or --replace to write over it; nothing was changed")


def _staged(targets: dict[Path, Path]) -> dict[Path, Path]:
    """Write each file beside where it goes, and return where; the step that is left is a rename. InputError if not."""
    staged = dict[Path, Path]()
    try:
        for out, path in targets.items():
            out.parent.mkdir(parents=True, exist_ok=True)
            staged[out] = out.with_name(f".{out.name}.restoring")
            staged[out].unlink(missing_ok=True)  # of a restore that was stopped
            with staged[out].open("xb") as file:
                file.write(path.read_bytes())
                file.flush()
                os.fsync(file.fileno())
    except OSError as error:
        for part in staged.values():
            part.unlink(missing_ok=True)
        raise InputError(f"{error.filename}: expected a place that can be written to: {error.strerror}") from None
    return staged
