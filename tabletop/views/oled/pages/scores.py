"""Scores on the small screen: all of them while a match goes on, the ranking between turns and at its end."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tabletop.views.oled.boxes import Box
from tabletop.views.oled.measure import Shape, below, beside, centred, end_of_row, heaps, in_columns, line, lit, page
from tabletop.views.oled.page_text import text_pages
from tabletop.views.oled.text import BIG, HUGE, SMALL, TALL, Size, wrapped
from tabletop.views.snapshot import Snapshot

Page = tuple[Box, ...]
Rows = Sequence[tuple[str, str]]

COLUMN_GAP = 5
HEAD_GAP = 2
LINES_GAP = 1  # rows between lines of large letters
ROW_GAP = 4  # columns, at least, between a name and its score
PODIUM = 3  # ranks listed below the winner; with more the winner stands alone
SMALL_COST = 1.5  # cost of the small letters, in pages: letters that are read from afar are worth more pages
SIZE_COST = {
    HUGE: 0,
    BIG: 1,
    TALL: 2,
    SMALL: 4,
}  # cost of the winner's and the ranking's letter sizes: neither is to be tiny


@dataclass(frozen=True, slots=True)
class _Columns:
    """Names and scores in columns: a shape a page, in letters of this size; first: how many rows the first page has."""

    size: Size
    shapes: tuple[Shape, ...]
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
    why = below(*(line(part) for part in wrapped(snapshot.why, width)))
    last = text_pages(snapshot.why, width, height)
    shouts = [(size, shout) for size, shout in _shouts(snapshot, width) if shout.height <= height]
    rankings = [_columns(rows, width, height - shout.height - HEAD_GAP) for _, shout in shouts]
    fitting = [
        (SIZE_COST[size] + SIZE_COST[ranked.size], shout, ranked.shapes[0])
        for (size, shout), ranked in zip(shouts, rankings, strict=True)
        if ranked is not None and len(ranked.shapes) == 1
    ]
    if fitting:
        _, shout, whole = min(fitting, key=lambda choice: choice[0])
        if why.height and shout.height + whole.height + why.height + 2 <= height:
            return (page([shout, whole, why], height),)
        return (page([shout, whole], height), *last)
    every = pair_pages(rows, width, height)
    for (_, shout), ranked in zip(shouts, rankings, strict=True):
        if ranked is not None and ranked.first >= PODIUM:
            return (page([shout, ranked.shapes[0]], height), *every, *last)
    return (*(page([shout], height) for _, shout in shouts[:1]), *every, *last)


def pair_pages(rows: Rows, width: int, height: int) -> tuple[Page, ...]:
    """Return pairs of words at the two ends of a row, in as many pages as it takes.

    Where one name alone is higher than a page, each pair is a text instead.
    """
    columns = _columns(rows, width, height)
    if columns is not None:
        return tuple(page([shape], height) for shape in columns.shapes)
    parts = (line(part) for name, score in rows for part in wrapped(f"{name} {score}", width))
    return tuple(page([below(*heap)], height) for heap in heaps(parts, height))


def ranked_rows(snapshot: Snapshot) -> list[tuple[str, str]]:
    """Return "1 Ann" and her score for everybody, the first first."""
    return [(f"{place} {player}", str(score)) for place, player, score in ranking(snapshot)]


def ranking(snapshot: Snapshot) -> tuple[tuple[int, str, int], ...]:
    """Return (place, player, score) from the first to the last; equal scores share a place, winners share the first.

    Where winners have the least points the others are ranked from few to many.
    """
    scores = dict(zip(snapshot.players, snapshot.scores, strict=True))
    won = [scores[name] for name in snapshot.winners if name in scores]
    others = {name: score for name, score in scores.items() if name not in snapshot.winners}
    fewest_win = snapshot.fewest_win or (
        bool(won) and bool(others) and max(won) < max(others.values()) and max(won) <= min(others.values())
    )
    in_order = sorted(others, key=lambda name: others[name] if fewest_win else -others[name])
    placed = [(1, name, scores[name]) for name in snapshot.players if name in snapshot.winners]
    for name in in_order:
        after_equal = len(placed) > len(won) and placed[-1][2] == scores[name]
        placed.append((placed[-1][0] if after_equal else len(placed) + 1, name, scores[name]))
    return tuple(placed)


def _shouts(snapshot: Snapshot, width: int) -> Iterator[tuple[Size, Shape]]:
    """Yield ways to announce the winners, the largest first."""
    winners, phrases = snapshot.winners, snapshot.phrases
    text = (phrases.wins if len(winners) == 1 else phrases.win).format(names=" & ".join(winners))
    for size in (HUGE, BIG, TALL, SMALL):
        winner_rows = wrapped(text, width, size)
        if all(name in " ".join(winner_rows) for name in winners):
            yield size, below(*(centred(line(part, size), width) for part in winner_rows), gap=HEAD_GAP)
    if len(winners) > 1:
        yield SMALL, centred(lit(phrases.number_win.format(n=len(winners)), SMALL), width)


def _columns(rows: Rows, width: int, height: int) -> _Columns | None:
    """Return names and scores in columns, on as few pages as may be without letters that are too small from afar.

    None where there are no rows, or one is higher than a page.
    """
    best: tuple[float, _Columns] | None = None
    for columns, size in ((1, BIG), (1, TALL), (1, SMALL), (2, SMALL), (3, SMALL)) if rows else ():
        if best is not None and best[0] <= 1 + SMALL_COST * (size == SMALL):
            break
        column_px = (width - COLUMN_GAP * (columns - 1)) // columns
        every = [_row(name, score, size, column_px, alone=columns == 1 and size == SMALL) for name, score in rows]
        whole = [row for row in every if row is not None]
        if len(whole) < len(every) or any(row.height > height for row in whole):
            continue
        gap = 0 if size == SMALL else LINES_GAP
        shared = heaps(whole, height, gap)
        groups = [shared[n : n + columns] for n in range(0, len(shared), columns)]
        cost = len(groups) + SMALL_COST * (size == SMALL)
        if best is None or cost < best[0]:
            shapes = (in_columns([below(*heap, gap=gap) for heap in group], column_px, COLUMN_GAP) for group in groups)
            best = cost, _Columns(size, tuple(shapes), sum(map(len, groups[0])))
    return best[1] if best else None


def _row(name: str, score: str, size: Size, width: int, *, alone: bool) -> Shape | None:
    """Return a name with its score at the right, None if they do not fit; alone: in two lines rather than not."""
    row = beside(line(name, size), line(score, size), width, ROW_GAP)
    if row is not None or not alone:
        return row
    return below(*(line(part, size) for part in wrapped(name, width, size)), end_of_row(line(score, size), width))
