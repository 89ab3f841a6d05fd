"""Parse camera options such as `usb:0,fps=30`: which camera, its mode, and its locked controls. Pure.

usb:0
usb:0,size=1280x720,fps=30,format=mjpg,exposure=lock,gain=lock,white=lock,focus=lock
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from tabletop.core.errors import InputError
from tabletop.core.words import Setting, number, read_settings

WIDTH_PX, HEIGHT_PX, FPS = 1280, 720, 30  # at a usual height a die is then 40 px wide, twice what the reader needs
SMALLEST_PX, LARGEST_PX = 120, 4656  # of a side: from the smallest USB mode, 160x120, to a 16-megapixel sensor
MOST_FPS = 240
MOST_SHOWN_MM = 5000  # a tray is never so far away
FORMATS = ("mjpg", "yuyv", "any")  # a USB 2 port carries 1280x720 at 30 a second as MJPG only
HOLDS: tuple[Literal["lock"], Literal["auto"]] = ("lock", "auto")
LARGEST_VALUE = 100_000.0
FIXABLE = ("exposure", "gain", "white", "focus")
KINDS = ("usb", "pi")
NO_KELVIN = "pi"  # whose camera takes no number there

Hold = float | Literal["lock", "auto"]


@dataclass(frozen=True, slots=True)
class CameraWords:
    """A camera and its settings.

    number: counts from 0. width, height in pixels, fps in frames a second. format: the pixel format of a USB camera.
    exposure (ms), gain, white (white balance, K) and focus: a value, "lock" to measure for a second and then lock,
    "auto" to adjust permanently. Gain and focus of a USB camera are in its own units; those of a Raspberry Pi's are a
    factor and dioptres (1 / m). shows: the visible width of the tray's plane in mm, which determines the lens's
    distance if autofocus fails; 0 if unknown.
    """

    number: int = 0
    width: int = WIDTH_PX
    height: int = HEIGHT_PX
    fps: int = FPS
    format: str = FORMATS[0]
    exposure: Hold = "lock"
    gain: Hold = "lock"
    white: Hold = "lock"
    focus: Hold = "lock"
    shows: int = 0

    def holds(self) -> dict[str, Hold]:
        """Return the controls by name."""
        return {"exposure": self.exposure, "gain": self.gain, "white": self.white, "focus": self.focus}


def camera_words(kind: str, text: str) -> CameraWords:
    """Parse camera options. kind: the part before the colon, for errors. Raises InputError."""
    first, _, others = text.partition(",")
    if "=" in first:
        first, others = "", text
    if first and not (first.isascii() and first.isdigit()):
        raise InputError(f"expected a number after {kind}:, such as {kind}:0, got {first!r}")
    found = read_settings(kind, others, _SETTINGS, "N,")
    if kind == NO_KELVIN and isinstance(found.get("white"), float):
        raise InputError(f"expected {kind}:white= lock or auto: this camera takes no kelvin")
    width, height = found.pop("size", (WIDTH_PX, HEIGHT_PX))
    return CameraWords(int(first or "0"), width, height, **found)


def showing(word: str, width_mm: float) -> str:
    """Return a camera's word with the visible width added, if that camera can use it."""
    fits = word.partition(":")[0] == NO_KELVIN and "shows=" not in word and 1 <= width_mm <= MOST_SHOWN_MM
    return f"{word if ':' in word else word + ':0'},shows={round(width_mm)}" if fits else word


def check_camera(word: str) -> None:
    """Raise InputError for an invalid camera word, whether or not the camera exists."""
    kind, _, rest = word.partition(":")
    if kind in KINDS:
        camera_words(kind, rest)


def _size(text: str) -> tuple[int, int] | None:
    sides = re.fullmatch(r"([0-9]{1,5})x([0-9]{1,5})", text)
    if sides is None:
        return None
    width, height = int(sides[1]), int(sides[2])
    return (width, height) if min(width, height) >= SMALLEST_PX and max(width, height) <= LARGEST_PX else None


def _hold(text: str) -> Hold | None:
    if re.fullmatch(r"[0-9]+(\.[0-9]+)?", text):
        value = float(text)
        return value if value <= LARGEST_VALUE else None
    return next((word for word in HOLDS if word == text), None)


_SETTINGS: Mapping[str, Setting] = {
    "size": Setting("width x height in pixels, such as 1280x720", _size),
    "fps": number(FPS, range(1, MOST_FPS + 1), f"frames a second, 1 to {MOST_FPS}"),
    "format": Setting(" or ".join(FORMATS), lambda text: text if text in FORMATS else None),
    "exposure": Setting("lock, auto or milliseconds", _hold),
    "gain": Setting("lock, auto or a number", _hold),
    "white": Setting("lock, auto or kelvin", _hold),
    "focus": Setting("lock, auto or a number", _hold),
    "shows": number(None, range(1, MOST_SHOWN_MM + 1), f"the width of what is in the picture, 1 to {MOST_SHOWN_MM} mm"),
}
