"""A match on a screen of two lines: the name large, and what to do between the labels of the buttons."""

from itertools import product

from tabletop.views.oled.boxes import Box
from tabletop.views.oled.measure import NOTHING, Shape, beside, inside, line, lines, padded, page, thrown
from tabletop.views.oled.page_text import Said, named, text_pages
from tabletop.views.oled.pages.scores import standing_pages
from tabletop.views.oled.pages.sheet import sheet_pages
from tabletop.views.oled.text import BIG, HUGE, SMALL, TALL, TIGHT, TRIM
from tabletop.views.snapshot import Snapshot

Page = tuple[Box, ...]

SMALL_DICE = (9, 3)  # edge in pixels, dice in a row: two rows stand beside a name
LARGE_DICE = ((17, 6), (12, 9), (9, 12))
GAP = 6  # columns between name, figure and dice
NAME_SIZES = (HUGE, BIG, TALL, TRIM, SMALL)
AIR_ROWS = 1  # above and below words that stand between two others
FIGURE_SIZES = (HUGE, BIG, TRIM, TIGHT)


def flat_pages(snapshot: Snapshot, width: int, height: int, footer_gap: Box) -> tuple[Page, ...]:
    """Return the pages: whose turn it is and what to do, then the rest of the words, the dice, the scores.

    footer_gap: the room between the labels of the bottom line, where a short message stands, so that the name can be
    large.
    """
    said = Said.of(snapshot)
    second = text_pages(said.second, width, height)
    first = _first_page(snapshot, said, (width, height), footer_gap)
    if first is None:
        now, who = text_pages(said.first, width, height), _named(said, width, height)
        firsts, second = ((*now, *second, *who), ()) if said.gives else ((*now, *who), second)
    elif said.stake in {"", *(box.text for box in first)}:
        firsts = (first,)
    else:
        firsts = (first, *text_pages(said.stake, width, height))
    boards = (thrown(snapshot.thrown, snapshot.kept, *form, snapshot.cursor) for form in LARGE_DICE)
    board = next((board for board in boards if board.height <= height), NOTHING)
    dice_page = (page([board], height),) if board.height else ()
    return (
        *firsts,
        *second,
        *dice_page,
        *standing_pages(snapshot, width, height),
        *sheet_pages(snapshot, width, height),
    )


def _first_page(snapshot: Snapshot, said: Said, room: tuple[int, int], footer_gap: Box) -> Page | None:
    """Return the page with the name and the message, as large as they go, or None where a long hint leaves no room."""
    width, height = room
    message = lines(said.first, SMALL, width)
    in_gap = inside(message, footer_gap)
    close = line(said.first, TIGHT)  # without rows for what hangs below, where nothing does
    if close.width <= width and close.above == close.height:
        message = padded(close, 0, AIR_ROWS)
    below = NOTHING if in_gap or not message.height else padded(message, AIR_ROWS, 0)
    small = thrown(snapshot.thrown, snapshot.kept, *SMALL_DICE, snapshot.cursor)
    for name_size, figure_size, board in product(NAME_SIZES, FIGURE_SIZES, (small, NOTHING)):
        right = _together(line(said.stake or said.score, figure_size), board)
        head = beside(named(said, name_size), right, width, GAP)
        if head is not None and head.height + below.height <= height:
            return (*page([head, below], height), *(in_gap or ()))
    name = named(said, SMALL)
    if name.width <= width and name.height + below.height <= height:
        return (*page([name, below], height), *(in_gap or ()))
    return None


def _named(said: Said, width: int, height: int) -> tuple[Page, ...]:
    """Return a page with the name and the figure alone; more where they do not fit on one."""
    figure = said.stake or said.score
    rows = (beside(named(said, size), line(figure), width, GAP) for size in (BIG, TALL, SMALL))
    row = next((row for row in rows if row is not None and row.height <= height), None)
    return (page([row], height),) if row else text_pages(f"{said.name} {figure}", width, height)


def _together(figure: Shape, board: Shape) -> Shape:
    """Return the figure with the dice to its right."""
    if not figure.height or not board.height:
        return figure if figure.height else board
    return beside(figure, board, figure.width + GAP + board.width, GAP) or NOTHING
