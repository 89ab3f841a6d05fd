"""What the system says of devices: USB cameras and their names, why one does not open, which program has it open."""

import errno
import os
from collections.abc import Collection, Iterable
from pathlib import Path

from tabletop.cameras import lines
from tabletop.core.errors import TABLE, DeviceError

PROC = Path("/proc")


def holder_of(devices: Collection[Path], proc: Path = PROC) -> str:
    """Return the name of the program that has one of these devices open, empty if we may not see it.

    A table is named before others that have it too, as sound servers have the nodes of a Raspberry Pi's camera.
    """
    wanted, found = {str(device) for device in devices}, list[str]()
    for process in proc.glob("[0-9]*"):
        if process.name == str(os.getpid()):
            continue
        try:
            if any(str(file.readlink()) in wanted for file in (process / "fd").iterdir()):
                found.append(_name(process))
        except OSError:  # it has ended meanwhile, or belongs to another user
            continue
    return TABLE if TABLE in found else next(iter(found), "")


def is_forbidden(devices: Iterable[Path]) -> bool:
    """Return whether one of these may not be opened by a service, whatever its user (EPERM); False for no device."""
    for device in devices:
        try:
            os.close(os.open(device, os.O_RDWR | os.O_NONBLOCK))
        except OSError as error:
            if error.errno == errno.EPERM:
                return True
    return False


def _name(process: Path) -> str:
    """Return what a program is called. process: its folder in /proc. A table is "tabletop", though Python runs it."""
    words = (process / "cmdline").read_bytes().split(b"\0") if (process / "cmdline").exists() else []
    if any(Path(os.fsdecode(word)).name == TABLE for word in words):
        return TABLE
    return (process / "comm").read_text(encoding="utf-8", errors="replace").strip()


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
        return DeviceError(lines.busy(camera, holder), holder)

    def _fact(self, number: int, name: str) -> str:
        try:
            return (self._sys / f"video{number}" / name).read_text(encoding="utf-8", errors="replace").strip()
        except OSError:
            return ""
