"""Names spelled and faces entered with two buttons, on the small screen."""

from functools import cache
from itertools import product

from tabletop.views.oled.boxes import BLANK, CROSSED, EMPTY, Block, Box, beside, dice, label, stacked, words
from tabletop.views.oled.measure import lines
from tabletop.views.oled.page_text import text_pages
from tabletop.views.oled.pages.scores import standing_pages
from tabletop.views.oled.text import BIG, HUGE, SMALL, TALL, Size, shortened
from tabletop.views.snapshot import Entry, Snapshot, Spelling

Page = tuple[Box, ...]

CARET = "_"  # where the next letter comes
GAP = 4  # columns between what stands side by side
LETTER_GAP = 3
# What each part costs, shown smaller: of all arrangements that fit, the one with the least sum is taken.
BIG_DIE_PX = {51: 0.0, 42: 0.4, 34: 1.0, 25: 3.0, 21: 4.0, 17: 6.0}  # by the edge of the die
NAME_COST = {BIG: 0.0, TALL: 0.3, SMALL: 3.0}
PLACE_COST = {TALL: 0.0, SMALL: 0.3}
TOLD_DIE_COST = {12: 0.0, 9: 0.2}  # by the edge of the dice entered so far


def spelling_pages(spelling: Spelling, width: int, height: int) -> tuple[Page, ...]:
    """Return a page with the name so far, and the letter that BANK takes larger than its neighbours."""
    title = lines(spelling.title, SMALL, width).block()
    for size in (HUGE, BIG, TALL, SMALL):
        wheel = _wheel(spelling, size, width)
        for text_size in (BIG, TALL, SMALL):
            text = words(spelling.text + CARET, text_size)
            begun = words(spelling.title, text_size)  # what it is about, until the first letter stands there
            for rows in (
                (title, text, wheel),
                (text if spelling.text else begun, wheel),
                (_abreast(spelling, text_size, size, width),),
            ):
                blocks = [row for row in rows if row is not None and row.boxes and row.width <= width]
                whole = len(blocks) == len(rows)
                if whole and sum(row.height for row in blocks) + len(blocks) - 1 <= height:
                    return (stacked(blocks, height),)
    wheel = _wheel(spelling, SMALL, width)
    return (stacked([wheel], height), stacked([words(shortened(spelling.text, width))], height))


def entry_pages(snapshot: Snapshot, entry: Entry, width: int, height: int) -> tuple[Page, ...]:
    """Return a page with the face counted up to as a large die, whose it is, which of how many, and those entered.

    A hint stands in place of which die it is; what is at stake stands beside that. What finds no room has a page. Where
    a turn has just ended the ranking follows, until the first die is entered.
    """
    ranking = standing_pages(snapshot, width, height) if snapshot.between and not entry.faces else ()
    return (*_telling_pages(snapshot, entry, width, height), *ranking)


def _telling_pages(snapshot: Snapshot, entry: Entry, width: int, height: int) -> tuple[Page, ...]:
    place = snapshot.ask if entry.who == snapshot.asked else ""  # of one die it is said what to do with it
    if entry.due > 1:
        place = snapshot.phrases.die_of.format(n=min(len(entry.faces) + 1, entry.due), n2=entry.due)
    stake = f"{snapshot.at_stake:+d}" if snapshot.at_stake else ""
    for edge, name_size, place_size, told_px in _entry_forms():
        name, room = words(entry.who, name_size), width - edge - GAP
        what = lines(snapshot.hint, SMALL, room).block() if snapshot.hint else words(place, place_size)
        left = tuple(block for block in (words(stake, name_size), what) if block.boxes)
        for per_row in (entry.due, (entry.due + 1) // 2):
            told = _entered_dice(entry, told_px, max(1, per_row))
            page = (
                _beside_die(entry, edge, (name, *left, told), (width, height))
                or (None if stake else _beside_die(entry, edge, (beside(name, what, room), told), (width, height)))
                or _below_name(entry, edge, name, (*left, told), (width, height))
            )
            if page:
                return (page,)
    edges = [px for px in BIG_DIE_PX if px <= height]
    names = {px: lines(entry.who, SMALL, width - px - GAP) for px in edges if px + GAP < width}
    edge = next((px for px, name in names.items() if name.height <= height), edges[-1])
    die = dice([entry.face or CROSSED], [False], edge, 1)
    whole = names[edge].height <= height  # two lines of letters with marks above and below are higher than 21 rows
    name = names[edge].block() if whole else words(shortened(entry.who, width - edge - GAP))
    first = (*stacked([name], height), *die.at(width - edge, (height - edge) // 2))
    full = () if whole else text_pages(entry.who, width, height)
    if place and not stake and not snapshot.hint:
        return (first, stacked([words(place, TALL)], height), *full)
    return (first, *text_pages(f"{stake} {snapshot.hint or place}", width, height), *full)


def _beside_die(entry: Entry, edge: int, rows: tuple[Block | None, ...], size: tuple[int, int]) -> Page | None:
    """Return rows at the left and the die at the right, None if they do not fit."""
    (width, height), whole = size, [row for row in rows if row is not None]
    if len(whole) < len(rows) or edge > height or any(row.width > width - edge - GAP for row in whole):
        return None
    blocks = [row for row in whole if row.boxes]
    if sum(row.height for row in blocks) + len(blocks) - 1 > height:
        return None
    die = dice([entry.face or CROSSED], [False], edge, 1)
    return (*stacked(blocks, height), *die.at(width - edge, (height - edge) // 2))


def _below_name(entry: Entry, edge: int, name: Block, rows: tuple[Block, ...], size: tuple[int, int]) -> Page | None:
    """Return the name over the whole width, and below it what else there is."""
    width, height = size
    top = name.height + 1
    under = _beside_die(entry, edge, rows, (width, height - top)) if name.width <= width else None
    return None if under is None else (*name.at(0, 0), *(box.at(box.x, box.y + top) for box in under))


@cache
def _entry_forms() -> tuple[tuple[int, Size, Size, int], ...]:
    """Return edge of the die, size of the name, size of what is asked, edge of the dice entered; the best first."""
    forms = product(BIG_DIE_PX, NAME_COST, PLACE_COST, TOLD_DIE_COST)
    return tuple(
        sorted(
            forms,
            key=lambda form: BIG_DIE_PX[form[0]] + NAME_COST[form[1]] + PLACE_COST[form[2]] + TOLD_DIE_COST[form[3]],
        )
    )


def _entered_dice(entry: Entry, edge: int, per_row: int) -> Block:
    """Return the dice entered so far, lit, and an outline for each that is still to come."""
    left = max(0, entry.due - len(entry.faces))
    faces = (*(face or CROSSED for face in entry.faces), *[BLANK] * left)
    return dice(faces, [True] * len(entry.faces), edge, per_row) if entry.due > 1 else EMPTY


def _wheel(spelling: Spelling, size: Size, width: int) -> Block:
    """Return the letter in a lit box in the middle of the line, as many neighbours at either side as there is room."""
    chosen = label(_shown(spelling.letters[spelling.at]), size=size)
    if chosen.width > width:
        chosen = label(shortened(spelling.letters[spelling.at], width - 2 * GAP))
    left = (width - chosen.width) // 2
    boxes = list(chosen.at(left, 0))
    for step in (-1, 1):
        edge, n = (left if step < 0 else left + chosen.width), 0
        while (n := n + 1) < len(spelling.letters):
            block = words(_shown(spelling.letters[(spelling.at + step * n) % len(spelling.letters)]))
            x = edge - LETTER_GAP - block.width if step < 0 else edge + LETTER_GAP
            if x < 0 or x + block.width > width:
                break
            boxes += block.at(x, (chosen.height - block.height) // 2)
            edge = x if step < 0 else x + block.width
    return Block(width, chosen.height, tuple(boxes))


def _abreast(spelling: Spelling, text_size: Size, size: Size, width: int) -> Block | None:
    """Return the name so far and beside it the letter with a neighbour or none, for a screen of two lines."""
    text = words(spelling.text + CARET if spelling.text else spelling.title, text_size)
    room = width - text.width - GAP
    chosen = label(_shown(spelling.letters[spelling.at]), size=size)
    if chosen.width > room:
        return None
    after = words(_shown(spelling.letters[(spelling.at + 1) % len(spelling.letters)]))
    wheel = beside(chosen, after, chosen.width + LETTER_GAP + after.width, LETTER_GAP)
    if wheel is None or wheel.width > room or len(spelling.letters) == 1:
        wheel = chosen
    return beside(text, wheel, width, GAP)


def _shown(letter: str) -> str:
    """Return a letter as it is shown: a blank is seen as well."""
    return letter if letter.strip() else "␣"
