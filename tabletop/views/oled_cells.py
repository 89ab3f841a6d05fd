"""The score sheet on the small screen: pages that come by themselves after the one that says what to do."""

from collections.abc import Iterable
from functools import lru_cache

from tabletop.views.oled_box import Block, Box, above, words
from tabletop.views.oled_ranking import table_pages
from tabletop.views.oled_shape import UNIT_GAP, Shape, height_of, page, strip
from tabletop.views.oled_text import SMALL, TALL, width_px, wrapped
from tabletop.views.snapshot import Snapshot

Page = tuple[Box, ...]
Rows = tuple[tuple[str, ...], ...]

OPEN = "-"  # a cell with nothing in it yet
TITLED_PX = 30  # a page less high than this has no room for a title
TITLE_GAP = 1  # rows above and below the line under a title
REMEMBERED_SHEETS = 8


def sheet_pages(snapshot: Snapshot, width: int, height: int) -> tuple[Page, ...]:
    """Return the sheet: what is the same for all, the rows of who is asked, then those of the others, none if empty."""
    at = snapshot.players.index(snapshot.asked) if snapshot.asked in snapshot.players else None
    return _pages(snapshot.sheet, snapshot.players, at, width, height)


@lru_cache(maxsize=REMEMBERED_SHEETS)
def _pages(sheet: Rows, players: tuple[str, ...], at: int | None, width: int, height: int) -> tuple[Page, ...]:
    shared = [row for row in sheet if len(players) > 1 and len(set(row[1:])) == 1 and row[1]]
    own = [row for row in sheet if row not in shared and any(row[1:])]
    blank = [row for row in sheet if not any(row[1:])]
    pages = list(_titled("", [f"{row[0]} {row[1]}" for row in shared], width, height)) if shared else []
    if at is not None:
        mine = [row for row in sheet if row not in shared]
        pages += _titled(players[at], _cells(mine, at), width, height)
    others = [n for n in range(len(players)) if n != at]
    if len(own) <= len(others):
        for row in own:
            pages += _column(row, players, width, height)
    else:
        for n in others:
            pages += _titled(players[n], _cells([*own, *blank] if at is None else own, n), width, height)
    return tuple(pages)


def _cells(rows: Iterable[tuple[str, ...]], at: int) -> list[str]:
    return [f"{row[0]} {row[1 + at] or OPEN}" for row in rows]


def _column(row: tuple[str, ...], players: tuple[str, ...], width: int, height: int) -> list[Page]:
    """Return pages with one row of the sheet, its label above and a line a player."""
    cells = [(name, cell or OPEN) for name, cell in zip(players, row[1:], strict=True)]
    if height < TITLED_PX:
        return _titled(row[0], [" ".join(cell) for cell in cells], width, height)
    head = _title(row[0], width)
    table = table_pages(cells, width, height - head.height)
    return [_below(head, one) for one in table]


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
    pages: list[list[Shape]] = []
    for row in (strip(row, width) for row in _lines(cells, width)):
        if not pages or height_of((*pages[-1], row), 0) > height - head.height:
            pages.append([])
        pages[-1].append(row)
    return [_below(head, page(rows, height - head.height, most_gap=3)) for rows in pages]


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
        return Block(0, 0, ())
    block = above(words(line, SMALL) for line in wrapped(text, width))
    line = Box(0, block.height + TITLE_GAP, width, 1)
    return Block(width, block.height + 2 * TITLE_GAP + 1, (*block.boxes, line))


def _below(head: Block, under: Page) -> Page:
    return (*head.boxes, *(box.at(box.x, box.y + head.height) for box in under))
