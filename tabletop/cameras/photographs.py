"""Photographs as a camera: each one is a new throw at rest."""

from collections.abc import Sequence
from pathlib import Path
from typing import Self

from tabletop.core.errors import DeviceError, InputError
from tabletop.core.ports import Frame
from tabletop.vision.image_io import open_picture

PICTURE_SUFFIXES = frozenset((".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"))
BETWEEN_S = 1.0  # photographs carry no time that could be trusted: one a second


def pictures_in(folder: Path) -> list[Path]:
    """Return the picture files of a folder by name, empty if there are none."""
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURE_SUFFIXES and path.is_file())


class Photographs:
    """Picture files, in the order given, upright after their EXIF rotation.

    A file that is no picture raises a DeviceError when its turn comes; the next call goes on with the one after it.
    """

    live = False

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = list(paths)
        self._shown = 0

    @classmethod
    def of_folder(cls, folder: Path) -> Self:
        """Take the pictures of a folder by name; raises InputError if there are none."""
        paths = pictures_in(folder)
        if not paths:
            raise InputError(f"expected photographs ({', '.join(sorted(PICTURE_SUFFIXES))}), got none in {folder}")
        return cls(paths)

    def read(self) -> Frame | None:
        """Return the next photograph, or None for ever after the last."""
        if self._shown >= len(self._paths):
            return None
        path, time_s = self._paths[self._shown], self._shown * BETWEEN_S
        self._shown += 1
        try:
            return Frame(open_picture(path), time_s, at_rest=True)
        except InputError as error:
            raise DeviceError(f"{error}; left out") from error

    def close(self) -> None:
        """Show no more."""
        self._shown = len(self._paths)
