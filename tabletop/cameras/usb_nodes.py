"""What the system says of USB cameras: which are there, what they are called, and why one does not open."""

import errno
import os
from pathlib import Path

from tabletop.cameras.live import lines
from tabletop.core.errors import DeviceError

GONE = (errno.ENOENT, errno.ENODEV, errno.ENXIO)
TABLE = "tabletop"  # as the command line of a table has it: `python -m tabletop`, or the installed command
PICTURES_INDEX = "0"  # the kernel's index of the node that sends pictures; the others of a camera send other data


class UsbNodes:
    """The video nodes of a Linux machine; elsewhere there are none, and cameras have no names.

    dev, sys, proc: the folders of the system.
    """

    def __init__(
        self, dev: Path = Path("/dev"), sys: Path = Path("/sys/class/video4linux"), proc: Path = Path("/proc")
    ) -> None:
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
                return DeviceError(lines.busy(camera, self._holder(number)))
            return DeviceError(lines.absent(camera))
        if not self._sends_pictures(number):
            return DeviceError(lines.no_pictures(camera))
        return DeviceError(lines.busy(camera, self._holder(number)))

    def _sends_pictures(self, number: int) -> bool:
        return self._fact(number, "index") in ("", PICTURES_INDEX)

    def _fact(self, number: int, name: str) -> str:
        try:
            return (self._sys / f"video{number}" / name).read_text(encoding="utf-8", errors="replace").strip()
        except OSError:
            return ""

    def _holder(self, number: int) -> str:
        """Return the name of the program that has the camera open, empty if we may not see it."""
        wanted = str(self._dev / f"video{number}")
        for process in self._proc.glob("[0-9]*"):
            if process.name == str(os.getpid()):
                continue
            try:
                if any(str(file.readlink()) == wanted for file in (process / "fd").iterdir()):
                    return _name(process)
            except OSError:  # it has ended meanwhile, or is somebody else's
                continue
        return ""


def _name(process: Path) -> str:
    """Return what a program is called. process: its folder in /proc. A table is "tabletop", though Python runs it."""
    words = (process / "cmdline").read_bytes().split(b"\0") if (process / "cmdline").exists() else []
    if any(Path(os.fsdecode(word)).name == TABLE for word in words):
        return TABLE
    return (process / "comm").read_text(encoding="utf-8", errors="replace").strip()
