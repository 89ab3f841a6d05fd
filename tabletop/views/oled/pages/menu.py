"""A menu on the small screen: the item that BANK takes large and lit, those around it small."""

from collections.abc import Iterator

from tabletop.views.oled.boxes import EMPTY, Block, Box, above, beside, label, stacked, words
from tabletop.views.oled.text import BIG, SMALL, TALL, Size, shortened, wrapped
from tabletop.views.snapshot import MenuView

Page = tuple[Box, ...]
EDGE_PX = 2  # of the lit box, left and right of its words
INDENT_PX = 2  # of the items around it
NEIGHBOURS = (
    (1, 2),
    (0, 3),
    (1, 1),
    (0, 2),
    (0, 1),
    (0, 0),
)  # items shown before and after, the best arrangement first


def menu_pages(menu: MenuView, width: int, height: int) -> tuple[Page, ...]:
    """Return the pages of a menu: title, items and note together, and what finds no room there on pages after it."""
    note = [words(line) for line in wrapped(menu.note, width)]
    for rows in _arrangements(menu, width, above(note)):
        if sum(row.height for row in rows if row.boxes) + sum(bool(row.boxes) for row in rows) <= height:
            return (stacked(rows, height, most_gap=2),)
    chosen = _chosen(menu.items[menu.at], width, SMALL)
    title = _title(menu, width)
    first, lines = ([chosen], [*note, title]) if menu.weighty else ([title, chosen], note)
    if sum(row.height for row in first) > height:
        first = [chosen]
    if chosen.height > height:  # two long names: even the item by itself goes on on the next page
        top, *rest = _chosen_lines(menu.items[menu.at], width, SMALL)
        first, lines = [top], [*rest, *note]
    pages = [first]
    for line in lines:
        if sum(row.height for row in (*pages[-1], line)) > height:
            pages.append([])
        pages[-1].append(line)
    return tuple(stacked(rows, height, most_gap=1) for rows in pages)


def _arrangements(menu: MenuView, width: int, note: Block) -> Iterator[list[Block]]:
    """Yield rows of a page, the handsomest first: neighbours of the chosen item go before its size does."""
    title = _title(menu, width)
    for size in (BIG, TALL, SMALL):
        chosen = _chosen(menu.items[menu.at], width, size)
        if size == BIG and len(chosen.boxes) > 1:
            continue  # one line of tall letters reads better than two of big ones
        for before, after in NEIGHBOURS:
            around = [*range(menu.at - before, menu.at), *range(menu.at + 1, menu.at + after + 1)]
            if around and not all(0 <= n < len(menu.items) for n in around):
                continue
            near = {n: _neighbour(menu.items[n], width) for n in around}
            yield [
                title,
                *(block for n, block in near.items() if n < menu.at),
                chosen,
                *(block for n, block in near.items() if n > menu.at),
                note,
            ]


def _title(menu: MenuView, width: int) -> Block:
    """Return the title, and at the right which item of how many is chosen."""
    place = words(f"{menu.at + 1}/{len(menu.items)}") if len(menu.items) > 1 else EMPTY
    row = beside(words(menu.title), place, width)
    return row if row is not None else above(words(line) for line in wrapped(menu.title, width))


def _chosen(item: str, width: int, size: Size) -> Block:
    """Return an item in a lit box over the whole width, in as many lines as it needs."""
    return above(_chosen_lines(item, width, size))


def _chosen_lines(item: str, width: int, size: Size) -> list[Block]:
    return [label(line, width, size) for line in wrapped(item, width - 2 * EDGE_PX, size)]


def _neighbour(item: str, width: int) -> Block:
    block = words(shortened(item, width - INDENT_PX))
    return Block(block.width + INDENT_PX, block.height, block.at(INDENT_PX, 0)) if block.boxes else EMPTY
