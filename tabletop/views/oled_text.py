"""Text for few pixels: bitmap fonts, how large a text is in them, and which one fits."""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

FONTS = Path(__file__).with_name("fonts")
ELLIPSIS = "…"
UNDRAWABLE = "?"  # stands for a character that is in none of the fonts
NO_CHARACTER = "\uffff"  # never assigned by Unicode: shows what a font draws for what it has not


@dataclass(frozen=True, slots=True)
class Font:
    """A bitmap font of `fonts/`. size: of its line in pixels, also the one number under which FreeType opens it."""

    name: str
    size: int


HUGE = Font("helvetica-bold-34", 34)
BIG = Font("helvetica-bold-24", 24)
LARGE = Font("helvetica-bold-18", 18)
TALL = Font("helvetica-bold-14", 14)
MIDDLE = Font("helvetica-bold-12", 12)
PLAIN = Font("helvetica-bold-10", 10)
SMALL = Font("helvetica-bold-08", 8)
NARROW = Font("fixed-5x8", 8)
TINY = Font("fixed-5x7", 7)
LEAST = Font("fixed-4x6", 6)

FALLING = (HUGE, BIG, LARGE, TALL, MIDDLE, PLAIN, SMALL, NARROW, TINY, LEAST)


@dataclass(frozen=True, slots=True, eq=False)
class Ink:
    """A text's pixels. mask: (height, width) bool, cut to what is lit, 0 x 0 for blanks. rise: rows above the baseline."""

    mask: NDArray[np.bool_]
    rise: int

    @property
    def width(self) -> int:
        """Columns from the first to the last that is lit."""
        return self.mask.shape[1]

    @property
    def height(self) -> int:
        """Rows from the first to the last that is lit."""
        return self.mask.shape[0]


@lru_cache(maxsize=512)
def ink(text: str, font: Font) -> Ink:
    """Return what a text looks like. Letters that the font lacks lose their accents or become question marks."""
    text = "".join(_drawable(char, font) for char in unicodedata.normalize("NFC", text))
    return _ink(text, font)


@cache
def cap_height(font: Font) -> int:
    """Return the height of capital letters and of digits."""
    return _ink("H", font).height


def fits(text: str, font: Font, width: int, height: int) -> bool:
    """Tell whether the text's ink fits into so many pixels."""
    shape = ink(text, font)
    return shape.width <= width and shape.height <= height


def largest(text: str, fonts: Sequence[Font], width: int, height: int) -> Font | None:
    """Return the first of these fonts, largest first, in which the text fits; None where it does in none."""
    return next((font for font in fonts if fits(text, font, width, height)), None)


def shortened(text: str, font: Font, width: int, height: int) -> str:
    """Return the text, or as much of it as fits with an ellipsis behind; at least the ellipsis."""
    if fits(text, font, width, height):
        return text
    starts = (text[:length].rstrip() + ELLIPSIS for length in range(len(text) - 1, 0, -1))
    return next((start for start in starts if fits(start, font, width, height)), ELLIPSIS)


def wrapped(text: str, font: Font, width: int) -> tuple[str, ...]:
    """Return the text in lines that are not wider than `width`, broken at blanks, or inside a word that is wider."""
    lines = [""]
    for word in _pieces(text, font, width):
        longer = f"{lines[-1]} {word}".strip()
        if ink(longer, font).width <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return tuple(lines)


def _pieces(text: str, font: Font, width: int) -> Iterator[str]:
    for word in text.split():
        rest = word
        while ink(rest, font).width > width:
            length = max(1, sum(ink(rest[:end], font).width <= width for end in range(1, len(rest))))
            yield rest[:length]
            rest = rest[length:]
        yield rest


@cache
def _opened(font: Font) -> ImageFont.FreeTypeFont:
    file = FONTS / f"{font.name}.pcf.gz"
    return ImageFont.truetype(file, font.size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=2048)
def _drawable(char: str, font: Font) -> str:
    """Return the character, or what stands for it where the font has none."""
    if _has(char, font):
        return char
    base = unicodedata.normalize("NFKD", char)[0]
    return base if _has(base, font) else UNDRAWABLE


def _has(char: str, font: Font) -> bool:
    if not char.isprintable():
        return False
    seen, missing = _ink(char, font), _ink(NO_CHARACTER, font)
    return seen.rise != missing.rise or not np.array_equal(seen.mask, missing.mask)


def _ink(text: str, font: Font) -> Ink:
    room = font.size * 2  # above, below and at the sides: no letter reaches so far out of its line
    opened = _opened(font)
    image = Image.new("1", (int(opened.getlength(text)) + 2 * room, 3 * room))
    ImageDraw.Draw(image).text((room, 2 * room), text, fill=1, font=opened, anchor="ls")
    pixels = np.asarray(image)
    rows, columns = np.flatnonzero(pixels.any(axis=1)), np.flatnonzero(pixels.any(axis=0))
    if not rows.size:
        return Ink(np.zeros((0, 0), np.bool_), 0)
    mask = pixels[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].copy()
    mask.flags.writeable = False
    return Ink(mask, 2 * room - int(rows[0]))
