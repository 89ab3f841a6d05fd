"""A QR code with a few lines beside it, for a phone at the small screen."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tabletop.views.oled import boxes, grammar, text
from tabletop.views.snapshot import Scan

LEAST_SCALE = 2  # pixels per module: one is a sixth of a millimetre on the usual display, too small for phones
RIM = 1  # modules around the code at least: the standard asks for 4; readers find it with 1, and 29 modules fit 64 rows
GAP_PX = 3  # between the code and the text beside it
REMEMBERED = 4


@lru_cache(maxsize=REMEMBERED)
def draw_scan(scan: Scan, label: str, width: int, height: int) -> NDArray[np.bool_] | None:
    """Return the picture, (height, width) bool, True is lit; None if the modules would be too small for a phone.

    label: of HOLD, below the lines.
    """
    import segno  # noqa: PLC0415 - only a table that is open to phones needs it

    code = np.array(segno.make(scan.content, micro=False, error="l", boost_error=False).matrix, np.bool_)
    scale = height // (len(code) + 2 * RIM)
    if scale < LEAST_SCALE:
        return None
    left = height + GAP_PX
    lines = [text.wrapped(line.replace(":", " :"), width - left) for line in scan.lines]  # a port is not torn apart
    blocks = [boxes.column(*(boxes.words(part.replace(" :", ":")) for part in line)) for line in lines]
    beside = boxes.page([*blocks, boxes.label(grammar.sentence(label))], height)
    pixels = boxes.paint((box.at(box.x + left, box.y) for box in beside), width, height)
    pixels[:, :height] = True
    code = code.repeat(scale, axis=0).repeat(scale, axis=1)
    at = (height - len(code)) // 2
    pixels[at : at + len(code), at : at + len(code)] = ~code
    pixels.flags.writeable = False
    return pixels
