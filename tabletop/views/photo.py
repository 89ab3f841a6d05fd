"""Draw readings on photographs.

Sure and unsure dice differ in three ways, so that everybody can tell them apart: a solid or dashed outline, a face or a
question mark, and two colours that are distinct for all kinds of colour vision.
"""

import math
from collections.abc import Callable, Iterator
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from tabletop.core import Die, Reading, Unsure, reason_text

Picture = NDArray[np.uint8]
Bgr = tuple[int, int, int]

LEAST_LETTER_PX = 9  # smaller letters of this font run together
PAD = 0.25  # letter heights around a text


@lru_cache(maxsize=16)
def font(letter_px: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Return the font at this height, in pixels."""
    return ImageFont.load_default(max(letter_px, LEAST_LETTER_PX))


def tag(text: str, letter_px: int, fill: Bgr, ink: Bgr) -> Picture:
    """Return a small picture, (H, W, 3) uint8 BGR: the text on a plain background."""
    letter_px = max(letter_px, LEAST_LETTER_PX)
    pad = max(1, round(PAD * letter_px))
    picture = Image.new("RGB", (math.ceil(font(letter_px).getlength(text)) + 2 * pad, letter_px + 2 * pad), fill)
    drawing = ImageDraw.Draw(picture)
    # Colours go in and come out in the same order, so BGR needs no swapping here.
    drawing.text((pad, pad + letter_px // 2), text, fill=ink, font=font(letter_px), anchor="lm")
    return np.asarray(picture, np.uint8)


def paste(picture: Picture, patch: Picture, left: int, top: int) -> None:
    """Paste the patch into the picture, in place; parts outside are cut off."""
    height, width = picture.shape[:2]
    row, row_end = max(top, 0), min(top + patch.shape[0], height)
    column, column_end = max(left, 0), min(left + patch.shape[1], width)
    if row < row_end and column < column_end:
        picture[row:row_end, column:column_end] = patch[row - top : row_end - top, column - left : column_end - left]


Points = NDArray[np.float64]

Bounds = tuple[int, int, int, int]  # left, top, right, bottom

# From the palette of M. Okabe and K. Ito, "Color Universal Design" (2002, 2008), as BGR
BLUE: Bgr = (178, 114, 0)
ORANGE: Bgr = (0, 159, 230)
BLACK: Bgr = (0, 0, 0)
WHITE: Bgr = (255, 255, 255)
SURE = (BLUE, WHITE)  # colour of outline and tag, and of the text on it
DOUBT = (ORANGE, BLACK)

LEAST_SIDE_PX = 1000  # smaller photographs are enlarged by an integer factor, to make room for letters
OUTLINE = 0.035  # of the die's edge: width of the outline
LINE_SHARE = 1 / 900  # and at least this share of the picture's longer side
CASING = 2.0  # width of the outline's dark or light casing, in outline widths
LETTER = 0.26  # of the die's edge: height of the letters
LETTER_SHARE = (1 / 64, 1 / 16)  # and at least and at most these shares of the picture's longer side
DASHES = 4  # on each side of a dashed outline
DASH = 0.55  # drawn part of each dash
FIXED_POINT_BITS = 4  # cv2 takes corners in sixteenths of a pixel with this shift


def marked(
    frame: Picture, reading: Reading, said: Callable[[str], str] = str, least: float = LETTER_SHARE[0]
) -> Picture:
    """Return a copy of the frame with the reading drawn on it, (H, W, 3) uint8 BGR.

    reading: in pixels of this frame. said: translates the reasons of doubt. least: height of the letters, as a share
    of the longer side. A frame whose longer side is below LEAST_SIDE_PX is enlarged.
    """
    side = max(frame.shape[:2])
    zoom = -(-LEAST_SIDE_PX // side)
    picture = frame.copy()
    if zoom > 1:
        picture = np.asarray(cv2.resize(frame, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_CUBIC), np.uint8)
    things: tuple[Die | Unsure, ...] = (*reading.unsure, *reading.dice)
    boxes = [_around(outline(thing, zoom)) for thing in things]
    for thing in things:
        _draw_outline(picture, thing, zoom)
    taken: list[Bounds] = []
    for thing, box in zip(things, boxes, strict=True):
        fill, ink = SURE if isinstance(thing, Die) else DOUBT
        label = _label(thing, said)
        least_px, most_px = side * zoom * least, side * zoom * LETTER_SHARE[1]
        wanted_px = min(max(LETTER * thing.size * zoom, least_px), most_px)
        patch = tag(label, _letter_px(wanted_px, label, picture.shape[1]), fill, ink)
        others = [other for other in boxes if other is not box] + taken
        left, top = _room(patch, box, others, picture)
        paste(picture, patch, left, top)
        taken.append((left, top, left + patch.shape[1], top + patch.shape[0]))
    return picture


def outline(thing: Die | Unsure, zoom: float = 1.0) -> Points:
    """Return the four corners of a die's square, clockwise, (4, 2) float64; unsure dice are upright."""
    angle = np.radians(thing.angle if isinstance(thing, Die) else 0.0)
    across = np.array([np.cos(angle), np.sin(angle)]) * thing.size / 2
    down = np.array([-across[1], across[0]])
    # Pixel (0, 0) is a square centred at (0, 0), so its centre moves when enlarged.
    middle = (np.array([thing.x, thing.y]) + 0.5) * zoom - 0.5
    return np.array([middle + zoom * (i * across + j * down) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))])


def _label(thing: Die | Unsure, said: Callable[[str], str]) -> str:
    return f"{thing.face}  {thing.confidence:.0%}" if isinstance(thing, Die) else f"? {said(reason_text(thing))}"


def _letter_px(wanted_px: float, label: str, width_px: int) -> int:
    wide = (len(label) + 2 * PAD) * 0.55  # letters are about half as wide as high
    return max(LEAST_LETTER_PX, round(min(wanted_px, width_px / wide)))


def _around(corners: Points) -> Bounds:
    left, top = np.floor(corners.min(axis=0)).astype(int)
    right, bottom = np.ceil(corners.max(axis=0)).astype(int)
    return int(left), int(top), int(right), int(bottom)


def _draw_outline(picture: Picture, thing: Die | Unsure, zoom: float) -> None:
    line = max(1, round(max(OUTLINE * thing.size * zoom, LINE_SHARE * max(picture.shape[:2]))))
    colour, rim = SURE if isinstance(thing, Die) else DOUBT
    strokes = list(_strokes(outline(thing, zoom), dashed=isinstance(thing, Unsure)))
    for width, paint in ((round(line * CASING) + 1, rim), (line, colour)):
        for stroke in strokes:
            points = np.rint(stroke * (1 << FIXED_POINT_BITS)).astype(np.int32)
            cv2.polylines(picture, [points], len(points) > 2, paint, width, cv2.LINE_AA, FIXED_POINT_BITS)  # noqa: PLR2004 - closed


def _strokes(corners: Points, *, dashed: bool) -> Iterator[Points]:
    """Yield the lines to draw: the whole square, or short pieces of its sides, corners among them."""
    if not dashed:
        yield corners
        return
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        for number in range(DASHES + 1):
            first, last = (number - DASH / 2) / DASHES, (number + DASH / 2) / DASHES
            yield start + np.clip([[first], [last]], 0, 1) * (end - start)


def _room(patch: Picture, box: Bounds, others: list[Bounds], picture: Picture) -> tuple[int, int]:
    """Return left and top of the place around the die, inside the picture, where the tag covers others least."""
    high, wide = patch.shape[:2]
    left, top, right, bottom = box
    middle_x, middle_y = (left + right - wide) // 2, (top + bottom - high) // 2
    gap = max(2, high // 5)
    above, below = top - gap - high, bottom + gap
    places = [(middle_x, above), (middle_x, below), (right + gap, middle_y), (left - gap - wide, middle_y)]
    places += [(x, y) for y in (above, below) for x in (left, right - wide)]
    height, width = picture.shape[:2]
    inside = [(max(0, min(x, width - wide)), max(0, min(y, height - high))) for x, y in places]
    covered = [sum(_overlap((x, y, x + wide, y + high), other) for other in (box, *others)) for x, y in inside]
    return inside[covered.index(min(covered))]


def _overlap(box: Bounds, other: Bounds) -> int:
    wide, high = min(box[2], other[2]) - max(box[0], other[0]), min(box[3], other[3]) - max(box[1], other[1])
    return max(0, wide) * max(0, high)
