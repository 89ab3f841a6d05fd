"""Scores on the small screen: all of them during a match, the ranking between turns and at its end; the score sheet."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tabletop.views.oled import boxes
from tabletop.views.oled.boxes import EMPTY, Block, Box, Page
from tabletop.views.oled.font import letters
from tabletop.views.oled.text import BIG, HUGE, SMALL, TALL, Size, shortened, width_px, wrapped
from tabletop.views.snapshot import Snapshot

Pairs = Sequence[tuple[str, str]]
Sheet = tuple[tuple[str, ...], ...]

COLUMN_GAP = 5
HEAD_GAP = 2
LINES_GAP = 1  # rows between lines of large letters
ROW_GAP = 4  # columns, at least, between a name and its score
PODIUM = 3  # ranks listed below the winner; with more the winner stands alone
SMALL_COST = 1.5  # cost of the small letters, in pages: letters that are read from afar are worth more pages
COLUMNS = ((1, BIG), (1, TALL), (1, SMALL), (2, SMALL), (3, SMALL))
SIZE_COST = {
    HUGE: 0,
    BIG: 1,
    TALL: 2,
    SMALL: 4,
}  # cost of the winner's and the ranking's letter sizes: neither is to be tiny

OPEN = "-"  # a cell with nothing in it yet
TITLED_PX = 30  # a page less high than this has no room for a title
TITLE_GAP = 1  # rows above and below the line under a title
CELL_GAP = 3  # columns between two cells
LEAST_CELL_PX = 10  # two letters of a name
LEAST_LABEL_PX = 30
REMEMBERED_SHEETS = 8


@dataclass(frozen=True, slots=True)
class _Columns:
    """Names and scores in columns: a block a page, in letters of this size; first: how many rows the first page has."""

    size: Size
    blocks: tuple[Block, ...]
    first: int


def standing_pages(snapshot: Snapshot, width: int, height: int) -> tuple[Page, ...]:
    """Return everybody's score, in as many pages as it takes: in seat order, between two turns ranked."""
    if snapshot.between:
        rows = ranked_rows(snapshot)
    else:
        rows = [(player, str(score)) for player, score in zip(snapshot.players, snapshot.scores, strict=True)]
    return pair_pages(rows, width, height)


def winner_pages(snapshot: Snapshot, width: int, height: int) -> tuple[Page, ...]:
    """Return the winners, as large as they fit, the ranking below or on pages of its own, and why it is over."""
    rows = ranked_rows(snapshot)
    why = boxes.lines(snapshot.why, width)
    last = boxes.text_pages(snapshot.why, width, height)
    shouts = [(size, shout) for size, shout in _shouts(snapshot, width) if shout.height <= height]
    rankings = [_columns(rows, width, height - shout.height - HEAD_GAP) for _, shout in shouts]
    fitting = [
        (SIZE_COST[size] + SIZE_COST[ranked.size], shout, ranked.blocks[0])
        for (size, shout), ranked in zip(shouts, rankings, strict=True)
        if ranked is not None and len(ranked.blocks) == 1
    ]
    if fitting:
        _, shout, whole = min(fitting, key=lambda choice: choice[0])
        if why.height and shout.height + whole.height + why.height + 2 <= height:
            return (boxes.page([shout, whole, why], height),)
        return (boxes.page([shout, whole], height), *last)
    every = pair_pages(rows, width, height)
    for (_, shout), ranked in zip(shouts, rankings, strict=True):
        if ranked is not None and ranked.first >= PODIUM:
            return (boxes.page([shout, ranked.blocks[0]], height), *every, *last)
    return (*(boxes.page([shout], height) for _, shout in shouts[:1]), *every, *last)


def pair_pages(rows: Pairs, width: int, height: int) -> tuple[Page, ...]:
    """Return pairs of words at the two ends of a row, in as many pages as it takes.

    Where one name alone is higher than a page, each pair is a text instead.
    """
    columns = _columns(rows, width, height)
    if columns is not None:
        return tuple(boxes.page([block], height) for block in columns.blocks)
    parts = (boxes.words(part) for name, score in rows for part in wrapped(f"{name} {score}", width))
    return tuple(boxes.page([boxes.column(*heap)], height) for heap in boxes.heaps(parts, height))


def ranked_rows(snapshot: Snapshot) -> list[tuple[str, str]]:
    """Return "1 Ann" and her score for everybody, the first first."""
    return [(f"{place} {player}", str(score)) for place, player, score in ranking(snapshot)]


def ranking(snapshot: Snapshot) -> tuple[tuple[int, str, int], ...]:
    """Return (place, player, score) from the first to the last; equal scores share a place, winners share the first.

    Where the fewest points win all are ranked from few to many.
    """
    scores = dict(zip(snapshot.players, snapshot.scores, strict=True))
    order = {name: (1, score if snapshot.fewest_win else -score) for name, score in scores.items()}
    order |= {name: (0, 0) for name in scores if name in snapshot.winners}
    in_order = sorted(scores, key=order.__getitem__)
    return tuple((1 + sum(one < order[name] for one in order.values()), name, scores[name]) for name in in_order)


def _shouts(snapshot: Snapshot, width: int) -> Iterator[tuple[Size, Block]]:
    """Yield ways to announce the winners, the largest first."""
    winners, phrases = snapshot.winners, snapshot.phrases
    text = (phrases.wins if len(winners) == 1 else phrases.win).format(names=" & ".join(winners))
    for size in (HUGE, BIG, TALL, SMALL):
        winner_rows = wrapped(text, width, size)
        if all(name in " ".join(winner_rows) for name in winners):
            yield (
                size,
                boxes.column(*(boxes.centred(boxes.words(part, size), width) for part in winner_rows), gap=HEAD_GAP),
            )
    if len(winners) > 1:
        yield SMALL, boxes.centred(boxes.label(phrases.number_win.format(n=len(winners))), width)


def _columns(rows: Pairs, width: int, height: int) -> _Columns | None:
    """Return names and scores in columns, on as few pages as may be without letters that are too small from afar.

    None where there are no rows, or one is higher than a page.
    """
    every = (_in_columns(rows, columns, size, width, height) for columns, size in COLUMNS)
    whole = [columns for columns in every if columns is not None]
    return min(whole, key=lambda found: len(found.blocks) + SMALL_COST * (found.size == SMALL), default=None)


def _in_columns(rows: Pairs, columns: int, size: Size, width: int, height: int) -> _Columns | None:
    column_px = (width - COLUMN_GAP * (columns - 1)) // columns
    every = [_row(name, score, size, column_px, alone=columns == 1 and size == SMALL) for name, score in rows]
    whole = [row for row in every if row is not None and row.height <= height]
    if not rows or len(whole) < len(every):
        return None
    gap = 0 if size == SMALL else LINES_GAP
    shared = boxes.heaps(whole, height, gap)
    groups = [shared[n : n + columns] for n in range(0, len(shared), columns)]
    return _Columns(size, tuple(_abreast(group, column_px, gap) for group in groups), sum(map(len, groups[0])))


def _abreast(heaps_of_page: Sequence[list[Block]], column_px: int, gap: int) -> Block:
    """Return heaps of rows in columns of equal width, flush with the upper edge."""
    step = column_px + COLUMN_GAP
    blocks = [boxes.column(*heap, gap=gap) for heap in heaps_of_page]
    drawn = (box for n, block in enumerate(blocks) for box in block.at(n * step, 0))
    return Block(len(blocks) * step - COLUMN_GAP, max(block.height for block in blocks), tuple(drawn))


def _row(name: str, score: str, size: Size, width: int, *, alone: bool) -> Block | None:
    """Return a name with its score at the right, None if they do not fit; alone: in two lines rather than not."""
    row = boxes.beside(boxes.words(name, size), boxes.words(score, size), width, ROW_GAP)
    if row is not None or not alone:
        return row
    right = boxes.words(score, size)
    return boxes.column(boxes.lines(name, width, size), Block(width, right.height, right.at(width - right.width, 0)))


def sheet_pages(snapshot: Snapshot, width: int, height: int) -> tuple[Page, ...]:
    """Return the sheet: the rows of the player asked, then those of all side by side; none if it is empty."""
    at = snapshot.players.index(snapshot.asked) if snapshot.asked in snapshot.players else None
    return _pages(snapshot.sheet, snapshot.players, at, width, height)


@lru_cache(maxsize=REMEMBERED_SHEETS)
def _pages(sheet: Sheet, players: tuple[str, ...], at: int | None, width: int, height: int) -> tuple[Page, ...]:
    own = [] if at is None else _titled(players[at], _cells(sheet, at), width, height)
    rows = tuple(row for row in sheet if any(row[1:]))
    if not rows or (len(players) == 1 and own):
        return tuple(own)
    whole = _matrix(rows, players, width, height, shorten=False)
    if len(whole) == 1 and rows == sheet:
        return tuple(whole)  # it says all that there is
    if whole:
        return (*own, *whole)
    most_px = (width - LEAST_LABEL_PX) // len(players) - CELL_GAP
    narrow = tuple(row for row in rows if max(map(width_px, row[1:])) <= most_px)
    wide = tuple(row for row in rows if row not in narrow)
    matrix = _matrix(narrow, players, width, height, shorten=bool(own)) if narrow else []
    if not matrix:
        return (*own, *_others(rows, players, at, width, height))
    return (*own, *matrix, *(_others(wide, players, at, width, height) if wide else ()))


def _matrix(rows: Sheet, players: tuple[str, ...], width: int, height: int, *, shorten: bool) -> list[Page]:
    """Return the sheet as on paper, a column a player under the beginning of the name; empty if it is too wide.

    shorten: whether a label may be cut, since it stands elsewhere in full.
    """
    cell_px = max(width_px(cell) for row in rows for cell in row[1:])
    label_px = max(width_px(row[0]) for row in rows)
    initial_px = max(width_px(letters(name)[0]) for name in players)
    most_px = width - len(players) * (max(cell_px, initial_px, LEAST_CELL_PX) + CELL_GAP)
    if label_px > most_px and not (shorten and most_px >= LEAST_LABEL_PX):
        return []
    label_px = min(label_px, most_px)
    step = (width - label_px) // len(players)
    head = [(_begun(name, step - CELL_GAP), n) for n, name in enumerate(players)]
    every = [_sheet_line("", head, width, step)]
    every += [
        _sheet_line(shortened(title, label_px), [(cell, n) for n, cell in enumerate(cells)], width, step)
        for title, *cells in rows
    ]
    top, *below_it = every
    return [boxes.page([top, *heap], height, 1) for heap in boxes.heaps(below_it, height - top.height)]


def _sheet_line(title: str, cells: list[tuple[str, int]], width: int, step: int) -> Block:
    """Return one line of the sheet: the label at the left, each cell flush with the right end of its column."""
    texts = [(boxes.words(title), 0)] if title else []
    for text, n in cells:
        cell = boxes.words(text)
        texts += [(cell, width - (len(cells) - 1 - n) * step - cell.width)] if text else []
    above = max((text.above for text, _ in texts), default=0)
    height = max((above - text.above + text.height for text, _ in texts), default=0)
    return Block(width, height, tuple(box for text, x in texts for box in text.at(x, above - text.above)))


def _begun(name: str, width: int) -> str:
    """Return as many letters of a name as fit, at least one."""
    begun = letters(name)
    while len(begun) > 1 and width_px("".join(begun)) > width:
        begun = begun[:-1]
    return "".join(begun)


def _others(rows: Sheet, players: tuple[str, ...], at: int | None, width: int, height: int) -> list[Page]:
    others = [n for n in range(len(players)) if n != at]
    if len(rows) <= len(others):
        return [page for row in rows for page in _column(row, players, width, height)]
    return [page for n in others for page in _titled(players[n], _cells(rows, n), width, height)]


def _cells(rows: Iterable[tuple[str, ...]], at: int) -> list[str]:
    return [f"{row[0]}{':' * row[0][-1:].isdigit()} {row[1 + at] or OPEN}" for row in rows]


def _column(row: tuple[str, ...], players: tuple[str, ...], width: int, height: int) -> list[Page]:
    """Return pages with one row of the sheet, its label above and a line a player; what all share is written once."""
    if len(set(row[1:])) == 1:
        return _titled("", _cells((row,), 0), width, height)
    cells = [(name, cell or OPEN) for name, cell in zip(players, row[1:], strict=True)]
    if height < TITLED_PX:
        return _titled(row[0], [" ".join(cell) for cell in cells], width, height)
    head = _title(row[0], width)
    return [_under(head, page) for page in pair_pages(cells, width, height - head.height)]


def _titled(title: str, cells: list[str], width: int, height: int) -> list[Page]:
    """Return pages of cells one after the other, each under the same title; on two lines it is one of them."""
    if not cells:
        return []
    flat = height < TITLED_PX
    head = _title("" if flat else title, width)
    if flat and title:
        cells = [f"{title}:", *cells]
    large = boxes.column(*boxes.strips(tuple(cells), width, TALL), gap=boxes.LINE_GAP)
    if large.width <= width and large.height <= height - head.height:
        return [_under(head, boxes.page([large], height - head.height))]
    rows = boxes.strips(tuple(cells), width)
    room = height - head.height
    return [_under(head, boxes.page(heap, room, most_gap=3)) for heap in boxes.heaps(rows, room)]


def _title(text: str, width: int) -> Block:
    if not text:
        return EMPTY
    block = boxes.lines(text, width)
    rule = Box(0, block.height + TITLE_GAP, width, 1)
    return Block(width, block.height + 2 * TITLE_GAP + 1, (*block.boxes, rule))


def _under(head: Block, under: Page) -> Page:
    return (*head.boxes, *(box.at(box.x, box.y + head.height) for box in under))
