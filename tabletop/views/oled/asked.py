"""What has the buttons to itself on the small screen: a list, a name being spelled, faces being entered.

Where it is about a die in the tray, the drawing of the tray stands beside it.
"""

from collections.abc import Callable, Iterable

from tabletop.views.oled import boxes
from tabletop.views.oled.boxes import EMPTY, Block, Box, Page
from tabletop.views.oled.scores import standing_pages
from tabletop.views.oled.text import BIG, HUGE, SMALL, TALL, Size, shortened, wrapped
from tabletop.views.snapshot import Entry, MenuView, Snapshot, Spelling, TrayDrawing

EDGE_PX = 2  # of the lit box, left and right of its words
INDENT_PX = 2  # of the items around it
AIR_PX = 1  # a row free above the buttons' labels
NEIGHBOURS = (1, -1, 2)  # items around the chosen one, in the order in which they get room
CARET = "_"  # where the next letter comes
GAP = 4  # columns between what stands side by side
LETTER_GAP = 3
# Faces entered: edge of the large die, size of the name and of what is asked, edge of the dice so far; the best first.
ENTRY_FORMS = (
    *((edge, size, TALL, 12) for edge in (51, 42, 34) for size in (BIG, TALL)),
    *((edge, TALL, SMALL, 9) for edge in (42, 34, 25, 21)),
    *((edge, SMALL, SMALL, px) for edge in (51, 42, 34, 25, 21, 17) for px in (12, 9)),
)
LARGE_ROWS = (52, 44, 36)  # of the drawing beside a hint, the largest that leaves the hint on one page
BESIDE_ROWS = 30  # of the drawing beside a list or a large die
LEAST_COLUMNS = 64  # for words beside it


def beside_tray(
    drawing: TrayDrawing, width: int, height: int, pages: Callable[[int], Iterable[Page]], rows: int = BESIDE_ROWS
) -> tuple[Page, ...]:
    """Return pages that are made for the width left of the drawing, with the drawing at the right of each."""
    high = min(rows, height - 1)  # a row free of the labels below it
    while width - boxes.tray_width(drawing, high) - GAP < LEAST_COLUMNS:
        high -= 1
    wide = boxes.tray_width(drawing, high)
    box = Box(width - wide, (height - high) // 2, wide, high, tray=drawing)
    return tuple((*drawn, box) for drawn in pages(width - wide - GAP))


def doubt_pages(snapshot: Snapshot, drawing: TrayDrawing, width: int, height: int) -> tuple[Page, ...]:
    """Return the hint about a die with the drawing beside it: on one page if it can be, whose turn it is above it."""

    def hint(columns: int) -> tuple[Page, ...]:
        for size in (TALL, SMALL):
            text = boxes.lines(snapshot.hint, columns, size)
            for name in (*(boxes.words(snapshot.asked, name_size) for name_size in (BIG, TALL, SMALL)), EMPTY):
                block = boxes.column(name, text, gap=2)
                if boxes.fits([block], columns, height):
                    return (boxes.page([block], height),)
        return boxes.text_pages(snapshot.hint, columns, height)

    return min((beside_tray(drawing, width, height, hint, rows) for rows in (*LARGE_ROWS, BESIDE_ROWS)), key=len)


def menu_pages(menu: MenuView, width: int, height: int) -> tuple[Page, ...]:
    """Return the pages of a list: title, items and note together, and what finds no room there on pages after it."""
    note, title, item = boxes.lines(menu.note, width), _title(menu, width), menu.items[menu.at]
    for size in (BIG, TALL, SMALL):
        rows = _chosen(item, width, size)
        chosen = boxes.column(*rows)
        if boxes.fits([title, chosen, note], width, height - AIR_PX) and (size != BIG or len(rows) == 1):
            return (boxes.page(_with_neighbours(menu, width, height, title, chosen, note), height, most_gap=2),)
    notes = [boxes.words(line) for line in wrapped(menu.note, width)]
    rows = _chosen(item, width, SMALL)
    chosen = boxes.column(*rows)
    first, rest = ([chosen], [*notes, title]) if menu.weighty else ([title, chosen], notes)
    if sum(row.height for row in first) > height:
        first = [chosen]
    if chosen.height > height:  # two long names: even the item by itself goes on on the next page
        first, rest = rows[:1], [*rows[1:], *notes]
    return tuple(boxes.page(rows, height, most_gap=1) for rows in boxes.heaps([*first, *rest], height))


def _with_neighbours(menu: MenuView, width: int, height: int, title: Block, chosen: Block, note: Block) -> list[Block]:
    """Return the rows of a page: as many items around the chosen one as there is room for, as people step onwards."""
    shown = {menu.at: chosen}
    for step in NEIGHBOURS:
        at = menu.at + step
        if 0 <= at < len(menu.items):
            near = boxes.words(shortened(menu.items[at], width - INDENT_PX))
            more = shown | {at: Block(near.width + INDENT_PX, near.height, near.at(INDENT_PX, 0))}
            shown = more if boxes.fits([title, *more.values(), note], width, height - AIR_PX) else shown
    return [title, *(shown[at] for at in sorted(shown)), note]


def _title(menu: MenuView, width: int) -> Block:
    """Return the title, and at the right which item of how many is chosen."""
    place = boxes.words(f"{menu.at + 1}/{len(menu.items)}") if len(menu.items) > 1 else EMPTY
    return boxes.beside(boxes.words(menu.title), place, width) or boxes.lines(menu.title, width)


def _chosen(item: str, width: int, size: Size) -> list[Block]:
    """Return an item in a lit box over the whole width, in as many lines as it needs."""
    return [boxes.label(line, width, size) for line in wrapped(item, width - 2 * EDGE_PX, size)]


def spelling_pages(spelling: Spelling, width: int, height: int) -> tuple[Page, ...]:
    """Return a page with the name so far, and the letter that BANK takes larger than its neighbours.

    Until the first letter stands there the title says what it is about. On two lines all is in one row.
    """
    for size in (HUGE, BIG, TALL, SMALL):
        for text_size in (BIG, TALL, SMALL):
            text = boxes.words(spelling.text + CARET if spelling.text else spelling.title, text_size)
            wheel, narrow = _wheel(spelling, size, width), _wheel(spelling, size, width - text.width - GAP)
            for rows in ((text, wheel), (narrow and boxes.beside(text, narrow, width, GAP),)):
                if boxes.fits(rows, width, height):
                    return (boxes.page(filter(None, rows), height),)
    chosen = boxes.label(shortened(spelling.letters[spelling.at], width - 2 * GAP))
    return boxes.page([chosen], height), boxes.page([boxes.words(shortened(spelling.text, width))], height)


def _wheel(spelling: Spelling, size: Size, width: int) -> Block | None:
    """Return the letter in a lit box in the middle of the line, as many neighbours at either side as there is room."""
    chosen = boxes.label(_shown(spelling.letters[spelling.at]), size=size)
    left = (width - chosen.width) // 2
    drawn = list(chosen.at(left, 0))
    for step in (-1, 1):
        edge = left if step < 0 else left + chosen.width
        for n in range(1, len(spelling.letters)):
            block = boxes.words(_shown(spelling.letters[(spelling.at + step * n) % len(spelling.letters)]))
            x = edge - LETTER_GAP - block.width if step < 0 else edge + LETTER_GAP
            if x < 0 or x + block.width > width:
                break
            drawn += block.at(x, (chosen.height - block.height) // 2)
            edge = x if step < 0 else x + block.width
    return Block(width, chosen.height, tuple(drawn)) if left >= 0 else None


def _shown(letter: str) -> str:
    """Return a letter as it is shown: a blank is seen as well."""
    return letter if letter.strip() else "␣"


def entry_pages(snapshot: Snapshot, entry: Entry, width: int, height: int) -> tuple[Page, ...]:
    """Return a page with the face counted up to as a large die, whose it is, which of how many, and those entered.

    A hint stands in place of which die it is; what is at stake stands beside that. What finds no room has a page. Where
    a turn has just ended the ranking follows, until the first die is entered.
    """
    ranking = standing_pages(snapshot, width, height) if snapshot.between and not entry.faces else ()
    place = snapshot.ask if entry.who == snapshot.asked else ""  # of one die it is said what to do with it
    if entry.due > 1:
        place = snapshot.phrases.die_of.format(n=min(len(entry.faces) + 1, entry.due), n2=entry.due)
    stake = f"{snapshot.at_stake:+d}" if snapshot.at_stake else ""
    for edge, name_size, place_size, so_far_px in ENTRY_FORMS:
        name, room = boxes.words(entry.who, name_size), width - edge - GAP
        what = boxes.lines(snapshot.hint, room) if snapshot.hint else boxes.words(place, place_size)
        for per_row in (entry.due, (entry.due + 1) // 2):
            so_far = _so_far(entry, so_far_px, max(1, per_row))
            rows = (boxes.words(stake, name_size), what, so_far)
            in_one_row = None if stake else boxes.beside(name, what, room)
            whole = _beside_die(entry, edge, (name, *rows), width, height) or _beside_die(
                entry, edge, (in_one_row, so_far), width, height
            )
            if whole:
                return (whole, *ranking)
            under = _beside_die(entry, edge, rows, width, height - name.height - 1) if name.width <= width else None
            if under:
                return ((*name.at(0, 0), *(box.at(box.x, box.y + name.height + 1) for box in under)), *ranking)
    edges = [edge for edge, *_ in ENTRY_FORMS if edge <= height and boxes.unbroken(entry.who, width - edge - GAP)]
    fitting = (edge for edge in edges if boxes.lines(entry.who, width - edge - GAP).height <= height)
    edge = next(fitting, min(edge for edge, *_ in ENTRY_FORMS))
    name = boxes.lines(entry.who, width - edge - GAP)
    whole_name = name.height <= height  # two lines of letters with marks above and below may be higher
    name = name if whole_name else boxes.words(shortened(entry.who, width - edge - GAP))
    first = _beside_die(entry, edge, (name,), width, height)
    rest = boxes.text_pages(f"{stake} {snapshot.hint or place}", width, height)
    full = () if whole_name else boxes.text_pages(entry.who, width, height)
    return (*((first,) if first else ()), *rest, *full, *ranking)


def _beside_die(entry: Entry, edge: int, rows: tuple[Block | None, ...], width: int, height: int) -> Page | None:
    """Return rows at the left and the die at the right, None if they do not fit."""
    if edge > height or not boxes.fits(rows, width - edge - GAP, height):
        return None
    die = boxes.dice([entry.face or boxes.CROSSED], [False], edge, 1)
    return (*boxes.page(filter(None, rows), height), *die.at(width - edge, (height - edge) // 2))


def _so_far(entry: Entry, edge: int, per_row: int) -> Block:
    """Return the dice entered so far, lit, and an outline for each one still due."""
    left = max(0, entry.due - len(entry.faces))
    faces = (*(face or boxes.CROSSED for face in entry.faces), *[boxes.BLANK] * left)
    return boxes.dice(faces, [True] * len(entry.faces), edge, per_row) if entry.due > 1 else EMPTY
