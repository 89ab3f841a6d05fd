"""The page that lets a phone in: the address as a QR code, and beside it the digits and the address to type."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tabletop.views.oled.text import BIG, SMALL, ink, wrapped

Modules = tuple[tuple[bool, ...], ...]
"""A QR code, row by row, True is dark; without the light rim around it."""

LEAST_RIM = 2  # modules of light around the code: the standard asks for 4, and phones read it with 2
LEAST_SCALE = 2  # pixels of a module: at 1 it has a sixth of a millimetre on the usual display, too little for phones
GAP_PX = 3  # between the code and what stands beside it
LINE_GAP_PX = 2


@dataclass(frozen=True, slots=True)
class Door:
    """How a phone gets in. code: leads there and lets it in. address: to be typed; digits: to be entered there."""

    code: Modules
    address: str
    digits: str


def fits(code: Modules, height: int) -> bool:
    """Return whether a screen of so many rows shows this code large enough for a phone."""
    return _scale(code, height) >= LEAST_SCALE


def draw_door(door: Door, width: int, height: int) -> NDArray[np.bool_]:
    """Return the picture of the screen, (height, width) bool, True is lit; see `fits`. Dark modules stay dark."""
    pixels = np.zeros((height, width), np.bool_)
    side = height
    modules = np.array(door.code, np.bool_)
    scale = _scale(door.code, height)
    dark = modules.repeat(scale, axis=0).repeat(scale, axis=1)
    pixels[:, :side] = True
    at = (side - len(dark)) // 2
    pixels[at : at + len(dark), at : at + len(dark)] = ~dark
    _write(pixels[:, side + GAP_PX :], door)
    return pixels


def _write(room: NDArray[np.bool_], door: Door) -> None:
    """Write the address, broken behind a dot or before its port, and below it the digits, in the middle of the room."""
    parts = wrapped(door.address.replace(".", ". ").replace(":", " :"), room.shape[1], SMALL)
    pictures = [ink(part.replace(". ", ".").replace(" :", ":"), SMALL).pixels for part in parts]
    pictures.append(ink(door.digits, BIG).pixels)
    gaps = [LINE_GAP_PX] * (len(parts) - 1) + [3 * LINE_GAP_PX, 0]
    top = max(0, (room.shape[0] - sum(map(len, pictures)) - sum(gaps)) // 2)
    for picture, gap in zip(pictures, gaps, strict=True):
        part = picture[: room.shape[0] - top, : room.shape[1]]
        room[top : top + part.shape[0], : part.shape[1]] = part
        top += len(picture) + gap


def _scale(code: Modules, height: int) -> int:
    return height // (len(code) + 2 * LEAST_RIM)
