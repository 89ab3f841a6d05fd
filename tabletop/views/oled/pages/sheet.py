"""The score sheet on the small screen: pages that come by themselves after the one that says what to do."""

from collections.abc import Iterable
from functools import lru_cache

from tabletop.views.oled.boxes import EMPTY, Block, Box, above, words
from tabletop.views.oled.lettering import letters
from tabletop.views.oled.measure import UNIT_GAP, Shape, heaps, line, page, strip
from tabletop.views.oled.pages.scores import pair_pages
from tabletop.views.oled.text import SMALL, TALL, shortened, width_px, wrapped
from tabletop.views.snapshot import Snapshot

Page = tuple[Box, ...]
Rows = tuple[tuple[str, ...], ...]

OPEN = "-"  # a cell with nothing in it yet
TITLED_PX = 30  # a page less high than this has no room for a title
TITLE_GAP = 1  # rows above and below the line under a title
CELL_GAP = 3  # columns between two cells
LEAST_CELL_PX = 10  # two letters of a name
LEAST_LABEL_PX = 30
REMEMBERED_SHEETS = 8


def sheet_pages(snapshot: Snapshot, width: int, height: int) -> tuple[Page, ...]:
    """Return the sheet: the rows of the player asked, then those of all side by side; none if it is empty."""
    at = snapshot.players.index(snapshot.asked) if snapshot.asked in snapshot.players else None
    return _pages(snapshot.sheet, snapshot.players, at, width, height)


@lru_cache(maxsize=REMEMBERED_SHEETS)
def _pages(sheet: Rows, players: tuple[str, ...], at: int | None, width: int, height: int) -> tuple[Page, ...]:
    own = [] if at is None else _titled(players[at], _cells(sheet, at), width, height)
    rows = tuple(row for row in sheet if any(row[1:]))
    if not rows or (len(players) == 1 and own):
        return tuple(own)
    whole = _matrix(rows, players, width, height, shorten=False)
    if len(whole) == 1 and rows == sheet:
        return tuple(whole)  # it says all that there is
    if whole:
        return (*own, *whole)
    most_px = (width - LEAST_LABEL_PX) // len(players) - CELL_GAP
    narrow = tuple(row for row in rows if max(map(width_px, row[1:])) <= most_px)
    wide = tuple(row for row in rows if row not in narrow)
    beside = _matrix(narrow, players, width, height, shorten=bool(own)) if narrow else []
    if not beside:
        return (*own, *_others(rows, players, at, width, height))
    return (*own, *beside, *(_others(wide, players, at, width, height) if wide else ()))


def _matrix(rows: Rows, players: tuple[str, ...], width: int, height: int, *, shorten: bool) -> list[Page]:
    """Return the sheet as on paper, a column a player under the beginning of the name; empty if it is too wide.

    shorten: whether a label may be cut, since it stands elsewhere in full.
    """
    cell_px = max(width_px(cell) for row in rows for cell in row[1:])
    label_px = max(width_px(row[0]) for row in rows)
    initial_px = max(width_px(letters(name)[0]) for name in players)
    most_px = width - len(players) * (max(cell_px, initial_px, LEAST_CELL_PX) + CELL_GAP)
    if label_px > most_px and not (shorten and most_px >= LEAST_LABEL_PX):
        return []
    label_px = min(label_px, most_px)
    step = (width - label_px) // len(players)
    head = [(_begun(name, step - CELL_GAP), n) for n, name in enumerate(players)]
    every = [_sheet_line("", head, width, step)]
    for row in rows:
        label = shortened(row[0], label_px)
        every.append(_sheet_line(label, [(cell, n) for n, cell in enumerate(row[1:])], width, step))
    top, *below_it = every
    return [page([top, *heap], height, 1) for heap in heaps(below_it, height - top.height)]


def _sheet_line(label: str, cells: list[tuple[str, int]], width: int, step: int) -> Shape:
    """Return one line of the sheet: the label at the left, each cell flush with the right end of its column."""
    texts = [(line(label), 0)] if label else []
    count = len(cells)
    for text, n in cells:
        shape = line(text)
        if text:
            texts.append((shape, width - (count - 1 - n) * step - shape.width))
    above = max((shape.above for shape, _ in texts), default=0)
    height = max((above - shape.above + shape.height for shape, _ in texts), default=0)

    def block() -> Block:
        boxes = (box for shape, x in texts for box in shape.block().at(x, above - shape.above))
        return Block(width, height, tuple(boxes))

    return Shape(width, height, 0, block)


def _begun(name: str, width: int) -> str:
    """Return as many letters of a name as fit, at least one."""
    begun = letters(name)
    while len(begun) > 1 and width_px("".join(begun)) > width:
        begun = begun[:-1]
    return "".join(begun)


def _others(rows: Rows, players: tuple[str, ...], at: int | None, width: int, height: int) -> list[Page]:
    """Return a page a row or a page a player, whichever takes fewer."""
    others = [n for n in range(len(players)) if n != at]
    if len(rows) <= len(others):
        return [page for row in rows for page in _column(row, players, width, height)]
    return [page for n in others for page in _titled(players[n], _cells(rows, n), width, height)]


def _cells(rows: Iterable[tuple[str, ...]], at: int) -> list[str]:
    return [f"{row[0]}{':' * row[0][-1:].isdigit()} {row[1 + at] or OPEN}" for row in rows]


def _column(row: tuple[str, ...], players: tuple[str, ...], width: int, height: int) -> list[Page]:
    """Return pages with one row of the sheet, its label above and a line a player; what all share is written once."""
    if len(set(row[1:])) == 1:
        return _titled("", _cells((row,), 0), width, height)
    cells = [(name, cell or OPEN) for name, cell in zip(players, row[1:], strict=True)]
    if height < TITLED_PX:
        return _titled(row[0], [" ".join(cell) for cell in cells], width, height)
    head = _title(row[0], width)
    return [_below(head, page) for page in pair_pages(cells, width, height - head.height)]


def _titled(title: str, cells: list[str], width: int, height: int) -> list[Page]:
    """Return pages of cells one after the other, each under the same title; on two lines it is one of them."""
    if not cells:
        return []
    flat = height < TITLED_PX
    head = _title("" if flat else title, width)
    if flat and title:
        cells = [f"{title}:", *cells]
    large = strip(tuple(cells), width, TALL)
    if large.width <= width and large.height <= height - head.height:
        return [_below(head, page([large], height - head.height))]
    rows = [strip(row, width) for row in _lines(cells, width)]
    room = height - head.height
    return [_below(head, page(heap, room, most_gap=3)) for heap in heaps(rows, room)]


def _lines(cells: list[str], width: int) -> list[tuple[str, ...]]:
    """Return cells in lines, as many side by side as fit."""
    rows: list[tuple[str, ...]] = []
    wide = width
    for cell in cells:
        own = width_px(cell)
        if wide + UNIT_GAP + own <= width:
            rows[-1] = (*rows[-1], cell)
            wide += UNIT_GAP + own
        else:
            rows.append((cell,))
            wide = own
    return rows


def _title(text: str, width: int) -> Block:
    if not text:
        return EMPTY
    block = above(words(part, SMALL) for part in wrapped(text, width))
    rule = Box(0, block.height + TITLE_GAP, width, 1)
    return Block(width, block.height + 2 * TITLE_GAP + 1, (*block.boxes, rule))


def _below(head: Block, under: Page) -> Page:
    return (*head.boxes, *(box.at(box.x, box.y + head.height) for box in under))
