"""A table in a terminal, and what an emulator that is not ours (pyte) shows of it."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pyte

from tabletop.core.values import Die, Reading, Unsure, UnsureReason
from tabletop.views.snapshot import Entry, Snapshot
from tabletop.views.terminal.canvas import Line
from tabletop.views.terminal.layout import Shown, compose

TRUE = 1 << 24
RAMP = np.zeros((480, 640, 3), np.uint8)
RAMP[:, :, 0] = np.linspace(0, 255, 640, dtype=np.uint8)  # blue grows to the right
RAMP[:, :, 2] = np.linspace(0, 255, 480, dtype=np.uint8)[:, None]  # red grows downwards
READING = Reading(
    1.0,
    640,
    480,
    (Die(5, 100, 100, 56, 10, "white", 0.99), Die(3, 500, 400, 56, 10, "white", 0.99)),
    (Unsure(320, 240, 56, UnsureReason.LEANS),),
)
SHEET = tuple((f"box {number}", str(number), "") for number in range(13))
TABLE = Snapshot(
    game="Yahtzee", players=("Ann", "Ben"), scores=(120, 95), asked="Ann", ask="keep which?", offer="keep 5 5",
    thrown=(1, 5, 5), kept=(False, True, True), hold="next", bank="keep", sheet=SHEET, layout="boxes",
    reading=READING,
)  # fmt: skip
ENTRY = Entry("Ann", (3, 5), 5, 4)
GAMES = [f"Game {number}" for number in range(34)]
SGR = re.compile(r"\x1b\[[0-9;]*m")
SIZES = [(60, 18), (80, 24), (120, 40)]
TOP = 1  # the first row of the tray, below the title


def seen(lines: Sequence[str], columns: int, rows: int) -> pyte.Screen:
    screen = pyte.Screen(columns, rows)
    stream = pyte.Stream(screen)
    for row, line in enumerate(lines):
        stream.feed(f"\x1b[{row + 1};1H{line}")
    return screen


def drawn(
    snapshot: Snapshot,
    columns: int,
    rows: int,
    colours: int = TRUE,
    **shown: Any,  # noqa: ANN401 - the fields of Shown
) -> pyte.Screen:
    """Return an emulated terminal that shows this table over the ramp of colours."""
    how = Shown(columns, rows, colours, **shown)
    return seen(compose(RAMP, snapshot, how), columns, rows)


def tray_size(screen: pyte.Screen) -> tuple[int, int]:
    """Return the columns and rows of the picture of the tray, which begins at the left, below the title."""
    columns = next(at for at in range(screen.columns) if screen.buffer[TOP][at].data != "▀")
    return columns, next(at for at in range(screen.lines) if screen.buffer[TOP + at][0].data != "▀")


def plain(lines: Iterable[Line]) -> list[str]:
    """Return lines without their styles, blanks at their ends cut off."""
    return ["".join(text for text, _ in spans).rstrip() for spans in lines]
