"""The help: the keys, what the table asks, and the rules of the game that is played, in pages of the terminal's size.

Pure.
"""

import re

from tabletop.views.snapshot import Snapshot
from tabletop.views.terminal.canvas import PLAIN, Canvas, Style
from tabletop.views.terminal.lines import EMPTY, Line, line, padded, width, wrapped, write
from tabletop.views.terminal.panel import TITLE

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
    parts = [[line(keys, TITLE), *_table((*phrases.help_keys, *(phrases.help_dice if tray else ())), wide)]]
    parts.append([line(asks, TITLE), *_table(phrases.help_asks, wide)])
    if snapshot.rules:
        title = line(phrases.help_rules.format(game=snapshot.game), TITLE)
        parts.append([title, *_rules(snapshot.rules, wide)])
    pages: list[list[Line]] = [[]]
    for part in parts:
        gap = [EMPTY] if pages[-1] else []
        if len(pages[-1]) + len(gap) + len(part) > room and pages[-1]:
            pages.append([])
            gap = []
        pages[-1] += gap
        while len(pages[-1]) + len(part) > room:
            taken = room - len(pages[-1])
            pages[-1] += part[:taken]
            part = part[taken:]  # noqa: PLW2901 - what is left of the part goes on the next page
            pages.append([])
        pages[-1] += part
    return [page for page in pages if page]


def draw_help(snapshot: Snapshot, page: int, canvas: Canvas, *, tray: bool) -> None:
    """Draw one page, the last one for numbers beyond it, and below it how to go on."""
    pages = help_pages(snapshot, canvas.columns, canvas.rows, tray=tray)
    page = min(page, len(pages) - 1)
    write(canvas, 1, 0, canvas.columns - 1, pages[page])
    phrases = snapshot.phrases
    more = phrases.help_more.format(n=page + 2, n2=len(pages)) if page + 1 < len(pages) else phrases.help_end
    canvas.text(0, canvas.rows - 1, padded(f" {more}", canvas.columns - 1), Style(reverse=True))


def _table(texts: tuple[str, ...], columns: int) -> list[Line]:
    """Return texts as two columns: what each is about, and what is said about it."""
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
