"""Text on the small screen: sizes, wrapping and pixels."""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tabletop.views.oled import font

Pixels = NDArray[np.bool_]
MOST_ACCENT_ROWS = 2  # above a capital, at size 1
REMEMBERED_TEXTS = 1024  # a game shows a few hundred different texts, in a few sizes each


class Size(NamedTuple):
    """The horizontal and vertical scale of letters.

    heavy: every stroke one pixel wider, for letters that are only stretched. ruled: always reserve rows for descenders,
    so that lines of a text have equal distances.
    """

    across: int
    down: int
    heavy: bool = False
    ruled: bool = False


SMALL = Size(1, 1, ruled=True)
TALL = Size(1, 2, heavy=True)
BIG = Size(2, 2)
HUGE = Size(3, 3)


@dataclass(frozen=True, slots=True, eq=False)
class Ink:
    """The pixels of a text, (rows, columns) bool, read-only. above: how many rows are above the baseline."""

    pixels: Pixels
    above: int

    @property
    def width(self) -> int:
        """The number of columns."""
        return int(self.pixels.shape[1])

    @property
    def height(self) -> int:
        """The number of rows."""
        return int(self.pixels.shape[0])


@lru_cache(maxsize=REMEMBERED_TEXTS)
def ink(text: str, size: Size = SMALL) -> Ink:
    """Return the pixels of a text.

    Rows below the baseline are included only for descenders, or if the size is ruled.
    """
    pictures = [_letter(letter, size) for letter in font.in_drawing_order(text)]
    air, drop = size.across, font.DROP_ROWS * size.across
    above = max((rows for _, rows in pictures), default=font.CAP_ROWS * size.down)
    line = np.zeros((above + drop, max(0, sum(pixels.shape[1] + air for pixels, _ in pictures) - air)), dtype=np.bool_)
    left = 0
    for pixels, rows in pictures:
        line[above - rows : above - rows + len(pixels), left : left + pixels.shape[1]] = pixels
        left += pixels.shape[1] + air
    if not size.ruled:
        line = line[: above + (drop if line[above:].any() else 0)]
    line.flags.writeable = False
    return Ink(line, above)


@lru_cache(maxsize=REMEMBERED_TEXTS)
def _letter(letter: str, size: Size) -> tuple[Pixels, int]:
    """Return the pixels of one letter, and how many rows stand above its line.

    A letter that is stretched to twice its height keeps an accent and what hangs below the line as they are; one of the
    system's font, which is high enough, is not stretched.
    """
    pixels, above = font.letter_pixels(letter, roomy=size.heavy)
    accent, drawn = above - font.CAP_ROWS, _enlarged(pixels, size)
    if size.down == size.across:
        return drawn, above * size.down
    if accent > MOST_ACCENT_ROWS:
        return pixels, above
    low = accent if accent == MOST_ACCENT_ROWS else 0
    again = [*range(1, 2 * low, 2), *range(2 * above + 1, len(drawn), 2)]  # the second of two equal rows
    return np.delete(drawn, again, axis=0), 2 * above - low


def width_px(text: str, size: Size = SMALL) -> int:
    """Return the width of a text in columns."""
    return ink(text, size).width


@lru_cache(maxsize=REMEMBERED_TEXTS)
def wrapped(text: str, width: int, size: Size = SMALL) -> tuple[str, ...]:
    """Wrap a text at its spaces; a word wider than a line is broken."""
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


def shortened(text: str, width: int, size: Size = SMALL) -> str:
    """Shorten a text to this width, with an ellipsis."""
    if width_px(text, size) <= width:
        return text
    while text and width_px(text + font.ELLIPSIS, size) > width:
        text = text[:-1].rstrip(" ,;:")
    return text + font.ELLIPSIS


def _broken(word: str, width: int, size: Size) -> list[str]:
    pieces = [""]
    for letter in font.letters(word):
        if pieces[-1] and width_px(pieces[-1] + letter, size) > width:
            pieces.append("")
        pieces[-1] += letter
    return pieces


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
