"""What the system says of USB cameras: which are there, what they are called, and why one does not open."""

import errno
import os
from pathlib import Path

from tabletop.cameras.holders import PROC, holder_of
from tabletop.cameras.live import lines
from tabletop.core.errors import DeviceError

GONE = (errno.ENOENT, errno.ENODEV, errno.ENXIO)
PICTURES_INDEX = "0"  # the kernel's index of the node that sends pictures; the others of a camera send other data


class UsbNodes:
    """The video nodes of a Linux machine; elsewhere there are none, and cameras have no names.

    dev, sys, proc: the folders of the system.
    """

    def __init__(self, dev: Path = Path("/dev"), sys: Path = Path("/sys/class/video4linux"), proc: Path = PROC) -> None:
        self._dev, self._sys, self._proc = dev, sys, proc

    def model(self, number: int) -> str:
        """Return what the camera calls itself, empty if it is not there or does not say."""
        return self._fact(number, "name")

    def find(self, number: int, model: str) -> int:
        """Return where the camera is now: a camera that is plugged in again may get another number.

        model: what it called itself before, empty if unknown.
        """
        if not model or self.model(number) == model:
            return number
        numbers = (int(path.name.removeprefix("video")) for path in self._sys.glob("video[0-9]*"))
        found = (other for other in sorted(numbers) if self.model(other) == model and self._sends_pictures(other))
        return next(found, number)

    def why_closed(self, number: int, camera: str) -> DeviceError:
        """Return why a camera could not be opened. camera: its word, for the line."""
        try:
            os.close(os.open(self._dev / f"video{number}", os.O_RDWR | os.O_NONBLOCK))
        except OSError as error:
            if error.errno in (errno.EACCES, errno.EPERM):
                return DeviceError(lines.denied(camera))
            if error.errno not in GONE:
                return self._busy(number, camera)
            return DeviceError(lines.absent(camera))
        if not self._sends_pictures(number):
            return DeviceError(lines.no_pictures(camera))
        return self._busy(number, camera)

    def _busy(self, number: int, camera: str) -> DeviceError:
        holder = holder_of((self._dev / f"video{number}",), self._proc)
        return DeviceError(lines.busy(camera, holder), holder)

    def _sends_pictures(self, number: int) -> bool:
        return self._fact(number, "index") in ("", PICTURES_INDEX)

    def _fact(self, number: int, name: str) -> str:
        try:
            return (self._sys / f"video{number}" / name).read_text(encoding="utf-8", errors="replace").strip()
        except OSError:
            return ""
