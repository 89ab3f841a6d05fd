"""The parts beside the tray (the open list, the board, events) and the footer. Pure."""

from tabletop.core.ports import ButtonName
from tabletop.rules import Keep
from tabletop.views.i18n.catalogue import ENGLISH_PHRASES, Strings
from tabletop.views.snapshot import Snapshot, TrayDrawing
from tabletop.views.terminal.board import CHOSEN, FAINT, board, player_style, sentence
from tabletop.views.terminal.canvas import EMPTY, PLAIN, Canvas, Line, Style, cut, line, padded, width, wrapped, write
from tabletop.views.terminal.help import TITLE, keys_table, rules_lines

BETWEEN = "  "  # separates two keys in the translation files
TRAY_COLUMNS, TRAY_ROWS = 22, 6  # of the tray in characters, which are twice as tall as wide


def keys_line(columns: int, *, tray: bool = True, phrases: Strings = ENGLISH_PHRASES) -> str:
    """Return the most complete line of keys that is shorter than this many cells.

    tray: whether there are simulated dice to throw.
    """
    gap, items = key_items(columns, tray=tray, phrases=phrases)
    return gap.join(items)[: max(columns - 1, 0)]


def key_items(columns: int, *, tray: bool = True, phrases: Strings = ENGLISH_PHRASES) -> tuple[str, tuple[str, ...]]:
    """Return the blanks between two keys, and each key with its label."""
    lines = [tuple(text.split(BETWEEN)) for text in (phrases.tray_keys if tray else phrases.keys)]
    fitting = ((gap, items) for items in lines for gap in (BETWEEN, " ") if len(gap.join(items)) < columns)
    return next(fitting, (" ", lines[-1]))


def status(snapshot: Snapshot) -> str:
    """Return the current question with the points at stake, or the selected line of a list; empty before a match."""
    phrases = snapshot.phrases
    if snapshot.menu:
        menu = snapshot.menu
        return f"{menu.title}{' ' if menu.title.endswith('?') else ': '}{menu.items[menu.at]}"
    if snapshot.spelling:
        spelling = snapshot.spelling
        return f"{spelling.title}: {spelling.text}_ [{spelling.letters[spelling.at]}]"
    if snapshot.entry:
        entry = snapshot.entry
        return f"{entry.who}: {' '.join(map(str, entry.faces))} [{entry.face}] {len(entry.faces) + 1}/{entry.due}"
    if snapshot.winners:
        return snapshot.over
    ask = snapshot.ask if snapshot.asked else sentence(snapshot.ask)
    parts = [": ".join(word for word in (snapshot.asked, ask) if word)]
    if snapshot.paused:
        parts.append(phrases.paused)
    return "  ".join(part for part in (*parts, snapshot.stake) if part)


def told(snapshot: Snapshot) -> str:
    """Return request, hint and buttons in one line, for a terminal that can only print lines."""
    note = snapshot.menu.note if snapshot.menu else snapshot.hint
    labels = (("HOLD", snapshot.hold), ("BANK", snapshot.offer or snapshot.bank))
    buttons = "  ".join(f"{name}: {does}" for name, does in labels if does)
    return "  ".join(part for part in (status(snapshot), note, buttons) if part)


def tray_lines(drawing: TrayDrawing) -> list[str]:
    """Return the tray as lines of characters: faces, "?" for unreadable dice, [ ] around those in question."""
    rows = [[" "] * TRAY_COLUMNS for _ in range(TRAY_ROWS)]
    for die in sorted(drawing.dice, key=lambda die: die.asked):
        row = rows[min(int(die.y * TRAY_ROWS), TRAY_ROWS - 1)]
        at = min(max(int(die.x * TRAY_COLUMNS), 1), TRAY_COLUMNS - 2)
        row[at - 1 : at + 2] = f"[{die.face or '?'}]" if die.asked else f" {die.face or '?'} "
    edge = f"+{'-' * TRAY_COLUMNS}+"
    return [edge, *(f"|{''.join(row)}|" for row in rows), edge]


ASKED = Style(bold=True)
LEAST_HAPPENED = 2  # rows: fewer are useless
ITEMS_ABOVE = 2  # lines of a list kept above the selected one
TRAY_DRAWING_CELLS = 24


def is_open(snapshot: Snapshot) -> bool:
    """Return whether a list, letters or faces have the buttons now."""
    return bool(snapshot.menu or snapshot.spelling or snapshot.entry)


def beside(snapshot: Snapshot, columns: int, rows: int) -> list[Line]:
    """Return at most this many lines of this many cells: the open dialog, the board, and more if there is room.

    More is the latest events, then the rules of the game, and before a match the keys.
    """
    lines = asked(snapshot, columns, rows) if is_open(snapshot) else board(snapshot, columns, rows)
    framed = snapshot.reading is not None and bool(snapshot.reading.unsure)  # the picture shows it already
    drawing = [] if framed or is_open(snapshot) else _tray(snapshot, columns)
    below = board(snapshot, columns, rows - len(lines) - 1) if is_open(snapshot) else []
    for more in (drawing, below):
        if more and len(lines) + 1 + len(more) <= rows:
            lines = [*lines, EMPTY, *more]
    for of in (happened, _played):
        if more := of(snapshot, columns, rows - len(lines) - 1):
            lines = [*lines, *([EMPTY] if lines else []), *more]
    return lines[:rows]


def named_in(snapshot: Snapshot, event: str) -> str:
    """Return the player at the beginning of an event line, empty if there is none."""
    name, colon, _ = event.partition(":")
    return name if colon and name in snapshot.players else ""


def _played(snapshot: Snapshot, columns: int, rows: int) -> list[Line]:
    """Return how the game is played, as many whole paragraphs as there is room for; before a match the keys."""
    if not snapshot.rules:
        keys = [line(snapshot.phrases.help_titles[0], TITLE), *keys_table(snapshot.phrases.help_keys, columns)]
        return keys if len(keys) <= rows else []
    lines: list[Line] = []
    for paragraph in rules_lines(snapshot.rules, columns):
        if len(lines) + len(paragraph) > rows:
            break
        lines += paragraph
    return lines


def asked(snapshot: Snapshot, columns: int, rows: int) -> list[Line]:
    """Return the list, the letters or the faces that have the buttons now, and a drawing of the die in question."""
    tray = _tray(snapshot, columns)
    if snapshot.menu:
        menu = snapshot.menu
        title = [line(text, TITLE) for text in wrapped(sentence(menu.title), columns)]
        room = rows - len(title) - (len(tray) + 1 if tray else 0)
        if room < LEAST_HAPPENED:
            tray, room = [], rows - len(title)
        labels = (item if at in menu.given else sentence(item) for at, item in enumerate(menu.items))
        items = [_item(label, columns, chosen=at == menu.at) for at, label in enumerate(labels)]
        first = max(menu.at - ITEMS_ABOVE, 0)
        while first and sum(map(len, items[first - 1 :])) <= room:
            first -= 1
        while first < menu.at and sum(map(len, items[first : menu.at + 1])) > room:
            first += 1
        lines = [*title, *[row for item in items[first:] for row in item][:room]]
    else:
        lines = [line(text, ASKED) for text in wrapped(status(snapshot), columns)]
    return [*lines, *([EMPTY, *tray] if tray else [])][:rows]


def _item(text: str, columns: int, *, chosen: bool) -> list[Line]:
    """Return an item of a list, in as many rows as its words need."""
    marks = ("> " if chosen else "  ", *("  " for _ in text))
    rows = [mark + row for mark, row in zip(marks, wrapped(text, columns - 2), strict=False)]
    return [line(padded(row, columns), CHOSEN) if chosen else line(row) for row in rows]


def _tray(snapshot: Snapshot, columns: int) -> list[Line]:
    """Return a drawing of the tray with the die that is asked about; empty without one, or without room."""
    drawn = [] if snapshot.tray is None or columns < TRAY_DRAWING_CELLS else tray_lines(snapshot.tray)
    return [line(text) for text in drawn]


def happened(snapshot: Snapshot, columns: int, rows: int) -> list[Line]:
    """Return the newest events below their title, newest last; nothing without events, or without room for two."""
    if rows < 1 + LEAST_HAPPENED or not snapshot.happened:
        return []
    lines: list[Line] = []
    for event in reversed(snapshot.happened):
        first, *others = wrapped(event, columns, "  ") or [""]
        own = cut(named_in(snapshot, event), width(first))
        more = [((own, player_style(snapshot, own)), (first[len(own) :], FAINT)), *(line(row, FAINT) for row in others)]
        if len(lines) + len(more) >= rows:
            break
        lines = [*more, *lines]
    return [line(snapshot.phrases.happened, TITLE), *lines] if lines else []


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
FEW, FEW_PRESSED = Style(reverse=True), Style(bold=True)  # with few colours


def draw_footer(canvas: Canvas, snapshot: Snapshot, remark: str, *, tray_keys: bool) -> None:
    """Draw the four rows. remark: replaces the hint."""
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
    hint = hint or ("" if _offer_fits(snapshot, columns) else offered(snapshot))
    rows = wrapped(hint, columns)
    if len(rows) > 1:
        return [line(row, HINT) for row in rows[:2]]
    text, name = status(snapshot), "" if is_open(snapshot) or snapshot.winners else snapshot.asked
    asked = ((name, player_style(snapshot, name)), (text[len(name) :], ASK))
    return [asked, line(hint, HINT)] if hint else [asked]


def _buttons(snapshot: Snapshot, canvas: Canvas) -> Line:
    """Return both buttons as on the device, HOLD at the left, each with its key and what it does now."""
    hold = _label(HOLD, snapshot.hold, (canvas.columns - BUTTON_GAP) // 2)
    offer = offered(snapshot) if _offer_fits(snapshot, canvas.columns) else ""
    bank = _label(BANK, offer or snapshot.bank, canvas.columns - BUTTON_GAP - width(hold))
    gap = (" " * BUTTON_GAP, PLAIN)
    looks = {name: (style if canvas.rich else FEW) for name, style in LABELS.items()}
    return (
        *_pressed(hold, looks["hold"] if snapshot.hold else WORD, snapshot, "hold", canvas),
        gap,
        *_pressed(bank, looks["bank"] if snapshot.offer or snapshot.bank else WORD, snapshot, "bank", canvas),
    )


def offered(snapshot: Snapshot) -> str:
    """Return what BANK takes as a sentence, with the dice left to throw or the box that gets the points."""
    asking, words, text = snapshot.asking, snapshot.phrases.page, sentence(snapshot.offer)
    if asking is not None and asking.at is not None:
        option = asking.options[asking.at]
        label = sentence(option.label)
        if option.row is not None and option.gives is not None:
            return words["score_in"].format(n=option.gives, box=label)
        if asking.kind == "stop":
            ends = snapshot.phrases.bank if option.option == "bank" else snapshot.phrases.stop
            return label if option.gives is None else ends.format(n=option.gives)
        verb = {"tiles": "shut", "crossings": "cross"}.get(snapshot.layout, "")
        return words[verb].format(text=label) if verb and label[:1].isdigit() else text
    left = len(snapshot.thrown) - sum(snapshot.kept)
    keeps = left and len(snapshot.answers) == 1 and isinstance(snapshot.answers[0], Keep)
    return words["keep_roll"].format(text=text, n=left) if keeps else text


def _offer_fits(snapshot: Snapshot, columns: int) -> bool:
    """Return whether what BANK offers can stand whole on its label; else it stands above, where the hint does."""
    hold = _label(HOLD, snapshot.hold, (columns - BUTTON_GAP) // 2)
    return width(f" {BANK}: {offered(snapshot)} ") <= columns - BUTTON_GAP - width(hold)


def _label(name: str, does: str, columns: int) -> str:
    return cut(f" {name}: {sentence(does) or '-'}", columns - 1) + " "


def _pressed(text: str, style: Style, snapshot: Snapshot, button: ButtonName, canvas: Canvas) -> Line:
    """Return a label; while its button is down in another style, as far as a long press has come."""
    if snapshot.pressed != button:
        return line(text, style)
    filled = round(snapshot.held * len(text)) if snapshot.held else len(text)
    return (text[:filled], PRESSED if canvas.rich else FEW_PRESSED), (text[filled:], style)


def _keys(columns: int, snapshot: Snapshot, *, tray: bool) -> Line:
    gap, items = key_items(columns, tray=tray, phrases=snapshot.phrases)
    spans: list[tuple[str, Style]] = []
    for item in items:
        key, _, word = item.partition(" ")
        spans += [(gap if spans else "", PLAIN), (key, KEY), (f" {word}" if word else "", WORD)]
    return tuple(spans)
