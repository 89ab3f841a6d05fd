"""What stands behind `usb:` and `pi:`: which camera, in which mode, and what is held fixed in it. Pure.

usb:0
usb:0,size=1280x720,fps=30,format=mjpg,exposure=lock,gain=lock,white=lock,focus=lock
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from tabletop.core.errors import InputError

WIDTH_PX, HEIGHT_PX, FPS = 1280, 720, 30  # at a usual height a die is then 40 px wide, twice what the reader needs
SMALLEST_PX, LARGEST_PX = 120, 4656  # of a side: from the smallest USB mode, 160x120, to a 16-megapixel sensor
MOST_FPS = 240
FORMATS = ("mjpg", "yuyv", "any")  # a USB 2 port carries 1280x720 at 30 a second as MJPG only
LARGEST_VALUE = 100_000.0
FIXABLE = ("exposure", "gain", "white", "focus")

Hold = float | Literal["lock", "auto"]


@dataclass(frozen=True, slots=True)
class CameraWords:
    """Which camera, and how it should be set.

    number: counts from 0. width, height in pixels, fps in frames a second. format: how a USB camera sends its pictures.
    exposure (ms), gain, white (white balance, K) and focus: a value, "lock" to let the camera measure for a second and
    hold that, "auto" to let it measure all the time. Gain and focus of a USB camera are in its own units; those of a
    Raspberry Pi's are a factor and dioptres (1 / m).
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

    def holds(self) -> dict[str, Hold]:
        """Return what should be held fixed, by name."""
        return {"exposure": self.exposure, "gain": self.gain, "white": self.white, "focus": self.focus}


def camera_words(kind: str, text: str) -> CameraWords:
    """Return what a word says. kind: what stood before the colon, for the error. Raises InputError."""
    first, *others = text.split(",") if text else [""]
    if first and "=" in first:
        first, others = "", [first, *others]
    if first and not (first.isascii() and first.isdigit()):
        raise InputError(f"expected a number after {kind}:, such as {kind}:0, got {first!r}")
    found: dict[str, object] = {}
    for part in others:
        name, _, value = (side.strip() for side in part.partition("="))
        if name not in _PARSERS or name in found:
            known = ", ".join(f"{known}=" for known in _PARSERS)
            raise InputError(f"expected {kind}:N,name=value,... with each of {known} at most once, got {part!r}")
        meaning, parse = _PARSERS[name]
        parsed = parse(value)
        if parsed is None:
            raise InputError(f"expected {kind}:{name}= {meaning}, got {value!r}")
        found[name] = parsed
    width, height = found.pop("size", (WIDTH_PX, HEIGHT_PX))  # type: ignore[misc]  # what its parser returns
    return CameraWords(int(first or "0"), width, height, **found)  # type: ignore[has-type, arg-type]  # the same


def _size(text: str) -> tuple[int, int] | None:
    sides = re.fullmatch(r"([0-9]{1,5})x([0-9]{1,5})", text)
    if sides is None:
        return None
    width, height = int(sides[1]), int(sides[2])
    return (width, height) if min(width, height) >= SMALLEST_PX and max(width, height) <= LARGEST_PX else None


def _fps(text: str) -> int | None:
    fits = text.isascii() and text.isdigit() and 1 <= int(text) <= MOST_FPS
    return int(text) if fits else None


def _format(text: str) -> str | None:
    return text if text in FORMATS else None


def _hold(text: str) -> Hold | None:
    words: tuple[Literal["lock", "auto"], ...] = ("lock", "auto")
    if text in words:
        return words[words.index(text)]
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0.0 <= value <= LARGEST_VALUE else None


_PARSERS: Mapping[str, tuple[str, Callable[[str], object]]] = {
    "size": ("width x height in pixels, such as 1280x720", _size),
    "fps": (f"frames a second, 1 to {MOST_FPS}", _fps),
    "format": (" or ".join(FORMATS), _format),
    "exposure": ("lock, auto or milliseconds", _hold),
    "gain": ("lock, auto or a number", _hold),
    "white": ("lock, auto or kelvin", _hold),
    "focus": ("lock, auto or a number", _hold),
}
