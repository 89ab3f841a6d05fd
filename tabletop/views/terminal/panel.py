"""What stands beside the tray: scores, dice, the list that is open, the score sheet and what has happened. Pure."""

from collections.abc import Sequence

from tabletop.views.snapshot import Snapshot
from tabletop.views.terminal.canvas import PLAIN, Style
from tabletop.views.terminal.lines import EMPTY, Line, line, padded, width, wrapped
from tabletop.views.terminal.words import read_text, status, tray_lines

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
    short = [line(text, ASKED) for text in wrapped(", ".join(_score_words(snapshot)), columns)]
    for blocks in (
        (title, scores, stake, dice, seen),
        (scores, stake, dice, seen),
        (scores, stake, dice),
        (short, stake, dice),
    ):
        filled = [block for block in blocks if block]
        for between in ([EMPTY], []):
            lines = _joined(filled, between)
            if len(lines) <= rows:
                return lines
    return [*stake, *dice, *short][:rows]


def _joined(blocks: Sequence[list[Line]], between: list[Line]) -> list[Line]:
    lines: list[Line] = []
    for block in blocks:
        lines += [*(between if lines else []), *block]
    return lines


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


def _score_words(snapshot: Snapshot) -> list[str]:
    return [f"{name} {score}" for name, score in zip(snapshot.players, snapshot.scores, strict=True)]


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
