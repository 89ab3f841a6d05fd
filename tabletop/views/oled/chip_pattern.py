"""The picture that tells two look-alike chips apart: a frame of the outermost pixels, and little within.

An SSD1306 driven as an SH1106 shows it two columns to the right, so that one side of the frame is missing or double; an
SH1106 driven as an SSD1306 shows noise. Not shifted against burn-in, as everything else is.
"""

from tabletop.views.oled.boxes import Box, label, words
from tabletop.views.oled.drawable_names import FLAT_PX
from tabletop.views.oled.text import HUGE, TALL, shortened
from tabletop.views.snapshot import MenuView, Snapshot

INSET_PX = 4  # between the frame and what stands in it
LINE_PX = 1


def pattern_page(snapshot: Snapshot, menu: MenuView, number: int, width: int, height: int) -> tuple[Box, ...]:
    """Return the boxes of the picture: frame, question, the picture's number, and what the buttons do."""
    frame = (
        Box(0, 0, width, LINE_PX),
        Box(0, height - LINE_PX, width, LINE_PX),
        Box(0, LINE_PX, LINE_PX, height - 2 * LINE_PX),
        Box(width - LINE_PX, LINE_PX, LINE_PX, height - 2 * LINE_PX),
    )
    room, bottom = width - 2 * INSET_PX, height - LINE_PX - INSET_PX // 2
    hold, bank = (label(shortened(text, room // 2 - INSET_PX)) for text in (snapshot.hold, snapshot.bank))
    question = words(shortened(menu.title, room))
    labels = (*hold.at(INSET_PX, bottom - hold.height), *bank.at(width - INSET_PX - bank.width, bottom - bank.height))
    if height < FLAT_PX:  # the number stands between the labels
        figure, top = words(str(number), TALL), INSET_PX - LINE_PX
        figure_y = bottom - figure.height
    else:
        figure, top = words(str(number), HUGE), INSET_PX
        figure_y = (top + question.height + bottom - hold.height - figure.height) // 2
    return (
        *frame,
        *question.at((width - question.width) // 2, top),
        *figure.at((width - figure.width) // 2, figure_y),
        *labels,
    )
