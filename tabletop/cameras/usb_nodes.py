"""What the system says of USB cameras: which are there, what they are called, and why one does not open."""

import errno
import os
from pathlib import Path

from tabletop.cameras.holders import PROC, holder_of
from tabletop.cameras.live import lines
from tabletop.core.errors import BusyError, DeviceError

GONE = (errno.ENOENT, errno.ENODEV, errno.ENXIO)
PICTURES_INDEX = "0"  # the kernel's index of the node that sends pictures; the others of a camera send other data
# Names of a Raspberry Pi's own video nodes (ribbon cameras, codecs, image processors) in its kernel's drivers.
OWN_NODES = ("unicam", "rp1-cfe", "bcm2835-", "rpi-", "rpivid", "pispbe")


class UsbNodes:
    """The video nodes of a Linux machine; elsewhere there are none, and cameras have no names.

    dev, sys, proc: the folders of the system.
    """

    def __init__(self, dev: Path = Path("/dev"), sys: Path = Path("/sys/class/video4linux"), proc: Path = PROC) -> None:
        self._dev, self._sys, self._proc = dev, sys, proc

    def model(self, number: int) -> str:
        """Return what the camera calls itself, empty if it is not there or does not say."""
        return self._fact(number, "name")

    def find(self, number: int, model: str) -> int | None:
        """Return the node of a camera, N of /dev/videoN; None if there is no such camera.

        number: which of the USB cameras, from 0 in the order of their nodes; where the system tells of none on USB, of
        those that are none of a Raspberry Pi's own; of all nodes where it tells of none at all. model: what the camera
        called itself before, empty if unknown: one that is plugged in again may get another place.
        """
        if not self._sys.is_dir():
            return number
        cameras = [node for node in self._nodes() if self._fact(node, "index") in ("", PICTURES_INDEX)]
        cameras = [node for node in cameras if not self.model(node).startswith(OWN_NODES)]
        cameras = [node for node in cameras if self._is_usb(node)] or cameras
        here = cameras[number : number + 1]
        same = [node for node in (*here, *cameras) if model and self.model(node) == model]
        return next(iter((*same, *here)), None)

    def _nodes(self) -> list[int]:
        return sorted(int(path.name.removeprefix("video")) for path in self._sys.glob("video[0-9]*"))

    def _is_usb(self, number: int) -> bool:
        return (self._sys / f"video{number}/device/subsystem").resolve().name == "usb"

    def why_closed(self, number: int, camera: str) -> DeviceError:
        """Return why a camera could not be opened. camera: its word, for the line."""
        try:
            os.close(os.open(self._dev / f"video{number}", os.O_RDWR | os.O_NONBLOCK))
        except OSError as error:
            why = {errno.EACCES: lines.denied, errno.EPERM: lines.forbidden, **dict.fromkeys(GONE, lines.absent)}
            if error.errno in why:
                return DeviceError(why[error.errno](camera))
        holder = holder_of((self._dev / f"video{number}",), self._proc)
        return BusyError(lines.busy(camera, holder), holder)

    def _fact(self, number: int, name: str) -> str:
        try:
            return (self._sys / f"video{number}" / name).read_text(encoding="utf-8", errors="replace").strip()
        except OSError:
            return ""
