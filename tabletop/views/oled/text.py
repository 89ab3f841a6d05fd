"""Words on the small screen: how large they are, how they wrap, and their pixels."""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tabletop.views.oled import font

Pixels = NDArray[np.bool_]
TRIMMED_ROW = 3  # above the line: the second of two that are alike
FIGURE_AIR = 3  # columns between two large figures
REMEMBERED_TEXTS = 1024  # a game shows a few hundred different words, in a few sizes each


class Size(NamedTuple):
    """How many times as wide and high as drawn.

    heavy: every stroke one pixel wider, for what is only stretched. ruled: with rows below the line for what hangs
    there even where nothing does, so that lines of a text have equal distances. figures: of the large figures, for
    numbers only. trimmed: one row less than twice as high.
    """

    across: int
    down: int
    heavy: bool = False
    ruled: bool = False
    figures: bool = False
    trimmed: bool = False


SMALL = Size(1, 1, ruled=True)
TIGHT = Size(1, 1)
TALL = Size(1, 2, heavy=True)
TRIM = Size(1, 2, heavy=True, trimmed=True)  # for the screen of two lines, where every row counts
BIG = Size(2, 2)
HUGE = Size(3, 3)
GIANT = Size(4, 4)
NUMBER = Size(2, 2, figures=True)  # 32 rows: read from two metres by somebody who does not read the rest
WIDE_NUMBER = Size(3, 2, figures=True)


@dataclass(frozen=True, slots=True, eq=False)
class Ink:
    """The pixels of a text, (rows, columns) bool, not to be written to; above: how many rows stand above its line."""

    pixels: Pixels
    above: int

    @property
    def width(self) -> int:
        """Columns."""
        return int(self.pixels.shape[1])

    @property
    def height(self) -> int:
        """Rows."""
        return int(self.pixels.shape[0])


@lru_cache(maxsize=REMEMBERED_TEXTS)
def ink(text: str, size: Size = SMALL) -> Ink:
    """Return the pixels of a text. Rows below the line are there where something hangs, or the size is ruled."""
    if size.figures:
        return _figures(text, size)
    pictures = [font.letter_pixels(letter, roomy=size.heavy) for letter in font.in_drawing_order(text)]
    air = 1 + size.heavy
    above = max((rows for _, rows in pictures), default=font.CAP_ROWS)
    width = max(0, sum(pixels.shape[1] + air for pixels, _ in pictures) - air)
    line = np.zeros((above + font.DROP_ROWS, width), dtype=np.bool_)
    left = 0
    for pixels, rows in pictures:
        line[above - rows :, left : left + pixels.shape[1]] = pixels
        left += pixels.shape[1] + air
    if not size.ruled:
        line = line[: above + (font.DROP_ROWS if line[above:].any() else 0)]
    line = _enlarged(line, size)
    if size.trimmed:
        line = np.delete(line, above * size.down - TRIMMED_ROW, axis=0)
    line.flags.writeable = False
    return Ink(line, above * size.down - size.trimmed)


def width_px(text: str, size: Size = SMALL) -> int:
    """Return how many columns a text takes."""
    return ink(text, size).width


@lru_cache(maxsize=REMEMBERED_TEXTS)
def wrapped(text: str, width: int, size: Size = SMALL) -> tuple[str, ...]:
    """Break a text into lines at its spaces; a word wider than a line is broken where it must be."""
    lines: list[str] = []
    between = (font.SPACE_COLUMNS + 2 * (1 + size.heavy)) * size.across - size.heavy
    so_far = 0
    for word in text.split():
        wide = width_px(word, size)
        if lines and so_far + between + wide <= width:
            lines[-1] = f"{lines[-1]} {word}"
            so_far += between + wide
        elif wide <= width:
            lines.append(word)
            so_far = wide
        else:
            lines.extend(_broken(word, width, size))
            so_far = width_px(lines[-1], size)
    return tuple(lines)


def shortened(text: str, width: int) -> str:
    """Return a text that stands for a longer one: as much of it as fits, with an ellipsis."""
    if width_px(text) <= width:
        return text
    while text and width_px(text + font.ELLIPSIS) > width:
        text = text[:-1].rstrip(" ,;:")
    return text + font.ELLIPSIS


def _broken(word: str, width: int, size: Size) -> list[str]:
    pieces = [""]
    for letter in font.letters(word):
        if pieces[-1] and width_px(pieces[-1] + letter, size) > width:
            pieces.append("")
        pieces[-1] += letter
    return pieces


def _figures(text: str, size: Size) -> Ink:
    """Return a number in large figures: the same air between them however wide they are drawn."""
    drawn = [_enlarged(font.figures()[sign], size) for sign in text]
    air = np.zeros((font.FIGURE_ROWS * size.down, FIGURE_AIR), dtype=np.bool_)
    line = np.hstack([part for figure in drawn for part in (air, figure)][1:] or [air])
    line.flags.writeable = False
    return Ink(line, font.FIGURE_ROWS * size.down)


def _enlarged(line: Pixels, size: Size) -> Pixels:
    if size.across == size.down and size.across > 1:
        return _smooth(line, size.across)
    grown = line.repeat(size.down, axis=0).repeat(size.across, axis=1)
    if size.heavy and grown.size:
        grown = np.pad(grown, ((0, 0), (0, 1)))
        free = ~np.pad(grown, ((0, 0), (0, 1)))[:, 1:]  # a gap of one pixel stays open
        grown[:, 1:] |= grown[:, :-1] & free[:, 1:]
    return grown


def _smooth(line: Pixels, times: int) -> Pixels:
    """Enlarge with round corners: a corner of a pixel takes the colour that both its neighbours there have.

    The rule is that of Eric Johnston's EPX: only where the two other neighbours differ from these.
    """
    grown = line.repeat(times, axis=0).repeat(times, axis=1)
    reach = times // 2  # how far a corner reaches into its pixel, as a triangle
    for turn in range(4):  # each corner in turn is the upper left one
        around, drawn = np.rot90(np.pad(line, 1), turn), np.rot90(grown, turn)
        up, down, left, right = around[:-2, 1:-1], around[2:, 1:-1], around[1:-1, :-2], around[1:-1, 2:]
        corner = (up == left) & (up != right) & (left != down)
        for y in range(reach):
            for x in range(reach - y):
                drawn[y::times, x::times] = np.where(corner, up, drawn[y::times, x::times])
    return grown
