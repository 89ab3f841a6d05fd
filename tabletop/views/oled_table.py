"""A match on the small screen: whose turn it is and what is at stake, as large as they go."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

from tabletop.views.oled_box import EMPTY, Block, Box, beside, dice, inside, stacked, words
from tabletop.views.oled_ranking import score_pages
from tabletop.views.oled_said import Said, lines, message, strip, text_pages
from tabletop.views.oled_text import BIG, GIANT, HUGE, SMALL, TALL
from tabletop.views.snapshot import Snapshot

Page = tuple[Box, ...]
DieForm = tuple[int, int]

ROW_GAP = 2  # rows, at least
SCORE_GAP = 6  # columns between a name and a score
BESIDE_GAP = 4  # columns between a message and dice

# What it costs to show each part smaller: of all pages that fit, the one with the least sum is taken. The weights are
# a matter of looking at the contact sheet.
NAME_COST = {GIANT: 0.0, HUGE: 0.3, BIG: 2.0, TALL: 2.6, SMALL: 9.0}
STAKE_COST = {GIANT: 0.0, HUGE: 1.0, BIG: 5.0, TALL: 6.0, SMALL: 10.0}
MESSAGE_COST = {BIG: 0.0, TALL: 0.4, SMALL: 3.0}  # where nothing is at stake it is what matters
MESSAGE_COST_BESIDE_STAKE = {TALL: 0.0, SMALL: 0.3}
NOOK_COST = 0.3  # a message between the labels of the bottom line
LINE_COST = 0.8  # of each line of a message after its first
# by the edge of a die in pixels and how many stand in a row
DICE_COST: Mapping[DieForm, float] = {
    (17, 3): 0.0,
    (12, 3): 0.6,
    (12, 6): 0.7,
    (9, 6): 2.0,
    (9, 10): 2.1,
}
NO_DICE_COST = 12.0
NO_STRIP_COST = 2.0
NO_SECOND_COST = 0.5


@dataclass(frozen=True, slots=True)
class _Part:
    """Rows of a page and what it costs to show them so. loose: boxes that stand in the bottom line already."""

    cost: float
    rows: tuple[Block, ...]
    loose: Page = ()


def table_pages(snapshot: Snapshot, width: int, height: int, nook: Box) -> tuple[Page, ...]:
    """Return the pages of a match: the first says what to do, others follow where scores or a long hint had no room.

    nook: the room between the labels of the bottom line, where a short message may stand.
    """
    said = Said.of(snapshot)
    first = _best_page(snapshot, said, (width, height), nook)
    scores = score_pages(snapshot, width, height)
    if first is not None:
        shown = {box.text for box in first}
        return (first,) if shown.issuperset(said.others) else (first, *scores)
    calm = _best_page(snapshot, Said.of(replace(snapshot, hint="")), (width, height), nook)
    return (*text_pages(snapshot.hint, width, height), *((calm,) if calm else ()), *scores)


def _best_page(snapshot: Snapshot, said: Said, room: tuple[int, int], nook: Box) -> Page | None:
    """Return the page that costs least of all that fit; None where none does."""
    width, height = room
    best: _Part | None = None
    for body in _bodies(snapshot, said, width, nook):
        for head, tail in product(_heads(said, width), _tails(said, width)):
            cost = body.cost + head.cost + tail.cost
            if best is None or cost < best.cost:
                rows = tuple(row for row in (*head.rows, *body.rows, *tail.rows) if row.boxes)
                if sum(row.height for row in rows) + ROW_GAP * (len(rows) - 1) <= height:
                    best = _Part(cost, rows, body.loose)
    return None if best is None else (*stacked(best.rows, height), *best.loose)


@lru_cache(maxsize=1)
def _heads(said: Said, width: int) -> tuple[_Part, ...]:
    """Return rows with the name, and the player's own score at the right as large as there is room for."""
    parts = []
    for size, cost in NAME_COST.items():
        scores = (words(said.score, score_size) for score_size in (BIG, SMALL) if size.down >= score_size.down)
        rows = (beside(words(said.name, size), score, width, SCORE_GAP) for score in scores)
        row = next((row for row in rows if row is not None), None)
        if row is not None:
            parts.append(_Part(cost, (row,)))
    return tuple(parts) or (_Part(0.0, (lines(said.name, SMALL, width),)),)


@lru_cache(maxsize=1)
def _tails(said: Said, width: int) -> tuple[_Part, ...]:
    """Return what may stand below: the second message, which is a hint if paused, and the other players' scores."""
    second, others = lines(said.second, SMALL, width), strip(said.others, width)
    if said.paused:
        return (_Part(0.0, (second, others)), *((_Part(NO_STRIP_COST, (second,)),) if others.boxes else ()))
    return (
        _Part(0.0, (second, others)),
        *((_Part(NO_SECOND_COST, (others,)),) if second.boxes else ()),
        *((_Part(NO_STRIP_COST, (second,)),) if others.boxes else ()),
        *((_Part(NO_SECOND_COST + NO_STRIP_COST, ()),) if second.boxes and others.boxes else ()),
    )


def _bodies(snapshot: Snapshot, said: Said, width: int, nook: Box) -> Iterator[_Part]:
    """Yield stake, dice and message: it stands below, between the labels, or beside dice where nothing is at stake."""
    boards = [(cost, dice(snapshot.thrown, snapshot.kept, *form)) for form, cost in DICE_COST.items()]
    boards = [*boards, (NO_DICE_COST, EMPTY)] if snapshot.thrown else [(0.0, EMPTY)]
    stakes = [(cost, words(said.stake, size)) for size, cost in STAKE_COST.items()] if said.stake else [(0.0, EMPTY)]
    messages = [
        (cost + LINE_COST * (len(block.boxes) - 1), size, block)
        for size, cost in (MESSAGE_COST_BESIDE_STAKE if said.stake else MESSAGE_COST).items()
        if (block := message(said, size, width)).boxes or size == SMALL
    ]
    in_nook = inside(lines(said.first, SMALL, width), nook) if said.stake else None
    for (board_cost, board), (stake_cost, stake) in product(boards, stakes):
        row = beside(stake, board, width)
        if row is None:
            continue
        if in_nook:
            yield _Part(NOOK_COST + board_cost + stake_cost, (row,), in_nook)
        for cost, _, block in messages:
            yield _Part(cost + board_cost + stake_cost, (row, block))
    for (board_cost, board), (cost, size, _) in product(boards if not said.stake else (), messages):
        narrow = message(said, size, width - board.width - BESIDE_GAP)
        row = beside(narrow, board, width)
        if row is not None and 0 < board.width < width // 2:
            yield _Part(cost + LINE_COST * (len(narrow.boxes) - 1) + board_cost, (row,))
