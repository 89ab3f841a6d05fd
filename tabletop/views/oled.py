"""The small screen as a view: a snapshot in, pixels out. Pure; the same for every display and for the terminal.

    pixels = draw(snapshot)  # (64, 128) bool

`layout` says where everything stands, so that a test can see that nothing overlaps or leaves the screen.
"""

import numpy as np
from numpy.typing import NDArray

from tabletop.views.oled_end import end
from tabletop.views.oled_flat import flat_table
from tabletop.views.oled_menu import flat_menu, menu_screen
from tabletop.views.oled_parts import Part, paint
from tabletop.views.oled_table import table
from tabletop.views.snapshot import Snapshot

WIDTH, HEIGHT = 128, 64
FLAT_BELOW = 48  # rows; displays have 64 or 32


def draw(snapshot: Snapshot, width: int = WIDTH, height: int = HEIGHT) -> NDArray[np.bool_]:
    """Return the picture of a snapshot, (height, width) bool, True is lit. Made for 128x64 and 128x32."""
    return paint(layout(snapshot, width, height), width, height)


def layout(snapshot: Snapshot, width: int = WIDTH, height: int = HEIGHT) -> tuple[Part, ...]:
    """Return what stands where. Bars may lie below labels; all else is apart."""
    flat = height < FLAT_BELOW
    if snapshot.menu is not None:
        return (flat_menu if flat else menu_screen)(snapshot, snapshot.menu, width, height)
    if snapshot.winners:
        return end(snapshot, width, height)
    return (flat_table if flat else table)(snapshot, width, height)
