"""Two pictures for README and docs, drawn by the program itself: what was read in the tray, and what the display says.

PYTHONPATH=tests/support python -m tools.pictures.readme docs/pictures    # tray.webp, display.png

They show the turn of the film; what is drawn over the dice is what the reader made of these pixels.
"""

import sys
from itertools import groupby
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from tabletop.views.i18n.catalogue import load_language
from tabletop.views.i18n.translate import translated
from tabletop.views.oled.screen import draw
from tabletop.views.photo import font, outline
from tabletop.views.snapshot import Snapshot
from tools.pictures.turn import FPS, Moment, one_turn

Rgb = tuple[int, int, int]

COLUMNS = 3  # of the displays side by side
READ_FRAMES = round(0.5 * FPS)  # what the display says for half a second is read
TRAY_PX = (640, 480)
ZOOM = 2  # pixels of the picture for one of the display
GAP_PX = 16
PAPER: Rgb = (24, 26, 30)
GLASS, LIT = np.array((6, 8, 12), np.uint8), np.array((150, 220, 255), np.uint8)  # a blue-white OLED
SURE: Rgb = (90, 200, 255)
TAG_TEXT: Rgb = (10, 20, 30)
QUALITY = 80  # of WebP: pips stay round


def tray_picture(moment: Moment) -> Image.Image:
    """Return the camera's picture with its reading: an outline around each die, and its face beside it."""
    picture = Image.fromarray(np.ascontiguousarray(moment.pixels[:, :, ::-1])).resize(TRAY_PX, Image.Resampling.LANCZOS)
    pen = ImageDraw.Draw(picture)
    scale = TRAY_PX[0] / moment.pixels.shape[1]
    for die in moment.reading.dice if moment.reading else ():
        corners = [(float(x), float(y)) for x, y in outline(die, scale)]
        pen.line([*corners, corners[0]], fill=SURE, width=2, joint="curve")
        x, y = max(corners, key=lambda corner: corner[0] - corner[1])
        pen.rounded_rectangle((x - 9, y - 9, x + 9, y + 9), 5, fill=SURE)
        pen.text((x, y), str(die.face), fill=TAG_TEXT, font=font(13), anchor="mm")
    return picture


def display_picture(shown: Snapshot) -> Image.Image:
    """Return the display's pixels, magnified, with the look of an OLED."""
    lit = draw(translated(shown, load_language("en"))).repeat(ZOOM, axis=0).repeat(ZOOM, axis=1)
    return Image.fromarray(np.where(lit[:, :, None], LIT, GLASS))


def display_strip(moments: list[Moment]) -> Image.Image:
    """Return the display at the moments of the turn at which it said something for a while, three in a row."""
    steady = [moment.shown for moment in moments if moment.shown.pressed is None]
    shown = [frames[0] for _, group in groupby(steady, _said) if len(frames := list(group)) >= READ_FRAMES]
    pictures = [display_picture(now) for now in shown]
    rows = -(-len(pictures) // COLUMNS)
    cell = (128 * ZOOM + GAP_PX, 64 * ZOOM + GAP_PX)
    strip = Image.new("RGB", (COLUMNS * cell[0] + GAP_PX, rows * cell[1] + GAP_PX), PAPER)
    for place, picture in enumerate(pictures):
        strip.paste(picture, (GAP_PX + place % COLUMNS * cell[0], GAP_PX + place // COLUMNS * cell[1]))
    return strip


def _said(shown: Snapshot) -> tuple[object, ...]:
    return shown.hint, shown.asked, shown.ask, shown.offer, shown.thrown


def write(folder: Path) -> None:
    """Draw both pictures into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    moments = one_turn()
    thrown = next(moment for moment in moments if moment.shown.thrower)
    tray_picture(thrown).save(folder / "tray.webp", quality=QUALITY)
    display_strip(moments).save(folder / "display.png", optimize=True)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
