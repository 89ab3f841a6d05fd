"""A match on the small screen: whose turn it is and what is at stake, as large as they go."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from tabletop.views.oled_box import EMPTY, Block, Box, beside, dice, label, stacked, words
from tabletop.views.oled_ranking import score_pages
from tabletop.views.oled_said import Said, lines, strip, text_pages
from tabletop.views.oled_text import BIG, GIANT, HUGE, SMALL, TALL, Size
from tabletop.views.snapshot import Snapshot

Page = tuple[Box, ...]
DieForm = tuple[int, int]

ROW_GAP = 2
SCORE_GAP = 6

# What it costs to show each part smaller: of all pages that fit the one with the least sum is taken. Weighed by looking.
NAME_COST = {GIANT: 0.0, HUGE: 0.3, BIG: 2.0, TALL: 3.0, SMALL: 9.0}
STAKE_COST = {GIANT: 0.0, HUGE: 1.0, BIG: 5.0, TALL: 6.0, SMALL: 10.0}
MESSAGE_COST = {BIG: 0.0, TALL: 1.0, SMALL: 4.0}  # where nothing is at stake it is what matters
MESSAGE_COST_BESIDE_STAKE = {BIG: 0.0, TALL: 0.2, SMALL: 0.5}
DICE_COST: Mapping[DieForm, float] = {
    (17, 3): 0.0,
    (12, 3): 0.6,
    (12, 6): 0.7,
    (9, 6): 2.0,
    (9, 10): 2.1,
}  # edge, a row
NO_STRIP_COST = 2.0
NO_SECOND_COST = 0.5


@dataclass(frozen=True, slots=True)
class _Try:
    """A page that fits. all_scores: whether everybody's score is on it."""

    cost: float
    rows: tuple[Block, ...]
    all_scores: bool


@dataclass(frozen=True, slots=True)
class _Body:
    """The rows between the name and the other players' scores."""

    cost: float
    rows: tuple[Block, ...]


def table_pages(snapshot: Snapshot, width: int, height: int) -> tuple[Page, ...]:
    """Return the pages of a match: the first says what to do, others follow where scores or a long hint had no room."""
    said = Said.of(snapshot)
    found = min(_tries(snapshot, said, width, height), key=lambda one: one.cost, default=None)
    if found is None:
        short = Said.of(snapshot, without_hint=True)
        rest = min(_tries(snapshot, short, width, height), key=lambda one: one.cost, default=None)
        page = (stacked(rest.rows, height),) if rest else ()
        return (*text_pages(said.first, width, height), *page, *score_pages(snapshot, width, height))
    page = (stacked(found.rows, height),)
    return page if found.all_scores else (*page, *score_pages(snapshot, width, height))


def _tries(snapshot: Snapshot, said: Said, width: int, height: int) -> Iterator[_Try]:
    """Yield every page that fits."""
    heads = [(cost, head) for size, cost in NAME_COST.items() if (head := _head(said, size, width)) is not None]
    others = strip(said.others, width)
    second = lines(said.second, SMALL, width)
    tails = [
        (
            (0.0 if with_strip else NO_STRIP_COST) + (0.0 if with_second else NO_SECOND_COST),
            ((second,) if with_second else ()) + ((others,) if with_strip else ()),
            with_strip or not others.boxes,
        )
        for with_strip in ((True, False) if others.boxes else (False,))
        for with_second in ((True, False) if second.boxes else (False,))
    ]
    for body in _bodies(snapshot, said, width):
        for (name_cost, head), (tail_cost, tail, all_scores) in product(heads, tails):
            rows = (head, *body.rows, *tail)
            heights = [row.height for row in rows if row.boxes]
            if sum(heights) + ROW_GAP * (len(heights) - 1) <= height:
                yield _Try(body.cost + name_cost + tail_cost, rows, all_scores)


def _bodies(snapshot: Snapshot, said: Said, width: int) -> Iterator[_Body]:
    """Yield the rows between name and strip: the message below stake and dice, or beside the dice where no stake is."""
    boards = [(DICE_COST[form], dice(snapshot.thrown, snapshot.kept, *form)) for form in DICE_COST]
    if not snapshot.thrown:
        boards = [(0.0, EMPTY)]
    stakes = [(cost, words(said.stake, size)) for size, cost in STAKE_COST.items()] if said.stake else [(0.0, EMPTY)]
    for size, cost in (MESSAGE_COST_BESIDE_STAKE if said.stake else MESSAGE_COST).items():
        message = _message(said, size, width)
        for (board_cost, board), (stake_cost, stake) in product(boards, stakes):
            row = beside(stake, board, width)
            if row is not None:
                yield _Body(cost + board_cost + stake_cost, (row, message))
        for board_cost, board in boards if snapshot.thrown and not said.stake else ():
            if board.width < width // 2:
                row = beside(_message(said, size, width - board.width - 2 * ROW_GAP), board, width)
                if row is not None:
                    yield _Body(cost + board_cost, (row,))


def _head(said: Said, size: Size, width: int) -> Block | None:
    """Return the row with the name, and the player's own score at the right as large as there is room for."""
    for score_size in (BIG, SMALL):
        if size.down >= score_size.down:
            row = beside(words(said.name, size), words(said.score, score_size), width, SCORE_GAP)
            if row is not None:
                return row
    return None


def _message(said: Said, size: Size, width: int) -> Block:
    return label(said.first, size=size) if said.paused else lines(said.first, size, width)


def flat_pages(snapshot: Snapshot, width: int, height: int, nook: Box) -> tuple[Page, ...]:
    """Return the pages of a screen with two lines.

    nook: the room between the labels of the bottom line, where a short message stands, so that the name can be large.
    """
    said = Said.of(snapshot)
    board = dice(snapshot.thrown, snapshot.kept, 12, 9)
    rest = (
        *text_pages(said.second, width, height),
        *((stacked([board], height),) if 0 < board.width <= width else ()),
        *score_pages(snapshot, width, height),
    )
    return (*_flat_first(snapshot, said, width, height, nook), *rest)


def _flat_first(snapshot: Snapshot, said: Said, width: int, height: int, nook: Box) -> tuple[Page, ...]:
    """Return the page with the name and what to do; on two pages where a long hint leaves no room for a name."""
    figure = said.stake or said.score
    small = dice(snapshot.thrown, snapshot.kept, 9, 3)
    message = _message(said, SMALL, width)
    in_nook = message.width <= nook.width and message.height <= nook.height
    below = EMPTY if in_nook else message
    for name_size, figure_size, board in product((HUGE, BIG, TALL, SMALL), (HUGE, BIG, SMALL), (small, EMPTY)):
        right = beside(words(figure, figure_size), board, width)
        if right is not None and board.boxes and figure:
            right = beside(
                words(figure, figure_size), board, words(figure, figure_size).width + SCORE_GAP + board.width
            )
        elif right is not None:
            right = words(figure, figure_size) if figure else board
        head = beside(words(said.name, name_size), right, width, SCORE_GAP) if right is not None else None
        if head is not None and head.height + below.height <= height:
            page = stacked([head, below], height)
            if in_nook:
                x = nook.x + (nook.width - message.width) // 2
                page = (*page, *message.at(x, nook.y + nook.height - message.height))
            return (page,)
    name = beside(words(said.name, BIG), words(figure, SMALL), width) or words(said.name, TALL)
    return (*text_pages(said.first, width, height), stacked([name], height))
