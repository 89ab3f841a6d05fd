"""Draw dialogs on the small screen: a list, a name being spelled, faces being entered.

For a question about a die in the tray, a drawing of the tray is shown beside it.
"""

from collections.abc import Callable
from dataclasses import replace

from tabletop.views.oled import boxes, grammar, match_page, scores
from tabletop.views.oled.boxes import EMPTY, Block, Box, Page
from tabletop.views.oled.grammar import GAP, Frame, dice_in, said, sentence
from tabletop.views.oled.text import shortened, width_px, wrapped
from tabletop.views.snapshot import Entry, MenuView, Snapshot, Spelling, TrayDrawing

EDGE_PX = 2  # padding of the lit box, left and right of its text
AIR_PX = 1  # an empty row below it, if there is one
INDENT_PX = 2  # of the items around it
NEIGHBOURS = (1, -1, 2)  # items around the selected one, in the order in which they are added
CARET = "_"  # marks the next letter
LETTER_GAP = 3
MOST_TRAY_COLUMNS = 46  # of the drawing: leaves room for thirteen letters


def beside_tray(drawing: TrayDrawing, frame: Frame, pages: Callable[[Frame], tuple[Page, ...]]) -> tuple[Page, ...]:
    """Return pages laid out beside the drawing, with the drawing at the right of each."""
    high = frame.bottom - (frame.body if frame.dice else frame.top)
    while (wide := boxes.tray_width(drawing, high)) > MOST_TRAY_COLUMNS:
        high -= 1
    box = Box(frame.width - wide, frame.bottom - high, wide, high, tray=drawing)
    return tuple((*page, box) for page in pages(replace(frame, width=frame.width - wide - GAP)))


def doubt_pages(snapshot: Snapshot, drawing: TrayDrawing, frame: Frame) -> tuple[Page, ...]:
    """Return the hint about a die with the drawing beside it, and the player's name above if there is room."""

    def hint(narrow: Frame) -> tuple[Page, ...]:
        rows = said(snapshot.hint, narrow.width)
        page = grammar.above_bar(rows, narrow, frame.body)
        if page is None:
            return grammar.listed(rows, narrow)
        return ((*match_page.table_head(snapshot, frame if frame.dice else narrow), *page),)

    return beside_tray(drawing, frame, hint)


def menu_pages(menu: MenuView, frame: Frame) -> tuple[Page, ...]:
    """Return the pages of a list: title, items and note together, the rest on pages after it."""
    height, notes = frame.bottom - frame.top, said(menu.note, frame.width)
    lit = [boxes.label(line, frame.width) for line in wrapped(_item(menu, menu.at), frame.width - 2 * EDGE_PX)]
    title = _title(menu, frame.width, height - sum(row.height for row in (*lit, *notes)))
    spare = height - sum(row.height for row in (title, *lit, *notes))
    lit[-1] = replace(lit[-1], height=lit[-1].height + (AIR_PX if spare else 0))
    rest = [*notes, title] if menu.weighty else notes
    first = lit if menu.weighty else [title, *lit]
    if spare >= 0:
        shown = {menu.at: boxes.column(*lit)}
        for at in (menu.at + step for step in NEIGHBOURS):
            if 0 <= at < len(menu.items):
                near = boxes.words(shortened(_item(menu, at), frame.width - INDENT_PX))
                more = shown | {at: Block(near.width + INDENT_PX, near.height, near.at(INDENT_PX, 0))}
                shown = more if sum(row.height for row in (title, *more.values(), *notes)) <= height else shown
        page = boxes.column(title, *(shown[at] for at in sorted(shown))).at(0, frame.top)
        return ((*page, *(grammar.above_bar(notes, frame, 0) or ())),)
    return grammar.listed([*(first if sum(row.height for row in first) <= height else lit), *rest], frame)


def _item(menu: MenuView, at: int) -> str:
    return menu.items[at] if at in menu.given else sentence(menu.items[at])


def _title(menu: MenuView, width: int, height: int) -> Block:
    """Return the title, and at the right which item of how many is chosen.

    It is cut where only its last word is, which leaves room for one more item, and where it does not fit this height.
    """
    place = boxes.words(f"{menu.at + 1}/{len(menu.items)}") if len(menu.items) > 1 else EMPTY
    room = width - place.width - GAP
    first, *more = wrapped(sentence(menu.title), room)
    title = [boxes.words(line) for line in (first, *more)]
    if " " not in " ".join(more) or sum(line.height for line in title) > height:
        title = [boxes.words(shortened(sentence(menu.title), room))]
    return boxes.column(boxes.beside(title[0], place, width) or title[0], *title[1:])


def spelling_pages(spelling: Spelling, frame: Frame) -> tuple[Page, ...]:
    """Return a page with the name so far, and the selected letter larger than its neighbours.

    The title is shown until there is a first letter.
    """
    text, wheel = spelling.text + CARET if spelling.text else sentence(spelling.title), _wheel(spelling, frame)
    wheel_y = (frame.body + frame.bottom - wheel.height) // 2 if frame.dice else frame.bottom - wheel.height
    so_far = grammar.head(text, "", frame)
    whole = max(box.y + box.height for box in so_far) <= wheel_y  # on 32 rows some accents reach too far
    cut = () if whole and width_px(text, frame.head) <= frame.width else grammar.text_pages(spelling.text, frame)
    return ((*(so_far if whole else ()), *wheel.at(0, wheel_y)), *cut)


def _wheel(spelling: Spelling, frame: Frame) -> Block:
    """Return the letter in a lit box in the middle of the line, as many neighbours at either side as there is room."""
    width = frame.width
    chosen = boxes.label(_shown(spelling.letters[spelling.at]), size=frame.head)
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
    return Block(width, chosen.height, tuple(drawn))


def _shown(letter: str) -> str:
    """Return a letter as it is shown: a blank is seen as well."""
    return letter if letter.strip() else "␣"


def entry_pages(snapshot: Snapshot, entry: Entry, frame: Frame, whole: Frame) -> tuple[Page, ...]:
    """Return a page with the faces entered so far, lit, the selected face, and an outline for each die still due.

    Above them is the player's name, or in small letters the number of the die; below them a hint, the total number, or
    the question. The rest goes on further pages. After the end of a turn the ranking follows, until the first die is
    entered. frame: the area beside a drawing of the tray.
    """
    line = snapshot.ask if entry.who == snapshot.asked else ""  # for a single die, show what to do with it
    now = len(entry.faces)
    if entry.due > 1:
        line = snapshot.phrases.die_of.format(n=min(now + 1, entry.due), n2=entry.due)
    number = match_page.stake(snapshot)
    faces = [face or boxes.CROSSED for face in (*entry.faces, entry.face)] + [boxes.BLANK] * (entry.due - now - 1)
    row = dice_in(tuple(faces), (True,) * now, now, match_page.stake_left(number, frame))
    if entry.due <= 1 or not frame.dice:  # no room for the arrow, or no need for it
        row = replace(row, boxes=tuple(box for box in row.boxes if not box.arrow))
    who, cut = _whose(snapshot, entry.who, number, frame, whole)
    rows = said(snapshot.hint or line, frame.width)
    below = (grammar.above_bar(rows, frame, frame.body) if frame.dice and grammar.fits_line(rows) else None) or ()
    first = (*who, *grammar.dice_row(row, number, frame), *below)
    ranking = scores.standing_pages(snapshot, frame) if snapshot.between and not entry.faces else ()
    return (first, *(() if below else grammar.listed(rows, frame)), *cut, *ranking)


def _whose(snapshot: Snapshot, who: str, number: str, frame: Frame, whole: Frame) -> tuple[Page, tuple[Page, ...]]:
    """Return the head of the page, and pages with what it leaves out. number: what is at stake."""
    if frame.dice and who in snapshot.players:
        return grammar.head(who, str(snapshot.scores[snapshot.players.index(who)]), whole), ()
    right = boxes.words("" if frame.dice else number)
    wide = (whole if frame.dice else frame).width - (right.width + GAP if right.boxes else 0)
    rows = said(who, wide)
    title = boxes.beside(boxes.column(*rows), right, wide + right.width + GAP) or right
    if title.height <= frame.dice_y - frame.top:
        return title.at(0, frame.top), ()
    return right.at(wide + GAP, frame.top), grammar.listed(said(who, frame.width), frame)
