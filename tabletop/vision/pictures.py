"""Picture files: anything that people call a photograph, as upright BGR pixels, or one clear line why not."""

import warnings
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from tabletop.errors import InputError

Picture = NDArray[np.uint8]

MOST_PIXELS = 120_000_000  # larger files are refused before they fill the memory
DEEP = 257  # 16-bit values for one 8-bit step
BYTE = 255
BEHIND = (128, 128, 128)  # what is seen through transparent pixels


def open_picture(path: Path) -> Picture:
    """Return the picture in a file, (H, W, 3) uint8 BGR, turned as its EXIF data say.

    Grey, palette, 16-bit and transparent pictures become plain colour. Raises InputError naming the file.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # odd metadata; what matters is whether the pixels can be read
            with Image.open(path) as opened:
                _check_size(path, *opened.size)
                upright = ImageOps.exif_transpose(opened)
                return _plain(upright)
    except InputError:
        raise
    except UnidentifiedImageError:
        raise InputError(f"{path}: expected a picture (JPEG, PNG, ...), got something else") from None
    except OSError as error:
        raise InputError(f"{path}: expected a picture that can be read: {error.strerror or error}") from None
    except Exception as error:  # noqa: BLE001 - broken files make Pillow's decoders raise many kinds
        raise InputError(f"{path}: expected a whole picture, got a broken one ({error})") from None


def _check_size(path: Path, width: int, height: int) -> None:
    if width * height > MOST_PIXELS:
        raise InputError(f"{path}: expected a picture of at most {MOST_PIXELS} pixels, got {width}x{height}")


def _plain(picture: Image.Image) -> Picture:
    if picture.mode.startswith(("I", "F")):  # grey with 16 or more bits, which Pillow would clip at 255
        deep = np.nan_to_num(np.asarray(picture, np.float64))
        most = float(deep.max(initial=0))
        scale = 1.0 if most <= BYTE else 1 / DEEP if most <= BYTE * DEEP else BYTE / most
        grey = np.clip(deep * scale, 0, BYTE).astype(np.uint8)
        return np.ascontiguousarray(np.repeat(grey[:, :, None], 3, axis=2))
    if "A" in picture.mode or "transparency" in picture.info:
        clear = picture.convert("RGBA")
        picture = Image.alpha_composite(Image.new("RGBA", clear.size, (*BEHIND, BYTE)), clear)
    rgb = np.asarray(picture.convert("RGB"), np.uint8)
    return np.ascontiguousarray(rgb[:, :, ::-1])
