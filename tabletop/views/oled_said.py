"""The words of a table page, and how texts become lines."""

from collections.abc import Iterable
from dataclasses import dataclass

from tabletop.views.oled_box import Block, Box, above, label, stacked, words
from tabletop.views.oled_text import SMALL, Size, width_px, wrapped
from tabletop.views.snapshot import Snapshot

UNIT_GAP = 8  # columns between two players of a strip
LINE_GAP = 2  # rows between lines of letters larger than the smallest, which bring their own


@dataclass(frozen=True, slots=True)
class Said:
    """What a table page says.

    name: whose turn it is; where everybody or nobody is asked, what is asked. score: of that player, may be empty.
    stake: with its sign, empty where nothing is at stake. first: the message that matters most: that it is paused, a
    hint, what BANK takes, what is asked, in this order. second: one more of these, may be empty. others: the other
    players with their scores.
    """

    name: str
    score: str
    stake: str
    first: str
    second: str
    others: tuple[str, ...]
    paused: bool = False

    @classmethod
    def of(cls, snapshot: Snapshot) -> "Said":
        """Take the words out of a snapshot."""
        scores = dict(zip(snapshot.players, snapshot.scores, strict=True))
        name, ask = (snapshot.asked, snapshot.ask) if snapshot.asked else (snapshot.ask or snapshot.game, "")
        told = [text for text in (snapshot.hint, snapshot.offer, ask) if text]
        first, second = (snapshot.phrases.paused, snapshot.hint) if snapshot.paused else [*told, "", ""][:2]
        return cls(
            name=name,
            score=str(scores[snapshot.asked]) if snapshot.asked in scores else "",
            stake=f"{snapshot.at_stake:+d}" if snapshot.at_stake else "",
            first=first,
            second=second,
            others=tuple(f"{player} {score}" for player, score in scores.items() if player != snapshot.asked),
            paused=snapshot.paused,
        )


def lines(text: str, size: Size, width: int) -> Block:
    """Return a text in as many lines as it needs."""
    return above((words(line, size) for line in wrapped(text, width, size)), gap=0 if size.ruled else LINE_GAP)


def message(said: Said, size: Size, width: int) -> Block:
    """Return the message that matters most; that it is paused stands in a lit box."""
    return label(said.first, size=size) if said.paused else lines(said.first, size, width)


def strip(units: Iterable[str], width: int) -> Block:
    """Return short texts one after the other, in as many lines as they need, broken only if wider than a line."""
    rows: list[Block] = []
    whole = (unit if width_px(unit) <= width else wrapped(unit, width) for unit in units)
    for unit in (words(unit) if isinstance(unit, str) else above(words(line) for line in unit) for unit in whole):
        last = rows[-1] if rows else None
        if last is not None and last.width + UNIT_GAP + unit.width <= width:
            x, lower = last.width + UNIT_GAP, max(last.height, unit.height)
            boxes = (*last.at(0, lower - last.height), *unit.at(x, lower - unit.height))
            rows[-1] = Block(x + unit.width, lower, boxes)
        else:
            rows.append(unit)
    return above(rows)


def text_pages(text: str, width: int, height: int) -> tuple[tuple[Box, ...], ...]:
    """Return a text alone, on as many pages as it needs, none if it is empty."""
    pages: list[list[Block]] = []
    for line in (words(line, SMALL) for line in wrapped(text, width)):
        if not pages or sum(block.height for block in pages[-1]) + line.height > height:
            pages.append([])
        pages[-1].append(line)
    return tuple(stacked([above(page)], height) for page in pages)
