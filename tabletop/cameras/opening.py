"""From the word after `--camera` to an open camera."""

from importlib.metadata import entry_points
from pathlib import Path
from typing import cast

from tabletop.cameras.absent import Absent
from tabletop.cameras.film import Film
from tabletop.cameras.photographs import PICTURE_SUFFIXES, Photographs
from tabletop.cameras.usb import Usb
from tabletop.core.errors import InputError
from tabletop.core.ports import Camera


def open_camera(word: str) -> Camera:
    """Open FILE (a film or one photograph), FOLDER (photographs), usb:N, none, or a device of the entry points.

    Raises InputError or DeviceError with one line that says what to do. `sim` is not known here.
    """
    path, (kind, _, rest) = Path(word), word.partition(":")
    if path.is_dir():
        return Photographs.of_folder(path)
    if path.is_file():
        return Photographs((path,)) if path.suffix.lower() in PICTURE_SUFFIXES else Film(path)
    if word == "none":
        return Absent()
    if kind == "usb":
        return Usb.of_word(rest)
    for point in entry_points(group="tabletop.cameras"):
        if point.name == kind:
            return cast("Camera", point.load()(rest))
    others = ", ".join(sorted(point.name for point in entry_points(group="tabletop.cameras")))
    raise InputError(
        f"expected --camera sim, usb:N, none, {others}, or an existing film or folder of photographs, got {word!r}"
    )
