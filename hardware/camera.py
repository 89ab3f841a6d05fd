"""The Raspberry Pi's own camera."""

from typing import NoReturn

from tabletop.core.errors import DeviceError


def open_pi(words: str) -> NoReturn:
    """Say what to use instead of `--camera pi`, which comes later.

    words: what stands after `pi:`; ignored. Always raises DeviceError.
    """
    _ = words
    raise DeviceError(
        "expected a camera that this version can open, got pi: the Pi's own camera comes later; "
        "use a USB camera (--camera usb:0), a film or a folder of photographs"
    )
