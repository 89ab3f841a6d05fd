"""The small screen: a snapshot as 128 by 64 (or 128 by 32) pixels."""

from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from tabletop.views.snapshot import Snapshot

WIDTH_PX, HEIGHT_PX = 128, 64  # the usual module
SIZES_PX = (22, 18, 15, 13, 11, 9)  # text sizes tried, largest first


@cache
def _font(size_px: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size=size_px)


def draw(snapshot: Snapshot, width: int = WIDTH_PX, height: int = HEIGHT_PX) -> NDArray[np.bool_]:
    """Return the picture of the screen, (height, width), True is lit. Pure: equal snapshots give equal pictures."""
    image = Image.new("1", (width, height))
    painter = ImageDraw.Draw(image)
    label_px = 11
    if snapshot.menu:
        at = snapshot.menu.at
        lines = [
            snapshot.menu.title,
            "> " + snapshot.menu.items[at],
            *snapshot.menu.items[at + 1 :],
            snapshot.menu.note,
        ]
    elif snapshot.winners:
        lines = [
            " & ".join(snapshot.winners) + " won",
            *map(" ".join, zip(snapshot.players, map(str, snapshot.scores))),
        ]
    else:
        stake = f"{snapshot.at_stake} at stake" if snapshot.at_stake else ""
        lines = [
            snapshot.asked,
            snapshot.hint or snapshot.offer or snapshot.ask,
            " ".join(map(str, snapshot.thrown)),
            stake,
        ]
    top = 0
    for number, line in enumerate(lines):
        font = next(
            (_font(size) for size in SIZES_PX[0 if number == 0 else 4 :] if _font(size).getlength(line) <= width),
            _font(SIZES_PX[-1]),
        )
        bottom = top + round(font.getbbox("Ag")[3])
        if bottom > height - label_px:
            break
        painter.text((0, top), line, fill=1, font=font)
        top = bottom
    for text, left in ((snapshot.hold, True), (snapshot.bank, False)):
        length = round(_font(10).getlength(text)) + 3
        if text:
            x = 0 if left else width - length
            painter.rectangle((x, height - label_px, x + length, height), fill=1)
            painter.text((x + 2, height - label_px - 1), text, fill=0, font=_font(10))
    return np.asarray(image, dtype=np.bool_)
