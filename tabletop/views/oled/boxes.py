"""The elements of a picture on the small screen: non-overlapping boxes with text, dice or a line; and their pixels."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tabletop.views.oled.font import CAP_ROWS
from tabletop.views.oled.text import SMALL, Ink, Size, ink, shortened, wrapped
from tabletop.views.snapshot import DieInTray, TrayDrawing

Pixels = NDArray[np.bool_]

LABEL_RIM = 2  # pixels from the edge of a lit box to its text
UNIT_GAP = 8  # columns between two short texts of a strip
BLANK = 7  # the "face" of a die not entered yet: an outline
CROSSED = 8  # the "face" of something that is not a die: a crossed-out outline
ARROW_ROWS = 3
DIE_RIM = 2  # pixels from the edge of a drawn die to its outer pips: the outline and a gap
TRAY_SHAPES = (0.6, 2.2)  # of drawings of the tray: a longer tray is drawn shorter
TRAY_DIE_PX, ASKED_PX = 5, 7  # edges of dice in it, and of the blinking one
FLAT_ROWS, FLAT_DIE_PX, FLAT_ASKED_PX = 26, 3, 5  # the same for a lower drawing
HALO_PX = 1  # dark around the blinking die, to separate it from its neighbours
REMEMBERED_BLOCKS = 256

# Pip positions of each face, in thirds across and down.
_PIPS = {
    1: ((1, 1),),
    2: ((0, 2), (2, 0)),
    3: ((0, 2), (1, 1), (2, 0)),
    4: ((0, 0), (0, 2), (2, 0), (2, 2)),
    5: ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    6: ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)),
}


class Box(NamedTuple):
    """A rectangle in pixels of the screen, x and y its top left, and its content.

    text: text in `size`, its ink `inset` columns and rows from the top left. inverse: dark on a lit box. filled: this
    many columns from the left are inverted. face: a die fills the box, lit if `inverse`. arrow: an upward arrow fills
    the box. tray: a drawing of the tray fills it. Without any of these it is a line: all lit.
    """

    x: int
    y: int
    width: int
    height: int
    text: str = ""
    size: Size = SMALL
    inset: tuple[int, int] = (0, 0)
    inverse: bool = False
    filled: int = 0
    face: int = 0
    arrow: bool = False
    tray: TrayDrawing | None = None

    def at(self, x: int, y: int) -> "Box":
        """Return the same box at another place."""
        return Box(x, y, *self[2:])  # three times as fast as _replace


Page = tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """Boxes that move together, in a rectangle whose top left is 0, 0.

    above: for a line of text, the rows above its baseline; 0 for anything else.
    """

    width: int
    height: int
    boxes: Page
    above: int = 0

    def at(self, x: int, y: int) -> Page:
        """Return the boxes with the block's top left at this place."""
        return tuple(box.at(box.x + x, box.y + y) for box in self.boxes)


EMPTY = Block(0, 0, ())


def words(text: str, size: Size = SMALL) -> Block:
    """Return a one-line text, as large as its ink."""
    drawn = ink(text, size)
    box = Box(0, 0, drawn.width, drawn.height, text, size)
    return Block(drawn.width, drawn.height, (box,), drawn.above) if text else EMPTY


@lru_cache(maxsize=REMEMBERED_BLOCKS)
def lines(text: str, width: int) -> Block:
    """Return a text wrapped to this width."""
    return column(*map(words, wrapped(text, width)))


@lru_cache(maxsize=REMEMBERED_BLOCKS)
def strips(units: tuple[str, ...], width: int) -> tuple[Block, ...]:
    """Return short texts in rows, wrapped between texts, and broken only if wider than a row."""
    rows: list[Block] = []
    for unit in units:
        part, last = lines(unit, width), rows[-1] if rows else EMPTY
        joined = beside(last, part, last.width + UNIT_GAP + part.width, UNIT_GAP)
        if joined is not None and last.boxes and joined.width <= width:
            rows[-1] = joined
        else:
            rows.append(part)
    return tuple(rows)


def label(text: str, width: int = 0, size: Size = SMALL) -> Block:
    """Return a text, dark on a lit box. width: of the box, if wider than needed; the text is then flush left."""
    drawn = ink(text, size)
    rim = 1 if size.ruled else LABEL_RIM
    wide, high = max(width, drawn.width + 2 * LABEL_RIM), drawn.height + (rim if size.ruled else 2 * rim)
    return Block(wide, high, (Box(0, 0, wide, high, text, size, (LABEL_RIM, rim), inverse=True),))


def cell(text: str, width: int, rows: int) -> Block:
    """Return a text centred in a lit box, shortened if necessary; accents on capitals may make it higher."""
    text = shortened(text, width - 2 * LABEL_RIM)
    drawn = ink(text)
    inset = (width - drawn.width) // 2, max(0, (rows - CAP_ROWS) // 2 + CAP_ROWS - drawn.above)
    high = max(rows, drawn.height)
    return Block(width, high, (Box(0, 0, width, high, text, SMALL, inset, inverse=True),))


def dice(faces: Sequence[int], kept: Sequence[bool], edge: int, per_row: int, gap: int, cursor: int = -1) -> Block:
    """Return dice side by side, kept ones lit. edge, gap: in pixels. cursor: the die that an arrow points at."""
    marks = (*kept, *[False] * len(faces))
    boxes: list[Box] = []
    for n, (face, mark) in enumerate(zip(faces, marks, strict=False)):
        row, at = divmod(n, per_row)
        x, y = at * (edge + gap), row * (edge + gap)
        if 0 <= cursor < row * per_row:
            y += ARROW_ROWS
        boxes.append(Box(x, y, edge, edge, face=face, inverse=mark))
        if n == cursor:
            wide = 2 * ARROW_ROWS - 1
            boxes.append(Box(x + (edge - wide) // 2, y + edge, wide, ARROW_ROWS, arrow=True))
    if not boxes:
        return EMPTY
    return Block(max(box.x + box.width for box in boxes), max(box.y + box.height for box in boxes), tuple(boxes))


def column(*blocks: Block, gap: int = 0) -> Block:
    """Return blocks one below the other, flush left."""
    rows = [block for block in blocks if block.boxes]
    if len(rows) <= 1:
        return rows[0] if rows else EMPTY
    boxes: list[Box] = []
    top = 0
    for row in rows:
        boxes += row.at(0, top)
        top += row.height + gap
    return Block(max(row.width for row in rows), top - gap, tuple(boxes))


def beside(left: Block, right: Block, width: int, gap: int = 4) -> Block | None:
    """Return two blocks at the two ends of a row, on one baseline if both are text, or None if they do not fit."""
    if left.width + right.width + (gap if left.boxes and right.boxes else 0) > width:
        return None
    in_line = all(block.above or not block.boxes for block in (left, right))
    above = max(left.above, right.above) if in_line else 0
    height = max(left.height, right.height)
    tops = (height - left.height) // 2, (height - right.height) // 2
    if above:
        tops = above - left.above, above - right.above
        height = max(tops[0] + left.height, tops[1] + right.height)
    return Block(width, height, (*left.at(0, tops[0]), *right.at(width - right.width, tops[1])), above)


def page(blocks: Iterable[Block], height: int, most_gap: int = 5) -> Page:
    """Return rows one below the other within a height, with the spare room distributed."""
    rows = [block for block in blocks if block.boxes]
    spare = height - sum(row.height for row in rows)
    gap = min(most_gap, spare // max(1, len(rows) - 1))
    top = (spare - gap * (len(rows) - 1)) // 2
    return column(*rows, gap=gap).at(0, top)


def heaps(rows: Iterable[Block], height: int, gap: int = 0) -> list[list[Block]]:
    """Distribute rows over pages, with a new page whenever the height is used up; a row may be higher than a page.

    gap: the smallest gap between two rows.
    """
    shared: list[list[Block]] = []
    used = 0
    for row in rows:
        if not shared or used + row.height > height:
            shared.append([])
            used = 0
        shared[-1].append(row)
        used += row.height + gap
    return shared


def tray_width(drawing: TrayDrawing, height: int) -> int:
    """Return the width of the drawing of the tray at this height, in pixels."""
    return round(height * min(max(drawing.shape, TRAY_SHAPES[0]), TRAY_SHAPES[1]))


def paint(boxes: Iterable[Box], width: int, height: int, *, dark: bool = False) -> Pixels:
    """Return the picture, (height, width), True is lit; boxes lie within it. dark: blinking parts are not lit now."""
    screen = np.zeros((height, width), dtype=np.bool_)
    for box in boxes:
        part = screen[box.y : box.y + box.height, box.x : box.x + box.width]
        if box.face:
            part[:] = _die(box.face, box.width, box.inverse)
        elif box.arrow:
            part[:] = _arrow(box.width, box.height)
        elif box.tray is not None:
            part[:] = tray_pixels(box.tray, box.width, box.height, dark=dark)
        elif not box.text:
            part[:] = True
        else:
            _write(part, ink(box.text, box.size), box)
    return screen


def tray_pixels(drawing: TrayDrawing, width: int, height: int, *, dark: bool) -> Pixels:
    """Draw the tray with round corners, (height, width); dice that are read are outlines, others have a dot.

    dark: the dice in question are drawn as outlines now, otherwise lit.
    """
    tray = np.zeros((height, width), np.bool_)
    tray[[0, -1], 1:-1] = tray[1:-1, [0, -1]] = True
    for die in sorted(drawing.dice, key=lambda die: die.asked):
        edge = ((FLAT_DIE_PX, FLAT_ASKED_PX) if height < FLAT_ROWS else (TRAY_DIE_PX, ASKED_PX))[die.asked]
        # Inside the outline; a halo does not touch it.
        left = min(max(round(die.x * width - edge / 2), 2), width - 2 - edge)
        top = min(max(round(die.y * height - edge / 2), 2), height - 2 - edge)
        if die.asked:
            rows = slice(max(top - HALO_PX, 1), min(top + edge + HALO_PX, height - 1))
            tray[rows, max(left - HALO_PX, 1) : min(left + edge + HALO_PX, width - 1)] = False
        tray[top : top + edge, left : left + edge] = _tray_die(die, edge, dark=dark)
    return tray


def _tray_die(die: DieInTray, edge: int, *, dark: bool) -> Pixels:
    drawn = np.full((edge, edge), die.asked and not dark, np.bool_)
    drawn[[0, -1], :] = drawn[:, [0, -1]] = True
    if not die.asked and not die.face and edge > FLAT_DIE_PX:
        drawn[edge // 2, edge // 2] = True
    return drawn


def _write(part: Pixels, drawn: Ink, box: Box) -> None:
    part[:] = box.inverse
    part[:, : box.filled] ^= True
    x, y = box.inset
    part[y : y + drawn.height, x : x + drawn.width] ^= drawn.pixels


def _arrow(width: int, height: int) -> Pixels:
    """Return a triangle that points up, (height, width), one column wider at either side in each row."""
    off = np.abs(np.arange(width) - width // 2)
    lit: Pixels = off[np.newaxis, :] <= np.arange(height)[:, np.newaxis]
    return lit


def _die(face: int, edge: int, lit: bool) -> Pixels:
    """Return a die seen from above, (edge, edge): an outline with lit pips, or lit with dark pips; round corners."""
    die = np.full((edge, edge), lit, dtype=np.bool_)
    die[[0, -1], :] = die[:, [0, -1]] = True
    die[[0, 0, -1, -1], [0, -1, 0, -1]] = False
    if face == CROSSED:
        off = np.arange(DIE_RIM, edge - DIE_RIM)
        die[off, off] = die[off, off[::-1]] = not lit
    pip = (edge - 2 * DIE_RIM - 2) // 3  # three pips and two gaps side by side
    places = (DIE_RIM, (edge - pip) // 2, edge - DIE_RIM - pip)
    for across, down in _PIPS.get(face, ()):
        x, y = places[across], places[down]
        die[y : y + pip, x : x + pip] ^= True
    return die
