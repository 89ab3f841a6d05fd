"""From the word after `--camera` to an open camera."""

from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import cast

from tabletop.cameras.absent import Absent
from tabletop.cameras.files import PICTURE_SUFFIXES, Film, Photographs
from tabletop.cameras.usb import open_usb
from tabletop.core.errors import DeviceError, InputError
from tabletop.core.ports import Camera, Frame


class _Primed:
    """A recorded camera whose first picture has been read already."""

    live = False

    def __init__(self, first: Frame, camera: Camera) -> None:
        self._first: Frame | None = first
        self._camera = camera

    def read(self) -> Frame | None:
        """Return the next frame, None at the end."""
        first, self._first = self._first, None
        return first or self._camera.read()

    def close(self) -> None:
        """Close the camera."""
        self._camera.close()


def camera_with_pictures(word: str, tell: Callable[[str], None]) -> Camera:
    """Open a camera as `open_camera` does; raise InputError where a film or folder holds no picture at all.

    tell: receives a line for each picture before the first one that cannot be read.
    """
    camera = open_camera(word)
    if camera.live:
        return camera
    left_out = list[str]()
    first = None
    while first is None:
        try:
            first = camera.read()
        except DeviceError as error:
            left_out.append(str(error))
        else:
            if first is None:
                camera.close()
                raise InputError(f"expected a picture from --camera, got none that can be read: {word}")
    for line in left_out:
        tell(line)
    return _Primed(first, camera)


def is_device(word: str) -> bool:
    """Return whether a word means a real camera: one that may come later than the program, and may go."""
    kind = word.partition(":")[0]
    return kind == "usb" or any(point.name == kind for point in entry_points(group="tabletop.cameras"))


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
        return open_usb(rest)
    for point in entry_points(group="tabletop.cameras"):
        if point.name == kind:
            return cast("Camera", point.load()(rest))
    others = ", ".join(sorted(point.name for point in entry_points(group="tabletop.cameras")))
    raise InputError(
        f"expected --camera sim, usb:N, none, {others}, or an existing film or folder of photographs, got {word!r}"
    )
