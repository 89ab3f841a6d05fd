"""The pages of a match on the small screen: whose turn it is and what is at stake, as large as they go."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from tabletop.views.oled_box import EMPTY, Block, Box, above, beside, dice, label, stacked, words
from tabletop.views.oled_ranking import score_pages
from tabletop.views.oled_text import BIG, GIANT, HUGE, SMALL, TALL, Size, wrapped
from tabletop.views.snapshot import Snapshot

Page = tuple[Box, ...]

FLAT_PX = 48  # a screen less high than this shows two lines at a time
ROW_GAP = 2
UNIT_GAP = 8  # between two players of the strip

# What it costs to show each part smaller: the page with the least sum of those that fit is taken. Weighed by looking.
NAME_COST = {GIANT: 0.0, HUGE: 0.5, BIG: 2.0, TALL: 3.0, SMALL: 9.0}
STAKE_COST = {GIANT: 0.0, HUGE: 0.6, BIG: 4.0, TALL: 5.0, SMALL: 9.0}
MESSAGE_COST = {BIG: 0.0, TALL: 0.8, SMALL: 2.2}
DICE_COST = {(12, 3): 0.0, (12, 6): 0.1, (9, 3): 1.5, (9, 6): 1.6}  # by edge in pixels and dice in a row
NO_DICE_COST = 12.0
NO_STRIP_COST = 1.2
NO_SECOND_COST = 0.7


@dataclass(frozen=True, slots=True)
class _Parts:
    """What a table page is made of, in words. first: the message that matters most; second: one more, may be empty."""

    name: str
    score: str
    stake: str
    first: str
    second: str
    strip: tuple[str, ...]


def table_pages(snapshot: Snapshot, width: int, height: int) -> tuple[Page, ...]:
    """Return the pages of a match that goes on: the first says what to do, others follow where scores found no room."""
    parts = _parts(snapshot)
    if height < FLAT_PX:
        return _flat_pages(snapshot, parts, width, height)
    found = min(_tries(snapshot, parts, width, height), key=lambda one: one[0], default=None)
    if found is None:
        return (*_hint_pages(parts.first, width, height), *score_pages(snapshot, width, height))
    _, rows, all_scores = found
    page = stacked(rows, width, height)
    return (page,) if all_scores else (page, *score_pages(snapshot, width, height))


def _parts(snapshot: Snapshot) -> _Parts:
    scores = dict(zip(snapshot.players, snapshot.scores, strict=True))
    name, ask = snapshot.asked, snapshot.ask
    if not name:
        name, ask = ask or snapshot.game, ""
    said = [text for text in ("paused" if snapshot.paused else "", snapshot.hint, snapshot.offer, ask) if text]
    first, second = [*said, "", ""][:2]
    if snapshot.paused:
        second = snapshot.hint
    return _Parts(
        name=name,
        score=str(scores[snapshot.asked]) if snapshot.asked in scores else "",
        stake=f"{snapshot.at_stake:+d}" if snapshot.at_stake else "",
        first=first,
        second=second,
        strip=tuple(f"{player} {score}" for player, score in scores.items() if player != snapshot.asked),
    )


def _tries(snapshot: Snapshot, parts: _Parts, width: int, height: int) -> Iterator[tuple[float, list[Block], bool]]:
    """Yield (cost, rows, whether all scores are there) of every page that fits."""
    heads = {size: head for size in NAME_COST if (head := _head(parts, size, width))}
    boards = {form: dice(snapshot.thrown, snapshot.kept, *form) for form in DICE_COST} if snapshot.thrown else {}
    stakes = {size: words(parts.stake, size) for size in STAKE_COST} if parts.stake else {SMALL: EMPTY}
    strip = _strip(parts.strip, width)
    second = _lines(parts.second, SMALL, width)
    for message_size in MESSAGE_COST:
        below = _message(snapshot, parts, message_size, width)
        for (form, board), (stake_size, stake) in product(
            (boards or {(0, 0): EMPTY}).items(),
            stakes.items(),
        ):
            cost = MESSAGE_COST[message_size] + DICE_COST.get(form, 0) + (STAKE_COST[stake_size] if parts.stake else 0)
            for rows in _bodies(snapshot, parts, message_size, (stake, board, below), width):
                for (name_size, head), with_strip, with_second in product(heads.items(), (True, False), (True, False)):
                    whole = [head, *rows]
                    if with_second:
                        whole.append(second)
                    if with_strip:
                        whole.append(strip)
                    if _height(whole) <= height:
                        more = 0 if with_strip or not strip.boxes else NO_STRIP_COST
                        more += 0 if with_second or not second.boxes else NO_SECOND_COST
                        yield cost + NAME_COST[name_size] + more, whole, with_strip


def _bodies(
    snapshot: Snapshot, parts: _Parts, size: Size, blocks: tuple[Block, Block, Block], width: int
) -> Iterator[list[Block]]:
    """Yield the rows between name and strip: the message below stake and dice, or beside the dice where no stake is."""
    stake, board, below = blocks
    row = beside(stake, board, width)
    if row is not None:
        yield [row, below]
    if board.boxes and not stake.boxes:
        narrow = _message(snapshot, parts, size, width - board.width - 2 * ROW_GAP)
        row = beside(narrow, board, width)
        if row is not None:
            yield [row]


def _head(parts: _Parts, size: Size, width: int) -> Block | None:
    name = words(parts.name, size)
    for score_size in (BIG, SMALL):
        if size.down >= score_size.down:
            row = beside(name, words(parts.score, score_size), width, gap=6)
            if row is not None:
                return row
    return None


def _message(snapshot: Snapshot, parts: _Parts, size: Size, width: int) -> Block:
    if snapshot.paused:
        return label(parts.first, size=size)
    return _lines(parts.first, size, width)


def _lines(text: str, size: Size, width: int) -> Block:
    return above((words(line, size) for line in wrapped(text, width, size)), gap=0 if size == SMALL else ROW_GAP)


def _strip(units: tuple[str, ...], width: int) -> Block:
    """Return short texts one after the other, in as many lines as they need."""
    lines: list[Block] = []
    for unit in map(words, units):
        last = lines[-1] if lines else None
        if last is not None and last.width + UNIT_GAP + unit.width <= width:
            x = last.width + UNIT_GAP
            lower = max(last.height, unit.height)
            boxes = (*last.at(0, lower - last.height), *unit.at(x, lower - unit.height))
            lines[-1] = Block(x + unit.width, lower, boxes)
        else:
            lines.append(unit)
    return above(lines)


def _height(rows: list[Block]) -> int:
    heights = [row.height for row in rows if row.boxes]
    return sum(heights) + ROW_GAP * (len(heights) - 1)


def _hint_pages(text: str, width: int, height: int) -> tuple[Page, ...]:
    """Return a text alone, on as many pages as it needs."""
    pages: list[list[Block]] = [[]]
    for line in map(words, wrapped(text, width)):
        if pages[-1] and sum(block.height for block in pages[-1]) + line.height > height:
            pages.append([])
        pages[-1].append(line)
    return tuple(stacked([above(page)], width, height) for page in pages)


def _flat_pages(snapshot: Snapshot, parts: _Parts, width: int, height: int) -> tuple[Page, ...]:
    """Return the pages of a screen with two lines: whose turn and what to do; then dice and scores."""
    board = dice(snapshot.thrown, snapshot.kept, 9, 6)
    first: tuple[Page, ...] = ()
    for size, shown in product((BIG, TALL, SMALL), (board, EMPTY)):
        name = beside(words(parts.name, size), words(parts.stake or parts.score, size), width)
        name = name or beside(words(parts.name, size), words(parts.stake or parts.score), width)
        line = beside(_message(snapshot, parts, SMALL, width), shown, width)
        if name and line and name.height + line.height <= height:
            first = (stacked([name, line], width, height),)
            break
    if not first:
        first = _hint_pages(
            f"{parts.name}: {parts.first}" if snapshot.hint != parts.first else parts.first, width, height
        )
    rest = [row for row in (dice(snapshot.thrown, snapshot.kept, 12, 9),) if row.boxes]
    seconds = _hint_pages(parts.second, width, height) if parts.second else ()
    return (*first, *seconds, *(stacked([row], width, height) for row in rest), *score_pages(snapshot, width, height))
