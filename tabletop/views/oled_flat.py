"""The same match on a screen of 32 rows: name and stake, one line, the buttons."""

from tabletop.views.oled_parts import LEFT, RIGHT, Box, Part, button_bar, label, paragraph
from tabletop.views.oled_table import DIE_SIZES, GAP_PX, dice_row, dice_width, stake_text, words
from tabletop.views.oled_text import LEAST, MIDDLE, PLAIN, SMALL, TALL, TINY, largest
from tabletop.views.snapshot import Snapshot

FLAT_BUTTONS_PX = 8
FLAT_BUTTON_FONTS = (SMALL, TINY, LEAST)
NAME_PX = 13
NAME_FONTS = (TALL, MIDDLE, PLAIN, SMALL, TINY, LEAST)
LINE_FONTS = (PLAIN, SMALL, TINY, LEAST)


def flat_table(snapshot: Snapshot, width: int, height: int) -> tuple[Part, ...]:
    """Place a running match on a low screen. A hint takes all but the buttons; the scores wait for the stake to go."""
    buttons = button_bar(
        snapshot.hold, snapshot.bank, Box(0, height - FLAT_BUTTONS_PX, width, FLAT_BUTTONS_PX), FLAT_BUTTON_FONTS
    )
    room = Box(0, 0, width, height - FLAT_BUTTONS_PX - 1)
    if snapshot.hint:
        return (*buttons, *paragraph(snapshot.hint, room, LINE_FONTS))
    return (*buttons, *_name(snapshot, Box(0, 0, width, NAME_PX)), *_line(snapshot, room))


def _name(snapshot: Snapshot, box: Box) -> tuple[Part, ...]:
    totals = dict(zip(snapshot.players, snapshot.scores, strict=True))
    points = stake_text(snapshot) or str(totals.get(snapshot.asked, ""))
    right = label(points, box, NAME_FONTS[:2], RIGHT)
    left = right[0].box.x - GAP_PX if right else box.width
    return (
        *right,
        *label(snapshot.asked or snapshot.ask or snapshot.game, Box(0, 0, left, box.height), NAME_FONTS, LEFT),
    )


def _line(snapshot: Snapshot, room: Box) -> tuple[Part, ...]:
    """Place dice and words side by side; the dice are left out where the words need all of it."""
    line = Box(0, NAME_PX, room.width, room.height - NAME_PX)
    text, size = snapshot.offer or snapshot.ask, DIE_SIZES[-1]
    taken = dice_width(len(snapshot.thrown), size) + GAP_PX if snapshot.thrown else 0
    rest = Box(taken, line.y, line.width - taken, line.height)
    if snapshot.paused or largest(text, LINE_FONTS, rest.width, rest.height) is None:
        return words(snapshot, line)
    dice = dice_row(snapshot, size, Box(0, line.y + 1, taken, size.edge))
    return (*dice, *label(text, rest, LINE_FONTS, RIGHT if taken else LEFT))
