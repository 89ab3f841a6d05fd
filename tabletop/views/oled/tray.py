"""The small drawing of the tray: where the dice lie, and the one that people are asked about blinking."""

import numpy as np
from numpy.typing import NDArray

from tabletop.views.snapshot import DieInTray, TrayDrawing

BLINK_S = 0.5  # lit this long, then dark this long: seen from across the table, and twenty bytes to send
DIE_PX, ASKED_PX = 5, 7  # edges: of the dice, and of the one that blinks
FLAT_ROWS, FLAT_DIE_PX, FLAT_ASKED_PX = 26, 3, 5  # the same where the drawing is less high
HALO_PX = 1  # dark around the one that blinks, so that it stands out from its neighbours
SHAPES = (0.6, 2.2)  # of drawings: a longer tray is drawn as if it were shorter

Pixels = NDArray[np.bool_]


def dark_at(since_s: float) -> bool:
    """Return whether what blinks is dark when the same has been shown for this many seconds: it begins lit."""
    return int(since_s / BLINK_S) % 2 == 1


def width_of(drawing: TrayDrawing, height: int) -> int:
    """Return how wide the drawing is at this height, in pixels."""
    return round(height * min(max(drawing.shape, SHAPES[0]), SHAPES[1]))


def tray_pixels(drawing: TrayDrawing, width: int, height: int, *, dark: bool) -> Pixels:
    """Return the tray with round corners, (height, width); dice that are read are outlines, others have a dot.

    dark: the dice asked about are outlines now, else they are lit.
    """
    tray = np.zeros((height, width), np.bool_)
    tray[[0, -1], 1:-1] = tray[1:-1, [0, -1]] = True
    for die in sorted(drawing.dice, key=lambda die: die.asked):
        edges = (FLAT_DIE_PX, FLAT_ASKED_PX) if height < FLAT_ROWS else (DIE_PX, ASKED_PX)
        edge = edges[die.asked]
        left, top = _corner(die.x, width, edge), _corner(die.y, height, edge)
        if die.asked:
            tray[
                _inside(top - HALO_PX, height, edge + 2 * HALO_PX), _inside(left - HALO_PX, width, edge + 2 * HALO_PX)
            ] = False
        tray[top : top + edge, left : left + edge] = _die(die, edge, dark=dark)
    return tray


def _die(die: DieInTray, edge: int, *, dark: bool) -> Pixels:
    drawn = np.full((edge, edge), die.asked and not dark, np.bool_)
    drawn[[0, -1], :] = drawn[:, [0, -1]] = True
    if not die.asked and not die.face and edge > FLAT_DIE_PX:
        drawn[edge // 2, edge // 2] = True
    return drawn


def _corner(at: float, size: int, edge: int) -> int:
    """Return where a die begins so that its middle is at this part of the tray, clear of the outline."""
    return min(max(round(at * size - edge / 2), 2), size - 2 - edge)


def _inside(start: int, size: int, length: int) -> slice:
    """Return the rows or columns of a halo that do not touch the outline."""
    return slice(max(start, 1), min(start + length, size - 1))
