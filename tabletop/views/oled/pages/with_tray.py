"""Pages with the drawing of the tray beside them: a hint about a die, its face being entered, a correction."""

from collections.abc import Callable, Iterable

from tabletop.views.oled.boxes import Box
from tabletop.views.oled.measure import Shape, below, line, lines, page
from tabletop.views.oled.page_text import text_pages
from tabletop.views.oled.text import BIG, SMALL, TALL
from tabletop.views.oled.tray import width_of
from tabletop.views.snapshot import Snapshot, TrayDrawing

Page = tuple[Box, ...]

GAP = 4  # columns between the drawing and the words
ROW_GAP = 2
LARGE_ROWS = (52, 44, 36)  # of the drawing beside a hint, the largest that leaves the hint on one page
BESIDE_ROWS = 30  # of the drawing beside a list or a large die
LEAST_COLUMNS = 64  # for words beside it


def beside_tray(
    drawing: TrayDrawing, width: int, height: int, pages: Callable[[int], Iterable[Page]], rows: int = BESIDE_ROWS
) -> tuple[Page, ...]:
    """Return pages that are made for the width left of the drawing, with the drawing at the right of each."""
    high = min(rows, height - 1)  # a row free of the labels below it
    while width - width_of(drawing, high) - GAP < LEAST_COLUMNS:
        high -= 1
    wide = width_of(drawing, high)
    box = Box(width - wide, (height - high) // 2, wide, high, tray=drawing)
    return tuple((*boxes, box) for boxes in pages(width - wide - GAP))


def doubt_pages(snapshot: Snapshot, drawing: TrayDrawing, width: int, height: int) -> tuple[Page, ...]:
    """Return the hint about a die with the drawing beside it: on one page if it can be, whose turn it is above it."""

    def hint(columns: int) -> tuple[Page, ...]:
        shapes = _shapes(snapshot, columns)
        fitting = next((shape for shape in shapes if shape.height <= height and shape.width <= columns), None)
        return (page([fitting], height),) if fitting else text_pages(snapshot.hint, columns, height)

    tried = [beside_tray(drawing, width, height, hint, rows) for rows in (*LARGE_ROWS, BESIDE_ROWS)]
    return min(tried, key=len)


def _shapes(snapshot: Snapshot, columns: int) -> Iterable[Shape]:
    """Yield the words of the page, the best first."""
    for size in (TALL, SMALL):
        hint_lines = lines(snapshot.hint, size, columns)
        for name_size in (BIG, TALL, SMALL) if snapshot.asked else ():
            name = line(snapshot.asked, name_size)
            if name.width <= columns:
                yield below(name, hint_lines, gap=ROW_GAP)
        yield hint_lines
