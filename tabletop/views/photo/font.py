"""Text for pictures: Pillow's own font in any height, names of any characters, shortened or broken to a width."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

Picture = NDArray[np.uint8]
Bgr = tuple[int, int, int]
Font = ImageFont.FreeTypeFont | ImageFont.ImageFont

LEAST_LETTER_PX = 9  # smaller letters of this font run together
PAD = 0.25  # letter heights around a text
DOTS = "..."


@lru_cache(maxsize=16)
def font(letter_px: int) -> Font:
    """Return the font in that height, in pixels; Pillow without FreeType has one small height only."""
    return ImageFont.load_default(max(letter_px, LEAST_LETTER_PX))


def printable(text: str) -> str:
    """Return the text with what the font cannot show (other alphabets, line ends, bytes of no encoding) as escapes."""
    return "".join(
        letter if letter.isprintable() and ord(letter) <= 0xFF else ascii(letter)[1:-1]  # noqa: PLR2004 - the end of Latin-1
        for letter in text
    )


def width_px(text: str, letter_px: int) -> int:
    """Return how wide a printable text is, in pixels."""
    return int(np.ceil(font(letter_px).getlength(text)))


def shortened(text: str, letter_px: int, most_px: int) -> str:
    """Return the text, or its two ends with dots between, so that it is no wider than `most_px`; at least the dots."""
    if width_px(text, letter_px) <= most_px:
        return text
    least, most = 0, len(text)
    while most - least > 1:
        middle = (least + most) // 2
        if width_px(_ends(text, middle), letter_px) <= most_px:
            least = middle
        else:
            most = middle
    return _ends(text, least)


def _ends(text: str, letters: int) -> str:
    head = letters // 3  # files of a series differ at their ends
    return text[:head] + DOTS + text[len(text) - (letters - head) :]


def broken(text: str, letter_px: int, most_px: int, lines: int) -> list[str]:
    """Return the text broken at spaces into at most that many lines; what does not fit is shortened."""
    words = text.split(" ")
    broken_lines: list[str] = []
    while words and len(broken_lines) < lines - 1:
        count = len(words)
        while count > 1 and width_px(" ".join(words[:count]), letter_px) > most_px:
            count -= 1
        broken_lines.append(" ".join(words[:count]))
        words = words[count:]
    broken_lines += [" ".join(words)] if words else []
    return [shortened(line, letter_px, most_px) for line in broken_lines]


def tag(text: str, letter_px: int, fill: Bgr, ink: Bgr) -> Picture:
    """Return a small picture, (H, W, 3) uint8 BGR: the text on a plain ground."""
    letter_px = max(letter_px, LEAST_LETTER_PX)
    pad = max(1, round(PAD * letter_px))
    picture = Image.new("RGB", (width_px(text, letter_px) + 2 * pad, letter_px + 2 * pad), fill)
    drawing = ImageDraw.Draw(picture)
    # Colours go in and come out in the same order, so BGR needs no swapping here.
    drawing.text((pad, pad + letter_px // 2), text, fill=ink, font=font(letter_px), anchor=_anchor(letter_px))
    return np.asarray(picture, np.uint8)


def _anchor(letter_px: int) -> str | None:
    return "lm" if isinstance(font(letter_px), ImageFont.FreeTypeFont) else None


def paste(picture: Picture, patch: Picture, left: int, top: int) -> None:
    """Put the patch into the picture, in place; what lies outside is cut off."""
    height, width = picture.shape[:2]
    row, row_end = max(top, 0), min(top + patch.shape[0], height)
    column, column_end = max(left, 0), min(left + patch.shape[1], width)
    if row < row_end and column < column_end:
        picture[row:row_end, column:column_end] = patch[row - top : row_end - top, column - left : column_end - left]
