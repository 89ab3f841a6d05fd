"""A match on the small screen: whose turn it is, what is at stake and what to do, as large as they go.

On 64 rows four arrangements are tried with every part in several sizes, each with a cost, and the cheapest page that
fits is taken. On 32 rows the name and the number stand in one line. What finds no room has a page of its own.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import NamedTuple

from tabletop.views.oled import boxes
from tabletop.views.oled.boxes import EMPTY, Block, Box, Page
from tabletop.views.oled.scores import sheet_pages, standing_pages
from tabletop.views.oled.text import BIG, GIANT, HUGE, NUMBER, SMALL, TALL, TIGHT, TRIM, WIDE_NUMBER, Size, wrapped
from tabletop.views.snapshot import Snapshot

Costs = dict[Size, float]
Option = tuple[float, Block]
Rows = tuple[Block | None, ...]

ROW_GAP = 1  # rows, at least
GAP = 4  # columns between what stands side by side
NUMBER_GAP = 6  # columns beside a large figure
ABREAST_GAP = 8  # columns between a name and the number beside it
THREW_GAP = 4  # columns before that word

# What it costs to show each part smaller. The weights are a matter of looking at the contact sheet.
NAME_COST: Costs = {GIANT: 0.0, HUGE: 0.5, BIG: 2.0, TALL: 2.6, SMALL: 9.0}
THROWER_COST: Costs = {GIANT: 0.0, HUGE: 2.0, BIG: 8.0, TALL: 9.0, SMALL: 20.0}  # this is what the page is there for
LINES_COST = 30.0  # a name in more than one line
NUMBER_COST: Costs = {WIDE_NUMBER: 0.0, NUMBER: 0.5, HUGE: 22.0, SMALL: 30.0}
STAKE_COST_BESIDE_NEWS: Costs = {NUMBER: 0.0, HUGE: 0.8, BIG: 1.9, SMALL: 4.0}
SCORE_COST_BESIDE_NEWS: Costs = {NUMBER: 0.0, HUGE: 0.1, BIG: 0.3, SMALL: 0.8}
MESSAGE_COST: dict[Size | None, float] = {BIG: 0.0, TALL: 0.2, SMALL: 2.0}
MANY_LINES = 99
MOST_LINES = {BIG: 1, TALL: 2, SMALL: MANY_LINES - 1}  # of a message: a longer one is clearer in smaller letters
GAP_COST = 1.4  # a message between the labels of the bottom line
OFFER_GAP_COST = 3.2  # where it is what BANK takes: HOLD walks through that, and it is read from afar
HINT_TIMES = 2.0  # a hint matters more than what is asked anyway
# by the edge of a die in pixels and how many stand in a row
DICE_COST = {(17, 3): 0.0, (17, 6): 0.0, (12, 3): 0.6, (12, 6): 0.6, (9, 3): 2.0, (9, 6): 2.0, (9, 10): 2.1}
ASKED_DICE_TIMES = 4.0  # where it is about one of them
NO_DICE_COST = 12.0
NO_SCORE_COST = 1.5  # of the player who is asked, where something else is the number
NO_OTHERS_COST = 1.2
ALONE_COST = 0.2  # that score beside the name: the name is smaller then
NO_SECOND_COST = 0.5
NO_OFFER_COST = 4.0  # if that is what BANK takes: it is given with one press, and people should know what
NEVER = 100.0  # without the hint of a paused table

FLAT_DICE = (9, 3)  # edge in pixels, dice in a row: two rows stand beside a name
FLAT_PAGE_DICE = ((17, 6), (12, 9), (9, 12))  # on a page of their own
FLAT_NAMES = (HUGE, BIG, TALL, TRIM, SMALL)
FLAT_NUMBERS = (HUGE, BIG, TRIM, TIGHT)
FLAT_GAP = 6  # columns between name, figure and dice


@dataclass(frozen=True, slots=True)
class _Said:
    """What the page says.

    name: whose turn it is, or who threw while that is news; where everybody or nobody is asked, what is asked. score:
    of that player, may be empty; unit: both in a few letters, for a row of small ones. stake: with its sign, empty
    if nothing is at stake. first: the message that matters most: that it is paused, a hint, what BANK takes, what is
    asked, in this order. second: the next of these, may be empty. others: the other players with their scores. is_hint:
    whether the first message is one. gives: whether the second one is what BANK takes. threw: the word after the name
    of who threw, else empty.
    """

    name: str
    score: str
    unit: str
    stake: str
    first: str
    second: str
    others: tuple[str, ...]
    paused: bool
    is_hint: bool
    gives: bool
    threw: str

    def named(self, size: Size) -> Block:
        """Return the name, and where it is that of who threw, that word after it."""
        name = boxes.words(self.name, size)
        if not self.threw:
            return name
        after = boxes.words(self.threw, SMALL if size == SMALL else TALL)
        return replace(boxes.beside(name, after, name.width + THREW_GAP + after.width, THREW_GAP) or name, above=0)


def _said(snapshot: Snapshot) -> _Said:
    scores = dict(zip(snapshot.players, snapshot.scores, strict=True))
    name, ask = (snapshot.asked, snapshot.ask) if snapshot.asked else (snapshot.ask or snapshot.game, "")
    player = snapshot.asked
    threw = bool(snapshot.thrower) and not snapshot.paused
    if threw:
        ask = snapshot.ask if snapshot.asked in {"", snapshot.thrower} else f"{snapshot.asked}: {snapshot.ask}"
        name = player = snapshot.thrower
    next_turn = threw and snapshot.asked != snapshot.thrower  # that is said rather than what BANK takes
    offer = f"{snapshot.offer}?" if snapshot.question else snapshot.offer
    asks = (ask,) if next_turn else (offer or ask, snapshot.question)
    texts = [text for text in (snapshot.hint, *asks) if text]
    first, second = (snapshot.phrases.paused, snapshot.hint) if snapshot.paused else [*texts, "", ""][:2]
    score = str(scores[player]) if player in scores else ""
    return _Said(
        name=name,
        score=score,
        unit=f"{player} {score}" if score else "",
        stake=f"{snapshot.at_stake:+d}" if snapshot.at_stake else "",
        first=first,
        second=second,
        others=tuple(f"{other} {score}" for other, score in scores.items() if other != player),
        paused=snapshot.paused,
        is_hint=bool(snapshot.hint) and not snapshot.paused,
        gives=bool(second) and second in (offer, snapshot.question),
        threw=snapshot.phrases.threw if threw else "",
    )


def table_pages(snapshot: Snapshot, width: int, height: int, footer_gap: Box) -> tuple[Page, ...]:
    """Return the pages of a match on 64 rows: the first says what to do, others follow with what had no room there.

    footer_gap: the room between the labels of the bottom line, where a short message may stand.
    """
    said = _said(snapshot)
    first = _Search(snapshot, said, width, height, footer_gap).best()
    if first is not None:
        firsts: tuple[Page, ...] = (first,)
    else:
        calm = replace(snapshot, hint="")
        alone = _Search(calm, _said(calm), width, height, footer_gap).best()
        firsts = (*boxes.text_pages(snapshot.hint, width, height), *((alone,) if alone else ()))
    if (said.paused or said.gives) and not _says(firsts, said.second):
        firsts = (*firsts, *boxes.text_pages(said.second, width, height))
    if not any(box.face for first_page in firsts for box in first_page):
        boards = (board for _, board in _boards(snapshot) if board.height <= height and board.width <= width)
        board = next(boards, EMPTY)
        firsts = (*firsts, *((boxes.page([board], height),) if board.boxes else ()))
    rest = sheet_pages(snapshot, width, height)
    shown = {box.text for first_page in firsts for box in first_page}
    own_shown = not said.score or not shown.isdisjoint({said.score, said.unit})
    if not snapshot.between and own_shown and shown.issuperset(said.others):
        return (*firsts, *rest)
    return (*firsts, *standing_pages(snapshot, width, height), *rest)


def _says(pages: Iterable[Page], text: str) -> bool:
    """Return whether a text stands on these pages, in however many lines."""
    shown_text = "".join(box.text for page in pages for box in page)
    return text.replace(" ", "") in shown_text.replace(" ", "")


class _Told(NamedTuple):
    """Which small texts stand on the page: the second message, the player's own score, the other players' scores."""

    second: bool
    own: bool
    others: bool


class _Search:
    """Looks for the cheapest page that fits. size: of the message, None between the labels."""

    def __init__(self, snapshot: Snapshot, said: _Said, width: int, height: int, footer_gap: Box) -> None:
        self._snapshot, self._said, self._width, self._height = snapshot, said, width, height
        self._in_gap = _inside(boxes.lines(said.first, width), footer_gap)
        self._message, self._texts = cache(self._message_in), cache(self._texts_in)  # each made once

    def best(self) -> Page | None:
        """Return the boxes of that page, None if none fits."""
        large = sorted(product(self._numbers(), self._names(), _boards(self._snapshot)), key=_cost)
        small = sorted(product(self._messages(), self._tellings()), key=_cost)
        least, found = float("inf"), None
        for parts in large:
            (_, number), (_, name), (_, board) = parts
            # A number after "Player 2" would be read with it.
            joins = number.boxes and self._said.name[-1:].isdigit()
            abreast = None if joins else boxes.beside(name, number, self._width, ABREAST_GAP)
            for rest in small:
                (_, size), (_, told) = rest
                cost = _cost(parts) + _cost(rest)
                if cost >= least:
                    break
                every = self._arranged(abreast, (name, number, board), size, told)
                rows = next((rows for rows in every if boxes.fits(rows, self._width, self._height)), None)
                if rows is not None:
                    least, found = (
                        cost,
                        (*boxes.page(filter(None, rows), self._height), *(() if size else self._in_gap)),
                    )
        return found

    def _arranged(
        self, abreast: Block | None, parts: tuple[Block, Block, Block], size: Size | None, told: _Told
    ) -> Iterator[Rows]:
        """Yield the rows of each arrangement; None among them does not fit its width."""
        width, height, (name, number, board) = self._width, self._height, parts
        own_unit = told.own and bool(self._said.stake)
        alone = own_unit and bool(self._said.others) and not told.others  # only beside the name is it clear whose it is
        # The number beside the name, the texts below it beside the dice.
        if abreast is not None and not alone:
            narrow = width - board.width - (GAP if board.boxes else 0)
            texts, message = self._texts(told, narrow, own=own_unit), self._message(size, narrow)
            if message is not None and texts is not None:
                yield abreast, boxes.beside(boxes.column(message, texts, gap=ROW_GAP), board, width, GAP)
        below_name = height - name.height - ROW_GAP
        if number.height > below_name:
            return
        message = self._message(size, width - number.width - (NUMBER_GAP if number.boxes else 0))
        # The dice beside the name, the message beside the number.
        if board.boxes and message is not None and message.height <= below_name and not alone:
            texts = self._texts(told, width, own=own_unit)
            yield boxes.beside(name, board, width, GAP), boxes.beside(number, message, width, NUMBER_GAP), texts
        if board.height > below_name:
            return
        # The score beside the name; the dice beside the number, and the message below the dice or below both.
        head = boxes.beside(name, self._own_score(name), width, NUMBER_GAP) if own_unit else name
        texts = self._texts(told, width, own=False)
        if message is not None and board.height + message.height <= below_name:
            yield head, boxes.beside(number, boxes.column(board, message, gap=ROW_GAP), width, NUMBER_GAP), texts
        message = self._message(size, width)
        if message is not None and max(board.height, number.height) + message.height <= below_name:
            yield head, boxes.beside(number, board, width, NUMBER_GAP), message, texts

    def _texts_in(self, told: _Told, width: int, *, own: bool) -> Block | None:
        """Return the small texts at the end: the second message, which is a hint if paused, and scores."""
        said = self._said
        units = (*((said.unit,) if own else ()), *(said.others if told.others else ()))
        if width < self._width and not all(boxes.unbroken(text, width) for text in (said.second, *units)):
            return None
        return boxes.column(
            boxes.lines(said.second, width) if told.second else EMPTY, *boxes.strips(units, width), gap=0
        )

    def _own_score(self, name: Block) -> Block:
        """Return the score that stands beside the name, in large letters if there is room."""
        large = boxes.words(self._said.score, BIG)
        return large if name.width + NUMBER_GAP + large.width <= self._width else boxes.words(self._said.score)

    def _message_in(self, size: Size | None, width: int) -> Block | None:
        """Return the message that matters most, that it is paused in a lit box; None where it takes too many lines.

        A word is broken only if it is wider than the screen.
        """
        said = self._said
        if size is None or not said.first:
            return EMPTY
        if said.paused:
            return boxes.label(said.first, size=size)
        if not boxes.unbroken(said.first, width, size) and (size != SMALL or width < self._width):
            return None
        return (
            boxes.lines(said.first, width, size) if len(wrapped(said.first, width, size)) <= MOST_LINES[size] else None
        )

    def _messages(self) -> Iterator[tuple[float, Size | None]]:
        said = self._said
        if not said.first:
            yield 0.0, SMALL
            return
        if self._in_gap:
            yield OFFER_GAP_COST if said.first == self._snapshot.offer else GAP_COST, None
        for size, cost in MESSAGE_COST.items():
            yield cost * (HINT_TIMES if said.is_hint else 1.0), size

    def _tellings(self) -> Iterator[tuple[float, _Told]]:
        said = self._said
        seconds = [(0.0, True)]
        if said.second:
            seconds.append((NEVER if said.paused else NO_OFFER_COST if said.gives else NO_SECOND_COST, False))
        others_cost = NO_OTHERS_COST if said.others else 0.0
        for cost, second in seconds:
            yield cost, _Told(second, own=True, others=True)
            own_cost = NO_SCORE_COST if said.stake and said.score else 0.0
            if own_cost and said.others:
                yield cost + others_cost + ALONE_COST, _Told(second, own=True, others=False)
            if own_cost or said.others:
                yield cost + others_cost + own_cost, _Told(second, own=False, others=False)

    def _names(self) -> Iterator[Option]:
        for size, cost in (THROWER_COST if self._said.threw else NAME_COST).items():
            yield cost, self._said.named(size)
        yield LINES_COST, boxes.lines(f"{self._said.name} {self._said.threw}", self._width)

    def _numbers(self) -> Iterator[Option]:
        """Yield what is at stake, else the score, in each size; the large ones matter less beside news."""
        snapshot, said = self._snapshot, self._said
        costs = NUMBER_COST
        if snapshot.hint or said.threw or snapshot.cursor is not None:
            costs = STAKE_COST_BESIDE_NEWS if said.stake else SCORE_COST_BESIDE_NEWS
        text = said.stake or said.score
        return ((cost, boxes.words(text, size)) for size, cost in costs.items()) if text else iter([(0.0, EMPTY)])


def _boards(snapshot: Snapshot) -> Iterator[Option]:
    """Yield the dice in the sizes that differ, the largest first, and at last no dice."""
    count = len(snapshot.thrown)
    times = 1.0 if snapshot.cursor is None else ASKED_DICE_TIMES
    forms = {(edge, min(count, per_row)): cost for (edge, per_row), cost in reversed(DICE_COST.items())}
    for (edge, per_row), cost in reversed(forms.items()) if count else ():
        yield cost * times, boxes.dice(snapshot.thrown, snapshot.kept, edge, per_row, snapshot.cursor)
    yield (NO_DICE_COST * times if count else 0.0), EMPTY


def _cost(parts: Iterable[tuple[float, object]]) -> float:
    return sum([cost for cost, _ in parts])  # faster than without the list


def _inside(block: Block, gap: Box) -> Page:
    """Return a block at the bottom of a free rectangle, in its middle; empty if it does not fit or is empty."""
    if block.width > gap.width or block.height > gap.height:
        return ()
    return block.at(gap.x + (gap.width - block.width) // 2, gap.y + gap.height - block.height)


def flat_pages(snapshot: Snapshot, width: int, height: int, footer_gap: Box) -> tuple[Page, ...]:
    """Return the pages of a match on 32 rows: whose turn it is and what to do, then the rest, the dice, the scores.

    footer_gap: the room between the labels of the bottom line, where a short message stands, so that the name can be
    large.
    """
    said = _said(snapshot)
    second = boxes.text_pages(said.second, width, height)
    first = _flat_first(snapshot, said, width, height, footer_gap)
    if first is None:
        figure = said.stake or said.score
        rows = (boxes.beside(said.named(size), boxes.words(figure), width, FLAT_GAP) for size in (BIG, TALL, SMALL))
        row = next((row for row in rows if row is not None and row.height <= height), None)
        who = (boxes.page([row], height),) if row else boxes.text_pages(f"{said.name} {figure}", width, height)
        now = boxes.text_pages(said.first, width, height)
        firsts, second = ((*now, *second, *who), ()) if said.gives else ((*now, *who), second)
    else:
        stake = () if said.stake in {"", *(box.text for box in first)} else boxes.text_pages(said.stake, width, height)
        firsts = (first, *stake)
    boards = (boxes.dice(snapshot.thrown, snapshot.kept, *form, snapshot.cursor) for form in FLAT_PAGE_DICE)
    board = next((board for board in boards if board.height <= height), EMPTY)
    return (
        *firsts,
        *second,
        *((boxes.page([board], height),) if board.boxes else ()),
        *standing_pages(snapshot, width, height),
        *sheet_pages(snapshot, width, height),
    )


def _flat_first(snapshot: Snapshot, said: _Said, width: int, height: int, footer_gap: Box) -> Page | None:
    """Return the page with the name and the message, as large as they go, or None where a long hint leaves no room."""
    message = boxes.lines(said.first, width)
    in_gap = _inside(message, footer_gap)
    close = boxes.words(said.first, TIGHT)  # without rows for what hangs below, where nothing does
    if close.width <= width and close.above == close.height:
        message = replace(close, height=close.height + 1)
    message = EMPTY if in_gap else Block(message.width, message.height + 1, message.at(0, 1))  # a row free above it
    small = boxes.dice(snapshot.thrown, snapshot.kept, *FLAT_DICE, snapshot.cursor)
    for name_size, number_size, board in product(FLAT_NAMES, FLAT_NUMBERS, (small, EMPTY)):
        number = boxes.words(said.stake or said.score, number_size)
        gap = FLAT_GAP if number.boxes and board.boxes else 0
        right = boxes.beside(number, board, number.width + gap + board.width, gap) or EMPTY
        head = boxes.beside(said.named(name_size), right, width, FLAT_GAP)
        if head is not None and head.height + message.height <= height:
            return (*boxes.page([head, message], height), *in_gap)
    name = said.named(SMALL)
    if name.width <= width and name.height + message.height <= height:
        return (*boxes.page([name, message], height), *in_gap)
    return None
