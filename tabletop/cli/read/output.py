"""Where `tabletop read` writes pictures: chosen and checked before anything is read, so that nothing is ever lost."""

import os
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tabletop.core.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Identity = tuple[int, int]  # device and inode

SLASHES = tuple(separator for separator in (os.sep, os.altsep) if separator)
FORMATS = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG", ".webp": "WEBP"}
QUALITY = 92  # of JPEG and WebP: fine lines stay clear
SOFTWARE = 0x0131  # EXIF tag
WRITTEN_BY = "tabletop read"  # marks our pictures: only these are written over


def drawn_paths(text: str, names: Sequence[str]) -> list[Path]:
    """Return where the drawn picture of each photograph goes.

    One photograph goes to the file `text`; several (and one where `text` is a folder or ends in a slash) go into the
    folder `text`, which is made, under their own names; a name that comes again gets a number. Raises InputError if
    that would write over a photograph or over anything that this command did not write.
    """
    out = Path(text)
    if len(names) == 1 and not _is_folder(out) and not text.endswith(SLASHES):
        paths = [checked_path(out, "--draw")]
    else:
        _make_folder(out)
        paths = [out / name for name in _apart([Path(name).name for name in names])]
    photographs = _identities(names)
    for path in paths:
        _check_free(path, photographs, "--draw")
    return paths


def checked_path(out: Path, option: str) -> Path:
    """Return `out` if a picture can be written there, as far as can be known before."""
    if out.suffix.lower() not in FORMATS:
        kinds = ", ".join(FORMATS)
        raise InputError(
            f"{option} {out}: expected a file that ends in one of {kinds}, got {out.suffix or 'no ending'}"
        )
    if not _is_folder(out.parent):
        raise InputError(f"{option} {out}: expected an existing folder, got {out.parent}; make it first")
    if not os.access(out.parent, os.W_OK):
        raise InputError(f"{option} {out}: expected a folder that can be written to, got {out.parent}")
    return out


def sheet_path(out: Path, photographs: Iterable[str], drawn: Iterable[Path]) -> Path:
    """Return `out` if the sheet can be written there without writing over anything else."""
    checked_path(out, "--sheet")
    _check_free(out, _identities(photographs), "--sheet")
    if out.resolve() in {path.resolve() for path in drawn}:
        raise InputError(f"--sheet {out}: expected another file than those of --draw; name another one")
    return out


def save(picture: "NDArray[np.uint8]", path: Path) -> None:
    """Write (H, W, 3) BGR pixels as the kind of file that the path's ending names, whole or not at all."""
    from PIL import Image  # noqa: PLC0415 - heavy imports wait until a picture is written

    exif = Image.Exif()
    exif[SOFTWARE] = WRITTEN_BY
    part = path.parent / f".{os.getpid()}.part"
    try:
        with part.open("xb") as file:
            Image.fromarray(picture[:, :, ::-1]).save(file, FORMATS[path.suffix.lower()], quality=QUALITY, exif=exif)
        part.replace(path)
    except (OSError, ValueError) as error:  # Pillow raises the latter for pictures that a kind of file cannot hold
        text = getattr(error, "strerror", None) or error
        raise InputError(f"{path}: expected a place where a picture can be written: {text}") from None
    finally:
        part.unlink(missing_ok=True)


def _make_folder(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"--draw {out}: expected a folder, or a name for a new one: {error.strerror}") from None
    if not os.access(out, os.W_OK):
        raise InputError(f"--draw {out}: expected a folder that can be written to")


def _apart(names: Sequence[str]) -> list[str]:
    """Return file names that differ even where capitals do not count, with endings that can be written."""
    used: set[str] = set()
    chosen = []
    for name in names:
        suffix = Path(name).suffix if Path(name).suffix.lower() in FORMATS else ".png"
        stem = name.removesuffix(suffix)
        number, free = 1, stem + suffix
        while free.casefold() in used:
            number += 1
            free = f"{stem}-{number}{suffix}"
        used.add(free.casefold())
        chosen.append(free)
    return chosen


def _check_free(path: Path, taken: set[Identity], option: str) -> None:
    """Refuse a path where something lies that this command did not write."""
    if not os.path.lexists(path):
        return
    if _identity(path) in taken:
        raise InputError(f"{option} {path}: expected another place than the photograph itself; name another one")
    if not _ours(path):
        raise InputError(f"{option} {path}: something else lies there; take it away or name another place")


def _identity(path: Path) -> Identity | None:
    """Return what is the same for all names of one file, None if there is none."""
    try:
        found = path.stat()
    except (OSError, ValueError):  # the latter for names that no system takes
        return None
    return found.st_dev, found.st_ino


def _identities(names: Iterable[str]) -> set[Identity]:
    return {identity for identity in (_identity(Path(name)) for name in names) if identity}


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # a name that is too long, for one
        return False


def _ours(path: Path) -> bool:
    from PIL import Image  # noqa: PLC0415

    try:
        if not path.is_file():
            return False
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(path, formats=sorted(set(FORMATS.values()))) as picture:
                return bool(picture.getexif().get(SOFTWARE) == WRITTEN_BY)
    except Exception:  # noqa: BLE001 - whatever Pillow says of a strange file: it is none of ours
        return False
