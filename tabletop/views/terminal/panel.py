"""What stands in words beside the tray (scores, dice, the open list, the sheet, events) and in the last rows. Pure."""

from tabletop.core.ports import ButtonName
from tabletop.views.i18n.catalogue import ENGLISH_PHRASES, Strings
from tabletop.views.snapshot import Snapshot, TrayDrawing
from tabletop.views.terminal.canvas import EMPTY, PLAIN, Canvas, Line, Style, cut, line, padded, width, wrapped, write

BETWEEN = "  "  # between two keys in the lines of the languages
TRAY_COLUMNS, TRAY_ROWS = 22, 6  # of the tray in characters, which are twice as high as wide


def keys_line(columns: int, *, tray: bool = True, phrases: Strings = ENGLISH_PHRASES) -> str:
    """Return the line of keys that tells most and is shorter than so many cells, one or two blanks between two keys.

    tray: whether there are simulated dice to throw.
    """
    gap, items = key_items(columns, tray=tray, phrases=phrases)
    return gap.join(items)[: max(columns - 1, 0)]


def key_items(columns: int, *, tray: bool = True, phrases: Strings = ENGLISH_PHRASES) -> tuple[str, tuple[str, ...]]:
    """Return the blanks between two keys, and each key with its word."""
    lines = [tuple(text.split(BETWEEN)) for text in (phrases.tray_keys if tray else phrases.keys)]
    fitting = ((gap, items) for items in lines for gap in (BETWEEN, " ") if len(gap.join(items)) < columns)
    return next(fitting, (" ", lines[-1]))


def status(snapshot: Snapshot) -> str:
    """Return who is asked for what and what is at stake, or what is chosen in a list; empty before a match."""
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
        names = f" {phrases.joined} ".join(snapshot.winners)
        return (phrases.win if len(snapshot.winners) > 1 else phrases.wins).format(names=names)
    parts = [": ".join(word for word in (snapshot.asked, snapshot.ask) if word)]
    if snapshot.paused:
        parts.append(phrases.paused)
    if snapshot.at_stake:
        parts.append(phrases.at_stake.format(n=snapshot.at_stake))
    return "  ".join(part for part in parts if part)


def told(snapshot: Snapshot) -> str:
    """Return request, hint and buttons in one line, for a terminal that can only print lines."""
    note = snapshot.menu.note if snapshot.menu else snapshot.hint
    labels = (("HOLD", snapshot.hold), ("BANK", snapshot.offer or snapshot.bank))
    buttons = "  ".join(f"{name}: {does}" for name, does in labels if does)
    return "  ".join(part for part in (status(snapshot), note, buttons) if part)


def tray_lines(drawing: TrayDrawing) -> list[str]:
    """Return the tray as lines of characters: faces where dice lie, "?" for what cannot be read, the asked in [ ]."""
    rows = [[" "] * TRAY_COLUMNS for _ in range(TRAY_ROWS)]
    for die in sorted(drawing.dice, key=lambda die: die.asked):
        row = rows[min(int(die.y * TRAY_ROWS), TRAY_ROWS - 1)]
        at = min(max(int(die.x * TRAY_COLUMNS), 1), TRAY_COLUMNS - 2)
        row[at - 1 : at + 2] = f"[{die.face or '?'}]" if die.asked else f" {die.face or '?'} "
    edge = f"+{'-' * TRAY_COLUMNS}+"
    return [edge, *(f"|{''.join(row)}|" for row in rows), edge]


def read_text(snapshot: Snapshot) -> str:
    """Return what the camera reads now, "1 3 3 6 ?" for four dice and an unsure one; empty without a reading."""
    reading = snapshot.reading
    if reading is None:
        return ""
    faces = [*map(str, sorted(die.face for die in reading.dice)), *("?" for _ in reading.unsure)]
    return " ".join(faces) or snapshot.phrases.no_dice


TITLE = Style(fg=(150, 190, 255), bold=True)
ASKED = Style(bold=True)
FAINT = Style(fg=(140, 140, 150))
STAKE = Style(fg=(255, 200, 90), bold=True)
LOOSE_DIE = Style(fg=(20, 20, 24), bg=(225, 225, 220), bold=True)
KEPT_DIE = Style(fg=(10, 20, 10), bg=(130, 240, 130), bold=True)
ASKED_DIE = Style(fg=(30, 20, 0), bg=(255, 190, 60), bold=True)
CHOSEN = Style(reverse=True, bold=True)

DIE_CELLS = 4  # a die of three cells and a blank
NOT_YET = "."  # in an empty box of the sheet: the eye keeps to the row
SCORE_CELLS = 4  # scores of four figures stand below each other from the start
NAME_CELLS = 3  # a player's name on the sheet is cut to this at the shortest
LEAST_HAPPENED = 2  # rows: fewer tell nothing
ITEMS_ABOVE = 2  # lines of a list that stay above the one stepped to
TRAY_DRAWING_CELLS = 24


def beside(snapshot: Snapshot, columns: int, rows: int, *, rich: bool) -> list[Line]:
    """Return at most so many lines of so many cells: what is open, else the match; before a match nothing.

    rich: whether the styles can be seen; without colours kept dice are known by their brackets alone.
    """
    if snapshot.menu or snapshot.spelling or snapshot.entry:
        return asked(snapshot, columns, rows)
    head = _match(snapshot, columns, rows, rich=rich)
    framed = snapshot.reading is not None and bool(snapshot.reading.unsure)  # in the picture already
    drawing = [] if framed else _tray(snapshot, columns)
    if drawing and len(head) + 1 + len(drawing) <= rows:
        head = [*head, EMPTY, *drawing]
    left = rows - len(head) - 1
    sheet = sheet_lines(snapshot, columns)
    if snapshot.sheet and len(sheet) <= left and sheet_width(snapshot) <= columns:
        head = [*head, EMPTY, *sheet]
        left = rows - len(head) - 1
    news = happened(snapshot, columns, left)
    return ([*head, EMPTY, *news] if news else head)[:rows]


def asked(snapshot: Snapshot, columns: int, rows: int) -> list[Line]:
    """Return the list, the letters or the faces that have the buttons now, and where the die in question lies."""
    tray = _tray(snapshot, columns)
    if snapshot.menu:
        menu = snapshot.menu
        title = [line(text, TITLE) for text in wrapped(menu.title, columns)]
        room = rows - len(title) - (len(tray) + 1 if tray else 0)
        if room < LEAST_HAPPENED:
            tray, room = [], rows - len(title)
        items = [_item(item, columns, chosen=at == menu.at) for at, item in enumerate(menu.items)]
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
        more = [line(text, FAINT) for text in wrapped(event, columns, "  ")]
        if len(lines) + len(more) >= rows:
            break
        lines = [*more, *lines]
    return [line(snapshot.phrases.happened, TITLE), *lines] if lines else []


def sheet_lines(snapshot: Snapshot, columns: int) -> list[Line]:
    """Return names, scores and sheet, with columns narrow enough for all players as far as that is possible."""
    if not snapshot.players:
        return []
    rows = [(snapshot.phrases.score, *map(str, snapshot.scores)), *snapshot.sheet]
    label = max(width(row[0]) for row in rows)
    cells = [max(3, *(width(row[at]) for row in rows if at < len(row))) for at in range(1, len(snapshot.players) + 1)]
    named = [max(least, width(name) + 1) for least, name in zip(cells, snapshot.players, strict=True)]
    if label + sum(named) + 2 * len(named) > columns:
        named = [max(least, NAME_CELLS) for least in cells]
    head: list[tuple[str, Style]] = [(" " * label, PLAIN)]
    for name, wide in zip(snapshot.players, named, strict=True):
        mark = ">" if name == snapshot.asked else " "
        head.append((" " + padded(mark + padded(name, wide).strip(), wide + 1, right=True), TITLE))
    lines: list[Line] = [tuple(head)]
    for at, row in enumerate(rows):
        text = padded(row[0], label) + "".join(
            "  " + padded(cell or NOT_YET, wide, right=True) for cell, wide in zip(row[1:], named, strict=False)
        )
        lines.append(line(text, PLAIN if at else ASKED))
    return lines


def sheet_width(snapshot: Snapshot, columns: int = 0) -> int:
    """Return how many cells the sheet takes where it has so many; without any, at its narrowest."""
    return max((sum(width(text) for text, _ in spans) for spans in sheet_lines(snapshot, columns)), default=0)


def _match(snapshot: Snapshot, columns: int, rows: int, *, rich: bool) -> list[Line]:
    """Return game, scores, stake and dice, with as much space between them as there is."""
    if not snapshot.players:
        return []
    title = [line(snapshot.game, TITLE)] if snapshot.game else []
    dice = _dice(snapshot, columns, rich=rich)
    stake = [line(snapshot.phrases.at_stake.format(n=snapshot.at_stake), STAKE)] if snapshot.at_stake else []
    read = read_text(snapshot)
    seen = [line(text, FAINT) for text in wrapped(snapshot.phrases.reads.format(faces=read), columns)] if read else []
    scores = _scores(snapshot)
    words = ", ".join(f"{name} {score}" for name, score in zip(snapshot.players, snapshot.scores, strict=True))
    short = [line(text, ASKED) for text in wrapped(words, columns)]
    for blocks in (
        (title, scores, stake, dice, seen),
        (scores, stake, dice, seen),
        (scores, stake, dice),
        (short, stake, dice),
    ):
        filled = [block for block in blocks if block]
        for between in ([EMPTY], []):
            lines = [row for block in filled for row in (*between, *block)][len(between) :]
            if len(lines) <= rows:
                return lines
    return [*stake, *dice, *short][:rows]


def _scores(snapshot: Snapshot) -> list[Line]:
    """Return a line a player, the one who is asked marked."""
    wide = max(map(width, snapshot.players))
    most = max(SCORE_CELLS, *(len(str(score)) for score in snapshot.scores))
    lines: list[Line] = []
    for name, score in zip(snapshot.players, snapshot.scores, strict=True):
        asked = name == snapshot.asked
        text = f"{'>' if asked else ' '} {padded(name, wide)} {score:>{most}}"
        lines.append(line(text, ASKED if asked else PLAIN))
    return lines


def _dice(snapshot: Snapshot, columns: int, *, rich: bool) -> list[Line]:
    """Return who threw, and the dice: those set aside in brackets and green, the one in question marked."""
    if not snapshot.thrown:
        return []
    phrases = snapshot.phrases
    marks = snapshot.kept if len(snapshot.kept) == len(snapshot.thrown) else (False,) * len(snapshot.thrown)
    dice = []
    for at, (face, kept) in enumerate(zip(snapshot.thrown, marks, strict=True)):
        if at == snapshot.cursor:
            dice.append((f">{face} ", ASKED_DIE if rich else CHOSEN))
        elif kept:
            dice.append((f"[{face}]", KEPT_DIE if rich else CHOSEN))
        else:
            dice.append((f" {face} ", LOOSE_DIE if rich else PLAIN))
    count = -(-len(dice) // max((columns + 1) // DIE_CELLS, 1))  # of rows, all about equally long
    a_row = -(-len(dice) // count)
    rows = [dice[first : first + a_row] for first in range(0, len(dice), a_row)]
    lines: list[Line] = []
    for row in rows:
        lines += [EMPTY] if lines and rich else []  # between two rows of dice in colours, which would touch
        lines.append(tuple(part for die in row for part in (die, (" ", PLAIN))))
    who = f"{snapshot.thrower} {phrases.threw}" if snapshot.thrower else phrases.thrown
    return [line(who), *lines]


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
    gap, items = key_items(columns, tray=tray, phrases=snapshot.phrases)
    spans: list[tuple[str, Style]] = []
    for item in items:
        key, _, word = item.partition(" ")
        spans += [(gap if spans else "", PLAIN), (key, KEY), (f" {word}" if word else "", WORD)]
    return tuple(spans)
