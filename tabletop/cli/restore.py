"""`tabletop restore`: what `tabletop backup` wrote, put back where this table looks for it."""

import argparse
import filecmp
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tabletop.cli.backup import place_arguments
from tabletop.core.errors import InputError

if TYPE_CHECKING:
    from tabletop.cli.backup.places import Places

HELP = "put an archive of `tabletop backup` back"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the archive, and where things go."""
    parser.add_argument("archive", type=Path, metavar="FILE.zip", help="an archive that `tabletop backup` wrote")
    parser.add_argument("--check", action="store_true", help="only check the archive, and say what is in it")
    parser.add_argument("--replace", action="store_true", help="write over what is there; otherwise nothing is")
    place_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Check the archive, then put everything back, the matches first; status 0."""
    from tabletop.cli.backup.archive import checked_archive  # noqa: PLC0415 - `--help` needs none of it
    from tabletop.cli.backup.places import STORE  # noqa: PLC0415
    from tabletop.store.copies import replace_store  # noqa: PLC0415

    with checked_archive(options.archive) as archive:
        if options.check:
            sys.stdout.write(f"{options.archive}: whole; {archive.summary}\n")
            return 0
        places = _places(options, archive.files)
        targets = {
            places.store if name == STORE else places.folder(name.partition("/")[0]) / _name(name, places): path
            for name, path in archive.files.items()
        }
        _check_free(targets, places.store, may_replace=options.replace)
        staged = _staged({out: path for out, path in targets.items() if out != places.store})
        try:
            if STORE in archive.files:
                places.store.parent.mkdir(parents=True, exist_ok=True)
                replace_store(archive.files[STORE], places.store)
            for out, part in staged.items():
                part.replace(out)
        finally:
            for part in staged.values():
                part.unlink(missing_ok=True)
        sys.stdout.write(f"{archive.summary} put back\n")
    return 0


def _places(options: argparse.Namespace, files: dict[str, Path]) -> "Places":
    """Return where things go: the profile where the configuration says that is put back, or the one that is there."""
    from tabletop.cli.backup.places import Places  # noqa: PLC0415
    from tabletop.config.setups import is_name  # noqa: PLC0415
    from tabletop.core.toml_file import read_toml  # noqa: PLC0415

    places = Places.of(options.store, options.config, options.profile)
    kept = next((path for name, path in files.items() if name.startswith("config/")), None)
    if places.profile is not None or kept is None:
        return places.with_profile()
    word = read_toml(kept).values.get("profile")
    own = isinstance(word, str) and not is_name(Path(word))
    return replace(places, profile=places.config.parent / str(word) if own else None)


def _name(name: str, places: "Places") -> str:
    """Return the file's name here: the configuration may be called otherwise at this table."""
    root, _, file = name.partition("/")
    return places.config.name if root == "config" else file


def _check_free(targets: dict[Path, Path], store: Path, *, may_replace: bool) -> None:
    """Raise InputError if something else lies where one of the files goes."""
    from tabletop.store.copies import same_store  # noqa: PLC0415

    taken = [
        out
        for out, path in targets.items()
        if out.exists() and not (same_store(path, out) if out == store else filecmp.cmp(out, path, shallow=False))
    ]
    if taken and not may_replace:
        more = f" and {len(taken) - 1} more" if len(taken) > 1 else ""
        raise InputError(
            f"{taken[0]}{more}: expected nothing there, or --replace to write over it; nothing was changed"
        )


def _staged(targets: dict[Path, Path]) -> dict[Path, Path]:
    """Write each file beside where it goes, and return where; the step that is left is a rename. InputError if not."""
    staged = dict[Path, Path]()
    try:
        for out, path in targets.items():
            out.parent.mkdir(parents=True, exist_ok=True)
            staged[out] = out.with_name(f".{out.name}.restoring")
            with staged[out].open("wb") as file:
                file.write(path.read_bytes())
                file.flush()
                os.fsync(file.fileno())
    except OSError as error:
        for part in staged.values():
            part.unlink(missing_ok=True)
        raise InputError(f"{error.filename}: expected a place that can be written to: {error.strerror}") from None
    return staged
