"""Lay out a terminal of any size: a title, tray and dice, the board beside them, the footer below."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tabletop.views.snapshot import Snapshot
from tabletop.views.terminal.board import FAINT, board, board_width, player_style, sentence
from tabletop.views.terminal.canvas import Canvas, Line, Style, width, write
from tabletop.views.terminal.dice_picture import dice_lines
from tabletop.views.terminal.help import TITLE, draw_help
from tabletop.views.terminal.panel import FOOTER_ROWS, beside, draw_footer, is_open, named_in
from tabletop.views.terminal.tray_picture import WHOLE, Crop, TrayInCells, fitted

LEAST_COLUMNS, LEAST_ROWS = 40, 12  # nothing useful can be drawn in less
TITLED_ROWS = 16  # with fewer there is no title
LEAST_PANEL = 19  # columns beside the tray: most texts are shorter than the 21 letters of a small display
LIST_COLUMNS = 34  # for an open list: nearly all lines of menus are shorter
BOARD_EIGHTHS = 3  # of the columns, reserved for the board
LEAST_TRAY = 23  # columns reserved for the tray beside the board: three dice fit below it
LEAST_TRAY_ROWS = 6  # reserved for the tray above the dice
PROGRAM = "tabletop"  # the title while no game is played
GAP = 2  # columns between the tray and the board


@dataclass(frozen=True, slots=True)
class Shown:
    """How to show the table.

    columns, rows: of the terminal. colours: how many it has, 0 for none. unicode: False if only ASCII can be written.
    sheet: whether TAB has switched to the whole score sheet. numbers: whether dice also have numbers. tray_keys:
    whether there are simulated dice. crop: the visible part of the camera's picture. remark: temporarily replaces the
    hint. help_page: the open page of the help, None for the table. address: of the page, may be empty.
    """

    columns: int
    rows: int
    colours: int
    unicode: bool = True
    sheet: bool = False
    numbers: bool = False
    tray_keys: bool = True
    crop: Crop = WHOLE
    remark: str = ""
    help_page: int | None = None
    address: str = ""


def compose(pixels: NDArray[np.uint8] | None, snapshot: Snapshot, shown: Shown) -> list[str]:
    """Return the picture of the table as `rows` lines, none wider than `columns` cells.

    pixels: the frame, (H, W, 3) uint8 BGR, None before the first; the snapshot's reading, in its pixels, is drawn over
    it.
    """
    if shown.columns < LEAST_COLUMNS or shown.rows < LEAST_ROWS:
        wish = snapshot.phrases.enlarge.format(n=LEAST_COLUMNS, n2=LEAST_ROWS)
        return [wish[: shown.columns], *[""] * (shown.rows - 1)]
    canvas = Canvas(shown.columns, shown.rows, shown.colours, unicode=shown.unicode)
    if shown.help_page is not None:
        draw_help(snapshot, shown.help_page, canvas, tray=shown.tray_keys)
        return canvas.lines()
    top = int(shown.rows >= TITLED_ROWS)
    rows = shown.rows - FOOTER_ROWS - top
    if top:
        _draw_title(canvas, snapshot, shown.address)
    if shown.sheet and snapshot.players:
        _draw_sheet(canvas, snapshot, top, rows)
    else:
        _draw_table(canvas, TrayInCells(pixels, snapshot.reading, shown.crop), snapshot, shown, top, rows)
    draw_footer(canvas, snapshot, shown.remark, tray_keys=shown.tray_keys)
    return canvas.lines()


def _draw_title(canvas: Canvas, snapshot: Snapshot, address: str) -> None:
    """Draw which game is played at the left, and at the right where the page is, if there is room for it."""
    title = snapshot.game or PROGRAM
    canvas.text(0, 0, title, TITLE)
    at = canvas.columns - width(address)
    if at >= width(title) + GAP:
        canvas.text(at, 0, address, Style(FAINT.fg, link=address))


def _draw_table(canvas: Canvas, picture: TrayInCells, snapshot: Snapshot, shown: Shown, top: int, rows: int) -> None:
    """Draw tray and dice at the left, as large as the board beside them lets them be."""
    words = max(LIST_COLUMNS if is_open(snapshot) else board_width(snapshot), LEAST_PANEL)
    words = max(words, canvas.columns * BOARD_EIGHTHS // 8)
    left = max(canvas.columns - GAP - words - 1, min(LEAST_TRAY, canvas.columns // 2))
    thrown = Snapshot(thrown=snapshot.menu.faces if snapshot.menu else ()) if is_open(snapshot) else snapshot
    dice = dice_lines(thrown, left, rows - LEAST_TRAY_ROWS - 1, canvas, numbers=shown.numbers)
    tray_columns, tray_rows = fitted(left, rows - len(dice) - bool(dice), picture.shape)
    picture.draw(canvas, tray_columns, tray_rows, snapshot.phrases.no_picture, top, numbers=shown.numbers)
    if dice:
        write(canvas, 0, top + rows - len(dice) - 1, left, [_thrown(thrown), *dice])
    across = max((sum(width(text) for text, _ in spans) for spans in dice), default=0)
    at = min(max(tray_columns, across), left) + GAP
    write(canvas, at, top, canvas.columns - at - 1, beside(snapshot, canvas.columns - at - 1, rows))


def _thrown(snapshot: Snapshot) -> Line:
    """Return whose dice are shown, nothing before a throw, and of those that picture a game."""
    if not (snapshot.thrown and snapshot.players):
        return ()
    name = snapshot.thrower or (named_in(snapshot, snapshot.happened[-1]) if snapshot.happened else "")
    words = snapshot.phrases.threw if name else sentence(snapshot.phrases.thrown)
    return ((name, player_style(snapshot, name)), (f"{' ' if name else ''}{words}", FAINT))


def _draw_sheet(canvas: Canvas, snapshot: Snapshot, top: int, rows: int) -> None:
    """Draw the board as wide as the terminal; a sheet that is too long goes on at the right."""
    lines = board(snapshot, canvas.columns, rows * 2)
    if len(lines) <= rows:
        lines = beside(snapshot, canvas.columns - 1, rows)
    wide = max(sum(width(text) for text, _ in spans) for spans in lines) + 2 * GAP
    for at in range(0, len(lines), rows):
        write(canvas, at // rows * wide, top, canvas.columns - at // rows * wide, lines[at : at + rows])
