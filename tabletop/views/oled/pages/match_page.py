"""A match on the small screen: whose turn it is and what is at stake, as large as they go."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from tabletop.views.oled.boxes import Box
from tabletop.views.oled.measure import (
    NOTHING,
    Shape,
    below,
    beside,
    height_of,
    inside,
    line,
    lines,
    page,
    strip,
    thrown,
)
from tabletop.views.oled.page_text import Said, message, named, text_pages
from tabletop.views.oled.pages.scores import standing_pages
from tabletop.views.oled.pages.sheet import sheet_pages
from tabletop.views.oled.text import BIG, GIANT, HUGE, NUMBER, SMALL, TALL, WIDE_NUMBER, Size
from tabletop.views.snapshot import Snapshot

Page = tuple[Box, ...]
Costs = dict[Size, float]
Option = tuple[float, Shape]

ROW_GAP = 1  # rows, at least
GAP = 4  # columns between what stands side by side
NUMBER_GAP = 6  # columns beside a large figure
ABREAST_GAP = 8  # columns between a name and the number beside it

# What it costs to show each part smaller: of all pages that fit, the one with the least sum is taken. The weights are
# a matter of looking at the contact sheet.
NAME_COST: Costs = {GIANT: 0.0, HUGE: 0.5, BIG: 2.0, TALL: 2.6, SMALL: 9.0}
THROWER_COST: Costs = {GIANT: 0.0, HUGE: 2.0, BIG: 8.0, TALL: 9.0, SMALL: 20.0}  # this is what the page is there for
NUMBER_COST: Costs = {WIDE_NUMBER: 0.0, NUMBER: 0.5, GIANT: 20.0, HUGE: 22.0, BIG: 25.0, TALL: 26.0, SMALL: 30.0}
NUMBER_COST_BESIDE_NEWS: Costs = {NUMBER: 0.0, GIANT: 0.4, HUGE: 0.8, BIG: 2.0, SMALL: 4.0}
SCORE_COST_BESIDE_NEWS: Costs = {NUMBER: 0.0, HUGE: 0.1, BIG: 0.3, SMALL: 0.8}
MESSAGE_COST: Costs = {BIG: 0.0, TALL: 0.2, SMALL: 2.0}
GAP_COST = 1.4  # a message between the labels of the bottom line
OFFER_GAP_COST = 3.2  # where it is what BANK takes: HOLD walks through that, and it is read from afar
LINE_COST = 0.4  # of each line of a message after its first
HINT_TIMES = 2.0  # a hint matters more than what is asked anyway
# by the edge of a die in pixels and how many stand in a row
DICE_COST = {(17, 3): 0.0, (17, 6): 0.0, (12, 3): 0.6, (12, 6): 0.6, (9, 3): 2.0, (9, 6): 2.0, (9, 10): 2.1}
ASKED_DICE_TIMES = 4.0  # where it is about one of them
NO_DICE_COST = 12.0
NO_SCORE_COST = 1.5  # of the player who is asked, where something else is the number
SMALL_SCORE_COST = 0.5
NO_OTHERS_COST = 1.2
NO_SECOND_COST = 0.5
NO_OFFER_COST = 4.0  # if that is what BANK takes: it is given with one press, and people should know what
LEAST_NAME_ROWS = 7
NEVER = 100.0
WORST_NAME_COST = 30.0  # a name in more than one line


def table_pages(snapshot: Snapshot, width: int, height: int, footer_gap: Box) -> tuple[Page, ...]:
    """Return the pages of a match: the first says what to do, others follow with what had no room there.

    footer_gap: the room between the labels of the bottom line, where a short message may stand.
    """
    said = Said.of(snapshot)
    first = _Search(snapshot, said, (width, height), footer_gap).best()
    if first is not None:
        firsts: tuple[Page, ...] = (first,)
    else:
        calm = _Search(snapshot, Said.of(replace(snapshot, hint="")), (width, height), footer_gap).best()
        firsts = (*text_pages(snapshot.hint, width, height), *((calm,) if calm else ()))
    if (said.paused or said.gives) and not _says(firsts, said.second):
        firsts = (*firsts, *text_pages(said.second, width, height))
    if not any(box.face for boxes in firsts for box in boxes):
        boards = (board for _, board in _boards(snapshot) if board.height <= height and board.width <= width)
        firsts = (*firsts, *(page([board], height) for board in islice(boards, 1) if board.height))
    rest = sheet_pages(snapshot, width, height)
    shown = {box.text for boxes in firsts for box in boxes}
    own_shown = not said.score or not shown.isdisjoint({said.score, said.unit})
    if not snapshot.between and own_shown and shown.issuperset(said.others):
        return (*firsts, *rest)
    return (*firsts, *standing_pages(snapshot, width, height), *rest)


def _says(pages: tuple[Page, ...], text: str) -> bool:
    """Return whether a text stands on these pages, in however many lines."""
    shown_text = "".join(box.text for page in pages for box in page)
    return text.replace(" ", "") in shown_text.replace(" ", "")


@dataclass(frozen=True, slots=True)
class _Body:
    """What stands below the name: its cost, its rows, whether the message is in the gap, dice that go to the name."""

    cost: float
    rows: tuple[Shape, ...]
    in_gap: bool = False
    head_dice: Shape = NOTHING


class _Search:
    """Looks for the page that costs least of all that fit."""

    def __init__(self, snapshot: Snapshot, said: Said, size: tuple[int, int], footer_gap: Box) -> None:
        self._said, (self._width, self._height), self._footer_gap = said, size, footer_gap
        self._cost, self._rows, self._in_gap = 1e9, list[Shape](), False
        self._gap_cost = OFFER_GAP_COST if said.first and said.first == snapshot.offer else GAP_COST
        self._small = lines(said.first, SMALL, size[0]) if said.first else NOTHING
        self._fits_gap = 0 < self._small.height <= footer_gap.height and self._small.width <= footer_gap.width
        self._second = lines(said.second, SMALL, size[0])
        self._boards = list(_boards(snapshot))
        costs = THROWER_COST if said.threw else NAME_COST
        self._names = [(cost, named(said, letters)) for letters, cost in costs.items()]
        self._numbers = _numbers(snapshot, said)
        self._units = (said.unit, *said.others) if said.stake else said.others
        self._seen: dict[int, list[Option]] = {}
        self._headed: dict[int, list[Option]] = {}

    def best(self) -> Page | None:
        """Return the boxes of that page, None if none fits."""
        for number in self._numbers:
            if number[0] >= self._cost:
                break
            if not self._said.name[-1:].isdigit():  # a number right after it would be read as one with it
                self._abreast(*number)
            self._stacked(*number)
        if not self._rows:
            return None
        loose = inside(self._small, self._footer_gap) if self._in_gap else ()
        return (*page(self._rows, self._height), *(loose or ()))

    def _offer(self, cost: float, rows: tuple[Shape | None, ...], *, in_gap: bool = False) -> None:
        """Take this page if it is better and fits. rows: None among them is one that did not fit its width."""
        if cost >= self._cost:
            return
        whole = [row for row in rows if row is not None and row.height]
        if None in rows or max(row.width for row in whole) > self._width:
            return
        if height_of(whole, ROW_GAP) <= self._height:
            self._cost, self._rows, self._in_gap = cost, whole, in_gap

    def _messages(self, width: int) -> list[Option]:
        """Return the message that matters most in lines of this width, in each size."""
        if width not in self._seen:
            said = self._said
            times = HINT_TIMES if said.is_hint else 1.0
            found = []
            for size, cost in MESSAGE_COST.items() if said.first and width > 0 else ():
                shape, rows = message(said, size, width)
                found.append(((cost + LINE_COST * (rows - 1)) * times, shape))
            self._seen[width] = found if said.first else [(0.0, NOTHING)]
        return self._seen[width]

    def _abreast(self, number_cost: float, figure: Shape) -> None:
        """Try pages with the name and the number side by side, and the rest below."""
        for name_cost, name in self._names:
            head = beside(name, figure, self._width, ABREAST_GAP)
            if head is None:
                continue
            for dice_cost, board in self._boards:
                cost = number_cost + name_cost + dice_cost
                if cost >= self._cost or board.height > self._height - head.height:
                    continue
                self._below(cost, head, board)

    def _below(self, so_far: float, head: Shape, board: Shape) -> None:
        narrow = self._width - board.width - (GAP if board.height else 0)
        left = self._height - head.height - ROW_GAP
        for tail_cost, tail in self._tails(self._units, narrow, NO_SCORE_COST if self._said.stake else 0.0):
            if self._fits_gap:
                row = beside(tail, board, self._width, GAP)
                self._offer(so_far + self._gap_cost + tail_cost, (head, row), in_gap=True)
            for cost, shape in self._messages(narrow):
                if so_far + cost + tail_cost < self._cost and shape.height + tail.height <= left:
                    column = below(shape, tail, gap=ROW_GAP)
                    self._offer(so_far + cost + tail_cost, (head, beside(column, board, self._width, GAP)))

    def _tails(self, units: tuple[str, ...], width: int, own_cost: float) -> Iterator[Option]:
        """Yield what may stand at the end: the second message, which is a hint if paused, and scores."""
        second = self._second if self._second.width <= width else lines(self._said.second, SMALL, width)
        scores = strip(units, width)
        lost = (NO_OTHERS_COST if self._said.others else 0.0) + own_cost
        needed = NEVER if self._said.paused else NO_OFFER_COST if self._said.gives else NO_SECOND_COST
        yield 0.0, below(second, scores)
        if second.height:
            yield needed, scores
        if scores.height:
            yield lost, second
        if second.height and scores.height:
            yield needed + lost, NOTHING

    def _stacked(self, number_cost: float, figure: Shape) -> None:
        """Try pages with the name above and the number below it, dice and message beside either."""
        bodies: list[_Body] = []
        for dice_cost, board in self._boards:
            if number_cost + dice_cost < self._cost:
                bodies.extend(self._bodies(number_cost + dice_cost, figure, board))
        bodies.sort(key=lambda body: body.cost)
        for body in bodies:
            if body.cost >= self._cost:
                break
            left = self._height - height_of(body.rows, ROW_GAP)
            for head_cost, head in self._heads(body.head_dice) if left > LEAST_NAME_ROWS else ():
                if head.height > left or body.cost + head_cost >= self._cost:
                    continue
                for tail_cost, tail in self._tails(self._said.others, self._width, 0.0):
                    self._offer(body.cost + head_cost + tail_cost, (head, *body.rows, tail), in_gap=body.in_gap)

    def _bodies(self, base: float, figure: Shape, board: Shape) -> Iterator[_Body]:
        """Yield the number, the dice and the message in all their arrangements."""
        width = self._width
        row = beside(figure, board, width, NUMBER_GAP)
        if row is not None:
            if self._fits_gap:
                yield _Body(base + self._gap_cost, (row,), in_gap=True)
            for cost, shape in self._messages(width):
                yield _Body(base + cost, (row, shape))
        if board.height and self._fits_gap:
            yield _Body(base + self._gap_cost, (figure,), in_gap=True, head_dice=board)
        for cost, shape in self._messages(width - figure.width - (NUMBER_GAP if figure.height else 0)):
            if board.height:
                both = beside(figure, below(board, shape, gap=ROW_GAP), width, NUMBER_GAP)
                if both is not None:
                    yield _Body(base + cost, (both,))
            alone = beside(figure, shape, width, NUMBER_GAP)
            if alone is not None:
                yield _Body(base + cost, (alone,), head_dice=board)

    def _heads(self, board: Shape) -> list[Option]:
        """Return the rows of `_ways_to_head` that are no wider than the page."""
        key = id(board)  # one of those made once for this search
        if key not in self._headed:
            self._headed[key] = [(cost, head) for cost, head in self._ways_to_head(board) if head is not None]
        return self._headed[key]

    def _ways_to_head(self, board: Shape) -> Iterator[tuple[float, Shape | None]]:
        """Yield rows with the name and beside it the dice, or the score where the number is another one."""
        said, width = self._said, self._width
        for cost, name in self._names:
            if board.height:
                yield cost + (NO_SCORE_COST if said.stake else 0.0), beside(name, board, width, GAP)
            elif said.stake and said.score:
                yield cost, beside(name, line(said.score, BIG), width, NUMBER_GAP)
                yield cost + SMALL_SCORE_COST, beside(name, line(said.score), width, NUMBER_GAP)
                yield cost + NO_SCORE_COST, name
            else:
                yield cost, name
        if not board.height:
            yield WORST_NAME_COST, lines(said.name, SMALL, width)


def _numbers(snapshot: Snapshot, said: Said) -> list[Option]:
    """Return what is at stake, else the score, in each size; the large ones matter less beside news."""
    text = said.stake or said.score
    if not text:
        return [(0.0, NOTHING)]
    costs = NUMBER_COST
    if snapshot.hint or said.threw or snapshot.cursor is not None:
        costs = NUMBER_COST_BESIDE_NEWS if said.stake else SCORE_COST_BESIDE_NEWS
    return [(cost, line(text, size)) for size, cost in costs.items()]


def _boards(snapshot: Snapshot) -> Iterator[Option]:
    """Yield the dice in the sizes that differ, the largest first, and at last no dice."""
    count = len(snapshot.thrown)
    times = 1.0 if snapshot.cursor is None else ASKED_DICE_TIMES
    rows_before: set[tuple[int, int]] = set()
    for (edge, per_row), cost in DICE_COST.items():
        form = edge, min(count, per_row)
        if count and form not in rows_before:
            rows_before.add(form)
            yield cost * times, thrown(snapshot.thrown, snapshot.kept, edge, per_row, snapshot.cursor)
    yield (NO_DICE_COST * times if count else 0.0), NOTHING
