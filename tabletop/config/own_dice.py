"""The file of taught dice: each a small picture with its face.

It lies beside the profile and is a ZIP archive: `dice.json` (the version and a line for each die) and one PNG for each.
It stores pictures, not results computed from them, so the file stays valid when the reader changes. Files of earlier
versions also contain dice learnt during play, without `taught`. These are ignored: no photograph was read better with
them (docs/accuracy.md).
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
from typing import Any, cast

import cv2
import numpy as np

from tabletop.core import FACES, InputError
from tabletop.vision.own_dice import SIDE_PX, Sample

VERSION = 1  # of the file's form
SUFFIX = ".dice"
FILE_NAME = f"own{SUFFIX}"  # without a profile to lie beside
INDEX = "dice.json"
MOST_A_FACE = 12  # of one look: four lessons of three looks each
MOST = 240  # dice: three looks, six faces, 2 MB
MOST_READ = 2_000  # dice in a file that is read: more were not written by this program
LARGEST_INDEX, LARGEST_PICTURE = 1_000_000, 60_000  # bytes, unpacked: a picture of 64 x 64 has 12,288
HEAD = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + 2 * SIDE_PX.to_bytes(4)  # of such a picture (PNG, 5.2 and 11.2.2)
LONGEST_WORD = 60  # letters of the name of a look
UNKNOWN = [0.1667] * 6  # chances of faces: earlier versions expect `read`, and a `throw`, with each die


def beside(profile: Path) -> Path:
    """Return the file of taught dice for a profile."""
    return profile.with_suffix(SUFFIX)


def bounded(samples: Sequence[Sample]) -> tuple[Sample, ...]:
    """Return the samples to keep, oldest first: the newest MOST_A_FACE of each look and face."""
    kept, counts = list[Sample](), Counter[tuple[str, int]]()
    for sample in reversed(samples):
        counts[sample.look, sample.face] += 1
        if counts[sample.look, sample.face] <= MOST_A_FACE and len(kept) < MOST:
            kept.append(sample)
    return tuple(reversed(kept))


def load_own_dice(path: Path) -> tuple[Sample, ...]:
    """Return the taught dice in a file, oldest first; none if it is missing.

    Raises InputError if it is invalid.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            samples = [_sample(archive, number, entry) for number, entry in enumerate(_entries(archive))]
            return tuple(sample for sample in samples if sample is not None)
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise InputError(f"{path}: expected a file of own dice that can be read: {error.strerror}") from None
    except (zipfile.BadZipFile, zlib.error, KeyError, RuntimeError, EOFError, ValueError) as error:
        raise InputError(f"{path}: expected a file of own dice, as `tabletop dice export` writes it: {error}") from None


def save_own_dice(samples: Sequence[Sample], path: Path) -> None:
    """Write a file that `load_own_dice` reads back; the old one stays until the new one is complete.

    Raises InputError on failure.
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


def _entries(archive: zipfile.ZipFile) -> list[Any]:
    """Return what the index says of each die; raises ValueError, or what an archive or its JSON may raise."""
    if any(each.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for each in archive.infolist()):
        raise ValueError("it is packed by another method")
    if archive.getinfo(INDEX).file_size > LARGEST_INDEX:
        raise ValueError(f"{INDEX} has more than {LARGEST_INDEX} bytes")
    index = json.loads(archive.read(INDEX))
    version, entries = (index.get(key) if isinstance(index, dict) else None for key in ("version", "dice"))
    if version != VERSION:
        raise ValueError(f"expected version {VERSION}, got {version!r}: teach the dice again")
    if not isinstance(entries, list) or len(entries) > MOST_READ:
        raise ValueError(f"expected a list of at most {MOST_READ} dice in {INDEX}")
    return entries


def _sample(archive: zipfile.ZipFile, number: int, entry: Any) -> Sample | None:  # noqa: ANN401 - JSON
    """Return a taught die, None for one that was learnt in play; raises ValueError."""
    face, look, taught = (entry.get(k) if isinstance(entry, dict) else None for k in ("face", "look", "taught"))
    is_word = isinstance(look, str) and len(look) <= LONGEST_WORD and look.isprintable()
    if type(face) is not int or face not in FACES or not is_word:
        raise ValueError(f"expected face and look of die {number} in {INDEX}, got {entry!r:.60}")
    if not taught:
        return None
    name = _picture_name(number)
    info = archive.NameToInfo.get(name)
    packed = archive.read(name) if info is not None and info.file_size <= LARGEST_PICTURE else b""
    fine = packed.startswith(HEAD)  # others are not decoded: a short one may unpack to gigabytes
    pixels = cv2.imdecode(np.frombuffer(packed, np.uint8), cv2.IMREAD_COLOR) if fine else None
    if pixels is None or pixels.shape != (SIDE_PX, SIDE_PX, 3):
        raise ValueError(f"expected {name} to be a PNG of {SIDE_PX} x {SIDE_PX} pixels")
    return Sample(np.asarray(pixels, np.uint8), face, cast("str", look))


def _json(number: int, sample: Sample) -> dict[str, Any]:
    return {"face": sample.face, "look": sample.look, "taught": True, "throw": str(number), "read": UNKNOWN}


def _picture_name(number: int) -> str:
    return f"{number}.png"
