"""How a terminal of any size is filled: tray, words beside it, the last rows below; and the pages of the help."""

import re
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tabletop.views.snapshot import Snapshot
from tabletop.views.terminal.canvas import EMPTY, PLAIN, Canvas, Line, Style, line, padded, width, wrapped, write
from tabletop.views.terminal.panel import FOOTER_ROWS, TITLE, beside, draw_footer, happened, sheet_lines, sheet_width
from tabletop.views.terminal.tray_picture import WHOLE, Crop, TrayInCells, fitted

WIDEST = 92  # columns: longer lines are hard to read
FULL_LINE = 95  # letters: a line of a rule text that is shorter ends a paragraph; they are written to 120
HEADING = re.compile(
    r"(\w[\w ,=()/'-]{0,38}:) "
)  # what a paragraph of a rule text begins with: "A turn:", "entry=500:"
SUBJECT = Style(bold=True)


def help_pages(snapshot: Snapshot, columns: int, rows: int, *, tray: bool) -> list[list[Line]]:
    """Return the pages, at least one. columns, rows: of the terminal. tray: whether there are simulated dice."""
    wide, room = min(columns - 2, WIDEST), max(rows - 1, 1)
    phrases = snapshot.phrases
    keys, asks = phrases.help_titles
    keys_here = (*phrases.help_keys, *(phrases.help_dice if tray else ()))
    parts = [[line(keys, TITLE), *_table(keys_here, wide)], [line(asks, TITLE), *_table(phrases.help_asks, wide)]]
    if snapshot.rules:
        title = line(phrases.help_rules.format(game=snapshot.game), TITLE)
        parts.append([title, *_rules(snapshot.rules, wide)])
    pages: list[list[Line]] = []
    for part in parts:
        if pages and len(pages[-1]) + 1 + len(part) <= room:
            pages[-1] += [EMPTY, *part]
        else:
            pages += [part[at : at + room] for at in range(0, len(part), room)]
    return pages


def draw_help(snapshot: Snapshot, page: int, canvas: Canvas, *, tray: bool) -> None:
    """Draw one page, the last one for numbers beyond it, and below it how to go on."""
    pages = help_pages(snapshot, canvas.columns, canvas.rows, tray=tray)
    page = min(page, len(pages) - 1)
    write(canvas, 1, 0, canvas.columns - 1, pages[page])
    phrases = snapshot.phrases
    more = phrases.help_more.format(n=page + 2, n2=len(pages)) if page + 1 < len(pages) else phrases.help_end
    canvas.text(0, canvas.rows - 1, padded(f" {more}", canvas.columns - 1), Style(reverse=True))


def _table(texts: tuple[str, ...], columns: int) -> list[Line]:
    """Return texts as two columns: the subject, and the text about it."""
    pairs = [text.partition("  ")[::2] for text in texts]
    left = min(max(width(subject) for subject, _ in pairs), columns // 4) + 2
    lines: list[Line] = []
    for subject, said in pairs:
        subjects, sayings = wrapped(subject, left - 1), wrapped(said, columns - left)
        for at in range(max(len(subjects), len(sayings))):
            first = subjects[at] if at < len(subjects) else ""
            then = sayings[at] if at < len(sayings) else ""
            lines.append(((padded(first, left), SUBJECT), (then, PLAIN)))
    return lines


def _rules(text: str, columns: int) -> list[Line]:
    """Return a rule text in paragraphs of this width, the words that each begins with in bold."""
    paragraphs: list[str] = []
    full = False
    for row in text.splitlines():
        if full and not HEADING.match(row):
            paragraphs[-1] += " " + row
        elif row.strip():
            paragraphs.append(row)
        full = len(row) >= FULL_LINE
    lines: list[Line] = []
    for paragraph in paragraphs:
        found = HEADING.match(paragraph)
        rows = wrapped(paragraph, columns, "  ")
        for at, row in enumerate(rows):
            if at == 0 and found and row.startswith(found[1]):
                lines.append(((found[1], SUBJECT), (row[len(found[1]) :], PLAIN)))
            else:
                lines.append(line(row))
    return lines


LEAST_COLUMNS, LEAST_ROWS = 40, 12  # below, nothing useful can be drawn
LEAST_PANEL = 19  # columns beside the tray: most words are shorter than the 21 letters of a small display
LIST_COLUMNS = 34  # for a list that is open: nearly all lines of menus are shorter
WIDE_COLUMNS = 100  # from here on there is room for so many columns of words beside a tray that is large enough
WORDS_COLUMNS = 40  # most events and most sheets of two players fit
LEAST_TRAY = 20  # columns that the tray keeps beside a list
EVENT_ROWS = 10  # rows below the sheet with which what has happened stands there, else below the tray if it can
GAP = 2  # columns between the tray and the words


@dataclass(frozen=True, slots=True)
class Shown:
    """How the table is to be shown.

    columns, rows: of the terminal. colours: how many it has, 0 for none. unicode: False where only ASCII can be
    written. sheet: whether TAB has led to the whole score sheet. tray_keys: whether there are simulated dice. crop:
    what of the camera's picture is shown. remark: said in place of the hint, for a moment. help_page: the page of the
    help that is open, None for the table.
    """

    columns: int
    rows: int
    colours: int
    unicode: bool = True
    sheet: bool = False
    tray_keys: bool = True
    crop: Crop = WHOLE
    remark: str = ""
    help_page: int | None = None


def compose(pixels: NDArray[np.uint8] | None, snapshot: Snapshot, shown: Shown) -> list[str]:
    """Return the picture of the table as `rows` lines, none wider than `columns` cells.

    pixels: the frame, (H, W, 3) uint8 BGR, None before the first; the snapshot's reading is drawn over it, in pixels.
    """
    if shown.columns < LEAST_COLUMNS or shown.rows < LEAST_ROWS:
        wish = snapshot.phrases.enlarge.format(n=LEAST_COLUMNS, n2=LEAST_ROWS)
        return [wish[: shown.columns], *[""] * (shown.rows - 1)]
    canvas = Canvas(shown.columns, shown.rows, shown.colours, unicode=shown.unicode)
    if shown.help_page is not None:
        draw_help(snapshot, shown.help_page, canvas, tray=shown.tray_keys)
        return canvas.lines()
    rows = shown.rows - FOOTER_ROWS
    if shown.sheet and snapshot.players:
        _draw_sheet(canvas, snapshot, rows)
    else:
        _draw_table(canvas, TrayInCells(pixels, snapshot.reading, shown.crop), snapshot, rows)
    draw_footer(canvas, snapshot, shown.remark, tray_keys=shown.tray_keys)
    return canvas.lines()


def _draw_table(canvas: Canvas, picture: TrayInCells, snapshot: Snapshot, rows: int) -> None:
    """Draw the tray at the left, as large as it gets, and words at the right; what is left below it as well."""
    words = LEAST_PANEL
    if snapshot.menu or snapshot.spelling or snapshot.entry:
        words = max(min(LIST_COLUMNS, canvas.columns - LEAST_TRAY - GAP), LEAST_PANEL)
    if canvas.columns >= WIDE_COLUMNS:
        words = max(words, min(max(sheet_width(snapshot, canvas.columns), WORDS_COLUMNS), canvas.columns // 2))
    tray_columns, tray_rows = fitted(canvas.columns - words - GAP, rows, picture.shape)
    picture.draw(canvas, tray_columns, tray_rows, snapshot.phrases.no_picture)
    at = tray_columns + GAP
    columns = canvas.columns - at
    quiet = replace(snapshot, happened=())
    words_alone = beside(quiet, columns, rows, rich=canvas.rich)
    below = happened(snapshot, tray_columns, rows - tray_rows - 2)
    if below and rows - len(words_alone) < EVENT_ROWS:
        write(canvas, 0, tray_rows + 1, tray_columns, below)
        write(canvas, at, 0, columns, words_alone)
    else:
        write(canvas, at, 0, columns, beside(snapshot, columns, rows, rich=canvas.rich))


def _draw_sheet(canvas: Canvas, snapshot: Snapshot, rows: int) -> None:
    """Draw the whole score sheet, in two columns where it is too long, and what has happened where there is room."""
    sheet = sheet_lines(snapshot, canvas.columns)
    wide = sheet_width(snapshot, canvas.columns)
    head, body = sheet[:1], sheet[1:]
    at = 0
    while body and at + wide <= canvas.columns:
        write(canvas, at, 0, canvas.columns - at, [*head, *body[: rows - 1]])
        body = body[rows - 1 :]
        at += wide + 2 * GAP
    if canvas.columns - at >= LEAST_PANEL:
        write(canvas, at, 0, canvas.columns - at, happened(snapshot, canvas.columns - at, rows))
    elif rows > len(sheet):
        write(canvas, 0, len(sheet) + 1, canvas.columns, happened(snapshot, canvas.columns, rows - len(sheet) - 1))
