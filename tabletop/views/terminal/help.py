"""The pages behind `?`: the keys, the table's questions, and the rules of the game. Pure."""

import re

from tabletop.views.snapshot import Snapshot
from tabletop.views.terminal.canvas import EMPTY, PLAIN, Canvas, Line, Style, line, padded, width, wrapped, write

TITLE = Style(fg=(110, 150, 230), bold=True)
WIDEST = 92  # columns: longer lines are hard to read
FULL_LINE = 95  # letters: a shorter line of a rule text ends a paragraph; they are written to 120
HEADING = re.compile(r"([A-ZÄÖÜ][\w ,()/'-]{0,38}:) ")  # the beginning of a paragraph of a rule text: "A turn:"
SUBJECT = Style(bold=True)


def help_pages(snapshot: Snapshot, columns: int, rows: int, *, tray: bool) -> list[list[Line]]:
    """Return the pages, at least one. columns, rows: of the terminal. tray: whether there are simulated dice."""
    wide, room = min(columns - 2, WIDEST), max(rows - 1, 1)
    phrases = snapshot.phrases
    keys, asks = phrases.help_titles
    keys_here = (*phrases.help_keys, *(phrases.help_dice if tray else ()))
    tables = ((keys, keys_here), (asks, phrases.help_asks))
    parts = [[line(title, TITLE), *keys_table(texts, wide)] for title, texts in tables]
    if snapshot.rules:
        title = line(phrases.help_rules.format(game=snapshot.game), TITLE)
        parts.append([title, *(row for paragraph in rules_lines(snapshot.rules, wide) for row in paragraph)])
    pages: list[list[Line]] = []
    for part in parts:
        if pages and len(pages[-1]) + 1 + len(part) <= room:
            pages[-1] += [EMPTY, *part]
        else:
            pages += [part[at : at + room] for at in range(0, len(part), room)]
    return pages


def draw_help(snapshot: Snapshot, page: int, canvas: Canvas, *, tray: bool) -> None:
    """Draw one page, limited to the last, with the keys to move on below it."""
    pages = help_pages(snapshot, canvas.columns, canvas.rows, tray=tray)
    page = min(page, len(pages) - 1)
    write(canvas, 1, 0, canvas.columns - 1, pages[page])
    phrases = snapshot.phrases
    more = phrases.help_more.format(n=page + 2, n2=len(pages)) if page + 1 < len(pages) else phrases.help_end
    canvas.text(0, canvas.rows - 1, padded(f" {more}", canvas.columns - 1), Style(reverse=True))


def keys_table(texts: tuple[str, ...], columns: int) -> list[Line]:
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


def rules_lines(text: str, columns: int) -> list[list[Line]]:
    """Return the paragraphs of a rule text in lines of this width, with the headings in bold."""
    paragraphs: list[str] = []
    full = False
    for row in text.splitlines():
        if full and not HEADING.match(row):
            paragraphs[-1] += " " + row
        elif row.strip():
            paragraphs.append(row)
        full = len(row) >= FULL_LINE
    return [_paragraph(text, columns) for text in paragraphs]


def _paragraph(text: str, columns: int) -> list[Line]:
    first, *others = wrapped(text, columns, "  ")
    found = HEADING.match(text)
    if found is None or not first.startswith(found[1]):
        return [line(row) for row in (first, *others)]
    return [((found[1], SUBJECT), (first[len(found[1]) :], PLAIN)), *map(line, others)]
