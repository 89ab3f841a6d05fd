"""The screen during a match: whose turn, the stake, the dice, what is asked, the scores, what the buttons do."""

from itertools import zip_longest

from tabletop.views.oled_parts import (
    LEFT,
    RIGHT,
    Bar,
    Box,
    DieFace,
    DieSize,
    Part,
    button_bar,
    label,
    paragraph,
)
from tabletop.views.oled_scores import score_cells
from tabletop.views.oled_text import (
    BIG,
    FALLING,
    HUGE,
    LARGE,
    LEAST,
    MIDDLE,
    NARROW,
    PLAIN,
    SMALL,
    TALL,
    TINY,
    fits,
    ink,
    largest,
)
from tabletop.views.snapshot import Snapshot

BUTTONS_PX = 11  # a line of PLAIN with its descenders, on a bar
BUTTON_FONTS = (PLAIN, SMALL, NARROW, LEAST)
WORDS_PX = 10
WORDS_FONTS = (PLAIN, SMALL, NARROW, TINY, LEAST)
HINT_FONTS = (SMALL, NARROW, TINY, LEAST)
STAKE_FONTS = (HUGE, BIG, LARGE, TALL)
GAP_PX = 4  # between things of different kinds
DIE_SIZES = (DieSize(pip=2, gap=2), DieSize(pip=2, gap=1), DieSize(pip=1, gap=1))
PAIR = 2  # players that fit beside one another in a row


def table(snapshot: Snapshot, width: int, height: int) -> tuple[Part, ...]:
    """Place a running match on a screen of at least 48 rows."""
    parts: list[Part] = []
    bottom = height
    if snapshot.hold or snapshot.bank:
        parts += button_bar(snapshot.hold, snapshot.bank, Box(0, height - BUTTONS_PX, width, BUTTONS_PX), BUTTON_FONTS)
        bottom = height - BUTTONS_PX - 1
    columns, rows, row_px = _grid(len(snapshot.players), busy=bool(snapshot.thrown or snapshot.at_stake))
    strip = Box(0, bottom - rows * row_px, width, rows * row_px)
    line = Box(0, strip.y - WORDS_PX, width, WORDS_PX)
    if _needs_room(snapshot, line):
        line = Box(0, line.y, width, bottom - line.y)
    elif rows:
        seats = tuple(zip(snapshot.players, snapshot.scores, strict=True))
        parts += score_cells(seats, (snapshot.asked,), strip, columns, row_px)
    return (*parts, *words(snapshot, line), *_head(snapshot, Box(0, 0, width, line.y)))


def words(snapshot: Snapshot, box: Box) -> tuple[Part, ...]:
    """Place what is asked and offered; before that a pause, and before that a hint, on as many lines as there is room."""
    ask = snapshot.ask if snapshot.asked else ""  # where nobody is asked it stands where the name would
    if snapshot.hint:
        mark = Box(box.x, box.y + 1, HINT_MARK_PX, box.height - 1)
        text = Box(mark.right + 2, box.y, box.width - HINT_MARK_PX - 2, box.height)
        return (Bar(mark), *label("!", mark, HINT_FONTS), *paragraph(snapshot.hint, text, HINT_FONTS))
    if snapshot.paused:
        return (Bar(box), *label("paused", box, WORDS_FONTS))
    if not snapshot.offer:
        return label(ask, box, WORDS_FONTS, LEFT)
    offer = label(snapshot.offer, box, WORDS_FONTS, RIGHT)
    room = Box(box.x, box.y, offer[0].box.x - box.x - GAP_PX, box.height) if offer else box
    beside = label(ask, room, (SMALL,), LEFT) if fits(ask, SMALL, room.width, room.height) else ()
    return (*offer, *beside)


HINT_MARK_PX = 7


def dice_row(snapshot: Snapshot, size: DieSize, box: Box) -> tuple[DieFace, ...]:
    """Place the dice as thrown from the left, in as many rows as they need."""
    each = size.edge + 1
    across = max(1, (box.width + 1) // each)
    marks = zip_longest(snapshot.thrown, snapshot.kept[: len(snapshot.thrown)], fillvalue=False)
    return tuple(
        DieFace(face, kept, size, box.x + number % across * each, box.y + number // across * each)
        for number, (face, kept) in enumerate(marks)
    )


def dice_width(count: int, size: DieSize) -> int:
    """Return how wide so many dice are side by side, 0 for none."""
    return count * (size.edge + 1) - 1 if count else 0


def stake_text(snapshot: Snapshot) -> str:
    """Return the stake as points to be added, empty where there is none."""
    return f"{snapshot.at_stake:+d}" if snapshot.at_stake else ""


def _grid(players: int, *, busy: bool) -> tuple[int, int, int]:
    """Return columns, rows and pixels a row of the scores. busy: the dice and the stake need the room."""
    if not players:
        return 1, 0, 0
    if players <= PAIR:
        return (players, 1, 8) if busy else (1, players, 9)
    if not busy and players <= 3 * PAIR:
        return PAIR, -(-players // PAIR), 8
    return -(-players // 2), 2, 7


def _needs_room(snapshot: Snapshot, line: Box) -> bool:
    """Tell whether the hint is too long for one line: then it stands over the scores."""
    width = line.width - HINT_MARK_PX - 2
    return bool(snapshot.hint) and largest(snapshot.hint, (SMALL, NARROW), width, line.height) is None


def _head(snapshot: Snapshot, box: Box) -> tuple[Part, ...]:
    """Place name, dice and stake. The stake stands large beside both where they leave room, else beside the dice."""
    name, stake, count = snapshot.asked or snapshot.ask or snapshot.game, stake_text(snapshot), len(snapshot.thrown)
    for font in STAKE_FONTS if stake else ():
        left = box.width - ink(stake, font).width - GAP_PX
        size = next((size for size in DIE_SIZES[:2] if dice_width(count, size) <= left), None)
        if size is None or ink(stake, font).height > box.height:
            continue
        name_px = box.height - (size.edge + 1 if count else 0)
        here, alone = largest(name, FALLING, left, name_px), largest(name, FALLING, box.width, name_px)
        if here and alone and here.size >= min(alone.size, TALL.size):
            return (
                *label(name, Box(0, 0, left, name_px), FALLING, LEFT),
                *dice_row(snapshot, size, Box(0, name_px + 1, left, size.edge)),
                *label(stake, Box(left + GAP_PX, 0, box.width - left - GAP_PX, box.height), (font,), RIGHT),
            )
    return _stacked(snapshot, name, stake, box)


def _stacked(snapshot: Snapshot, name: str, stake: str, box: Box) -> tuple[Part, ...]:
    count = len(snapshot.thrown)
    room = box.width - (ink(stake, MIDDLE).width + GAP_PX if stake else 0)
    size = next((size for size in DIE_SIZES if dice_width(count, size) <= room), DIE_SIZES[-1])
    across = min(count, (room + 1) // (size.edge + 1))
    rows = -(-count // across) if count else 0
    row_px = max(rows * (size.edge + 1), TALL.size if stake else 0)
    name_px = box.height - row_px
    left = dice_width(across, size) + GAP_PX if stake else box.width
    return (
        *label(name, Box(0, 0, box.width, name_px), FALLING, LEFT),
        *dice_row(snapshot, size, Box(0, name_px + 1, left, row_px)),
        *label(stake, Box(left, name_px, box.width - left, row_px), FALLING, RIGHT),
    )
