"""Read picture files of any common kind as upright BGR pixels, or explain in one line why not."""

import logging
import os
import stat
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from tabletop.core.errors import InputError

Picture = NDArray[np.uint8]

MOST_PIXELS = 120_000_000  # larger files are refused before they fill the memory; phones take up to 108 million
DEEP = 257  # 16-bit values for one 8-bit step
BYTE = 255
STDERR = 2  # file descriptor (POSIX)
BEHIND = (128, 128, 128)  # shown behind transparent pixels
# What cameras, telephones, scanners and drawing programs write; Pillow would also start other programs (EPS).
FORMATS = frozenset(
    {"AVIF", "BMP", "DIB", "GIF", "ICO", "JPEG", "JPEG2000", "MPO", "PCX", "PNG", "PPM", "QOI", "TGA", "TIFF", "WEBP"}
)
# What a file may be instead, by the type in its mode (opening a pipe would wait for ever, a device may never end)
OTHER_THINGS = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket",
                stat.S_IFCHR: "a device", stat.S_IFBLK: "a device"}  # fmt: skip

logging.getLogger("PIL").addHandler(logging.NullHandler())  # or it also writes to standard error what it raises


def open_picture(path: Path) -> Picture:
    """Return the picture in a file, (H, W, 3) uint8 BGR, rotated by its EXIF orientation.

    Grey, palette, 16-bit, CMYK and transparent pictures are converted to colour; of an animation the first frame is
    used. Raises InputError naming the file.
    """
    try:
        _check_kind(path)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # odd metadata; what matters is whether the pixels can be read
            Image.init()
            with Image.open(path, formats=sorted(FORMATS & Image.OPEN.keys())) as opened:
                _check_size(path, *opened.size)
                with _hushed() if opened.format == "TIFF" else nullcontext():
                    ImageOps.exif_transpose(opened, in_place=True)
                    return _plain(opened)
    except InputError:
        raise
    except UnidentifiedImageError:
        raise InputError(f"{path}: expected a picture (JPEG, PNG, ...), got something else") from None
    except Image.DecompressionBombError:
        raise InputError(f"{path}: expected a picture of at most {MOST_PIXELS} pixels, got far more") from None
    except Exception as error:  # noqa: BLE001 - broken files make Pillow's decoders raise many kinds
        if isinstance(error, OSError) and error.strerror:
            raise InputError(f"{path}: expected a picture that can be read: {error.strerror}") from None
        raise InputError(f"{path}: expected a whole picture, got a broken one ({error})") from None


@contextmanager
def _hushed() -> Iterator[None]:
    """Keep the process's standard error quiet: the TIFF library writes there what it also raises."""
    try:
        kept = os.dup(STDERR)
    except OSError:  # standard error is closed
        yield
        return
    try:
        with open(os.devnull, "wb") as nowhere:  # noqa: PTH123 - os.devnull is no path of ours
            os.dup2(nowhere.fileno(), STDERR)
        yield
    finally:
        os.dup2(kept, STDERR)
        os.close(kept)


def _check_kind(path: Path) -> None:
    kind = stat.S_IFMT(path.stat().st_mode)
    if kind != stat.S_IFREG:
        raise InputError(f"{path}: expected a picture's file, got {OTHER_THINGS.get(kind, 'something else')}")


def _check_size(path: Path, width: int, height: int) -> None:
    if width * height > MOST_PIXELS:
        raise InputError(f"{path}: expected a picture of at most {MOST_PIXELS} pixels, got {width}x{height}")


def _plain(picture: Image.Image) -> Picture:
    if picture.mode.startswith(("I", "F")):  # grey with 16 or more bits, which Pillow would clip at 255
        return _from_deep(np.asarray(picture))
    if "A" in picture.mode or "transparency" in picture.info:
        clear = picture.convert("RGBA")
        picture = Image.alpha_composite(Image.new("RGBA", clear.size, (*BEHIND, BYTE)), clear)
    if picture.mode != "RGB":
        picture = picture.convert("RGB")
    return np.asarray(cv2.cvtColor(np.asarray(picture, np.uint8), cv2.COLOR_RGB2BGR), np.uint8)


def _from_deep(deep: NDArray[np.generic]) -> Picture:
    """Return grey values of any depth as (H, W, 3) bytes.

    Those that fit into a byte are taken as they are, fractions up to 1 as shares of it, and all others scaled.
    """
    values = np.nan_to_num(deep.astype(np.float32), posinf=0.0, neginf=0.0)
    most = float(values.max(initial=0))
    if deep.dtype.kind == "f" and most <= 1:
        values *= BYTE
    if most > BYTE:
        values *= 1 / DEEP if most <= BYTE * DEEP else BYTE / most
    grey = np.clip(values, 0, BYTE).astype(np.uint8)
    return np.ascontiguousarray(np.repeat(grey[:, :, None], 3, axis=2))
