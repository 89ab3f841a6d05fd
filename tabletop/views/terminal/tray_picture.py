"""Draw the tray as the camera sees it, as large as there is room, with the reading on each die. Pure."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.core.values import Die, Profile, Reading, Unsure
from tabletop.views.terminal.canvas import Canvas, Rgb, Style

WIDE_DIE_CELLS = 4.5  # from this width of the largest die on, labels have three cells, otherwise one: dice stay visible
RING_EDGES = 1.25  # the frame around an unreadable die, in edges of the die
MARGIN = 0.02  # of the picture's width and height, around tray and rail: shows their rim
UNKNOWN_SHAPE = (480, 640)  # rows and columns of a picture before the first frame

SURE = Style(fg=(10, 20, 10), bg=(130, 240, 130), bold=True)
UNSURE = Style(fg=(30, 20, 0), bg=(255, 190, 60), bold=True)
SURE_FEW, UNSURE_FEW = Style(reverse=True), Style(bold=True, reverse=True)
RING: Rgb = (255, 190, 60)


@dataclass(frozen=True, slots=True)
class Crop:
    """The visible part of a picture, as fractions of its width and height, 0.0 to 1.0."""

    left: float = 0.0
    top: float = 0.0
    right: float = 1.0
    bottom: float = 1.0

    def holds(self, x: float, y: float) -> bool:
        """Whether this place, as fractions of width and height, is visible."""
        return self.left <= x <= self.right and self.top <= y <= self.bottom


WHOLE = Crop()


def crop_of(profile: Profile | None) -> Crop:
    """Return tray and rail with a margin; the whole picture without a profile."""
    if profile is None:
        return WHOLE
    corners = (*profile.tray_px, *(profile.rail_px or ()))
    across = [x / profile.width_px for x, _ in corners]
    down = [y / profile.height_px for _, y in corners]
    return Crop(
        max(min(across) - MARGIN, 0.0),
        max(min(down) - MARGIN, 0.0),
        min(max(across) + MARGIN, 1.0),
        min(max(down) + MARGIN, 1.0),
    )


def fitted(columns: int, rows: int, shape: tuple[int, int]) -> tuple[int, int]:
    """Return the largest size, in columns and rows, at which a picture of (rows, columns) pixels fits undistorted.

    A cell is assumed to be twice as tall as wide. At least one of each.
    """
    height, width = shape
    down = max(min(rows, int(columns * height / width / 2)), 1)
    return max(min(columns, round(down * 2 * width / height)), 1), down


class TrayInCells:
    """One picture with its reading, to be drawn at any size.

    pixels: (H, W, 3) uint8 BGR, None before the first frame. reading: in pixels of this picture; others are not drawn.
    crop: the part to show; all of it if a die or something unsure is outside, since people are asked about it.
    """

    def __init__(self, pixels: NDArray[np.uint8] | None, reading: Reading | None, crop: Crop = WHOLE) -> None:
        usable = reading is not None and reading.unit == "px" and reading.width > 0 and reading.height > 0
        self._reading = reading if usable else None
        if self._reading is not None:
            places = [(die.x, die.y) for die in self._reading.dice] + [(one.x, one.y) for one in self._reading.unsure]
            inside = all(crop.holds(x / self._reading.width, y / self._reading.height) for x, y in places)
            crop = crop if inside else WHOLE
        self._crop, self._pixels = crop, pixels
        if pixels is not None:
            height, width = pixels.shape[:2]
            rows = slice(int(crop.top * height), max(round(crop.bottom * height), int(crop.top * height) + 1))
            columns = slice(int(crop.left * width), max(round(crop.right * width), int(crop.left * width) + 1))
            self._pixels = pixels[rows, columns]

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the visible pixels."""
        return UNKNOWN_SHAPE if self._pixels is None else (self._pixels.shape[0], self._pixels.shape[1])

    def draw(self, canvas: Canvas, columns: int, rows: int, missing: str, top: int, *, numbers: bool) -> None:
        """Draw the picture into this many cells at the canvas's left, from the row `top` on.

        missing: the text if there is no picture yet. numbers: whether each die is labelled with its face.
        """
        if self._pixels is None:
            canvas.text(0, top, missing)
            return
        small = np.asarray(cv2.resize(self._pixels, (columns, 2 * rows), interpolation=cv2.INTER_AREA), np.uint8)
        rich = canvas.rich and canvas.unicode
        if rich:
            self._ring_unsure(small)
        canvas.picture(columns, rows, small, top)
        if self._reading is None:
            return
        sure, unsure = (SURE, UNSURE) if rich else (SURE_FEW, UNSURE_FEW)
        marks: list[tuple[Die | Unsure, str, Style]] = [(one, "?", unsure) for one in self._reading.unsure]
        marks += [(die, str(die.face), sure) for die in self._reading.dice if numbers]
        places = [self._place(self._reading, one, columns, rows) for one, _, _ in marks]
        roomy = max((wide for _, _, wide, _ in places), default=0.0) >= WIDE_DIE_CELLS
        for (column, row, _, _), (_, face, style) in zip(places, marks, strict=True):
            text = f" {face} " if roomy else face
            first = min(max(int(column) - len(text) // 2, 0), max(columns - len(text), 0))
            for at, char in enumerate(text[:columns], start=first):
                canvas.mark(at, top + min(max(int(row), 0), rows - 1), char, style)

    def _place(self, reading: Reading, one: Die | Unsure, columns: int, rows: int) -> tuple[float, float, float, float]:
        """Return column, row, and how many columns and rows the die is large, in a picture of this size."""
        crop = self._crop
        across = columns / (reading.width * (crop.right - crop.left))
        down = rows / (reading.height * (crop.bottom - crop.top))
        return (
            (one.x - crop.left * reading.width) * across,
            (one.y - crop.top * reading.height) * down,
            one.size * across,
            one.size * down,
        )

    def _ring_unsure(self, small: NDArray[np.uint8]) -> None:
        """Draw a frame around each die that cannot be read: that is the one to look at."""
        if self._reading is None:
            return
        for one in self._reading.unsure:
            x, y, wide, high = self._place(self._reading, one, small.shape[1], small.shape[0])
            right, down = wide * RING_EDGES / 2, high * RING_EDGES / 2
            cv2.rectangle(small, (int(x - right), int(y - down)), (int(x + right), int(y + down)), RING[::-1], 1)
