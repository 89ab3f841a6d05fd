"""Scores on the small screen: all of them while a match goes on, and the ranking at its end."""

from collections.abc import Iterator, Sequence

from tabletop.views.oled_box import Block, Box, above, beside, centred, label, stacked, words
from tabletop.views.oled_text import BIG, HUGE, SMALL, TALL, Size, wrapped
from tabletop.views.snapshot import Snapshot

Page = tuple[Box, ...]
COLUMN_GAP = 5
HEAD_GAP = 2
PODIUM = 3  # places shown below who has won, else it stands alone


def score_pages(snapshot: Snapshot, width: int, height: int) -> tuple[Page, ...]:
    """Return everybody's score in seat order, in as many pages as it takes."""
    rows = [(player, str(score)) for player, score in zip(snapshot.players, snapshot.scores, strict=True)]
    return tuple(stacked([page], height) for page in _tables(rows, width, height))


def winner_pages(snapshot: Snapshot, width: int, height: int) -> tuple[Page, ...]:
    """Return who has won, as large as it goes, and the ranking below or on pages of its own."""
    rows = [(f"{place} {player}", str(score)) for place, player, score in ranking(snapshot)]
    shouts = [block for block in _shouts(snapshot, width) if block.height <= height]
    tables = [_tables(rows, width, height - shout.height - HEAD_GAP) for shout in shouts]
    for shout, table in zip(shouts, tables, strict=True):
        if len(table) == 1:
            return (stacked([shout, table[0]], height),)
    whole = tuple(stacked([block], height) for block in _tables(rows, width, height))
    for shout, table in zip(shouts, tables, strict=True):
        if table and len(table[0].boxes) >= 2 * PODIUM:
            return (stacked([shout, table[0]], height), *whole)
    return (*(stacked([shout], height) for shout in shouts[:1]), *whole)


def ranking(snapshot: Snapshot) -> tuple[tuple[int, str, int], ...]:
    """Return (place, player, score) from the first to the last; equal scores share a place, winners share the first.

    Where winners have the least points the others are ranked from few to many.
    """
    scores = dict(zip(snapshot.players, snapshot.scores, strict=True))
    won = [scores[name] for name in snapshot.winners if name in scores]
    others = {name: score for name, score in scores.items() if name not in snapshot.winners}
    fewest_wins = bool(won) and bool(others) and max(won) < max(others.values()) and max(won) <= min(others.values())
    in_order = sorted(others, key=lambda name: others[name] if fewest_wins else -others[name])
    placed = [(1, name, scores[name]) for name in snapshot.players if name in snapshot.winners]
    for name in in_order:
        after_equal = len(placed) > len(won) and placed[-1][2] == scores[name]
        placed.append((placed[-1][0] if after_equal else len(placed) + 1, name, scores[name]))
    return tuple(placed)


def _shouts(snapshot: Snapshot, width: int) -> Iterator[Block]:
    """Yield ways to say who has won, the largest first."""
    winners, phrases = snapshot.winners, snapshot.phrases
    text = (phrases.wins if len(winners) == 1 else phrases.win).format(names=" & ".join(winners))
    for size in (HUGE, BIG, TALL, SMALL):
        lines = wrapped(text, width, size)
        whole_names = all(name in " ".join(lines) for name in winners)
        block = above((centred(words(line, size), width) for line in lines), gap=HEAD_GAP)
        if whole_names:
            yield block
    if len(winners) > 1:
        yield centred(label(phrases.number_win.format(n=len(winners))), width)


def _tables(rows: Sequence[tuple[str, str]], width: int, height: int) -> tuple[Block, ...]:
    """Return names and scores in columns, as many blocks of this size as it takes, in letters as large as may be."""
    if not rows:
        return ()
    tried: list[list[Block]] = []
    for columns, size in ((1, BIG), (1, TALL), (1, SMALL), (2, SMALL), (3, SMALL)):
        column_px = (width - COLUMN_GAP * (columns - 1)) // columns
        lines = [_row(name, score, size, column_px, alone=columns == 1 and size == SMALL) for name, score in rows]
        whole = [line for line in lines if line is not None]
        heaps = _heaps(whole, height, 0 if size == SMALL else HEAD_GAP)
        if len(whole) < len(lines) or any(heap.height > height for heap in heaps):
            continue
        blocks = [_abreast(heaps[n : n + columns], column_px) for n in range(0, len(heaps), columns)]
        if len(blocks) == 1:
            return tuple(blocks)
        tried.append(blocks)
    return min(map(tuple, tried), key=len, default=())


def _row(name: str, score: str, size: Size, width: int, *, alone: bool) -> Block | None:
    """Return a name with its score at the right, None where they do not fit; alone: in two lines rather than not."""
    row = beside(words(name, size), words(score, size), width)
    if row is not None or not alone:
        return row
    below = words(score, size)
    right = Block(width, below.height, below.at(width - below.width, 0))
    return above((*(words(part, size) for part in wrapped(name, width, size)), right))


def _abreast(heaps: Sequence[Block], column_px: int) -> Block:
    boxes = [box for n, heap in enumerate(heaps) for box in heap.at(n * (column_px + COLUMN_GAP), 0)]
    return Block(len(heaps) * (column_px + COLUMN_GAP) - COLUMN_GAP, max(heap.height for heap in heaps), tuple(boxes))


def _heaps(lines: Sequence[Block], height: int, gap: int) -> list[Block]:
    """Return lines one above the other, a new heap begun wherever the height is used up."""
    heaps: list[list[Block]] = [[]]
    for line in lines:
        if heaps[-1] and sum(block.height + gap for block in heaps[-1]) + line.height > height:
            heaps.append([])
        heaps[-1].append(line)
    return [above(heap, gap) for heap in heaps]
