"""What the terminal view says in words: the status line, the line of keys, and the score sheet as text."""

from tabletop.views.i18n.strings import ENGLISH, Strings
from tabletop.views.snapshot import Snapshot, TrayDrawing

BETWEEN = "  "  # between two keys in the lines of the languages
TRAY_COLUMNS, TRAY_ROWS = 22, 6  # of the tray in characters, which are twice as high as wide


def keys_line(columns: int, *, tray: bool = True, phrases: Strings = ENGLISH) -> str:
    """Return the line of keys that tells most and is shorter than so many cells, one or two blanks between two keys.

    tray: whether there are simulated dice to throw.
    """
    gap, items = key_items(columns, tray=tray, phrases=phrases)
    return gap.join(items)[: max(columns - 1, 0)]


def key_items(columns: int, *, tray: bool = True, phrases: Strings = ENGLISH) -> tuple[str, tuple[str, ...]]:
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
    """Return all that matters in one line, for a terminal that can only print lines: request, hint and buttons."""
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
