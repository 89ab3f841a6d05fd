"""The last rows: who is asked for what, the hint, both buttons with their keys, and the other keys. Pure."""

from tabletop.core.ports import ButtonName
from tabletop.views.snapshot import Snapshot
from tabletop.views.terminal.canvas import PLAIN, Canvas, Style
from tabletop.views.terminal.lines import EMPTY, Line, cut, line, width, wrapped, write
from tabletop.views.terminal.words import key_items, status

FOOTER_ROWS = 4  # the request, the hint, the buttons, the keys
BUTTON_GAP = 3  # blanks between the two buttons

ASK = Style(bold=True)
HINT = Style(fg=(255, 200, 90), bold=True)
WORD = Style(fg=(150, 150, 160))
KEY = Style(bold=True)
LABELS = {
    "hold": Style(fg=(240, 244, 255), bg=(44, 70, 130), bold=True),
    "bank": Style(fg=(240, 255, 244), bg=(30, 104, 58), bold=True),
}
PRESSED = Style(fg=(30, 20, 0), bg=(255, 220, 130), bold=True)
HOLD, BANK = "h HOLD", "b BANK"  # each button with its key
FEW, FEW_PRESSED = Style(reverse=True), Style(bold=True)  # where colours are few


def draw_footer(canvas: Canvas, snapshot: Snapshot, remark: str, *, tray_keys: bool) -> None:
    """Draw the four rows. remark: said in place of the hint."""
    top = canvas.rows - FOOTER_ROWS
    write(canvas, 0, top, canvas.columns, _request(snapshot, remark, canvas.columns))
    write(canvas, 0, top + 2, canvas.columns, [_buttons(snapshot, canvas)])
    # The last cell of the last row stays free: some terminals scroll when it is written.
    write(canvas, 0, top + 3, canvas.columns - 1, [_keys(canvas.columns, snapshot, tray=tray_keys)])


def _request(snapshot: Snapshot, remark: str, columns: int) -> list[Line]:
    """Return two rows: the request, then the hint. A hint that is longer than a row takes both: it matters most.

    A list stands beside the tray with its title: here is only what it says about the line stepped to.
    """
    if snapshot.menu:
        note = wrapped(snapshot.menu.note, columns)[: 1 if remark else 2]
        return [*(line(row, ASK) for row in note), *([] if note else [EMPTY]), line(remark, HINT)]
    hint = remark or snapshot.hint or (snapshot.why if snapshot.winners else "")
    hint = hint or ("" if _offer_fits(snapshot, columns) else snapshot.offer)
    rows = wrapped(hint, columns)
    if len(rows) > 1:
        return [line(row, HINT) for row in rows[:2]]
    asked = line(status(snapshot), ASK)
    return [asked, line(hint, HINT)] if hint else [asked]


def _buttons(snapshot: Snapshot, canvas: Canvas) -> Line:
    """Return both buttons as on the device, HOLD at the left, each with its key and what it does now."""
    hold = _label(HOLD, snapshot.hold, (canvas.columns - BUTTON_GAP) // 2)
    offer = snapshot.offer if _offer_fits(snapshot, canvas.columns) else ""
    bank = _label(BANK, offer or snapshot.bank, canvas.columns - BUTTON_GAP - width(hold))
    gap = (" " * BUTTON_GAP, PLAIN)
    looks = {name: (style if canvas.rich else FEW) for name, style in LABELS.items()}
    return (
        *_pressed(hold, looks["hold"] if snapshot.hold else WORD, snapshot, "hold", canvas),
        gap,
        *_pressed(bank, looks["bank"] if snapshot.offer or snapshot.bank else WORD, snapshot, "bank", canvas),
    )


def _offer_fits(snapshot: Snapshot, columns: int) -> bool:
    """Return whether what BANK offers can stand whole on its label; else it stands above, where the hint does."""
    hold = _label(HOLD, snapshot.hold, (columns - BUTTON_GAP) // 2)
    return width(f" {BANK}: {snapshot.offer} ") <= columns - BUTTON_GAP - width(hold)


def _label(name: str, does: str, columns: int) -> str:
    return cut(f" {name}: {does or '-'}", columns - 1) + " "


def _pressed(text: str, style: Style, snapshot: Snapshot, button: ButtonName, canvas: Canvas) -> Line:
    """Return a label; while its button is down in another style, as far as a long press has come."""
    if snapshot.pressed != button:
        return line(text, style)
    filled = round(snapshot.held * len(text)) if snapshot.held else len(text)
    return (text[:filled], PRESSED if canvas.rich else FEW_PRESSED), (text[filled:], style)


def _keys(columns: int, snapshot: Snapshot, *, tray: bool) -> Line:
    """Return the line of keys, each key bold before its word."""
    gap, items = key_items(columns, tray=tray, phrases=snapshot.phrases)
    spans: list[tuple[str, Style]] = []
    for item in items:
        key, _, word = item.partition(" ")
        spans += [(gap if spans else "", PLAIN), (key, KEY), (f" {word}" if word else "", WORD)]
    return tuple(spans)
