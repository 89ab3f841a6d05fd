"""The file of the dice that a table was taught: each a small picture with its face.

It lies beside the profile and is a ZIP archive: `dice.json` (the version and a line for each die) and one PNG for each.
Pictures are kept, not what was computed from them, so the file stays good when the reader changes. Files of
earlier versions also hold dice learnt in play, without `taught`. These are ignored: no photograph was read better with
them (docs/vision-record.md).
"""

import json
import os
import zipfile
import zlib
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from itertools import starmap
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tabletop.core.errors import InputError
from tabletop.core.values import FACES
from tabletop.vision.own_dice import SIDE_PX, Sample

VERSION = 1  # of the file's form
SUFFIX = ".dice"
FILE_NAME = f"own{SUFFIX}"  # where there is no profile beside which it could lie
INDEX = "dice.json"
MOST_A_FACE = 12  # of one look: four lessons of three looks each
MOST = 240  # dice: three looks, six faces, 2 MB
MOST_READ = 2_000  # dice in a file that is read: more were not written by this program
LARGEST_INDEX, LARGEST_PICTURE = 1_000_000, 60_000  # bytes, unpacked: a picture of 64 x 64 has 12,288
HEAD = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + 2 * SIDE_PX.to_bytes(4)  # of such a picture (PNG, 5.2 and 11.2.2)
LONGEST_WORD = 60  # letters of the name of a look
UNKNOWN = [0.1667] * 6  # chances of faces: earlier versions expect `read`, and a `throw`, with each die


def beside(profile: Path) -> Path:
    """Return where the own dice of a set-up are kept."""
    return profile.with_suffix(SUFFIX)


def bounded(samples: Sequence[Sample]) -> tuple[Sample, ...]:
    """Return the samples that are kept of these, oldest first: of each look and face the newest MOST_A_FACE."""
    kept, counts = list[Sample](), Counter[tuple[str, int]]()
    for sample in reversed(samples):
        counts[sample.look, sample.face] += 1
        if counts[sample.look, sample.face] <= MOST_A_FACE and len(kept) < MOST:
            kept.append(sample)
    return tuple(reversed(kept))


def load_own_dice(path: Path) -> tuple[Sample, ...]:
    """Return the taught dice of a file, oldest first; none if it is not there.

    Raises InputError saying what is wrong.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            entries = _entries(path, archive)
            samples = [_sample(path, archive, number, entry) for number, entry in enumerate(entries)]
            return tuple(sample for sample in samples if sample is not None)
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise InputError(f"{path}: expected a file of own dice that can be read: {error.strerror}") from None
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, ValueError) as error:
        raise InputError(f"{path}: expected a file of own dice, as `tabletop dice export` writes it: {error}") from None


def save_own_dice(samples: Sequence[Sample], path: Path) -> None:
    """Write a file so that `load_own_dice` gives the same again; the old one stays until the new one is whole.

    Raises InputError if that cannot be.
    """
    partial = path.with_name(f"{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with partial.open("wb") as file:
            with zipfile.ZipFile(file, "w") as archive:  # PNG is packed already
                archive.writestr(INDEX, json.dumps({"version": VERSION, "dice": [*starmap(_json, enumerate(samples))]}))
                for number, sample in enumerate(samples):
                    archive.writestr(_picture_name(number), cv2.imencode(".png", sample.pixels)[1].tobytes())
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError as error:
        with suppress(OSError):
            partial.unlink()
        raise InputError(f"{path}: expected a place to write own dice to: {error.strerror}") from None


def _entries(path: Path, archive: zipfile.ZipFile) -> list[Any]:
    if any(each.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for each in archive.infolist()):
        raise NotImplementedError("it is packed by another method")
    try:
        if archive.getinfo(INDEX).file_size > LARGEST_INDEX:
            raise InputError(f"{path}: expected at most {LARGEST_INDEX} bytes in {INDEX}, got more")
        index = json.loads(archive.read(INDEX))
        version, entries = index["version"], index["dice"]
    except (KeyError, TypeError, ValueError, RecursionError):
        raise InputError(f"{path}: expected {INDEX} with a version and dice, as `tabletop dice` writes it") from None
    if version != VERSION:
        raise InputError(f"{path}: expected own dice of version {VERSION}, got {version!r}: teach the dice again")
    if not isinstance(entries, list) or len(entries) > MOST_READ:
        raise InputError(f"{path}: expected a list of at most {MOST_READ} dice in {INDEX}")
    return entries


def _sample(path: Path, archive: zipfile.ZipFile, number: int, entry: Any) -> Sample | None:  # noqa: ANN401 - JSON
    """Return a taught die, None for one that was learnt in play."""
    try:
        face, look, taught = entry["face"], entry["look"], entry.get("taught", False)
        if type(face) is not int or face not in FACES or not _is_word(look):
            raise ValueError(entry)  # noqa: TRY301 - reported like all other mistakes
    except (AttributeError, KeyError, TypeError, ValueError):
        raise InputError(f"{path}: expected face and look of die {number} in {INDEX}, got {entry!r:.60}") from None
    if not taught:
        return None
    name = _picture_name(number)
    try:
        packed = archive.read(name) if archive.getinfo(name).file_size <= LARGEST_PICTURE else b""
    except KeyError:
        packed = b""
    fine = packed.startswith(HEAD)  # others are not decoded: a short one may unpack to gigabytes
    pixels = cv2.imdecode(np.frombuffer(packed, np.uint8), cv2.IMREAD_COLOR) if fine else None
    if pixels is None or pixels.shape != (SIDE_PX, SIDE_PX, 3):
        raise InputError(f"{path}: expected {name} to be a PNG of {SIDE_PX} x {SIDE_PX} pixels")
    return Sample(np.asarray(pixels, np.uint8), face, look)


def _json(number: int, sample: Sample) -> dict[str, Any]:
    return {"face": sample.face, "look": sample.look, "taught": True, "throw": str(number), "read": UNKNOWN}


def _picture_name(number: int) -> str:
    return f"{number}.png"


def _is_word(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_WORD and value.isprintable()
