"""The small screen: draws a snapshot as 128 by 64 (or 128 by 32) pixels, bool, True is lit.

The bottom line labels HOLD (left) and BANK (right). Whatever does not fit on one page is on the next ones: `pages`
counts them, `draw(snapshot, page=n)` draws one, `page_at` says which is due. The picture is shifted by a pixel now and
then to prevent burn-in: `draw(snapshot, shift=shift_at(now_s))`. `layout` leaves those pixels free.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabletop.core.ports import ButtonName
from tabletop.views.oled import boxes, font, grammar, match_page, scores
from tabletop.views.oled.asked import beside_tray, doubt_pages, entry_pages, menu_pages, spelling_pages
from tabletop.views.oled.boxes import EMPTY, Box, Page
from tabletop.views.oled.text import BIG, HUGE, SMALL, TALL, Size, ink, shortened, width_px, wrapped
from tabletop.views.snapshot import MenuView, Snapshot

WIDTH_PX, HEIGHT_PX = 128, 64  # of common SSD1306 and SH1106 modules
FIRST_PAGE_S, NEXT_PAGE_S = 6.0, 3.0  # long enough to read each twice; the first page is shown most of the time
SHIFT_PX = (2, 1)  # largest shift in columns and rows; the flat screen has no row to spare
SHIFT_EVERY_S = 180.0  # too slow to be noticed, often enough that each edge moves in every match
SHIFTS = ((0, 0), (1, 0), (2, 0), (2, 1), (1, 1), (0, 1))  # one step at a time
GREETING_DICE = (1, 2, 3, 4, 5)
FLAT_PX = 48  # a lower screen shows two lines at a time
FLAT_LETTER_PX = 10  # rows above the baseline there: letters of the system's font are taller
BLINK_S = 0.5  # lit this long, then dark this long: visible from across the table, and twenty bytes to send
CELL_GAP = 2  # columns between the two cells of the bottom line
CELL_ROWS, FLAT_CELL_ROWS = 12, 10  # of a cell, with centred capitals
NOOK_GAP = 3  # columns between a label and a message beside it
NOTHING = "–"  # noqa: RUF001 - the label of a button that does nothing, while it is down: the dash is meant
INSET_PX, LINE_PX = 4, 1  # of the chip test picture: from the frame to its content; width of the frame
REMEMBERED = 8  # cached layouts: the table and its menus, on two sizes of screen
CODE_RIM = 2  # quiet zone of a QR code in modules: the standard asks for 4, and phones read it with 2
CODE_SCALE = 2  # pixels per module: one is a sixth of a millimetre on the usual display, too small for phones
CODE_GAP_PX = 3  # between the code and the text beside it
ADDRESS_GAP_PX, MOST_ADDRESS_LINES = 2, 4
GREETING = Size(1, 2)  # two lines of it stand above the digits

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

    width and height: in pixels, at least 128 and 32. page: from 0, wrapping around after the last. shift: columns to
    the right and rows down, as returned by `shift_at`; limited to the spare room. dark: blinking parts are dark now,
    see `dark_at`.
    """
    if snapshot.pattern is not None and snapshot.menu is not None:
        return boxes.paint(pattern_page(snapshot, snapshot.menu, snapshot.pattern.number, width, height), width, height)
    pages = layout(snapshot, width, height)
    right, down = min(shift[0], SHIFT_PX[0]), min(shift[1], _spare_rows(height))
    return boxes.paint(
        (box.at(box.x + right, box.y + down) for box in pages[page % len(pages)]), width, height, dark=dark
    )


def pages(snapshot: Snapshot, width: int = WIDTH_PX, height: int = HEIGHT_PX) -> int:
    """Return the number of pages of this snapshot, at least 1."""
    return len(layout(snapshot, width, height))


def page_at(since_s: float, count: int) -> int:
    """Return which of `count` pages is due after the same snapshot has been shown for this many seconds.

    The first page, which says what to do, comes back after every other one. A press that changes nothing yet
    (`unpressed`) does not restart the sequence.
    """
    turn, into_s = divmod(since_s, FIRST_PAGE_S + NEXT_PAGE_S)
    return 0 if count == 1 or into_s < FIRST_PAGE_S else 1 + int(turn) % (count - 1)


def dark_at(since_s: float) -> bool:
    """Return whether blinking parts are dark after this many seconds: they start lit."""
    return int(since_s / BLINK_S) % 2 == 1


def shift_at(now_s: float) -> tuple[int, int]:
    """Return the shift of the picture in columns and rows at this time, on any clock."""
    return SHIFTS[int(now_s // SHIFT_EVERY_S) % len(SHIFTS)]


def unpressed(snapshot: Snapshot) -> Snapshot:
    """Return the snapshot without the current press: the pages are the same, apart from one label."""
    return replace(snapshot, pressed=None, held=0.0)


def layout(snapshot: Snapshot, width: int = WIDTH_PX, height: int = HEIGHT_PX) -> tuple[Page, ...]:
    """Return the layout of every page: boxes in pixels that neither overlap nor leave the screen.

    The last columns and rows stay free, so that `draw` can shift the picture.
    """
    pages, bottom = _at_rest(replace(unpressed(snapshot), reading=None), width, height)
    bottom = with_press(bottom, snapshot, frame_of(width, height))
    return tuple(tuple(box.at(box.x + grammar.MARGIN_PX, box.y) for box in (*page, *bottom)) for page in pages)


def frame_of(width: int, height: int) -> grammar.Frame:
    """Return the places on a screen of this size."""
    return (grammar.flat if height < FLAT_PX else grammar.high)(width - SHIFT_PX[0] - 2 * grammar.MARGIN_PX)


@lru_cache(maxsize=REMEMBERED)
def _at_rest(snapshot: Snapshot, width: int, height: int) -> tuple[tuple[Page, ...], Page]:
    """Return what stands where on every page while nobody presses, and the bottom line that all of them have.

    Columns count from the margin. Remembered, so that a press, which changes one label, is drawn without laying out
    everything else again.
    """
    frame = frame_of(width, height)
    snapshot = readable(snapshot, height)
    bottom = bottom_line(snapshot.hold, snapshot.bank, frame)

    def asked(left: grammar.Frame) -> tuple[Page, ...]:
        """Return what has the buttons to itself, in the frame that is left for it; nothing if the match has them."""
        if snapshot.menu is not None:
            return menu_pages(snapshot.menu, left)
        if snapshot.spelling is not None:
            return spelling_pages(snapshot.spelling, left)
        return entry_pages(snapshot, snapshot.entry, left, frame) if snapshot.entry is not None else ()

    drawing = snapshot.tray
    pages = asked(frame)
    if pages:
        return (beside_tray(drawing, frame, asked) if drawing is not None else pages), bottom
    if snapshot.winners:
        return scores.winner_pages(snapshot, frame), bottom
    if not snapshot.players:
        return grammar.text_pages(snapshot.hint, frame) or (_greeting(snapshot.phrases.moment, frame),), bottom
    nook = corner_space(bottom, frame)
    if drawing is None or not snapshot.hint or snapshot.paused:
        return match_page.table_pages(snapshot, frame, nook), bottom
    calm = match_page.table_pages(replace(snapshot, hint=""), frame, nook)
    return (*doubt_pages(snapshot, drawing, frame), *calm), bottom


def _greeting(moment: str, frame: grammar.Frame) -> Page:
    """Return the page while there is nothing to show yet: dice, where there is room for them, and one line."""
    dice = grammar.dice_in(GREETING_DICE, (), -1, frame.width) if frame.dice else EMPTY
    return (
        *grammar.dice_row(dice, "", frame),
        *(grammar.above_bar(grammar.said(moment, frame.width), frame, frame.top) or ()),
    )


def _spare_rows(height: int) -> int:
    return 0 if height < FLAT_PX else SHIFT_PX[1]


def bottom_line(hold: str, bank: str, frame: grammar.Frame) -> Page:
    """Return the labels of the buttons in two lit cells; on 32 rows as narrow as possible."""
    return (*(_cell("hold", hold, frame) if hold else ()), *(_cell("bank", bank, frame) if bank else ()))


def _cell(button: ButtonName, text: str, frame: grammar.Frame) -> Page:
    most, text = (frame.width - CELL_GAP) // 2, grammar.sentence(text)
    wide = most if frame.dice else min(most, width_px(text) + 2 * boxes.LABEL_RIM)
    cell = boxes.cell(text, wide, CELL_ROWS if frame.dice else FLAT_CELL_ROWS)
    rows = frame.bar_y + (CELL_ROWS if frame.dice else FLAT_CELL_ROWS)
    return cell.at(0 if button == "hold" else frame.width - wide, rows - cell.height)


def corner_space(bottom: Page, frame: grammar.Frame) -> Box:
    """Return the space between the labels, leaving room to show a press of an unlabelled button."""
    (stub,) = _cell("hold", NOTHING, frame)
    left = max((box.x + box.width for box in bottom if box.x == 0), default=stub.width)
    right = min((box.x for box in bottom if box.x > 0), default=frame.width - stub.width)
    return Box(left + NOOK_GAP, frame.bar_y, right - left - 2 * NOOK_GAP, FLAT_CELL_ROWS)


def with_press(bottom: Page, snapshot: Snapshot, frame: grammar.Frame) -> Page:
    """Return the bottom line while a button is down, or shortly after a press."""
    button = snapshot.pressed
    if button is None:
        return bottom
    mine = next((box for box in bottom if (box.x == 0) == (button == "hold")), None)
    progress = max(0.0, min(1.0, snapshot.held))
    if mine is None:
        (stub,) = _cell(button, NOTHING, frame)
        return (*bottom, stub._replace(filled=round(progress * stub.width)))
    pressed = mine._replace(inverse=False, filled=round(progress * mine.width))
    return tuple(pressed if box is mine else box for box in bottom)


def readable(snapshot: Snapshot, height: int) -> Snapshot:
    """Return the snapshot with names that can be drawn, others replaced by "player 2".

    height: of the screen, in pixels. In a menu an unsupported letter is drawn as a box; a line below the item explains
    it.
    """
    menu = snapshot.menu
    if menu is not None and not menu.note and not font.can_draw(menu.items[menu.at]):
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
    return font.can_draw(name) and (height >= FLAT_PX or ink(name).above <= FLAT_LETTER_PX)


def pattern_page(snapshot: Snapshot, menu: MenuView, number: int, width: int, height: int) -> tuple[Box, ...]:
    """Return the boxes of the test picture: frame, question, the picture's number, and the button labels.

    The frame uses the outermost pixels. An SSD1306 driven as an SH1106 shows it two columns to the right, so that one
    side is missing or doubled; an SH1106 driven as an SSD1306 shows noise. The picture is not shifted against burn-in.
    """
    frame = (
        Box(0, 0, width, LINE_PX),
        Box(0, height - LINE_PX, width, LINE_PX),
        Box(0, LINE_PX, LINE_PX, height - 2 * LINE_PX),
        Box(width - LINE_PX, LINE_PX, LINE_PX, height - 2 * LINE_PX),
    )
    room, bottom = width - 2 * INSET_PX, height - LINE_PX - INSET_PX // 2
    hold, bank = (
        boxes.label(shortened(grammar.sentence(text), room // 2 - INSET_PX)) for text in (snapshot.hold, snapshot.bank)
    )
    question = boxes.words(shortened(grammar.sentence(menu.title), room))
    labels = (*hold.at(INSET_PX, bottom - hold.height), *bank.at(width - INSET_PX - bank.width, bottom - bank.height))
    if height < FLAT_PX:  # the number goes between the labels
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
    """How to connect a phone. code: a QR code that opens the page and pairs the phone. address, digits: for typing."""

    code: Modules
    address: str
    digits: str


def door_fits(code: Modules, height: int) -> bool:
    """Return whether a screen with this many rows shows the code large enough for a phone."""
    return _scale(code, height) >= CODE_SCALE


@lru_cache(maxsize=REMEMBERED)
def draw_door(door: Door, width: int, height: int, greeting: str = "") -> NDArray[np.bool_]:
    """Return the picture for connecting a phone, (height, width) bool, True is lit: the code beside address and digits.

    The address is wrapped after a dot or before its port; text longer than a page is cut. See `door_fits`. greeting:
    shown instead of the address, its first word in a line of its own.
    """
    scale, room = _scale(door.code, height), width - height - CODE_GAP_PX
    size = GREETING if greeting else SMALL
    parts = wrapped(door.address.replace(".", ". ").replace(":", " :"), room)[:MOST_ADDRESS_LINES]
    lines = greeting.split(" ", 1) if greeting else [part.replace(". ", ".").replace(" :", ":") for part in parts]
    address = boxes.column(*(boxes.words(shortened(line, room, size), size) for line in lines), gap=ADDRESS_GAP_PX)
    beside = boxes.page([address, boxes.words(door.digits, BIG)], height)
    pixels = boxes.paint((box.at(box.x + height + CODE_GAP_PX, box.y) for box in beside), width, height)
    pixels[:, :height] = True
    modules = np.array(door.code, np.bool_).repeat(scale, axis=0).repeat(scale, axis=1)
    at = (height - len(modules)) // 2
    pixels[at : at + len(modules), at : at + len(modules)] = ~modules
    return pixels


def _scale(code: Modules, height: int) -> int:
    return height // (len(code) + 2 * CODE_RIM)
