"""How a terminal of any size is filled: tray, small screen, sheet, status, hint and keys. Pure."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tabletop.core.values import Reading
from tabletop.views.i18n.strings import Strings
from tabletop.views.snapshot import Snapshot
from tabletop.views.terminal.canvas import PLAIN, Canvas, Style
from tabletop.views.terminal.words import keys_line, panel, read_text, spelled, status

Part = Literal["both", "tray", "screen"]

PARTS: tuple[Part, ...] = ("both", "screen", "tray")
BOTH_COLUMNS, BOTH_ROWS = 80, 24  # from here on tray and screen stand together
LEAST_COLUMNS, LEAST_ROWS = 40, 12  # below, nothing useful can be drawn
WORDS_ROWS = 2  # status and keys
BOX_COLUMNS = 5  # dice narrower than this in cells get a digit, wider ones corners around and a label above

SURE = Style(fg=(10, 20, 10), bg=(130, 240, 130), bold=True, reverse=False)
UNSURE = Style(fg=(30, 20, 0), bg=(255, 190, 60), bold=True)
SURE_FEW, UNSURE_FEW = Style(reverse=True), Style(bold=True, reverse=True)
LIT = Style(fg=(170, 230, 255), bg=(0, 0, 0))
FAINT = Style(fg=(130, 130, 130))
WARNING = Style(fg=(255, 200, 90), bold=True)
KEYS_STYLE = Style(reverse=True)


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of cells."""

    column: int
    row: int
    columns: int
    rows: int

    @property
    def area(self) -> int:
        """How many cells it has, 0 if it has none."""
        return max(self.columns, 0) * max(self.rows, 0)


def compose(
    frame_pixels: NDArray[np.uint8] | None,
    reading: Reading | None,
    oled_pixels: NDArray[np.bool_] | None,
    snapshot: Snapshot,
    columns: int,
    rows: int,
    colours: int,
    *,
    unicode: bool = True,
    part: Part = "both",
    tray_keys: bool = True,
) -> list[str]:
    """Return the picture of the table as `rows` lines, none wider than `columns` cells.

    frame_pixels: (H, W, 3) uint8 BGR, None before the first frame. reading: drawn over it, in pixels. oled_pixels:
    (64, 128) or (32, 128) bool, None if there is no screen to imitate (its content is then told in words). colours:
    of the terminal, 0 for none. part: what to show where not both fit, or are not wanted; "both" stands for the tray
    there. tray_keys: whether there are simulated dice.
    """
    if columns < LEAST_COLUMNS or rows < LEAST_ROWS:
        return too_small(columns, rows, snapshot.phrases)
    canvas = Canvas(columns, rows, colours, unicode=unicode)
    screen = oled_pixels if unicode and oled_pixels is not None else None
    screen_size = (screen.shape[1] // 2, screen.shape[0] // 4) if screen is not None else (64, 16)
    whole = Box(0, 0, columns, rows - WORDS_ROWS)
    together = part == "both" and columns >= BOTH_COLUMNS and rows >= BOTH_ROWS
    if together:
        tray, screen_at, free = _together(whole, frame_pixels, screen_size)
    elif part == "screen":
        tray, screen_at, free = None, Box(0, 0, *screen_size), [_below(whole, screen_size[1])]
    else:
        tray = _fitted(whole, frame_pixels)
        screen_at, free = None, [_right_of(whole, tray), _below(whole, tray.rows)]
    if tray is not None:
        _draw_tray(canvas, tray, frame_pixels, reading, snapshot.phrases)
    if screen_at is not None:
        _draw_screen(canvas, screen_at, screen, snapshot, whole)
    _draw_panel(canvas, free, snapshot)
    _draw_words(canvas, snapshot, buttons=screen_at is None, tray_keys=tray_keys)
    return canvas.lines()


def next_part(part: Part, columns: int, rows: int) -> Part:
    """Return what TAB leads to: the next of both, screen and tray; where only one fits, the other one."""
    if columns >= BOTH_COLUMNS and rows >= BOTH_ROWS:
        return PARTS[(PARTS.index(part) + 1) % len(PARTS)]
    return "tray" if part == "screen" else "screen"


def too_small(columns: int, rows: int, phrases: Strings) -> list[str]:
    """Return a line that asks for more room, cut to what there is, and blanks."""
    wish = phrases.enlarge.format(n=LEAST_COLUMNS, n2=LEAST_ROWS)
    return [wish[:columns], *[""] * (rows - 1)][:rows]


def _fitted(room: Box, pixels: NDArray[np.uint8] | None) -> Box:
    """Return the largest box at the room's corner that has the picture's shape; a cell is twice as high as wide."""
    height, width = pixels.shape[:2] if pixels is not None else (3, 4)
    rows = max(min(room.rows, int(room.columns * height / width / 2)), 1)
    columns = max(min(room.columns, round(rows * 2 * width / height)), 1)
    return Box(room.column, room.row, columns, rows)


def _together(whole: Box, pixels: NDArray[np.uint8] | None, screen: tuple[int, int]) -> tuple[Box, Box, list[Box]]:
    """Return where tray and screen go, side by side or one above the other as the tray gets larger; and free boxes."""
    left = Box(0, 0, whole.columns - screen[0] - 1, whole.rows)
    under = Box(0, screen[1], whole.columns, whole.rows - screen[1])
    beside, below = _fitted(left, pixels), _fitted(under, pixels)
    if beside.area >= below.area:
        screen_at = Box(whole.columns - screen[0], 0, *screen)
        free = [
            Box(screen_at.column, screen[1] + 1, screen[0], whole.rows - screen[1] - 1),
            Box(0, beside.rows + 1, left.columns, whole.rows - beside.rows - 1),
        ]
        return beside, screen_at, free
    free = [Box(screen[0] + 2, 0, whole.columns - screen[0] - 2, screen[1]), _right_of(under, below)]
    return below, Box(0, 0, *screen), free


def _right_of(room: Box, taken: Box) -> Box:
    return Box(taken.column + taken.columns + 2, taken.row, room.columns - taken.columns - 2, room.rows)


def _below(room: Box, rows: int) -> Box:
    return Box(room.column, room.row + rows + 1, room.columns, room.rows - rows - 1)


def _draw_tray(
    canvas: Canvas, box: Box, pixels: NDArray[np.uint8] | None, reading: Reading | None, phrases: Strings
) -> None:
    if pixels is None:
        canvas.text(box.column, box.row, phrases.no_picture, FAINT)
        return
    canvas.picture(box.column, box.row, box.columns, box.rows, pixels)
    if reading is None or reading.unit != "px" or not (reading.width and reading.height):
        return
    sure, unsure = (SURE, UNSURE) if canvas.rich and canvas.unicode else (SURE_FEW, UNSURE_FEW)
    across, down = box.columns / reading.width, box.rows / reading.height
    marks = [(one.x, one.y, one.size, "?", unsure) for one in reading.unsure]
    marks += [(die.x, die.y, die.size, str(die.face), sure) for die in reading.dice]
    for x, y, size, label, style in marks:
        column, row = box.column + int(x * across), box.row + int(y * down)
        half_columns, half_rows = size * across * 0.75, size * down * 0.75
        if 2 * half_columns < BOX_COLUMNS:
            canvas.mark(column, row, label, style)
            continue
        _corners(canvas, box, Box(column, row, round(half_columns), max(round(half_rows), 1)), label, style)


def _corners(canvas: Canvas, box: Box, around: Box, label: str, style: Style) -> None:
    """Draw four corners around a die, and its label above. around: its middle, and half its size."""
    left, right = around.column - around.columns, around.column + around.columns
    top, bottom = around.row - around.rows, around.row + around.rows
    line = Style(fg=style.bg, bold=True)
    for column, row, unicode_char, ascii_char in (
        (left, top, "┌", "+"),
        (right, top, "┐", "+"),
        (left, bottom, "└", "+"),
        (right, bottom, "┘", "+"),
    ):
        if box.row <= row < box.row + box.rows and box.column <= column < box.column + box.columns:
            canvas.mark(column, row, unicode_char if canvas.unicode else ascii_char, line)
    label_row = min(max(top, box.row), box.row + box.rows - 1)
    first = min(max(around.column - 1, box.column), box.column + box.columns - len(f" {label} "))
    for at, char in enumerate(f" {label} ", start=first):
        canvas.mark(at, label_row, char, style)


def _draw_screen(canvas: Canvas, box: Box, screen: NDArray[np.bool_] | None, snapshot: Snapshot, whole: Box) -> None:
    if screen is None or box.columns > whole.columns or box.rows > whole.rows:
        for at, line in enumerate(spelled(snapshot)[: whole.rows]):
            canvas.text(box.column, at, line)
        return
    canvas.braille(box.column, box.row, screen, LIT if canvas.rich else PLAIN)


def _draw_panel(canvas: Canvas, free: list[Box], snapshot: Snapshot) -> None:
    """Write the scores into the first free box that holds them whole, else as much as the largest one takes."""
    read = read_text(snapshot)
    head = [snapshot.phrases.reads.format(faces=read)] if read else []
    for lines in ([*head, *panel(snapshot)], [*head, *panel(snapshot, sheet=False)]):
        wide = max(map(len, lines), default=0)
        fitting = [box for box in free if box.columns >= wide and box.rows >= len(lines)]
        # A sheet that is cut off at its end still tells the scores; one that is cut off at its side tells nothing.
        cut = [box for box in free if box.columns >= wide and box.rows > len(snapshot.players) + len(head)]
        if fitting or cut:
            _write(canvas, fitting[0] if fitting else max(cut, key=lambda box: box.rows), lines)
            return
    _write(canvas, max(free, key=lambda box: (box.area > 0, box.columns)), [*head, *panel(snapshot, sheet=False)])


def _write(canvas: Canvas, box: Box, lines: list[str]) -> None:
    for at, line in enumerate(lines[: max(box.rows, 0)]):
        canvas.text(box.column, box.row + at, line[: max(box.columns, 0)])


def _draw_words(canvas: Canvas, snapshot: Snapshot, *, buttons: bool, tray_keys: bool) -> None:
    status_text = status(snapshot, buttons=buttons)
    canvas.text(0, canvas.rows - 2, status_text, Style(bold=True))
    if snapshot.hint:
        # The hint is what people need most: it is never pushed out by the status.
        start = min(len(status_text) + 1 if status_text else 0, max(canvas.columns - len(snapshot.hint) - 1, 0))
        canvas.text(start, canvas.rows - 2, (" " if start else "") + snapshot.hint, WARNING)
    # The last cell of the last row stays free: some terminals scroll when it is written.
    line = keys_line(canvas.columns, tray=tray_keys, phrases=snapshot.phrases)
    canvas.text(0, canvas.rows - 1, f"{line:<{canvas.columns - 1}}"[: canvas.columns - 1], KEYS_STYLE)
