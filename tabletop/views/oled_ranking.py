"""Scores on the small screen: all of them while a match goes on, and the ranking at its end."""

from collections.abc import Iterator, Sequence

from tabletop.views.oled_box import Block, Box, above, beside, centred, label, stacked, words
from tabletop.views.oled_text import BIG, HUGE, SMALL, TALL, wrapped
from tabletop.views.snapshot import Snapshot

Page = tuple[Box, ...]
COLUMN_GAP = 5
HEAD_GAP = 2
SHOUT_SHARE = 0.55  # of the height, at most, for who has won


def score_pages(snapshot: Snapshot, width: int, height: int) -> tuple[Page, ...]:
    """Return everybody's score in seat order, in as many pages as it takes."""
    rows = [(player, str(score)) for player, score in zip(snapshot.players, snapshot.scores, strict=True)]
    return tuple(stacked([page], height) for page in _tables(rows, width, height))


def winner_pages(snapshot: Snapshot, width: int, height: int) -> tuple[Page, ...]:
    """Return who has won, as large as it goes, and the ranking below or on pages of its own."""
    rows = [(f"{place} {player}", str(score)) for place, player, score in ranking(snapshot)]
    for shout in _shouts(snapshot.winners, width, height):
        tables = _tables(rows, width, height - shout.height - HEAD_GAP)
        if len(tables) == 1:
            return (stacked([shout, tables[0]], height),)
    *_, shout = (one for one in _shouts(snapshot.winners, width, height) if one.height <= height)
    best = _tables(rows, width, height - shout.height - HEAD_GAP)[:1]
    whole = _tables(rows, width, height)
    return (stacked([shout, *best], height), *(stacked([block], height) for block in whole))


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


def _shouts(winners: Sequence[str], width: int, height: int) -> Iterator[Block]:
    """Yield ways to say who has won, the largest first."""
    text = f"{' & '.join(winners)} {'wins' if len(winners) == 1 else 'win'}"
    for size in (HUGE, BIG, TALL, SMALL):
        lines = wrapped(text, width, size)
        whole_names = all(name in " ".join(lines) for name in winners)
        block = above((centred(words(line, size), width) for line in lines), gap=HEAD_GAP)
        if whole_names and block.height <= height * SHOUT_SHARE:
            yield block
    yield centred(label(f"{len(winners)} win" if len(winners) > 1 else text), width)


def _tables(rows: Sequence[tuple[str, str]], width: int, height: int) -> tuple[Block, ...]:
    """Return names and scores in columns, as many blocks of this size as it takes, in letters as large as may be."""
    if not rows:
        return ()
    tried: list[list[Block]] = []
    for columns, size in ((1, BIG), (1, TALL), (1, SMALL), (2, SMALL), (3, SMALL)):
        column_px = (width - COLUMN_GAP * (columns - 1)) // columns
        lines = [beside(words(name, size), words(score, size), column_px) for name, score in rows]
        whole = [line for line in lines if line is not None]
        row_px = max((line.height for line in whole), default=0)
        row_gap = 0 if size == SMALL else HEAD_GAP
        per_column = max(0, height + row_gap) // max(1, row_px + row_gap)
        if len(whole) < len(lines) or not per_column:
            continue
        heaps = [above(whole[n : n + per_column], row_gap) for n in range(0, len(whole), per_column)]
        blocks = [_abreast(heaps[n : n + columns], column_px) for n in range(0, len(heaps), columns)]
        if len(blocks) == 1:
            return tuple(blocks)
        tried.append(blocks)
    return min(map(tuple, tried), key=len, default=())


def _abreast(heaps: Sequence[Block], column_px: int) -> Block:
    boxes = [box for n, heap in enumerate(heaps) for box in heap.at(n * (column_px + COLUMN_GAP), 0)]
    return Block(len(heaps) * (column_px + COLUMN_GAP) - COLUMN_GAP, max(heap.height for heap in heaps), tuple(boxes))
