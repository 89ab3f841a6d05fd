"""The small drawing of the tray that views show where people are asked about one of the dice in it."""

from collections.abc import Collection

from tabletop.core.values import Die, Rest, Unsure
from tabletop.views.snapshot import DieInTray, TrayDrawing

STEPS = 64  # places are rounded to so many parts of the tray, or the reader's noise would change the drawing


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
    if not all(0 <= one.x <= width and 0 <= one.y <= height for one in seen):  # as dice on a rail do
        left, top = min(left, *(one.x - one.size for one in seen)), min(top, *(one.y - one.size for one in seen))
        right, bottom = (
            max(width, *(one.x + one.size for one in seen)),
            max(height, *(one.y + one.size for one in seen)),
        )
    wide, high = right - left, bottom - top
    dice = tuple(
        DieInTray(
            round((one.x - left) / wide * STEPS) / STEPS,
            round((one.y - top) / high * STEPS) / STEPS,
            one.face if isinstance(one, Die) else 0,
            asked=one in asked,
        )
        for one in seen
    )
    return TrayDrawing(round(wide / high, 1), dice)
