"""Terminal cells: draw text and half-block pictures into a grid, and write the grid as lines.

Only SGR sequences are written (ISO 6429), no cursor movement, so lines can be printed anywhere. Lines with several
styles are cut and wrapped by the cells they take.
"""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.views.oled.screen import Modules

Rgb = tuple[int, int, int]

RICH_COLOURS = 256  # with fewer, pictures are drawn in shades of characters, and text is only bold or reversed
TRUE_COLOURS = 1 << 24

UPPER_HALF = "▀"
SHADES = " ░▒▓█"
ASCII_SHADES = " .:-=+*#%@"
# ASCII replacements for the symbols of a board.
ASCII_SIGNS = str.maketrans("★▄·●○♥♡■▣□━─←→⚀⚁⚂⚃⚄⚅└┘▲", "*#.o.*.x+-=-<>123456[]^")
LEAST_CONTRAST = 60  # smaller ranges of grey are not stretched to all shades
MARKS = ("Mn", "Me")  # Unicode categories of marks drawn with the previous letter
WIDE = 2  # cells of an East Asian wide character
# With 256 colours the nearest one of a dark felt is a grey, so its colour is made stronger first. Tried on felt of six
# colours from (40, 80, 45) to (90, 40, 45) and on wood: each is then drawn in its own colour.
STRONGER, LIGHTER = 1.6, 1.15
# Xterm's 256 colours, from number 16 on: a cube of 6x6x6, then 24 greys.
PALETTE_FIRST = 16
PALETTE = np.array([*product((0, 95, 135, 175, 215, 255), repeat=3), *((grey,) * 3 for grey in range(8, 248, 10))])


@dataclass(frozen=True, slots=True)
class Style:
    """The style of a cell; None is the terminal's default colour.

    Terminals with few colours show only bold and reverse.
    link: the address that a click opens.
    """

    fg: Rgb | None = None
    bg: Rgb | None = None
    bold: bool = False
    reverse: bool = False
    link: str = ""


PLAIN = Style()


class Canvas:
    """A grid of cells, blank at first. Drawing outside is cut off.

    colours: how many the terminal has, 0 for none. unicode: False if only ASCII can be written.
    """

    def __init__(self, columns: int, rows: int, colours: int, *, unicode: bool = True) -> None:
        self.columns, self.rows = columns, rows
        self.rich = colours >= RICH_COLOURS
        self.unicode = unicode
        self._colours = colours
        self._cells = [[(" ", PLAIN)] * columns for _ in range(rows)]

    def text(self, column: int, row: int, text: str, style: Style = PLAIN) -> None:
        """Write text from a cell to the right; East Asian wide characters take two cells, control characters none."""
        if not self.unicode:
            text = text.translate(ASCII_SIGNS).encode("ascii", "replace").decode()
        at = column
        for char in text:
            wide = cells_of(char)
            if wide and 0 <= row < self.rows and 0 <= at <= self.columns - wide:
                self._cells[row][at] = (char, style)
                if wide == WIDE:
                    self._cells[row][at + 1] = ("", style)
            at += wide

    def mark(self, column: int, row: int, char: str, style: Style) -> None:
        """Write one character over a picture; a style without background keeps the picture's."""
        if 0 <= row < self.rows and 0 <= column < self.columns:
            below = self._cells[row][column][1].bg
            self._cells[row][column] = (char, Style(style.fg, style.bg or below, style.bold, style.reverse))

    def picture(self, columns: int, rows: int, pixels: NDArray[np.uint8], top: int = 0) -> None:
        """Draw (H, W, 3) uint8 BGR into this many cells at the left: two pixels per cell in colours, else one shade.

        top: the first row.
        """
        columns, rows = min(columns, self.columns), min(rows, self.rows - top)
        if self.rich and self.unicode:
            small = cv2.cvtColor(
                cv2.resize(pixels, (columns, 2 * rows), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2RGB
            )
            if self._colours < TRUE_COLOURS:
                small = _stronger(small)
            # Steps of four levels are invisible, and give longer runs of equal cells.
            coarse = (np.asarray(small, np.uint8) & np.uint8(0xFC)).tolist()
            for y in range(rows):
                pairs = zip(map(tuple, coarse[2 * y]), map(tuple, coarse[2 * y + 1]), strict=True)
                self._cells[top + y][:columns] = [(UPPER_HALF, _two_colours(*pair)) for pair in pairs]
            return
        shades = SHADES if self.unicode else ASCII_SHADES
        grey = cv2.cvtColor(cv2.resize(pixels, (columns, rows), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
        # The darkest and the lightest pixels use the ends of the scale: there are few shades to waste.
        low, high = int(grey.min()), max(int(grey.max()), int(grey.min()) + LEAST_CONTRAST)
        levels = ((grey.astype(int) - low) * len(shades) // (high - low + 1)).tolist()
        for y in range(rows):
            self.text(0, top + y, "".join(shades[level] for level in levels[y]))

    def lines(self) -> list[str]:
        """Return the rows as strings without trailing blanks; each ends in plain style."""
        return [self._line(cells) for cells in self._cells]

    def _line(self, cells: list[tuple[str, Style]]) -> str:
        end = len(cells)
        while end and cells[end - 1] == (" ", PLAIN):
            end -= 1
        parts, now = [], PLAIN
        for char, style in cells[:end]:
            if style is not now and style != now:  # most neighbouring cells of a picture share the style object
                parts.append(sgr(now, style, self._colours))
                now = style
            parts.append(char)
        parts.append(sgr(now, PLAIN, self._colours))
        return "".join(parts)


def _stronger(rgb: NDArray[Any]) -> NDArray[Any]:
    """Return (H, W, 3) uint8 RGB with stronger and lighter colours; greys stay grey."""
    hsv = np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2HSV), np.float32) * np.array((1.0, STRONGER, LIGHTER), np.float32)
    return cv2.cvtColor(np.clip(hsv, 0, 255).astype(np.uint8), cv2.COLOR_HSV2RGB)


def cells_of(char: str) -> int:
    """Return how many cells a character takes: 0, 1 or 2. Combining marks and control characters take none."""
    if unicodedata.category(char) in MARKS or not char.isprintable():
        return 0
    return WIDE if unicodedata.east_asian_width(char) in "WF" else 1


def sgr(before: Style, after: Style, colours: int) -> str:
    """Return the shortest usual sequence that changes one style to another; empty if they are equal."""
    rich, link = colours >= RICH_COLOURS, before.link
    codes = []
    if (before.bold, before.reverse) != (after.bold, after.reverse) or after == PLAIN:
        nothing_set = not (before.bold or before.reverse or (rich and (before.fg or before.bg)))
        before = PLAIN
        if not nothing_set:
            codes.append("0")
        codes += ["1"] * after.bold + ["7"] * after.reverse
    if rich and before.fg != after.fg:
        codes.append(_colour(after.fg, 38, colours))
    if rich and before.bg != after.bg:
        codes.append(_colour(after.bg, 48, colours))
    linked = f"\x1b]8;;{after.link}\x1b\\" if rich and link != after.link else ""
    return f"\x1b[{';'.join(codes)}m{linked}" if codes else linked


@lru_cache(maxsize=1 << 14)
def _two_colours(top: Rgb, bottom: Rgb) -> Style:
    """Return the style of a cell of a picture, the same one each time."""
    return Style(top, bottom)


@lru_cache(maxsize=1 << 14)
def _colour(rgb: Rgb | None, kind: int, colours: int) -> str:
    """Return the codes for a foreground (kind 38) or background (48)."""
    if rgb is None:
        return str(kind + 1)
    if colours >= TRUE_COLOURS:
        return f"{kind};2;{rgb[0]};{rgb[1]};{rgb[2]}"
    return f"{kind};5;{nearest_of_256(rgb)}"


def nearest_of_256(rgb: Rgb) -> int:
    """Return the number of the nearest of xterm's 216 cube colours and 24 greys."""
    return PALETTE_FIRST + int(((PALETTE - rgb) ** 2).sum(axis=1).argmin())


Span = tuple[str, Style]
Line = tuple[Span, ...]

EMPTY: Line = ()


def line(text: str, style: Style = PLAIN) -> Line:
    """Return a line in one style."""
    return ((text, style),)


def width(text: str) -> int:
    """Return the width of a text in cells."""
    return sum(map(cells_of, text))


def cut(text: str, columns: int) -> str:
    """Cut a text to this many cells."""
    taken = 0
    for at, char in enumerate(text):
        taken += cells_of(char)
        if taken > columns:
            return text[:at]
    return text


def padded(text: str, columns: int, *, right: bool = False) -> str:
    """Return a text of exactly this many cells: cut, or padded with blanks (in front if right-aligned)."""
    text = cut(text, max(columns, 0))
    blanks = " " * (columns - width(text))
    return blanks + text if right else text + blanks


def wrapped(text: str, columns: int, indent: str = "") -> list[str]:
    """Wrap a text to this many cells at blanks; later lines begin with the indent.

    A longer word is cut into pieces. An empty text gives no line.
    """
    columns = max(columns, width(indent) + 2)  # room for one wide character
    lines: list[str] = []
    current = ""
    for word in text.split():
        rest = word
        if current.strip() and width(current) + 1 + width(rest) <= columns:
            current += " " + rest
            continue
        if current.strip():
            lines.append(current)
            current = indent
        while width(current) + width(rest) > columns:
            piece = cut(rest, columns - width(current))
            lines.append(current + piece)
            current, rest = indent, rest[len(piece) :]
        current += rest
    return [*lines, current] if current.strip() else lines


def write(canvas: Canvas, column: int, row: int, columns: int, lines: Iterable[Line]) -> None:
    """Write lines one below the other, each cut to this many cells."""
    for down, spans in enumerate(lines):
        at = 0
        for text, style in spans:
            shown = cut(text, columns - at)
            canvas.text(column + at, row + down, shown, style)
            at += width(shown)
            if shown != text:
                break


RIM = 2  # quiet zone around the code in modules: the standard asks for 4, and phones read it with 2
HALVES = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}  # by upper and lower half


def code_lines(code: Modules) -> list[str]:
    """Return a QR code as lines of equal length; a terminal with dark text on light shows it inverted."""
    across = len(code) + 2 * RIM
    rim = [(False,) * across] * RIM
    rows = [*rim, *((False,) * RIM + row + (False,) * RIM for row in code), *rim, *rim[:1]]
    pairs = zip(rows[::2], rows[1::2], strict=False)
    return ["".join(HALVES[halves] for halves in zip(upper, lower, strict=True)) for upper, lower in pairs]
