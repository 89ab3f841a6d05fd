"""The small drawing of the tray that views show where people are asked about one of the dice in it."""

from collections.abc import Collection

from tabletop.core.values import Die, Rest, Unsure
from tabletop.views.snapshot import DieInTray, TrayDrawing

STEPS = 64  # places are rounded to 64ths of the tray, or the reader's noise would change the drawing


def tray_drawing(rest: Rest, asked: Collection[Die | Unsure]) -> TrayDrawing | None:
    """Return where the dice of a rest lie, and which are asked about; None if nothing lies there.

    The drawing shows the whole tray where its size is known, in pixels the frame, and in any case all dice.
    """
    reading = rest.reading
    seen: tuple[Die | Unsure, ...] = (*reading.dice, *reading.unsure)
    if not seen:
        return None
    width, height = reading.tray or ((reading.width, reading.height) if reading.unit == "px" else (0.0, 0.0))
    left = top = 0.0
    right, bottom = width, height
    if not all(0 <= thing.x <= width and 0 <= thing.y <= height for thing in seen):  # as dice on a rail do
        left = min(left, *(thing.x - thing.size for thing in seen))
        top = min(top, *(thing.y - thing.size for thing in seen))
        right, bottom = (
            max(width, *(thing.x + thing.size for thing in seen)),
            max(height, *(thing.y + thing.size for thing in seen)),
        )
    wide, high = right - left, bottom - top
    dice = tuple(
        DieInTray(
            round((thing.x - left) / wide * STEPS) / STEPS,
            round((thing.y - top) / high * STEPS) / STEPS,
            thing.face if isinstance(thing, Die) else 0,
            asked=thing in asked,
        )
        for thing in seen
    )
    return TrayDrawing(round(wide / high, 1), dice)
