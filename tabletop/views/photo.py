"""Readings drawn into photographs, and crops of them on a contact sheet.

Sure and unsure dice differ in three ways, so that everybody can tell them apart: a solid or dashed outline, a face or a
question mark, and two colours that stay apart for all kinds of colour vision.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from tabletop.core.message import reason_text
from tabletop.core.values import Die, Reading, Unsure

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


Points = NDArray[np.float64]

Bounds = tuple[int, int, int, int]  # left, top, right, bottom

# Of the palette of M. Okabe and K. Ito, "Color Universal Design" (2002, 2008), as BGR
BLUE: Bgr = (178, 114, 0)
ORANGE: Bgr = (0, 159, 230)
BLACK: Bgr = (0, 0, 0)
WHITE: Bgr = (255, 255, 255)
SURE = (BLUE, WHITE)  # the outline and the tag, and what is written on it
DOUBT = (ORANGE, BLACK)

LEAST_SIDE_PX = 1000  # smaller photographs are enlarged, by a whole number, so that letters find room
OUTLINE = 0.035  # dice: width of the outline
LINE_SHARE = 1 / 900  # and at least that share of the picture's longer side
CASING = 2.0  # the outline's dark or light rim, in widths of the outline
LETTER = 0.26  # dice: height of the letters
LETTER_SHARE = (1 / 64, 1 / 16)  # and at least and at most that share of the picture's longer side
DASHES = 4  # on each side of a dashed outline
DASH = 0.55  # how much of each is drawn
FIXED_POINT_BITS = 4  # cv2 takes corners in sixteenths of a pixel with this shift


def marked(frame: Picture, reading: Reading) -> Picture:
    """Return a copy of the frame with what was read drawn in, (H, W, 3) uint8 BGR.

    reading: in pixels of this frame. A frame whose longer side is below LEAST_SIDE_PX comes back enlarged.
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
        patch = tag(_label(thing), _letter_px(thing, zoom, side * zoom, picture.shape[1]), fill, ink)
        others = [other for other in boxes if other is not box] + taken
        left, top = _room(patch, box, others, picture)
        paste(picture, patch, left, top)
        taken.append((left, top, left + patch.shape[1], top + patch.shape[0]))
    return picture


def outline(thing: Die | Unsure, zoom: float = 1.0) -> Points:
    """Return the four corners of a die's square, clockwise, (4, 2) float64; an unsure one stands upright."""
    angle = np.radians(thing.angle if isinstance(thing, Die) else 0.0)
    across = np.array([np.cos(angle), np.sin(angle)]) * thing.size / 2
    down = np.array([-across[1], across[0]])
    # Pixel (0, 0) is a square whose middle is (0, 0): enlarged, its middle moves.
    middle = (np.array([thing.x, thing.y]) + 0.5) * zoom - 0.5
    return np.array([middle + zoom * (i * across + j * down) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))])


def _label(thing: Die | Unsure) -> str:
    return f"{thing.face}  {thing.confidence:.0%}" if isinstance(thing, Die) else f"? {reason_text(thing)}"


def _letter_px(thing: Die | Unsure, zoom: float, side_px: int, width_px: int) -> int:
    least, most = LETTER_SHARE
    wanted = min(max(LETTER * thing.size * zoom, least * side_px), most * side_px)
    wide = (len(_label(thing)) + 2 * PAD) * 0.55  # letters are about half as wide as high
    return max(LEAST_LETTER_PX, round(min(wanted, width_px / wide)))


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


CROP_PX = 140  # side of each crop
AROUND = 2.0  # dice: how much of the photograph a crop shows
LETTER_PX, HEADING_PX = 13, 22
LINES = 4  # of words beneath a crop: the truth, the reading (two lines), the file
GAP_PX = 8
MOST_COLUMNS = 16
MOST_CROPS = 600  # 35 MB of crops, and a sheet of about 20 million pixels
LINE_PX = LETTER_PX + 2 * round(PAD * LETTER_PX)
PAPER: Bgr = (255, 255, 255)
INK: Bgr = (0, 0, 0)
OUTSIDE: Bgr = (150, 150, 150)  # what lies beyond the photograph's border


@dataclass(frozen=True, slots=True, eq=False)
class Exhibit:
    """One crop, (CROP_PX, CROP_PX, 3) uint8 BGR, and what is written beneath: the truth, the reading, the file."""

    picture: Picture
    truth: str
    read_as: str
    file: str


@dataclass(slots=True)
class Collection:
    """Exhibits by group, the most important group first; never more than MOST_CROPS, the least important go first.

    groups: the headings in order. shown: exhibits of each group, counts: how many there were, with those left out.
    """

    groups: Sequence[str]
    shown: dict[str, list[Exhibit]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def add(self, group: str, exhibit: Exhibit) -> None:
        """Take one exhibit in; `group` is one of the groups."""
        self.shown.setdefault(group, []).append(exhibit)
        self.counts[group] = self.counts.get(group, 0) + 1
        if sum(map(len, self.shown.values())) > MOST_CROPS:
            least = next(name for name in reversed(self.groups) if self.shown.get(name))
            self.shown[least].pop()


def crop(frame: Picture, x: float, y: float, size_px: float) -> Picture:
    """Return the surroundings of a die, (CROP_PX, CROP_PX, 3) uint8, grey beyond the frame's border."""
    side = max(AROUND * size_px, 2.0)
    left, top = x - side / 2, y - side / 2
    zoom = CROP_PX / side
    height, width = frame.shape[:2]
    first = [max(0, int(np.floor(value))) for value in (left, top)]
    last = [min(most, int(np.ceil(value + side))) for value, most in ((left, width), (top, height))]
    cut = np.full((CROP_PX, CROP_PX, 3), OUTSIDE, np.uint8)
    if first[0] >= last[0] or first[1] >= last[1]:
        return cut
    part = frame[first[1] : last[1], first[0] : last[0]]
    shape = max(1, round(part.shape[1] * zoom)), max(1, round(part.shape[0] * zoom))
    small = cv2.resize(part, shape, interpolation=cv2.INTER_AREA if zoom < 1 else cv2.INTER_CUBIC)
    paste(cut, np.asarray(small, np.uint8), round((first[0] - left) * zoom), round((first[1] - top) * zoom))
    return cut


def contact_sheet(collection: Collection, headings: Mapping[str, str], title: str) -> Picture:
    """Return the sheet, (H, W, 3) uint8 BGR: the title, then each group that has exhibits under its heading.

    headings: for each group what stands above it; the number of dice, and of those left out, is added.
    """
    most = max((len(shown) for shown in collection.shown.values()), default=0)
    columns = min(MOST_COLUMNS, max(6, most))
    width = GAP_PX + columns * (CROP_PX + GAP_PX)
    strips = [_strip(title, HEADING_PX, width)]
    for group in collection.groups:
        shown, count = collection.shown.get(group, []), collection.counts.get(group, 0)
        if not count:
            continue
        left_out = f" ({count - len(shown)} of them left out here)" if count > len(shown) else ""
        strips.append(_strip(f"{headings[group]}: {count}{left_out}", HEADING_PX, width))
        strips += [_row(shown[start : start + columns], width) for start in range(0, len(shown), columns)]
    return np.concatenate(strips)


def _strip(text: str, letter_px: int, width: int) -> Picture:
    words = tag(shortened(printable(text), letter_px, width - 2 * letter_px), letter_px, PAPER, INK)
    strip = np.full((words.shape[0] + GAP_PX, width, 3), PAPER, np.uint8)
    paste(strip, words, GAP_PX, GAP_PX // 2)
    return strip


def _row(exhibits: Sequence[Exhibit], width: int) -> Picture:
    row = np.full((CROP_PX + LINES * LINE_PX + GAP_PX, width, 3), PAPER, np.uint8)
    room = CROP_PX - 2 * round(PAD * LETTER_PX)
    for number, exhibit in enumerate(exhibits):
        left = GAP_PX + number * (CROP_PX + GAP_PX)
        paste(row, exhibit.picture, left, 0)
        file = shortened(printable(exhibit.file), LETTER_PX, room)
        lines = [exhibit.truth, *broken(exhibit.read_as, LETTER_PX, room, 2)]
        lines = [shortened(line, LETTER_PX, room) for line in lines if line] + [file]
        for line, text in enumerate(lines):
            paste(row, tag(text, LETTER_PX, PAPER, INK), left, CROP_PX + line * LINE_PX)
    return row
