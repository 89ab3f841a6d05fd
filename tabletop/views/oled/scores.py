"""Draw scores on the small screen: all of them during a match, the ranking between turns and at the end, the sheet."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from tabletop.views.oled import boxes, font
from tabletop.views.oled.boxes import Block, Page
from tabletop.views.oled.grammar import LINE_ROWS, Frame, above_bar, fits_line, head, listed, said, sentence, text_pages
from tabletop.views.oled.text import SMALL, Size, shortened, width_px
from tabletop.views.snapshot import Snapshot

Pairs = Sequence[tuple[str, str]]
Sheet = tuple[tuple[str, ...], ...]

LARGE_ROWS = 2  # players in letters as tall as the name: more would touch
LEAST_AIR, MOST_AIR = 1, 3  # rows between two players
ROW_GAP = 4  # columns, at least, between a name and its score

OPEN = "-"  # an empty cell
CELL_GAP = 3  # columns between two cells
LEAST_CELL_PX = 10  # two letters of a name
LEAST_LABEL_PX = 30
REMEMBERED_SHEETS = 8


def standing_pages(snapshot: Snapshot, frame: Frame) -> tuple[Page, ...]:
    """Return the pages with everybody's score: in seat order, or ranked between two turns."""
    if snapshot.between:
        return pair_pages(ranked_rows(snapshot), frame)
    return pair_pages(list(zip(snapshot.players, map(str, snapshot.scores), strict=True)), frame)


def winner_pages(snapshot: Snapshot, frame: Frame) -> tuple[Page, ...]:
    """Return the winners with their score, why the match is over, and pages with the ranking."""
    phrases, winners = snapshot.phrases, snapshot.winners
    scores = dict(zip(snapshot.players, map(str, snapshot.scores), strict=True))
    form = phrases.wins if len(winners) == 1 else phrases.win
    word = sentence(form.format(names="").strip())
    names, score, why = " & ".join(winners), scores.get(winners[0], ""), said(snapshot.why, frame.width)
    room = frame.width - width_px(score, frame.head) - ROW_GAP
    crowd, shout = boxes.column(*said(names, room)), boxes.words(word, frame.head)
    whole, ranks = width_px(names, frame.head) <= room, pair_pages(ranked_rows(snapshot), frame)
    if not whole and frame.top + crowd.height + shout.height > frame.bottom:  # the ranking has the scores
        return (*text_pages(form.format(names=names), frame), *ranks, *listed(why, frame))
    below = frame.body if whole else max(frame.body, frame.top + crowd.height)
    told = above_bar(why, frame, below + shout.height) if fits_line(why) and frame.dice else None
    title = head(names if whole else "", score, frame)  # several names that are too long are drawn in small letters
    first = (*title, *(() if whole else crowd.at(0, frame.top)), *shout.at(0, below), *(told or ()))
    return (first, *ranks, *(() if told else listed(why, frame)))


def pair_pages(rows: Pairs, frame: Frame) -> tuple[Page, ...]:
    """Return pairs of texts at the two ends of a row, on as many pages as needed."""
    many = frame.dice and len(rows) > LARGE_ROWS
    size, air, least = (SMALL, 0, LINE_ROWS) if many else (frame.head, LEAST_AIR, 0)
    height, lines = frame.bottom - frame.top, [_row(name, score, frame.width, size, least) for name, score in rows]
    pages = []
    for heap in boxes.heaps(lines, height, air):
        spare = 0 if many else height - sum(row.height for row in heap)  # small lines have equal distances on all pages
        pages.append(boxes.column(*heap, gap=min(MOST_AIR, spare // max(1, len(heap) - 1))).at(0, frame.top))
    return tuple(pages)


def _row(name: str, score: str, width: int, size: Size, least: int) -> Block:
    """Return a name with its score at the right; shortened to what the score leaves. least: rows that it is high."""
    right = boxes.words(score, size)
    left = boxes.words(shortened(name, width - right.width - ROW_GAP, size), size)
    row = boxes.beside(left, right, width, ROW_GAP) or left
    height = max(row.height, least)
    return Block(row.width, height, row.at(0, height - row.height), row.above + height - row.height)


def ranked_rows(snapshot: Snapshot) -> list[tuple[str, str]]:
    """Return "1 Ann" and her score for everybody, best first."""
    return [(f"{place} {player}", str(score)) for place, player, score in ranking(snapshot)]


def ranking(snapshot: Snapshot) -> tuple[tuple[int, str, int], ...]:
    """Return (place, player, score), best first; equal scores share a place, winners share the first.

    If the fewest points win, lower scores come first.
    """
    scores = dict(zip(snapshot.players, snapshot.scores, strict=True))
    order = {name: (1, score if snapshot.fewest_win else -score) for name, score in scores.items()}
    order |= {name: (0, 0) for name in scores if name in snapshot.winners}
    in_order = sorted(scores, key=order.__getitem__)
    return tuple((1 + sum(one < order[name] for one in order.values()), name, scores[name]) for name in in_order)


def sheet_pages(snapshot: Snapshot, frame: Frame) -> tuple[Page, ...]:
    """Return the sheet: the rows of the player asked, then those of all players side by side; none if it is empty."""
    at = snapshot.players.index(snapshot.asked) if snapshot.asked in snapshot.players else None
    return _pages(snapshot.sheet, snapshot.players, tuple(map(str, snapshot.scores)), at, frame)


@lru_cache(maxsize=REMEMBERED_SHEETS)
def _pages(
    sheet: Sheet, players: tuple[str, ...], scores: tuple[str, ...], at: int | None, frame: Frame
) -> tuple[Page, ...]:
    own = () if at is None else _titled(players[at], _cells(sheet, at), frame, scores[at])
    rows = tuple(row for row in sheet if any(row[1:]))
    if not rows or (len(players) == 1 and own):
        return own
    whole = _matrix(rows, players, frame, shorten=False)
    if len(whole) == 1 and rows == sheet:
        return whole  # nothing else to show
    if whole:
        return (*own, *whole)
    most_px = (frame.width - LEAST_LABEL_PX) // len(players) - CELL_GAP
    narrow = tuple(row for row in rows if max(map(width_px, row[1:])) <= most_px)
    wide = tuple(row for row in rows if row not in narrow)
    matrix = _matrix(narrow, players, frame, shorten=bool(own)) if narrow else ()
    if not matrix:
        return (*own, *_others(rows, players, at, frame))
    return (*own, *matrix, *(_others(wide, players, at, frame) if wide else ()))


def _matrix(rows: Sheet, players: tuple[str, ...], frame: Frame, *, shorten: bool) -> tuple[Page, ...]:
    """Return the sheet as on paper, a column a player under the beginning of the name; empty if it is too wide.

    shorten: whether a label may be cut, since it stands elsewhere in full.
    """
    cell_px = max(width_px(cell) for row in rows for cell in row[1:])
    label_px = max(width_px(row[0]) for row in rows)
    initial_px = max(width_px(font.letters(name)[0]) for name in players)
    most_px = frame.width - len(players) * (max(cell_px, initial_px, LEAST_CELL_PX) + CELL_GAP)
    if label_px > most_px and not (shorten and most_px >= LEAST_LABEL_PX):
        return ()
    label_px = min(label_px, most_px)
    step = (frame.width - label_px) // len(players)
    names = [(_begun(name, step - CELL_GAP), n) for n, name in enumerate(players)]
    lines = [
        _sheet_line(shortened(title, label_px), [(cell, n) for n, cell in enumerate(cells)], frame.width, step)
        for title, *cells in rows
    ]
    return listed(lines, frame, _sheet_line("", names, frame.width, step))


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
    begun = font.letters(name)
    while len(begun) > 1 and width_px("".join(begun)) > width:
        begun = begun[:-1]
    return "".join(begun)


def _others(rows: Sheet, players: tuple[str, ...], at: int | None, frame: Frame) -> list[Page]:
    others = [n for n in range(len(players)) if n != at]
    if len(rows) <= len(others):
        return [page for row in rows for page in _column(row, players, frame)]
    return [page for n in others for page in _titled(players[n], _cells(rows, n), frame)]


def _cells(rows: Iterable[tuple[str, ...]], at: int) -> list[str]:
    return [f"{row[0]}{':' * row[0][-1:].isdigit()} {row[1 + at] or OPEN}" for row in rows]


def _column(row: tuple[str, ...], players: tuple[str, ...], frame: Frame) -> tuple[Page, ...]:
    """Return pages with one row of the sheet, its label above and a line a player; what all share is written once."""
    if len(set(row[1:])) == 1:
        return _titled("", _cells((row,), 0), frame)
    return _titled(row[0], [f"{name} {cell or OPEN}" for name, cell in zip(players, row[1:], strict=True)], frame)


def _titled(title: str, cells: list[str], frame: Frame, score: str = "") -> tuple[Page, ...]:
    """Return pages of cells one after the other, each below the title in a name's place; else it is a cell."""
    if not cells:
        return ()
    rows = boxes.strips(tuple(cells), frame.width)
    if title and (not frame.dice or max(row.height for row in rows) > frame.bottom - frame.body):
        title, rows = "", boxes.strips((f"{title}:", *cells), frame.width)
    if not title:
        return listed(rows, frame)
    above = head(title, score, frame)
    return tuple((*above, *page) for page in listed(rows, replace(frame, top=frame.body)))
