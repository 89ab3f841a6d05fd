"""Look for cameras that really give a picture. It takes a second for each, so not in a loop that people wait for."""

from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import entry_points

from tabletop.cameras.opening import GROUP, open_camera
from tabletop.core.errors import DeviceError, InputError

MOST_USB = 4  # as many as a Raspberry Pi has ports


def answering(skip: str = "") -> Iterator[str]:
    """Yield the words of the cameras that give a picture now. skip: the one that the table uses or tries to open."""
    kinds = [*(f"usb:{number}" for number in range(MOST_USB)), *sorted(entry_points(group=GROUP).names)]
    for word in kinds:
        if word in (skip, skip.removesuffix(":0")):
            continue
        with suppress(DeviceError, InputError):
            camera = open_camera(word)
            try:
                if camera.read() is not None:
                    yield word
            finally:
                camera.close()
