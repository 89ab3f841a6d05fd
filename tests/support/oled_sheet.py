"""Every kind of picture of the small screen at once, to look at and to test against.

python tests/support/oled_sheet.py sheet.png            # all of them, magnified, side by side
python tests/support/oled_sheet.py tests/golden/oled    # a PNG each, the pages of one below the other
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from oled_examples import SCREENS
from PIL import Image, ImageDraw

from tabletop.views.oled.screen import draw, pages

WIDTH_PX = 128
HEIGHTS_PX = (64, 32)
ZOOM = 3
COLUMNS = 4
EDGE_PX, NAME_PX = 5, 16  # around a picture of the sheet, and above it for its name
BACKGROUND = 90  # grey


def pictures() -> Iterator[tuple[str, Image.Image]]:
    """Draw every screen at every height, the pages of one below the other; names are those of the files."""
    for height in HEIGHTS_PX:
        for name, snapshot in SCREENS.items():
            drawn = [draw(snapshot, WIDTH_PX, height, page) for page in range(pages(snapshot, WIDTH_PX, height))]
            yield f"{name}-{height}", Image.fromarray(np.vstack(drawn))


def sheet() -> Image.Image:
    """Return all pages side by side, magnified, each with its name."""
    cells = []
    for name, picture in pictures():
        height = int(name.rsplit("-", 1)[1])
        tops = range(0, picture.height, height)
        cells += [(name, picture.crop((0, top, WIDTH_PX, top + height))) for top in tops]
    rows = [cells[n : n + COLUMNS] for n in range(0, len(cells), COLUMNS)]
    tall = [max(picture.height for _, picture in row) * ZOOM + EDGE_PX + NAME_PX for row in rows]
    whole = Image.new("L", (COLUMNS * (WIDTH_PX * ZOOM + EDGE_PX) + EDGE_PX, sum(tall) + EDGE_PX), BACKGROUND)
    for row, top in zip(rows, (sum(tall[:n]) for n in range(len(tall))), strict=True):
        for column, (name, picture) in enumerate(row):
            x = EDGE_PX + column * (WIDTH_PX * ZOOM + EDGE_PX)
            ImageDraw.Draw(whole).text((x, top + 2), name, fill=255)
            whole.paste(picture.resize((WIDTH_PX * ZOOM, picture.height * ZOOM)).convert("L"), (x, top + NAME_PX))
    return whole


def write(target: Path) -> None:
    """Write the sheet into a file that ends in .png, else every picture into a folder."""
    if target.suffix == ".png":
        sheet().save(target)
        return
    target.mkdir(parents=True, exist_ok=True)
    for name, picture in pictures():
        picture.save(target / f"{name}.png", optimize=True)


if __name__ == "__main__":
    os.environ["XDG_DATA_DIRS"] = os.devnull  # the same pictures whatever fonts the system has
    write(Path(sys.argv[1]))
