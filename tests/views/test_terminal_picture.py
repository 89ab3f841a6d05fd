"""What the terminal view draws, judged by a terminal emulator that is not ours (pyte)."""

import unicodedata
from dataclasses import replace
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from terminal_pictures import RAMP, READING, SGR, SHEET, SIZES, TABLE, TOP, TRUE, drawn, seen, tray_size

from tabletop.core.values import Die, Reading
from tabletop.simulator.tray import Tray, profile_of
from tabletop.views.snapshot import Snapshot
from tabletop.views.terminal.canvas import Canvas, cells_of, nearest_of_256
from tabletop.views.terminal.layout import Shown, compose
from tabletop.views.terminal.tray_picture import Crop, crop_of
from tabletop.views.terminal.view import meaning

STEPS = (0, 95, 135, 175, 215, 255)
PALETTE = [*product(STEPS, STEPS, STEPS), *((grey, grey, grey) for grey in range(8, 248, 10))]


def width(line: str) -> int:
    """Count the cells of a line as Unicode's tables tell them."""
    bare = SGR.sub("", line)
    assert "\x1b" not in bare
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in bare)


def test_the_crop_shows_tray_and_rail_alone() -> None:
    """The table around the tray is cut off; where something lies out there, all is shown."""
    lying = Reading(1.0, 640, 480, (Die(5, 320, 240, 56, 10, "white", 0.99),))
    crop = Crop(0.25, 0.25, 0.75, 0.75)
    how = Shown(80, 24, TRUE, crop=crop, numbers=True)
    screen = seen(compose(RAMP, replace(TABLE, reading=lying), how), 80, 24)
    wide, high = tray_size(screen)
    assert int(screen.buffer[TOP][0].fg[4:], 16) == pytest.approx(255 / 4, abs=8)  # blue grows to the right
    assert screen.buffer[TOP + high // 2][wide // 2].data == "5"
    outside = replace(lying, dice=(Die(5, 20, 460, 56, 10, "white", 0.99),))
    screen = seen(compose(RAMP, replace(TABLE, reading=outside), how), 80, 24)
    assert int(screen.buffer[TOP][0].fg[4:], 16) < 16


def test_the_crop_of_a_profile_holds_tray_and_rail() -> None:
    """With a small margin, and never beyond the picture; without a profile all of it."""
    tray = profile_of(Tray(1, chance=Random(1)))
    crop = crop_of(tray)
    assert all(crop.holds(x / 640, y / 480) for x, y in (*tray.tray_px, *(tray.rail_px or ())))
    assert 0.0 <= crop.left < crop.right <= 1.0
    assert not crop.holds(0.001, 0.5)
    assert crop_of(None) == Crop(0.0, 0.0, 1.0, 1.0)


def test_half_blocks_have_the_colours_of_the_frame() -> None:
    """Each half cell has the mean colour of its part of the frame, within the steps of the drawing."""
    canvas = Canvas(40, 15, TRUE)
    canvas.picture(40, 15, RAMP)
    screen = seen(canvas.lines(), 40, 15)
    for row in range(15):
        for column in range(40):
            cell = screen.buffer[row][column]
            assert cell.data == "▀"
            for half, colour in enumerate((cell.fg, cell.bg)):
                part = RAMP[(2 * row + half) * 16 : (2 * row + half + 1) * 16, column * 16 : (column + 1) * 16]
                red, green, blue = (int(colour[at : at + 2], 16) for at in (0, 2, 4))
                mean = part.reshape(-1, 3).mean(axis=0)
                np.testing.assert_allclose((blue, green, red), mean, atol=5)


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_each_die_carries_its_reading_at_its_place(columns: int, rows: int) -> None:
    """Asked for: 5 at the upper left, ? in the middle, 3 at the lower right; else only the unsure one is marked."""
    screen, bare = drawn(TABLE, columns, rows, numbers=True), drawn(TABLE, columns, rows)
    wide, high = tray_size(screen)
    styles = {}
    for label, x, y in (("5", 100, 100), ("?", 320, 240), ("3", 500, 400)):
        row, column = TOP + int(y / 480 * high), int(x / 640 * wide)
        cell = screen.buffer[row][column]
        assert cell.data == label
        assert bare.buffer[row][column].data == ("?" if label == "?" else "▀")
        styles[label] = cell.bg
    assert styles["5"] == styles["3"] != styles["?"]


def test_a_die_that_cannot_be_read_is_framed() -> None:
    """A frame of one colour around it, that is around no other die."""
    screen = drawn(TABLE, 80, 24)
    wide, high = tray_size(screen)
    ring = screen.buffer[TOP + int(240 / 480 * high)][int(320 / 640 * wide)].bg

    def near(x: int, y: int) -> int:
        column, row = int(x / 640 * wide), TOP + int(y / 480 * high)
        cells = [screen.buffer[row + down][column + right] for down in (-2, -1, 1, 2) for right in range(-3, 4)]
        return sum(close(colour, ring) for cell in cells for colour in (cell.fg, cell.bg))

    assert near(320, 240) >= 8
    assert near(100, 100) == near(500, 400) == 0


def close(colour: str, other: str) -> bool:
    if len(colour) != 6 or len(other) != 6:
        return False
    return all(abs(int(colour[at : at + 2], 16) - int(other[at : at + 2], 16)) <= 4 for at in (0, 2, 4))


@pytest.mark.parametrize(
    "felt", [(43, 90, 50), (40, 80, 45), (90, 40, 45), (45, 50, 95), (38, 72, 70), (110, 75, 45), (80, 40, 80)]
)
def test_with_256_colours_felt_keeps_its_colour(felt: tuple[int, int, int]) -> None:
    """The strongest of red, green and blue stays the strongest, the weakest the weakest; white dice stay white."""
    tray = np.full((480, 640, 3), felt[::-1], np.uint8)
    tray[200:280, 280:360] = 235
    screen = seen(compose(tray, replace(TABLE, reading=None), Shown(80, 24, 256)), 80, 24)
    wide, high = tray_size(screen)
    ground = [int(screen.buffer[TOP][0].fg[at : at + 2], 16) for at in (0, 2, 4)]
    assert ground[felt.index(max(felt))] == max(ground)
    assert ground[felt.index(min(felt))] == min(ground) < max(ground)
    die = [int(screen.buffer[TOP + high // 2][wide // 2].fg[at : at + 2], 16) for at in (0, 2, 4)]
    assert min(die) > 215
    assert max(die) - min(die) < 20


shown_anyhow = st.builds(
    Shown,
    st.integers(1, 160),
    st.integers(1, 50),
    st.sampled_from([0, 8, 256, TRUE]),
    unicode=st.booleans(),
    sheet=st.booleans(),
    numbers=st.booleans(),
    tray_keys=st.booleans(),
    remark=st.sampled_from(["", "x does nothing"]),
    help_page=st.sampled_from([None, 0, 1, 9]),
)
names_of_any = st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=6, unique=True)


@settings(max_examples=60, deadline=None)
@given(shown=shown_anyhow, names=names_of_any, hint=st.text(max_size=90))
def test_no_size_and_no_text_breaks_the_lines(shown: Shown, names: list[str], hint: str) -> None:
    """Whatever the terminal and whatever people are called: as many lines as rows, none wider than the terminal."""
    scores = (7,) * len(names)
    table = Snapshot(players=tuple(names), scores=scores, asked=names[0], hint=hint, sheet=SHEET, reading=READING)
    lines = compose(RAMP, table, shown)
    assert len(lines) == shown.rows
    assert all(width(line) <= shown.columns for line in lines)
    assert shown.unicode or "".join(lines).isascii()


@given(st.tuples(*[st.integers(0, 255)] * 3))
def test_the_nearest_of_256_colours(rgb: tuple[int, int, int]) -> None:
    """No colour of xterm's palette, listed here by its own formula, is much nearer than the one taken."""

    def off(colour: tuple[int, int, int]) -> int:
        return sum((one - other) ** 2 for one, other in zip(rgb, colour, strict=True))

    taken = PALETTE[nearest_of_256(rgb) - 16]
    assert off(taken) <= min(map(off, PALETTE)) + 40


ACTIONS = ("throw", "bank", "long bank", "hold", "long hold", "quit", "help", "numbers", "aside")


@pytest.mark.parametrize(
    ("text", "name", "action"),
    [
        *((text, None, action) for text, action in zip("tbBhHq?#4", ACTIONS, strict=True)),
        *(("\n", "KEY_ENTER", "bank"), ("\t", "KEY_TAB", "switch"), ("\x1bOP", "KEY_F1", "help")),
        *(("7", None, None), ("\x1b[A", "KEY_UP", None), ("", None, None)),
    ],
)
def test_keys_have_names(text: str, name: str | None, action: str | None) -> None:
    """The line of keys holds what it says; other keys mean nothing."""
    key = meaning(text, name)
    assert (key.action if key else None) == action
    assert key is None or key.face == (4 if text == "4" else 0)


@pytest.mark.parametrize(
    ("text", "cells"), [("\u2764\ufe0f", 1), ("\u0e01\u0e34", 1), ("e\u0301", 1), ("\u592a", 2), ("\u05d0", 1)]
)
def test_marks_take_no_cell(text: str, cells: int) -> None:
    """A heart with its variation selector, a Thai vowel above, an accent; a Chinese letter takes two (UAX #11)."""
    assert sum(map(cells_of, text)) == cells
