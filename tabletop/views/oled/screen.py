"""The small screen: a snapshot as 128 by 64 (or 128 by 32) pixels, bool, True is lit.

The bottom line says what HOLD (left) and BANK (right) do now. What finds no room on one page is on the next ones:
`pages` counts them, `draw(snapshot, page=n)` draws one, `page_at` says which is due. The picture is moved by a pixel
now and then, so that nothing burns in: `draw(snapshot, shift=shift_at(now_s))`. `layout` leaves those pixels free.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabletop.core.ports import ButtonName
from tabletop.views.oled import boxes
from tabletop.views.oled.asked import beside_tray, doubt_pages, entry_pages, menu_pages, spelling_pages
from tabletop.views.oled.boxes import EMPTY, Block, Box, Page
from tabletop.views.oled.font import can_draw
from tabletop.views.oled.match_page import flat_pages, table_pages
from tabletop.views.oled.scores import winner_pages
from tabletop.views.oled.text import BIG, HUGE, TALL, ink, shortened, wrapped
from tabletop.views.snapshot import MenuView, Snapshot

WIDTH_PX, HEIGHT_PX = 128, 64  # of the usual SSD1306 and SH1106 modules
BAR_GAP = 1  # between the bottom line and what stands above it
FIRST_PAGE_S, NEXT_PAGE_S = 6.0, 3.0  # long enough to read each twice; what to do is there most of the time
SHIFT_PX = (2, 1)  # columns and rows that the picture is moved by at most; the flat screen has no row to spare
SHIFT_EVERY_S = 180.0  # slower than anybody sees, often enough that each edge moves in every match
SHIFTS = ((0, 0), (1, 0), (2, 0), (2, 1), (1, 1), (0, 1))  # one step at a time
GREETING_DICE, GREETING_DIE_PX, GREETING_GAP = (1, 2, 3, 4, 5), 20, 10
FLAT_PX = 48  # a screen less high than this shows two lines at a time
FLAT_LETTER_PX = 10  # rows above the line there: letters of the system's font are higher
BLINK_S = 0.5  # lit this long, then dark this long: seen from across the table, and twenty bytes to send
LABEL_GAP = 2  # columns between the two labels of the bottom line
LABEL_EDGES = 4  # columns of a label's box beside its words
NOOK_GAP = 3  # columns between a label and a message beside it
NOTHING = "–"  # noqa: RUF001 - the label of a button that does nothing, while it is down: the dash is meant
INSET_PX, LINE_PX = 4, 1  # of the picture that tells chips apart: from its frame to what stands in it; the frame
REMEMBERED = 8  # layouts: the table and its menus, on two sizes of screen
CODE_RIM = 2  # modules of light around a QR code: the standard asks for 4, and phones read it with 2
CODE_SCALE = 2  # pixels of a module: at 1 it has a sixth of a millimetre on the usual display, too little for phones
CODE_GAP_PX = 3  # between the code and what stands beside it
ADDRESS_GAP_PX, MOST_ADDRESS_LINES = 2, 4

Modules = tuple[tuple[bool, ...], ...]
"""A QR code, row by row, True is dark; without the light rim around it."""


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
    blinks is dark now, as `dark_at` says.
    """
    if snapshot.pattern is not None and snapshot.menu is not None:
        return boxes.paint(pattern_page(snapshot, snapshot.menu, snapshot.pattern.number, width, height), width, height)
    pages = layout(snapshot, width, height)
    right, down = min(shift[0], SHIFT_PX[0]), min(shift[1], _spare_rows(height))
    return boxes.paint(
        (box.at(box.x + right, box.y + down) for box in pages[page % len(pages)]), width, height, dark=dark
    )


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


def dark_at(since_s: float) -> bool:
    """Return whether what blinks is dark when the same has been shown for this many seconds: it begins lit."""
    return int(since_s / BLINK_S) % 2 == 1


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
        said = boxes.text_pages(snapshot.hint, width, room)
        return said or (_greeting(snapshot.phrases.moment, width, room),), bottom
    of_match = flat_pages if flat else table_pages
    if drawing is None or not snapshot.hint or snapshot.paused:
        return tuple(of_match(snapshot, width, room, between)), bottom
    calm = of_match(replace(snapshot, hint=""), width, room, between)
    return (*doubt_pages(snapshot, drawing, width, room), *calm), bottom


def _greeting(moment: str, width: int, room: int) -> Page:
    """Return the page while there is nothing to show yet: dice, where there is room for them, and one word."""
    row = boxes.centred(boxes.dice(GREETING_DICE, (), GREETING_DIE_PX, len(GREETING_DICE)), width)
    word = boxes.centred(boxes.words(moment, BIG), width)
    return boxes.page([row, word] if row.height + word.height <= room else [word], room, GREETING_GAP)


def _spare_rows(height: int) -> int:
    return 0 if height < FLAT_PX else SHIFT_PX[1]


def bottom_line(hold: str, bank: str, width: int) -> Block:
    """Return the labels of the two buttons, each at its end of the line."""
    longest = (width - LABEL_GAP) // 2 - LABEL_EDGES
    left = boxes.label(shortened(hold, longest)) if hold else EMPTY
    right = boxes.label(shortened(bank, longest)) if bank else EMPTY
    high = max(left.height, right.height)
    labels = (*left.at(0, high - left.height), *right.at(width - right.width, high - right.height))
    return Block(width, high, labels)


def corner_space(bottom: tuple[Box, ...], width: int, height: int) -> Box:
    """Return the room between the labels, with room left for the press of a button that has none."""
    stub = boxes.label(NOTHING).width
    left = max((box.x + box.width for box in bottom if box.x == 0), default=stub)
    right = min((box.x for box in bottom if box.x > 0), default=width - stub)
    top = min((box.y for box in bottom), default=height)
    return Box(left + NOOK_GAP, top, right - left - 2 * NOOK_GAP, height - top)


def with_press(bottom: tuple[Box, ...], snapshot: Snapshot, width: int, height: int) -> tuple[Box, ...]:
    """Return the bottom line as it stands while a button is down, or has been a moment ago."""
    if snapshot.pressed is None:
        return bottom
    mine = _box_of(snapshot.pressed, bottom, width, height)
    progress = max(0.0, min(1.0, snapshot.held))
    if mine in bottom:
        pressed = mine._replace(inverse=False, filled=round(progress * mine.width))
        return tuple(pressed if box is mine else box for box in bottom)
    return (*bottom, mine._replace(filled=round(progress * mine.width)))


def _box_of(button: ButtonName, bottom: tuple[Box, ...], width: int, height: int) -> Box:
    """Return the label of a button; one that says nothing where it has none."""
    for box in bottom:
        if (box.x == 0) == (button == "hold"):
            return box
    nothing = boxes.label(NOTHING)
    (box,) = nothing.at(0 if button == "hold" else width - nothing.width, height - nothing.height)
    return box


def readable(snapshot: Snapshot, height: int) -> Snapshot:
    """Return the snapshot with names that can be drawn: "player 2" stands for another one.

    height: of the screen, in pixels. In a menu a letter that cannot be drawn is a box; a line below the item says so.
    """
    menu = snapshot.menu
    if menu is not None and not menu.note and not can_draw(menu.items[menu.at]):
        snapshot = replace(snapshot, menu=replace(menu, note=snapshot.phrases.no_letters))
    seats = {seat for seat, name in enumerate(snapshot.players, start=1) if not _fits(name, height)}
    if not seats:
        return snapshot
    instead = {
        name: snapshot.phrases.seat.format(n=seat) if seat in seats else name
        for seat, name in enumerate(snapshot.players, start=1)
    }

    def drawable(text: str) -> str:
        for name in sorted(instead, key=len, reverse=True):
            text = text.replace(name, instead[name])
        return text

    entry = snapshot.entry and replace(snapshot.entry, who=drawable(snapshot.entry.who))
    winners = tuple(map(drawable, snapshot.winners))
    texts: dict[str, Any] = {
        name: drawable(getattr(snapshot, name)) for name in ("asked", "thrower", "ask", "hint", "why")
    }
    return replace(snapshot, players=tuple(instead.values()), winners=winners, entry=entry, **texts)


def _fits(name: str, height: int) -> bool:
    return can_draw(name) and (height >= FLAT_PX or ink(name).above <= FLAT_LETTER_PX)


def pattern_page(snapshot: Snapshot, menu: MenuView, number: int, width: int, height: int) -> tuple[Box, ...]:
    """Return the boxes of the picture: frame, question, the picture's number, and what the buttons do.

    The frame is of the outermost pixels. An SSD1306 driven as an SH1106 shows it two columns to the right, so that one
    side is missing or double; an SH1106 driven as an SSD1306 shows noise. It is not shifted against burn-in.
    """
    frame = (
        Box(0, 0, width, LINE_PX),
        Box(0, height - LINE_PX, width, LINE_PX),
        Box(0, LINE_PX, LINE_PX, height - 2 * LINE_PX),
        Box(width - LINE_PX, LINE_PX, LINE_PX, height - 2 * LINE_PX),
    )
    room, bottom = width - 2 * INSET_PX, height - LINE_PX - INSET_PX // 2
    hold, bank = (boxes.label(shortened(text, room // 2 - INSET_PX)) for text in (snapshot.hold, snapshot.bank))
    question = boxes.words(shortened(menu.title, room))
    labels = (*hold.at(INSET_PX, bottom - hold.height), *bank.at(width - INSET_PX - bank.width, bottom - bank.height))
    if height < FLAT_PX:  # the number stands between the labels
        figure, top = boxes.words(str(number), TALL), INSET_PX - LINE_PX
        figure_y = bottom - figure.height
    else:
        figure, top = boxes.words(str(number), HUGE), INSET_PX
        figure_y = (top + question.height + bottom - hold.height - figure.height) // 2
    return (
        *frame,
        *question.at((width - question.width) // 2, top),
        *figure.at((width - figure.width) // 2, figure_y),
        *labels,
    )


@dataclass(frozen=True, slots=True)
class Door:
    """How a phone gets in. code: leads there and lets it in. address: to be typed; digits: to be entered there."""

    code: Modules
    address: str
    digits: str


def door_fits(code: Modules, height: int) -> bool:
    """Return whether a screen of so many rows shows this code large enough for a phone."""
    return _scale(code, height) >= CODE_SCALE


def draw_door(door: Door, width: int, height: int) -> NDArray[np.bool_]:
    """Return the picture that lets a phone in, (height, width) bool, True is lit: the code, beside it what to type.

    The address is broken behind a dot or before its port; what is longer than a page is cut. See `door_fits`.
    """
    scale, room = _scale(door.code, height), width - height - CODE_GAP_PX
    parts = wrapped(door.address.replace(".", ". ").replace(":", " :"), room)[:MOST_ADDRESS_LINES]
    address = boxes.column(
        *(boxes.words(part.replace(". ", ".").replace(" :", ":")) for part in parts), gap=ADDRESS_GAP_PX
    )
    beside = boxes.page([address, boxes.words(door.digits, BIG)], height)
    pixels = boxes.paint((box.at(box.x + height + CODE_GAP_PX, box.y) for box in beside), width, height)
    pixels[:, :height] = True
    modules = np.array(door.code, np.bool_).repeat(scale, axis=0).repeat(scale, axis=1)
    at = (height - len(modules)) // 2
    pixels[at : at + len(modules), at : at + len(modules)] = ~modules
    return pixels


def _scale(code: Modules, height: int) -> int:
    return height // (len(code) + 2 * CODE_RIM)
