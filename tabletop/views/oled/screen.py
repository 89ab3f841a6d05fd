"""The small screen: a snapshot as 128 by 64 (or 128 by 32) pixels.

    pixels = draw(snapshot)                # (64, 128) bool, True is lit
    pixels = draw(snapshot, 128, 32)       # the flat screen: two lines at a time

The bottom line says what HOLD (left) and BANK (right) do now. What finds no room on one page is on the next ones:
`pages` counts them, `draw(snapshot, page=n)` draws one, `page_at` says which is due. So that nothing
burns in, the picture is moved by a pixel now and then: `draw(snapshot, shift=shift_at(now_s))`; nothing is cut off,
because `layout` leaves those pixels free.
"""

from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tabletop.views.oled.bar import bottom_line, corner_space, with_press
from tabletop.views.oled.boxes import Box, centred, dice, paint, stacked, words
from tabletop.views.oled.chip_pattern import pattern_page
from tabletop.views.oled.drawable_names import FLAT_PX, readable
from tabletop.views.oled.page_text import text_pages
from tabletop.views.oled.pages.entry import entry_pages, spelling_pages
from tabletop.views.oled.pages.flat_page import flat_pages
from tabletop.views.oled.pages.match_page import table_pages
from tabletop.views.oled.pages.menu import menu_pages
from tabletop.views.oled.pages.scores import winner_pages
from tabletop.views.oled.pages.with_tray import beside_tray, doubt_pages
from tabletop.views.oled.text import BIG
from tabletop.views.snapshot import Snapshot

WIDTH_PX, HEIGHT_PX = 128, 64  # of the usual SSD1306 and SH1106 modules
BAR_GAP = 1  # between the bottom line and what stands above it
FIRST_PAGE_S, NEXT_PAGE_S = 6.0, 3.0  # long enough to read each twice; what to do is there most of the time
SHIFT_PX = (2, 1)  # columns and rows that the picture is moved by at most; the flat screen has no row to spare
SHIFT_EVERY_S = 180.0  # slower than anybody sees, often enough that each edge moves in every match
SHIFTS = ((0, 0), (1, 0), (2, 0), (2, 1), (1, 1), (0, 1))  # one step at a time
GREETING_DICE, GREETING_DIE_PX, GREETING_GAP = (1, 2, 3, 4, 5), 20, 10
REMEMBERED = 8  # layouts: the table and its menus, on two sizes of screen

Page = tuple[Box, ...]


def draw(
    snapshot: Snapshot,
    width: int = WIDTH_PX,
    height: int = HEIGHT_PX,
    page: int = 0,
    shift: tuple[int, int] = (0, 0),
    *,
    dark: bool = False,
) -> NDArray[np.bool_]:
    """Return the picture of the screen, (height, width), True is lit. Pure: equal snapshots give equal pictures.

    width and height: in pixels, at least 128 and 32. page: counted from 0; after the last comes the first again. shift:
    columns to the right and rows down, as `shift_at` returns them; no further than there is room. dark: what
    blinks is dark now, as `tray.dark_at` says.
    """
    if snapshot.pattern is not None and snapshot.menu is not None:
        return paint(pattern_page(snapshot, snapshot.menu, snapshot.pattern.number, width, height), width, height)
    pages = layout(snapshot, width, height)
    right, down = min(shift[0], SHIFT_PX[0]), min(shift[1], _spare_rows(height))
    return paint((box.at(box.x + right, box.y + down) for box in pages[page % len(pages)]), width, height, dark=dark)


def pages(snapshot: Snapshot, width: int = WIDTH_PX, height: int = HEIGHT_PX) -> int:
    """Return how many pages this snapshot takes, at least 1."""
    return len(layout(snapshot, width, height))


def page_at(since_s: float, count: int) -> int:
    """Return which of `count` pages is due when the same snapshot has been shown for this many seconds.

    The first, which says what to do, comes back after every other one. A press that changes nothing yet (`unpressed`)
    does not start again.
    """
    turn, into_s = divmod(since_s, FIRST_PAGE_S + NEXT_PAGE_S)
    return 0 if count == 1 or into_s < FIRST_PAGE_S else 1 + int(turn) % (count - 1)


def shift_at(now_s: float) -> tuple[int, int]:
    """Return by how many columns and rows the picture is moved at this time, on any clock."""
    return SHIFTS[int(now_s // SHIFT_EVERY_S) % len(SHIFTS)]


def unpressed(snapshot: Snapshot) -> Snapshot:
    """Return the snapshot without the press that is being made: it has the same pages, but for one label."""
    return replace(snapshot, pressed=None, held=0.0)


def layout(snapshot: Snapshot, width: int = WIDTH_PX, height: int = HEIGHT_PX) -> tuple[Page, ...]:
    """Return what stands where on every page: boxes in pixels that neither overlap nor leave the screen.

    The last columns and rows stay free, for `draw` to shift the picture.
    """
    pages, bottom = _at_rest(replace(unpressed(snapshot), reading=None), width, height)
    bottom = with_press(bottom, snapshot, width - SHIFT_PX[0], height - _spare_rows(height))
    return tuple((*page, *bottom) for page in pages)


@lru_cache(maxsize=REMEMBERED)
def _at_rest(snapshot: Snapshot, width: int, height: int) -> tuple[tuple[Page, ...], Page]:
    """Return what stands where on every page while nobody presses, and the bottom line that all of them have.

    Remembered, so that a press, which changes one label, is drawn without laying out everything else again.
    """
    snapshot = readable(snapshot, height)
    width, height, flat = width - SHIFT_PX[0], height - _spare_rows(height), height < FLAT_PX
    bar = bottom_line(snapshot.hold, snapshot.bank, width)
    room = height - bar.height - (0 if flat or not bar.boxes else BAR_GAP)
    bottom = bar.at(0, height - bar.height)
    between = corner_space(bottom, width, height)

    def asked(columns: int) -> tuple[Page, ...]:
        """Return what has the buttons to itself, `width` columns wide; nothing if the match has them."""
        if snapshot.menu is not None:
            return tuple(menu_pages(snapshot.menu, columns, room))
        if snapshot.spelling is not None:
            return spelling_pages(snapshot.spelling, columns, room)
        return entry_pages(snapshot, snapshot.entry, columns, room) if snapshot.entry is not None else ()

    drawing = snapshot.tray
    pages = asked(width)
    if pages:
        return (beside_tray(drawing, width, room, asked) if drawing is not None else pages), bottom
    if snapshot.winners:
        return tuple(winner_pages(snapshot, width, room)), bottom
    if not snapshot.players:
        said = text_pages(snapshot.hint, width, room)
        return said or (_greeting(snapshot.phrases.moment, width, room),), bottom
    of_match = flat_pages if flat else table_pages
    if drawing is None or not snapshot.hint or snapshot.paused:
        return tuple(of_match(snapshot, width, room, between)), bottom
    calm = of_match(replace(snapshot, hint=""), width, room, between)
    return (*doubt_pages(snapshot, drawing, width, room), *calm), bottom


def _greeting(moment: str, width: int, room: int) -> Page:
    """Return the page while there is nothing to show yet: dice, where there is room for them, and one word."""
    row = centred(dice(GREETING_DICE, (), GREETING_DIE_PX, len(GREETING_DICE)), width)
    word = centred(words(moment, BIG), width)
    return stacked([row, word] if row.height + word.height <= room else [word], room, GREETING_GAP)


def _spare_rows(height: int) -> int:
    return 0 if height < FLAT_PX else SHIFT_PX[1]
