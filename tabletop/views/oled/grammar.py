"""The layout of the small screen: the place and letter size of everything, the same in every game.

On 64 rows: name and score, the dice and the points at stake, one question, the buttons. On 32 rows dice and question
share a place. README.md, two folders up, has it as a table. Whatever does not fit is shortened, or gets a page of its
own.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from tabletop.views.oled import boxes
from tabletop.views.oled.boxes import EMPTY, Block, Page
from tabletop.views.oled.text import SMALL, TALL, Size, shortened, wrapped

MARGIN_PX = 2  # columns left and right, also while the picture is shifted against burn-in
GAP = 4  # columns between neighbours
DIE_PX = 12  # six of them leave room for a four-digit stake
DICE_GAP = 2  # columns and rows between two dice
LINE_ROWS = 11  # of a line with accents on its capitals
MORE = "…"  # after dice that do not fit in the row


@dataclass(frozen=True, slots=True)
class Frame:
    """The places on a screen. Rows count from its top; columns from the left margin, `width` of them.

    top: the first row for text; bottom: the row after the last one; the question is directly above it. line: the row
    below the capitals of the name. body: the first row below the name's descenders. dice_y: top of the dice. head: size
    of name, score, stake, ranking. bar_y: top of the buttons. dice: whether the dice are between name and question.
    """

    width: int
    top: int
    line: int
    body: int
    dice_y: int
    bottom: int
    bar_y: int
    head: Size
    dice: bool


def high(width: int) -> Frame:
    """Return the places on 64 rows."""
    return Frame(width, top=2, line=18, body=21, dice_y=22, bottom=48, bar_y=49, head=TALL, dice=True)


def flat(width: int) -> Frame:
    """Return the places on 32 rows, which have no room for empty rows."""
    return Frame(width, top=0, line=9, body=12, dice_y=10, bottom=22, bar_y=22, head=SMALL, dice=False)


def sentence(text: str) -> str:
    """Capitalise the first letter of a text, unless its capital is several letters, as for ß."""
    capital = text[:1].upper()
    return capital + text[1:] if len(capital) == 1 else text


def head(name: str, right: str, frame: Frame, after: str = "") -> Page:
    """Return the name at the left, shortened to fit beside the score at the right.

    after: a small word after the name.
    """
    score, word = boxes.words(right, frame.head), boxes.words(after)
    taken = sum(block.width + GAP for block in (score, word) if block.boxes)
    left = boxes.words(shortened(name, frame.width - taken, frame.head), frame.head)
    placed = ((left, 0), (word, left.width + GAP), (score, frame.width - score.width))
    return tuple(box for block, x in placed for box in block.at(x, max(0, frame.line - block.above)))


def dice_row(dice: Block, stake: str, frame: Frame) -> Page:
    """Return the row of dice, with the stake at its right end; on 32 rows the stake is above it."""
    number = boxes.words(stake if frame.dice else "", TALL)
    return (*dice.at(0, frame.dice_y), *number.at(frame.width - number.width, frame.body))


def dice_in(faces: tuple[int, ...], kept: tuple[bool, ...], cursor: int, width: int) -> Block:
    """Return the dice in one row; if they do not fit, those around the die in question, and dots."""
    room = (width + DICE_GAP) // (DIE_PX + DICE_GAP)
    if len(faces) <= room:
        return boxes.dice(faces, kept, DIE_PX, room, DICE_GAP, cursor)
    first = max(0, cursor - room + 2)
    shown = slice(first, first + room - 1)
    row = boxes.dice(faces[shown], kept[shown], DIE_PX, room, DICE_GAP, cursor - first)
    dots = boxes.words(MORE)
    return Block(width, row.height, (*row.boxes, *dots.at(row.width + DICE_GAP, DIE_PX - dots.height)))


def dice_pages(faces: tuple[int, ...], kept: tuple[bool, ...], cursor: int, frame: Frame) -> tuple[Page, ...]:
    """Return all dice on separate pages, in as many rows as needed."""
    step = DIE_PX + DICE_GAP
    per_row, rows = (frame.width + DICE_GAP) // step, (frame.bottom - frame.top + DICE_GAP) // step
    parts = [slice(at, at + per_row * rows) for at in range(0, len(faces), per_row * rows)]
    every = (boxes.dice(faces[part], kept[part], DIE_PX, per_row, DICE_GAP, cursor - part.start) for part in parts)
    return tuple(block.at(0, frame.top) for block in every)


def above_bar(rows: Iterable[Block], frame: Frame, top: int) -> Page | None:
    """Return rows of text that end at the question's place; None if they reach above `top`."""
    block = boxes.column(*rows)
    return block.at(0, frame.bottom - block.height) if block.height <= frame.bottom - top else None


def fits_line(rows: list[Block]) -> bool:
    """Return whether rows are a single line, low enough to leave room for the dice above it."""
    return len(rows) == 1 and rows[0].height <= LINE_ROWS


def said(text: str, width: int) -> list[Block]:
    """Return a text wrapped into lines."""
    return [boxes.words(line) for line in wrapped(sentence(text), width)]


def text_pages(text: str, frame: Frame) -> tuple[Page, ...]:
    """Return a text on pages of its own, none if it is empty."""
    return listed(said(text, frame.width), frame)


def listed(rows: Iterable[Block], frame: Frame, title: Block = EMPTY) -> tuple[Page, ...]:
    """Return rows from the top of the screen, on as many pages as needed, each below the same title."""
    heaps = boxes.heaps(rows, frame.bottom - frame.top - title.height)
    return tuple(boxes.column(title, *heap).at(0, frame.top) for heap in heaps)
