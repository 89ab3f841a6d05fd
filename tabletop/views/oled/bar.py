"""The bottom line of the small screen: what HOLD (left) and BANK (right) do now, and the press that is being made.

A press changes the pixels of one label only, so that a display which is sent in pages of eight rows has little to do:
the label is drawn the other way round, and fills again from its left for as long as the button is held.
"""

from dataclasses import replace

from tabletop.core.ports import ButtonName
from tabletop.views.oled.boxes import EMPTY, Block, Box, label
from tabletop.views.oled.text import shortened
from tabletop.views.snapshot import Snapshot

LABEL_GAP = 2  # columns between the two labels
LABEL_EDGES = 4  # columns of a label's box beside its words
NOOK_GAP = 3  # columns between a label and a message beside it
NOTHING = "–"  # noqa: RUF001 - the label of a button that does nothing, while it is down: the dash is meant


def bottom_line(hold: str, bank: str, width: int) -> Block:
    """Return the labels of the two buttons, each at its end of the line."""
    longest = (width - LABEL_GAP) // 2 - LABEL_EDGES
    left = label(shortened(hold, longest)) if hold else EMPTY
    right = label(shortened(bank, longest)) if bank else EMPTY
    high = max(left.height, right.height)
    boxes = (*left.at(0, high - left.height), *right.at(width - right.width, high - right.height))
    return Block(width, high, boxes)


def corner_space(bottom: tuple[Box, ...], width: int, height: int) -> Box:
    """Return the room between the labels, with room left for the press of a button that has none."""
    stub = label(NOTHING).width
    left = max((box.x + box.width for box in bottom if box.x == 0), default=stub)
    right = min((box.x for box in bottom if box.x > 0), default=width - stub)
    top = min((box.y for box in bottom), default=height)
    return Box(left + NOOK_GAP, top, right - left - 2 * NOOK_GAP, height - top)


def with_press(bottom: tuple[Box, ...], snapshot: Snapshot, width: int, height: int) -> tuple[Box, ...]:
    """Return the bottom line as it stands while a button is down, or has been a moment ago."""
    if snapshot.pressed is None:
        return bottom
    mine = _box_of(snapshot.pressed, bottom, width, height)
    progress = max(0.0, min(1.0, snapshot.held))
    if mine in bottom:
        pressed = replace(mine, inverse=False, filled=round(progress * mine.width))
        return tuple(pressed if box is mine else box for box in bottom)
    return (*bottom, replace(mine, filled=round(progress * mine.width)))


def _box_of(button: ButtonName, bottom: tuple[Box, ...], width: int, height: int) -> Box:
    """Return the label of a button; one that says nothing where it has none."""
    for box in bottom:
        if (box.x == 0) == (button == "hold"):
            return box
    nothing = label(NOTHING)
    (box,) = nothing.at(0 if button == "hold" else width - nothing.width, height - nothing.height)
    return box
