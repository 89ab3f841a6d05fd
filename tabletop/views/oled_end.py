"""The screen after the last throw: who won, and the ranking."""

from tabletop.views.oled_flat import FLAT_BUTTON_FONTS, FLAT_BUTTONS_PX, NAME_PX
from tabletop.views.oled_parts import LEFT, Box, Part, button_bar, label
from tabletop.views.oled_scores import ranking, score_cells
from tabletop.views.oled_table import BUTTON_FONTS, BUTTONS_PX
from tabletop.views.oled_text import FALLING
from tabletop.views.snapshot import Snapshot

LEAST_ROW_PX, MOST_ROW_PX = 7, 10
LEAST_TITLE_PX = 11
LINE_OF_NAMES = 3  # more winners than that are counted, not named: the bars in the ranking name them


def end(snapshot: Snapshot, width: int, height: int) -> tuple[Part, ...]:
    """Place the end of a match; the winners' rows stand on bars."""
    flat = height < LOW
    buttons_px = FLAT_BUTTONS_PX if flat else BUTTONS_PX
    buttons = button_bar(
        snapshot.hold,
        snapshot.bank,
        Box(0, height - buttons_px, width, buttons_px),
        FLAT_BUTTON_FONTS if flat else BUTTON_FONTS,
    )
    bottom = height - buttons_px - 1
    rows = ranking(snapshot.players, snapshot.scores, snapshot.winners)
    room = bottom - (NAME_PX if flat else LEAST_TITLE_PX)
    columns = 1
    while columns * (room // LEAST_ROW_PX) < len(rows) and columns < MOST_COLUMNS:
        columns += 1
    deep = min(-(-len(rows) // columns), room // LEAST_ROW_PX)
    row_px = min(MOST_ROW_PX, room // deep)
    cells = Box(0, bottom - deep * row_px, width, deep * row_px)
    title = label(end_title(snapshot.winners), Box(0, 0, width, cells.y), FALLING, LEFT)
    return (*buttons, *title, *score_cells(rows, snapshot.winners, cells, columns, row_px))


LOW = 48
MOST_COLUMNS = 2


def end_title(winners: tuple[str, ...]) -> str:
    """Return who won, in words."""
    if len(winners) == 1:
        return f"{winners[0]} wins"
    if len(winners) > LINE_OF_NAMES:
        return f"{len(winners)} share the win"
    return f"{', '.join(winners[:-1])} & {winners[-1]} tie"
