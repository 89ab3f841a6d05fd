"""A menu on the screen: title, the items around the one stepped to, a note about it, what the buttons do."""

from tabletop.views.oled_flat import FLAT_BUTTON_FONTS, FLAT_BUTTONS_PX
from tabletop.views.oled_parts import LEFT, RIGHT, Bar, Box, Part, button_bar, label, paragraph
from tabletop.views.oled_table import BUTTON_FONTS, BUTTONS_PX, GAP_PX
from tabletop.views.oled_text import LEAST, MIDDLE, NARROW, PLAIN, SMALL, TINY, wrapped
from tabletop.views.snapshot import Menu, Snapshot

TITLE_PX = 10
TITLE_FONTS = (SMALL, NARROW, TINY, LEAST)
ITEM_PX = 11
ITEM_FONTS = (PLAIN, SMALL, NARROW, TINY, LEAST)
NOTE_FONTS = (SMALL, TINY, LEAST)
NOTE_LINE_PX = 9
MOST_ITEMS = 3


def menu_screen(snapshot: Snapshot, menu: Menu, width: int, height: int) -> tuple[Part, ...]:
    """Place a menu on a screen of at least 48 rows. A long note takes the room of the other items."""
    buttons = button_bar(snapshot.hold, snapshot.bank, Box(0, height - BUTTONS_PX, width, BUTTONS_PX), BUTTON_FONTS)
    top = TITLE_PX + 1
    room = height - BUTTONS_PX - 1 - top
    note_lines = len(wrapped(menu.note, TINY, width - 2)) if menu.note else 0
    shown = max(1, min(MOST_ITEMS, len(menu.items), (room - note_lines * NOTE_LINE_PX) // ITEM_PX))
    first = min(max(0, menu.at - shown // 2), len(menu.items) - shown)
    parts: list[Part] = [*buttons, *_title(menu, Box(0, 0, width, TITLE_PX))]
    for row, number in enumerate(range(first, first + shown)):
        parts += _item(menu.items[number], number == menu.at, Box(0, top + row * ITEM_PX, width, ITEM_PX))
    rest = Box(1, top + shown * ITEM_PX, width - 2, room - shown * ITEM_PX)
    return (*parts, *(paragraph(menu.note, rest, NOTE_FONTS) if menu.note else ()))


def flat_menu(snapshot: Snapshot, menu: Menu, width: int, height: int) -> tuple[Part, ...]:
    """Place a menu on a screen of 32 rows: title, the item stepped to, its note."""
    buttons = button_bar(
        snapshot.hold, snapshot.bank, Box(0, height - FLAT_BUTTONS_PX, width, FLAT_BUTTONS_PX), FLAT_BUTTON_FONTS
    )
    title = Box(0, 0, width, FLAT_BUTTONS_PX)
    room = Box(0, title.bottom, width, height - FLAT_BUTTONS_PX - 1 - title.bottom)
    if not menu.note:
        return (*buttons, *_title(menu, title), *label(menu.items[menu.at], room, (MIDDLE, *ITEM_FONTS), LEFT))
    half = Box(0, room.y, width, room.height // 2)
    item = label(menu.items[menu.at], half, (TINY, LEAST), LEFT)
    note = paragraph(menu.note, Box(0, half.bottom, width, room.bottom - half.bottom), (TINY, LEAST))
    return (*buttons, *_title(menu, title), *item, *note)


def _title(menu: Menu, box: Box) -> tuple[Part, ...]:
    """Place the title and, in a list, which of how many is stepped to, over a thin line if there is room for it."""
    place = label(f"{menu.at + 1}/{len(menu.items)}" if len(menu.items) > 1 else "", box, (TINY,), RIGHT)
    left = place[0].box.x - GAP_PX if place else box.width
    line = (Bar(Box(box.x, box.bottom - 1, box.width, 1)),) if box.height >= TITLE_PX else ()
    text = Box(box.x, box.y, left, box.height - len(line))
    return (*line, *label(menu.title, text, TITLE_FONTS, LEFT), *place)


def _item(text: str, chosen: bool, box: Box) -> tuple[Part, ...]:
    inner = Box(box.x + 2, box.y, box.width - 4, box.height)
    return (*((Bar(box),) if chosen else ()), *label(text, inner, ITEM_FONTS, LEFT))
