"""How large a part of a page would be, known before it is drawn: so that hundreds of arrangements can be compared."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from tabletop.views.oled.boxes import ARROW_GAP, ARROW_ROWS, DIE_GAP, EMPTY, Block, Box, dice, label, stacked, words
from tabletop.views.oled.text import SMALL, Size, extent, wrapped

LINE_GAP = 2  # rows between lines of letters larger than the smallest, which bring their own
UNIT_GAP = 8  # columns between two short texts of a strip
REMEMBERED_SHAPES = 256


class Shape(NamedTuple):
    """Columns and rows, and how to draw it. above: rows above the line of a line of words, 0 for anything else."""

    width: int
    height: int
    above: int
    block: Callable[[], Block]


NOTHING = Shape(0, 0, 0, lambda: EMPTY)


def line(text: str, size: Size = SMALL) -> Shape:
    """Return a text on one line."""
    if not text:
        return NOTHING
    room = extent(text, size)
    return Shape(room.width, room.height, room.above, lambda: words(text, size))


@lru_cache(maxsize=REMEMBERED_SHAPES)
def lines(text: str, size: Size, width: int) -> Shape:
    """Return a text in as many lines as it needs."""
    return below(*(line(part, size) for part in wrapped(text, width, size)), gap=0 if size.ruled else LINE_GAP)


@lru_cache(maxsize=REMEMBERED_SHAPES)
def strip(units: tuple[str, ...], width: int, size: Size = SMALL) -> Shape:
    """Return short texts one after the other, in as many lines as they need, broken only if wider than a line."""
    rows: list[Shape] = []
    for unit in units:
        part, last = lines(unit, size, width), rows[-1] if rows else NOTHING
        if rows and last.width + UNIT_GAP + part.width <= width:
            rows[-1] = _one_after_another(last, part)
        else:
            rows.append(part)
    return below(*rows, gap=0 if size.ruled else LINE_GAP)


def lit(text: str, size: Size) -> Shape:
    """Return a text in a lit box."""
    block = label(text, size=size)
    return Shape(block.width, block.height, 0, lambda: block)


def thrown(faces: Sequence[int], kept: Sequence[bool], edge: int, per_row: int, cursor: int | None = None) -> Shape:
    """Return small dice, as `dice` draws them."""
    if not faces:
        return NOTHING
    width = min(len(faces), per_row) * (edge + DIE_GAP) - DIE_GAP
    height = -(-len(faces) // per_row) * (edge + DIE_GAP) - DIE_GAP
    if cursor is not None and cursor in range(len(faces)):
        height += ARROW_GAP + ARROW_ROWS
    return Shape(width, height, 0, lambda: dice(faces, kept, edge, per_row, cursor))


def below(*shapes: Shape, gap: int = 0) -> Shape:
    """Return shapes one below the other, flush left."""
    rows = [shape for shape in shapes if shape.height]
    if len(rows) <= 1:
        return rows[0] if rows else NOTHING
    width, height = 0, gap * (len(rows) - 1)
    for row in rows:
        height += row.height
        width = max(width, row.width)

    def block() -> Block:
        boxes: list[Box] = []
        top = 0
        for row in rows:
            boxes.extend(row.block().at(0, top))
            top += row.height + gap
        return Block(width, height, tuple(boxes))

    return Shape(width, height, 0, block)


def beside(left: Shape, right: Shape, width: int, gap: int) -> Shape | None:
    """Return two shapes at the two ends of a row, on one line if both are words, or None where they do not fit."""
    if left.width + right.width + (gap if left.height and right.height else 0) > width:
        return None
    if left.above and right.above:
        above = max(left.above, right.above)
        tops = above - left.above, above - right.above
        height = max(tops[0] + left.height, tops[1] + right.height)
    else:
        height = max(left.height, right.height)
        tops = (height - left.height) // 2, (height - right.height) // 2

    def block() -> Block:
        boxes = (*left.block().at(0, tops[0]), *right.block().at(width - right.width, tops[1]))
        return Block(width, height, boxes)

    return Shape(width, height, 0, block)


def centred(shape: Shape, width: int) -> Shape:
    """Return a shape in the middle of a row."""
    left = (width - shape.width) // 2
    return Shape(width, shape.height, 0, lambda: Block(width, shape.height, shape.block().at(left, 0)))


def end_of_row(shape: Shape, width: int) -> Shape:
    """Return a shape at the right end of a row."""
    left = width - shape.width
    return Shape(width, shape.height, 0, lambda: Block(width, shape.height, shape.block().at(left, 0)))


def padded(shape: Shape, above: int, under: int) -> Shape:
    """Return a shape with these free rows above and below it."""
    height = shape.height + above + under
    return Shape(shape.width, height, 0, lambda: Block(shape.width, height, shape.block().at(0, above)))


def in_columns(columns: Sequence[Shape], column_px: int, gap: int) -> Shape:
    """Return shapes in columns of equal width, flush with the upper edge."""
    width, height = len(columns) * (column_px + gap) - gap, max(column.height for column in columns)

    def block() -> Block:
        boxes = (box for n, column in enumerate(columns) for box in column.block().at(n * (column_px + gap), 0))
        return Block(width, height, tuple(boxes))

    return Shape(width, height, 0, block)


def page(shapes: Iterable[Shape], height: int, most_gap: int = 5) -> tuple[Box, ...]:
    """Return rows one below the other over a height into which they fit, the room that is left shared out."""
    return stacked([shape.block() for shape in shapes if shape.height], height, most_gap)


def inside(shape: Shape, gap: Box) -> tuple[Box, ...] | None:
    """Return a shape at the bottom of a free rectangle, in its middle; None if it does not fit or is empty."""
    if not shape.height or shape.width > gap.width or shape.height > gap.height:
        return None
    return shape.block().at(gap.x + (gap.width - shape.width) // 2, gap.y + gap.height - shape.height)


def height_of(shapes: Iterable[Shape], gap: int) -> int:
    """Return how high shapes are one below the other."""
    height = -gap
    for shape in shapes:
        if shape.height:
            height += shape.height + gap
    return max(0, height)


def heaps(rows: Iterable[Shape], height: int, gap: int = 0) -> list[list[Shape]]:
    """Share rows out among pages, a new one wherever the height is used up; a row may be higher than a page."""
    shared: list[list[Shape]] = []
    used = 0
    for row in rows:
        if not shared or used + row.height > height:
            shared.append([])
            used = 0
        shared[-1].append(row)
        used += row.height + gap
    return shared


def _one_after_another(left: Shape, right: Shape) -> Shape:
    """Return two shapes right after one another: words on one line, anything else flush with the lower edge."""
    width = left.width + UNIT_GAP + right.width
    above = max(left.above, right.above) if left.above and right.above else 0
    if above:
        tops = above - left.above, above - right.above
        height = max(tops[0] + left.height, tops[1] + right.height)
    else:
        height = max(left.height, right.height)
        tops = height - left.height, height - right.height

    def block() -> Block:
        boxes = (*left.block().at(0, tops[0]), *right.block().at(left.width + UNIT_GAP, tops[1]))
        return Block(width, height, boxes)

    return Shape(width, height, above, block)
