"""What the terminal view draws, judged by a terminal emulator that is not ours (pyte)."""

import re
import unicodedata
from collections.abc import Sequence

import numpy as np
import pyte
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop.core.reasons import UnsureReason
from tabletop.core.values import Die, Reading, Unsure
from tabletop.views.snapshot import Entry, MenuView, Snapshot, Spelling
from tabletop.views.terminal.canvas import Canvas, braille_rows, nearest_of_256
from tabletop.views.terminal.keys import Key, meaning
from tabletop.views.terminal.layout import compose, next_part
from tabletop.views.terminal.words import keys_line, spelled, status

pytestmark = pytest.mark.uncounted

TRUE = 1 << 24
RAMP = np.zeros((480, 640, 3), np.uint8)
RAMP[:, :, 0] = np.linspace(0, 255, 640, dtype=np.uint8)  # blue grows to the right
RAMP[:, :, 2] = np.linspace(0, 255, 480, dtype=np.uint8)[:, None]  # red grows downwards
DOTS = np.random.default_rng(1).random((64, 128)) < 0.3
READING = Reading(
    1.0,
    640,
    480,
    (Die(5, 100, 100, 56, 10, "white", 0.99), Die(3, 500, 400, 56, 10, "white", 0.99)),
    (Unsure(320, 240, 56, UnsureReason.LEANS),),
)
SHEET = tuple((f"box {number}", str(number), "") for number in range(13))
TABLE = Snapshot(
    game="Yahtzee",
    players=("Ann", "Ben"),
    scores=(120, 95),
    asked="Ann",
    ask="keep which?",
    offer="keep 5 5",
    thrown=(1, 5, 5),
    hold="next",
    bank="keep",
    sheet=SHEET,
    reading=READING,
)
SGR = re.compile(r"\x1b\[[0-9;]*m")
PALETTE = [
    (r, g, b)
    for r in (0, 95, 135, 175, 215, 255)
    for g in (0, 95, 135, 175, 215, 255)
    for b in (0, 95, 135, 175, 215, 255)
]
PALETTE += [(grey, grey, grey) for grey in range(8, 248, 10)]


def seen(lines: Sequence[str], columns: int, rows: int) -> pyte.Screen:
    """Return an emulated terminal with these lines on it."""
    screen = pyte.Screen(columns, rows)
    stream = pyte.Stream(screen)
    for row, line in enumerate(lines):
        stream.feed(f"\x1b[{row + 1};1H{line}")
    return screen


def width(line: str) -> int:
    """Count the cells of a line as Unicode's tables tell them."""
    bare = SGR.sub("", line)
    assert "\x1b" not in bare
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in bare)


def dots_in(screen: pyte.Screen) -> set[tuple[int, int]]:
    """Return the lit dots of all Braille cells, by Unicode's numbering of the dots: 1-3 and 7 left, 4-6 and 8 right."""
    places = {0: (0, 0), 1: (0, 1), 2: (0, 2), 3: (1, 0), 4: (1, 1), 5: (1, 2), 6: (0, 3), 7: (1, 3)}
    lit = set()
    for row, line in enumerate(screen.display):
        for column, char in enumerate(line):
            if 0x2800 <= ord(char) < 0x2900:
                bits = [bit for bit in range(8) if (ord(char) - 0x2800) >> bit & 1]
                lit |= {(4 * row + places[bit][1], 2 * column + places[bit][0]) for bit in bits}
    return lit


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (80, 50), (120, 40), (200, 60)])
def test_tray_and_small_screen_stand_together(columns: int, rows: int) -> None:
    """From 80x24 on there are tray, every dot of the small screen, the readings, scores, status and keys."""
    screen = seen(compose(RAMP, READING, DOTS, TABLE, columns, rows, TRUE), columns, rows)
    text = "\n".join(screen.display)
    dots = dots_in(screen)
    top, left = min(y for y, _ in dots) // 4 * 4, min(x for _, x in dots) // 2 * 2
    assert {(y - top, x - left) for y, x in dots} == {(int(y), int(x)) for y, x in np.argwhere(DOTS)}
    assert text.count("▀") > 60
    assert "reads 3 5 ?" in text
    assert re.search(r"score +120 +95", text) or re.search(r"Ann +120", text)
    assert "Ann: keep which?  BANK: keep 5 5" in screen.display[-2]
    for word in ("throw", "BANK", "HOLD", "undo", "menu", "aside", "nudge", "quit"):
        assert word in screen.display[-1]


def test_half_blocks_have_the_colours_of_the_frame() -> None:
    """Each half cell has the mean colour of its part of the frame, within the steps of the drawing."""
    canvas = Canvas(40, 15, TRUE)
    canvas.picture(0, 0, 40, 15, RAMP)
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


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (120, 40)])
def test_each_die_carries_its_reading_at_its_place(columns: int, rows: int) -> None:
    """In the tray: 5 at the upper left, ? in the middle, 3 at the lower right, the unsure one in another style."""
    screen = seen(compose(RAMP, READING, None, TABLE, columns, rows, TRUE, part="tray"), columns, rows)
    tray_columns = max(x for x in range(columns) if screen.buffer[0][x].data == "▀") + 1
    tray_rows = max(y for y in range(rows) if screen.buffer[y][0].data == "▀") + 1
    styles = {}
    for label, x, y in (("5", 100, 100), ("?", 320, 240), ("3", 500, 400)):
        column, row = int(x / 640 * tray_columns), int(y / 480 * tray_rows)
        rows_near = [near for near in range(row - 3, row + 1) if screen.buffer[near][column].data == label]
        assert rows_near
        styles[label] = screen.buffer[rows_near[0]][column].bg
    assert styles["5"] == styles["3"] != styles["?"]


def test_below_80x24_one_picture_at_a_time() -> None:
    """In a small terminal there is either the tray or the small screen, and TAB's name for the other one works."""
    tray = "".join(compose(RAMP, READING, DOTS, TABLE, 79, 23, TRUE))
    screen = "".join(compose(RAMP, READING, DOTS, TABLE, 79, 23, TRUE, part="screen"))
    assert "▀" in tray
    assert "▀" not in screen
    assert not re.search("[⠁-⣿]", tray)
    assert re.search("[⠁-⣿]", screen)
    assert "BANK: keep 5 5  HOLD: next" in SGR.sub("", tray)  # what the small screen would have told


def test_tab_leads_to_another_picture() -> None:
    """With room for both TAB goes round three pictures; without, each press shows the other one."""
    assert [next_part(part, 80, 24) for part in ("both", "screen", "tray")] == ["screen", "tray", "both"]
    assert [next_part(part, 79, 24) for part in ("both", "screen", "tray")] == ["screen", "tray", "screen"]


@pytest.mark.parametrize("columns", range(40, 120, 5))
@pytest.mark.parametrize("tray", [True, False])
def test_the_line_of_keys_fits_and_names_the_buttons(columns: int, *, tray: bool) -> None:
    """At every width both buttons, undo, menu, TAB and q are named in one line that is not cut."""
    line = keys_line(columns, tray=tray)
    assert len(line) < columns
    assert {"b", "BANK", "h", "HOLD", "B", "undo", "H", "menu", "TAB", "q"} <= set(line.split())


def test_few_colours_and_no_colours() -> None:
    """With 256 colours only their numbers are written; with fewer none at all; without Unicode only ASCII."""
    some = "".join(compose(RAMP, READING, DOTS, TABLE, 80, 24, 256))
    none = "".join(compose(RAMP, READING, DOTS, TABLE, 80, 24, 0))
    ascii_only = "".join(compose(RAMP, READING, DOTS, TABLE, 80, 24, 0, unicode=False))
    assert ";5;" in some
    assert ";2;" not in some
    assert {code for codes in re.findall(r"\x1b\[([0-9;]*)m", none) for code in codes.split(";")} <= {"0", "1", "7"}
    assert ascii_only.isascii()
    assert "Ann" in ascii_only
    assert "HOLD: next" in ascii_only


NAMES = st.text(min_size=1, max_size=12)


@settings(max_examples=60, deadline=None)
@given(
    columns=st.integers(1, 160),
    rows=st.integers(1, 50),
    colours=st.sampled_from([0, 8, 256, TRUE]),
    unicode=st.booleans(),
    part=st.sampled_from(["both", "tray", "screen"]),
    names=st.lists(NAMES, min_size=1, max_size=6, unique=True),
    hint=st.text(max_size=90),
    low_screen=st.booleans(),
    tray_keys=st.booleans(),
)
def test_no_size_and_no_text_breaks_the_lines(  # noqa: PLR0917 - one argument for each thing drawn by chance
    columns: int,
    rows: int,
    colours: int,
    unicode: bool,
    part: str,
    names: list[str],
    hint: str,
    low_screen: bool,
    tray_keys: bool,
) -> None:
    """Whatever the terminal and whatever people are called: as many lines as rows, none wider than the terminal."""
    snapshot = Snapshot(
        players=tuple(names), scores=(7,) * len(names), asked=names[0], hint=hint, sheet=SHEET, reading=READING
    )
    lines = compose(
        RAMP,
        READING,
        DOTS[:32] if low_screen else DOTS,
        snapshot,
        columns,
        rows,
        colours,
        unicode=unicode,
        part=part,  # type: ignore[arg-type]  # sampled from the three allowed words
        tray_keys=tray_keys,
    )
    assert len(lines) == rows
    assert all(width(line) <= columns for line in lines)
    assert unicode or "".join(lines).isascii()


def test_a_tiny_terminal_gets_one_clear_line() -> None:
    """At 20 columns there is one line that says what to do; at 5 columns what fits of it."""
    assert compose(RAMP, READING, DOTS, TABLE, 20, 24, TRUE) == ["enlarge to 40x12"] + [""] * 23
    assert compose(RAMP, READING, DOTS, TABLE, 5, 1, TRUE) == ["enlar"]


def test_nothing_to_show_yet() -> None:
    """Before the first frame and before a match there is still a picture, and a menu is told in words."""
    empty = compose(None, None, None, Snapshot(), 100, 30, TRUE)
    assert "no picture" in "".join(empty)
    menu = Snapshot(menu=MenuView("Game?", ("Pig", "Yahtzee"), 1, "2 to 10 players"))
    told = SGR.sub("", "\n".join(compose(None, None, None, menu, 100, 30, TRUE)))
    assert "> Yahtzee" in told
    assert "Game?: Yahtzee (2 to 10 players)" in told
    over = Snapshot(players=("Ann", "Ben"), scores=(1, 2), winners=("Ben",))
    assert "Ben wins" in "".join(compose(None, None, None, over, 100, 30, 0))


def test_braille_patterns_are_those_of_the_standard() -> None:
    """Unicode's names: U+2801 is dot 1 (upper left), U+2840 dot 7 (lower left), U+28B8 the right column."""
    left_top, left_low, right = (np.zeros((4, 2), bool) for _ in range(3))
    left_top[0, 0] = left_low[3, 0] = right[:, 1] = True
    for cell, name in ((left_top, "DOTS-1"), (left_low, "DOTS-7"), (right, "DOTS-4568")):
        (row,) = braille_rows(cell)
        assert unicodedata.name(row) == f"BRAILLE PATTERN {name}"
    assert braille_rows(np.zeros((4, 6), bool)) == ["   "]


@given(st.tuples(*[st.integers(0, 255)] * 3))
def test_the_nearest_of_256_colours(rgb: tuple[int, int, int]) -> None:
    """No colour of xterm's palette, listed here by its own formula, is much nearer than the one taken."""

    def off(colour: tuple[int, int, int]) -> int:
        return sum((one - other) ** 2 for one, other in zip(rgb, colour, strict=True))

    taken = PALETTE[nearest_of_256(rgb) - 16]
    assert off(taken) <= min(map(off, PALETTE)) + 40


@pytest.mark.parametrize(
    ("text", "name", "key"),
    [
        ("t", None, Key("throw")),
        ("b", None, Key("bank")),
        ("B", None, Key("long bank")),
        ("h", None, Key("hold")),
        ("H", None, Key("long hold")),
        ("4", None, Key("aside", 4)),
        ("\n", "KEY_ENTER", Key("bank")),
        ("\t", "KEY_TAB", Key("switch")),
        ("q", None, Key("quit")),
        ("7", None, None),
        ("\x1b[A", "KEY_UP", None),
        ("", None, None),
    ],
)
def test_keys_have_names(text: str, name: str | None, key: Key | None) -> None:
    """The line of keys holds what it says; other keys mean nothing."""
    assert meaning(text, name) == key


def test_what_is_spelled_and_told_stands_in_the_words() -> None:
    """A terminal that cannot draw the small screen shows the name so far, the letter stepped to, and the dice told."""
    spelling = Snapshot(hold="next", bank="take", spelling=Spelling("Player 2", "Jo", ("done", "erase", "a"), 2))
    assert status(spelling) == "Player 2: Jo_ [a]"
    assert spelled(spelling) == ["Player 2: Jo_ [a]", "HOLD: next  BANK: take"]
    told = Snapshot("Yahtzee", ("Ann",), (0,), hold="next", bank="take", entry=Entry("Ann", (3, 5), 5, 4))
    assert status(told) == "Ann: 3 5 [4] 3/5"
