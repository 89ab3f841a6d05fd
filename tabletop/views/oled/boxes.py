"""What a picture of the small screen is made of: boxes with words, dice or a line, none over another."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tabletop.views.oled.text import SMALL, Ink, Size, ink
from tabletop.views.oled.tray import tray_pixels
from tabletop.views.snapshot import TrayDrawing

Pixels = NDArray[np.bool_]

LABEL_RIM = 2  # pixels from the edge of a lit box to its words
BLANK = 7  # the "face" of a die that has not been entered yet: an outline
CROSSED = 8  # the "face" of what is no die after all: an outline that is crossed out
DIE_GAP = 1  # between two dice
ARROW_ROWS = 4
ARROW_GAP = 1  # rows between a die and the arrow below it
LARGE_DIE_PX = 20  # a die from this edge on has round pips, in the places where a real one has them
SQUARE_PIP_PX = 3
DIE_RIM = 2  # pixels from the edge of a drawn die to its outer pips: the outline and some air

# Where the pips of a face are, in thirds across and down.
_PIPS = {
    1: ((1, 1),),
    2: ((0, 2), (2, 0)),
    3: ((0, 2), (1, 1), (2, 0)),
    4: ((0, 0), (0, 2), (2, 0), (2, 2)),
    5: ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    6: ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)),
}


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in pixels of the screen, x and y its top left, and what is drawn in it.

    text: words in `size`, their ink `inset` columns and rows from the top left. inverse: dark on a lit box. filled: so
    many columns from the left the other way round. face: a die fills the box, lit where `inverse`. arrow: one that
    points up fills the box. tray: a drawing of the tray fills it. Without any of these it is a line: all lit.
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
        """Return the same box elsewhere."""
        return Box(
            x,
            y,
            self.width,
            self.height,
            self.text,
            self.size,
            self.inset,
            self.inverse,
            self.filled,
            self.face,
            self.arrow,
            self.tray,
        )  # ten times as fast as dataclasses.replace


@dataclass(frozen=True, slots=True)
class Block:
    """Boxes that are moved together, in a rectangle of their own that begins at 0, 0."""

    width: int
    height: int
    boxes: tuple[Box, ...]

    def at(self, x: int, y: int) -> tuple[Box, ...]:
        """Return the boxes with the block's top left at this place."""
        return tuple(box.at(box.x + x, box.y + y) for box in self.boxes)


EMPTY = Block(0, 0, ())


def stacked(blocks: Sequence[Block], height: int, most_gap: int = 5) -> tuple[Box, ...]:
    """Return rows one above the other over a height into which they fit, the room that is left shared out."""
    rows = [block for block in blocks if block.boxes]
    spare = height - sum(row.height for row in rows)
    gap = min(most_gap, spare // max(1, len(rows) - 1))
    top = (spare - gap * (len(rows) - 1)) // 2
    boxes: list[Box] = []
    for row in rows:
        boxes.extend(row.at(0, top))
        top += row.height + gap
    return tuple(boxes)


def words(text: str, size: Size = SMALL) -> Block:
    """Return a text on one line, as large as its ink."""
    drawn = ink(text, size)
    if not text:
        return EMPTY
    return Block(drawn.width, drawn.height, (Box(0, 0, drawn.width, drawn.height, text, size),))


def label(text: str, width: int = 0, size: Size = SMALL) -> Block:
    """Return a text, dark on a lit box. width: of the box, if more than it needs; the text then begins at its left."""
    drawn = ink(text, size)
    rim = 1 if size.ruled else LABEL_RIM
    wide, high = max(width, drawn.width + 2 * LABEL_RIM), drawn.height + (rim if size.ruled else 2 * rim)
    return Block(wide, high, (Box(0, 0, wide, high, text, size, (LABEL_RIM, rim), inverse=True),))


def dice(faces: Sequence[int], kept: Sequence[bool], edge: int, per_row: int, cursor: int | None = None) -> Block:
    """Return small dice side by side, those kept lit. edge: in pixels. cursor: the one that an arrow points at."""
    marks = (*kept, *[False] * len(faces))
    below = ARROW_GAP + ARROW_ROWS
    boxes: list[Box] = []
    for n, (face, mark) in enumerate(zip(faces, marks, strict=False)):
        row, column = divmod(n, per_row)
        x, y = column * (edge + DIE_GAP), row * (edge + DIE_GAP)
        if cursor is not None and cursor < row * per_row:
            y += below
        boxes.append(Box(x, y, edge, edge, face=face, inverse=mark))
        if n == cursor:
            wide = 2 * ARROW_ROWS - 1
            boxes.append(Box(x + (edge - wide) // 2, y + edge + ARROW_GAP, wide, ARROW_ROWS, arrow=True))
    if not boxes:
        return EMPTY
    return Block(max(box.x + box.width for box in boxes), max(box.y + box.height for box in boxes), tuple(boxes))


def above(blocks: Iterable[Block]) -> Block:
    """Return blocks one above the other, flush left."""
    boxes: list[Box] = []
    width = top = 0
    for block in blocks:
        if block.boxes:
            boxes.extend(block.at(0, top))
            top += block.height
            width = max(width, block.width)
    return Block(width, top, tuple(boxes))


def beside(left: Block, right: Block, width: int, gap: int = 4) -> Block | None:
    """Return two blocks at the two ends of a row, on one line if both are words, or None where they do not fit."""
    if not left.boxes or not right.boxes:
        alone = left if left.boxes else right
        x = 0 if left.boxes else width - right.width
        return Block(width, alone.height, alone.at(x, 0)) if alone.width <= width else None
    if left.width + gap + right.width > width:
        return None
    ups = [_above(block) for block in (left, right)]
    if 0 in ups:
        height = max(left.height, right.height)
        tops = [(height - block.height) // 2 for block in (left, right)]
    else:
        tops = [max(ups) - up for up in ups]
        height = max(top + block.height for top, block in zip(tops, (left, right), strict=True))
    return Block(width, height, (*left.at(0, tops[0]), *right.at(width - right.width, tops[1])))


def centred(block: Block, width: int) -> Block:
    """Return a block in the middle of a row."""
    return Block(width, block.height, block.at((width - block.width) // 2, 0))


def paint(boxes: Iterable[Box], width: int, height: int, *, dark: bool = False) -> Pixels:
    """Return the picture, (height, width), True is lit; boxes lie within it. dark: what blinks is not lit now."""
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


def _above(block: Block) -> int:
    """Return how many rows of a line of words stand above its line; 0 for anything else."""
    box = block.boxes[0]
    return ink(box.text, box.size).above if len(block.boxes) == 1 and box.text and not box.inverse else 0


def _write(part: Pixels, drawn: Ink, box: Box) -> None:
    part[:] = box.inverse
    part[:, : box.filled] ^= True
    x, y = box.inset
    part[y : y + drawn.height, x : x + drawn.width] ^= drawn.pixels


@cache
def _pip(edge: int) -> Pixels:
    """Return a square of a few pixels, or a disc where there are more, (edge, edge)."""
    off = (np.arange(edge) - (edge - 1) / 2) ** 2
    disc: Pixels = off[:, np.newaxis] + off <= (edge / 2) ** 2
    return disc if edge > SQUARE_PIP_PX else np.ones_like(disc)


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
    pip = (edge - 2 * DIE_RIM - 2) // 3  # three of them and two gaps stand side by side
    rim = DIE_RIM
    if edge >= LARGE_DIE_PX:
        pip = edge // 5
        rim = edge // 8
    places = (rim, (edge - pip) // 2, edge - rim - pip)
    for across, down in _PIPS.get(face, ()):
        x, y = places[across], places[down]
        die[y : y + pip, x : x + pip] ^= _pip(pip)
    return die
