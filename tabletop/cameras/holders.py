"""Which program has a device open, as far as the system shows it."""

import errno
import os
from collections.abc import Collection, Iterable
from pathlib import Path

from tabletop.core.errors import TABLE

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
        except OSError:  # it has ended meanwhile, or is somebody else's
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
