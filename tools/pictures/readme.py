"""The pictures of the README, drawn by the program itself: one turn of Ten Thousand at the simulated table.

PYTHONPATH=tests/support python -m tools.pictures.readme docs/pictures    # tray.webp, display.png and turn.webp

Ann throws, sets two 1s aside, throws the others, sets three 2s aside and banks. The dice are rendered, a hand throws
them, and what is drawn over them is what the reader made of these pixels.
"""

import sys
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from world_table import WorldTable

from tabletop.core.ports import ButtonName
from tabletop.core.values import Reading
from tabletop.rules import Match
from tabletop.views.oled.screen import draw
from tabletop.views.photo import font, outline
from tabletop.views.snapshot import Snapshot
from tools.room.room import Room
from tools.room.world import RoomWorld

Picture = NDArray[np.uint8]
Rgb = tuple[int, int, int]

SEED = 7
FPS = 10.0
COLUMNS = 4  # of the displays side by side
READ_FRAMES = 10  # what the display says for a second is read
TRAY_PX = (480, 360)  # of the 640x480 of the camera
ZOOM = 2  # pixels of the README for one of the display
GAP_PX = 16
PANEL_PX = 128 * ZOOM + 24
PAPER: Rgb = (24, 26, 30)
GLASS, LIT = np.array((6, 8, 12), np.uint8), np.array((150, 220, 255), np.uint8)  # a blue-white OLED
KEY, KEY_DOWN, KEY_TEXT = (58, 62, 70), (230, 170, 60), (235, 235, 235)
SURE: Rgb = (90, 200, 255)
TAG_TEXT: Rgb = (10, 20, 30)
QUALITY = 62  # of WebP: pips stay round
LAST_S = 2.0  # the last picture stays for this long before the turn begins again
NAME_PX = 15  # letters
LOOK_S = 5.5  # after BANK: what it gave, then whose turn it is
BUTTONS: tuple[ButtonName, ButtonName] = ("hold", "bank")


@dataclass(frozen=True, slots=True)
class Moment:
    """One frame: what the camera saw, what was read in it, and what the display showed."""

    pixels: Picture
    reading: Reading | None
    shown: Snapshot


class Evening:
    """Ann and Ben at the simulated table; every frame of it is kept."""

    def __init__(self) -> None:
        room = Room(noise=1.0)
        self.world = RoomWorld(6, chance=Random(SEED), room=room, fps=FPS)
        self.table = WorldTable(self.world, Match("ten-thousand", ["Ann", "Ben"]))
        self.moments: list[Moment] = []

    def run(self, seconds: float) -> None:
        """Let frames come for this long."""
        end_s = self.world.now_s + seconds
        while self.world.now_s < end_s:
            self.table.frame()
            seen = self.table.camera_thread.newest
            assert seen is not None
            self.moments.append(Moment(seen.frame.pixels, seen.pixel_reading, self.table.shown))

    def throw(self, *faces: int) -> None:
        """Throw the loose dice so that they show these faces, and look at them."""
        self.run(self.world.throw(len(faces), faces=faces) - self.world.now_s + 1.6)

    def keep(self, *faces: int) -> None:
        """Carry dice with these faces to the rail, and look at the display."""
        loose = [(index, die) for index, die in enumerate(self.world.tray.truth().dice) if not die.aside]
        which = []
        for face in faces:
            which.append(next(index for index, die in loose if die.face == face and index not in which))
        self.run(self.world.keep(which) - self.world.now_s + 1.2)

    def press(self, button: ButtonName) -> None:
        """Press a button, and look at the display."""
        self.run(self.world.tray.press(button) - self.world.now_s + LOOK_S)


def one_turn() -> list[Moment]:
    """Play the turn that the pictures show."""
    evening = Evening()
    evening.run(0.8)
    evening.throw(1, 4, 1, 6, 3, 3)
    evening.keep(1, 1)
    evening.throw(2, 5, 2, 2)
    evening.keep(2, 2, 2)
    evening.press("bank")
    return evening.moments


def tray_picture(moment: Moment, size: tuple[int, int] = TRAY_PX) -> Image.Image:
    """Return what the camera saw with what was read: an outline around each die, and its face beside it."""
    picture = Image.fromarray(np.ascontiguousarray(moment.pixels[:, :, ::-1])).resize(size, Image.Resampling.LANCZOS)
    pen = ImageDraw.Draw(picture)
    scale = size[0] / moment.pixels.shape[1]
    for die in moment.reading.dice if moment.reading else ():
        corners = [(float(x), float(y)) for x, y in outline(die, scale)]
        pen.line([*corners, corners[0]], fill=SURE, width=2, joint="curve")
        x, y = max(corners, key=lambda corner: corner[0] - corner[1])
        pen.rounded_rectangle((x - 9, y - 9, x + 9, y + 9), 5, fill=SURE)
        pen.text((x, y), str(die.face), fill=TAG_TEXT, font=font(13), anchor="mm")
    return picture


def display_picture(shown: Snapshot, zoom: int = ZOOM) -> Image.Image:
    """Return the display's pixels, magnified, as an OLED looks."""
    lit = draw(shown).repeat(zoom, axis=0).repeat(zoom, axis=1)
    return Image.fromarray(np.where(lit[:, :, None], LIT, GLASS))


def table_picture(moment: Moment) -> Image.Image:
    """Return tray, display and buttons side by side."""
    width, height = TRAY_PX[0] + 2 * GAP_PX + PANEL_PX, TRAY_PX[1]
    picture = Image.new("RGB", (width, height), PAPER)
    picture.paste(tray_picture(moment), (0, 0))
    pen = ImageDraw.Draw(picture)
    left, top = TRAY_PX[0] + GAP_PX, 44
    pen.rounded_rectangle((left, top, left + PANEL_PX - 1, top + 64 * ZOOM + 23), 10, fill=(0, 0, 0))
    picture.paste(display_picture(moment.shown), (left + 12, top + 12))
    for place, name in enumerate(BUTTONS):
        x, y = left + 68 + place * 140, top + 64 * ZOOM + 84
        pen.ellipse((x - 34, y - 34, x + 34, y + 34), fill=KEY_DOWN if moment.shown.pressed == name else KEY)
        pen.text((x, y), name.upper(), fill=KEY_TEXT, font=font(NAME_PX), anchor="mm")
    return picture


def display_strip(moments: list[Moment]) -> Image.Image:
    """Return the display at the moments of the turn at which it said something for a while, four in a row."""
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
    """Draw all pictures into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    moments = one_turn()
    thrown = next(moment for moment in moments if moment.shown.thrown)
    tray_picture(thrown, (640, 480)).save(folder / "tray.webp", quality=80)
    display_strip(moments).save(folder / "display.png", optimize=True)
    pictures = [table_picture(moment) for moment in moments]
    spent_ms = [round(1000 / FPS)] * (len(pictures) - 1) + [round(1000 * LAST_S)]
    pictures[0].save(
        folder / "turn.webp",
        save_all=True,
        append_images=pictures[1:],
        duration=spent_ms,
        loop=0,
        quality=QUALITY,
        method=6,
    )


if __name__ == "__main__":
    write(Path(sys.argv[1]))
