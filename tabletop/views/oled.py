"""The small screen: a snapshot as 128 by 64 (or 128 by 32) pixels.

    pixels = draw(snapshot)                # (64, 128) bool, True is lit
    pixels = draw(snapshot, 128, 32)       # the flat screen: two lines at a time

The bottom line says what HOLD (left) and BANK (right) do now. What finds no room on one page is on the next ones:
`pages` tells how many there are, `draw(snapshot, page=n)` draws one, `page_at` tells which is due.
"""

import numpy as np
from numpy.typing import NDArray

from tabletop.views.oled_box import EMPTY, Block, Box, label, paint, stacked, words
from tabletop.views.oled_flat import flat_pages
from tabletop.views.oled_menu import menu_pages
from tabletop.views.oled_ranking import winner_pages
from tabletop.views.oled_said import text_pages
from tabletop.views.oled_table import table_pages
from tabletop.views.oled_text import BIG, shortened
from tabletop.views.snapshot import Snapshot

WIDTH_PX, HEIGHT_PX = 128, 64  # of the usual SSD1306 and SH1106 modules
LABEL_GAP = 2  # between the two labels
LABEL_EDGES = 4  # columns of a label's box beside its words
BAR_GAP = 1  # between the bottom line and what stands above it
NOOK_GAP = 3  # columns between a label and a message beside it
FIRST_PAGE_S, NEXT_PAGE_S = 6.0, 3.0  # long enough to read each twice; what to do is there most of the time
FLAT_PX = 48  # a screen less high than this shows two lines at a time

Page = tuple[Box, ...]


def draw(snapshot: Snapshot, width: int = WIDTH_PX, height: int = HEIGHT_PX, page: int = 0) -> NDArray[np.bool_]:
    """Return the picture of the screen, (height, width), True is lit. Pure: equal snapshots give equal pictures.

    width and height: in pixels, at least 128 and 32. page: counted from 0; after the last comes the first again.
    """
    pages = layout(snapshot, width, height)
    return paint(pages[page % len(pages)], width, height)


def pages(snapshot: Snapshot, width: int = WIDTH_PX, height: int = HEIGHT_PX) -> int:
    """Return how many pages this snapshot takes, at least 1."""
    return len(layout(snapshot, width, height))


def page_at(since_s: float, count: int) -> int:
    """Return which of `count` pages is due when the same snapshot has been shown for so many seconds.

    The first, which says what to do, comes back after every other one.
    """
    turn, into_s = divmod(since_s, FIRST_PAGE_S + NEXT_PAGE_S)
    return 0 if count == 1 or into_s < FIRST_PAGE_S else 1 + int(turn) % (count - 1)


def layout(snapshot: Snapshot, width: int = WIDTH_PX, height: int = HEIGHT_PX) -> tuple[Page, ...]:
    """Return what stands where on every page: boxes in pixels that neither overlap nor leave the screen."""
    bar = _bar(snapshot.hold, snapshot.bank, width)
    flat = height < FLAT_PX
    room = height - bar.height - (0 if flat or not bar.boxes else BAR_GAP)
    bottom = bar.at(0, height - bar.height)
    if snapshot.menu is not None:
        pages = menu_pages(snapshot.menu, width, room)
    elif snapshot.winners:
        pages = winner_pages(snapshot, width, room)
    elif not snapshot.players:
        pages = text_pages(snapshot.hint, width, room) or (stacked([words(snapshot.phrases.moment, BIG)], room),)
    else:
        of_match = flat_pages if flat else table_pages
        pages = of_match(snapshot, width, room, _nook(bottom, width, height))
    return tuple((*page, *bottom) for page in pages)


def _nook(bottom: tuple[Box, ...], width: int, height: int) -> Box:
    """Return the room between the labels of the bottom line."""
    left = max((box.x + box.width for box in bottom if box.x == 0), default=0)
    right = min((box.x for box in bottom if box.x > 0), default=width)
    top = min((box.y for box in bottom), default=height)
    return Box(left + NOOK_GAP, top, right - left - 2 * NOOK_GAP, height - top)


def _bar(hold: str, bank: str, width: int) -> Block:
    """Return the bottom line: what HOLD does at the left, what BANK does at the right."""
    longest = (width - LABEL_GAP) // 2 - LABEL_EDGES
    left = label(shortened(hold, longest)) if hold else EMPTY
    right = label(shortened(bank, longest)) if bank else EMPTY
    high = max(left.height, right.height)
    boxes = (*left.at(0, high - left.height), *right.at(width - right.width, high - right.height))
    return Block(width, high, boxes)
