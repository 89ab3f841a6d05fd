"""Open the camera named by `--camera`."""

import time
from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from tabletop.cameras import files, usb
from tabletop.core import errors, reconnecting, words
from tabletop.core.ports import Camera, Frame

GROUP = "tabletop.cameras"  # of the entry points


class Absent:
    """No camera: it has no frames, and people enter the faces with the buttons."""

    live = True

    def read(self) -> Frame | None:
        """Return None: there are never any frames."""
        return None

    def close(self) -> None:
        """Do nothing."""


class _Primed(reconnecting.WrappedCamera):
    """A recorded camera whose first picture has been read already."""

    def __init__(self, first: Frame, camera: Camera) -> None:
        super().__init__(camera)
        self._first: Frame | None = first

    def read(self) -> Frame | None:
        """Return the next frame, None at the end."""
        first, self._first = self._first, None
        frame: Frame | None = first or self._device.read()
        return frame


class CheckedCamera(reconnecting.WrappedCamera):
    """A camera from an entry point, whose first frame is checked against the contract of `Camera`.

    `read` raises InputError as long as the frames violate it.
    """

    def __init__(self, camera: Any, point: EntryPoint, clock: Callable[[], float] = time.monotonic) -> None:  # noqa: ANN401 - anybody's
        super().__init__(camera)
        self._point, self._clock, self._checked = point, clock, False

    def read(self) -> Frame | None:
        """Return the camera's next frame."""
        frame: Frame | None = self._device.read()
        if frame is not None and not self._checked:
            if fault := words.frame_fault(frame, self._clock() if self.live else None):
                raise words.broken("camera", self._point, fault)
            self._checked = True
        return frame


def camera_with_pictures(word: str, tell: Callable[[str], None]) -> Camera:
    """Open a camera like `open_camera`; raises InputError if a film or folder contains no readable picture.

    tell: called with a line for each unreadable picture before the first readable one.
    """
    camera = open_camera(word)
    if camera.live:
        return camera
    left_out = list[str]()
    first = None
    while first is None:
        try:
            first = camera.read()
        except errors.DeviceError as error:
            left_out.append(str(error))
        else:
            if first is None:
                camera.close()
                raise errors.InputError(f"expected a picture from --camera, got none that can be read: {word}")
    for line in left_out:
        tell(line)
    return _Primed(first, camera)


def is_device(word: str) -> bool:
    """Return whether a word names a real camera, which may appear and disappear while the program runs."""
    kind = word.partition(":")[0]
    return kind == "usb" or kind in entry_points(group=GROUP).names


def open_camera(word: str) -> Camera:
    """Open FILE (a film or one photograph), FOLDER (photographs), usb:N, none, or a camera from an entry point.

    Raises InputError or DeviceError with a one-line remedy. `sim` is handled elsewhere.
    """
    path, (kind, _, rest) = Path(word), word.partition(":")
    if path.is_dir():
        return files.Photographs.of_folder(path)
    if path.is_file():
        return files.Photographs((path,)) if path.suffix.lower() in files.PICTURE_SUFFIXES else files.Film(path)
    if word == "none":
        return Absent()
    if kind == "usb":
        return usb.open_usb(rest)
    points = entry_points(group=GROUP)
    if kind in points.names:
        return CheckedCamera(words.open_offered("camera", points[kind], rest), points[kind])
    raise errors.InputError(
        f"expected --camera sim, usb:N, none, {', '.join(sorted(points.names))}, or an existing film or folder of "
        f"photographs, got {word!r}"
    )
