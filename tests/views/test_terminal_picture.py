"""What the terminal view draws, judged by a terminal emulator that is not ours (pyte)."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pyte
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tabletop.core.reasons import UnsureReason
from tabletop.core.values import Die, Reading, Unsure
from tabletop.rules import game_ids, load
from tabletop.simulator.tray.profile import profile_of
from tabletop.simulator.tray.tray import SIZE_PX, Tray
from tabletop.views.i18n.catalogue import load_language
from tabletop.views.i18n.translate import translated
from tabletop.views.snapshot import Entry, MenuView, Snapshot, Spelling
from tabletop.views.terminal.canvas import Canvas, braille_rows, nearest_of_256
from tabletop.views.terminal.help import help_pages
from tabletop.views.terminal.keys import Key, meaning
from tabletop.views.terminal.layout import Part, Shown, compose, next_part
from tabletop.views.terminal.lines import plain
from tabletop.views.terminal.tray_picture import Crop, crop_of
from tabletop.views.terminal.words import keys_line, told

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
    kept=(False, True, True),
    hold="next",
    bank="keep",
    sheet=SHEET,
    reading=READING,
)
ENTRY = Entry("Ann", (3, 5), 5, 4)
GAMES = [f"Game {number}" for number in range(34)]
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


def drawn(
    snapshot: Snapshot,
    columns: int,
    rows: int,
    colours: int = TRUE,
    *,
    screen: NDArray[np.bool_] | None = DOTS,
    **shown: Any,  # noqa: ANN401 - the fields of Shown
) -> pyte.Screen:
    """Return an emulated terminal that shows this table over the ramp of colours."""
    how = Shown(columns, rows, colours, **shown)
    return seen(compose(RAMP, snapshot.reading, screen, snapshot, how), columns, rows)


def tray_size(screen: pyte.Screen) -> tuple[int, int]:
    """Return the columns and rows of the picture of the tray, which begins in the upper left corner."""
    columns = next(at for at in range(screen.columns) if screen.buffer[0][at].data != "▀")
    return columns, next(at for at in range(screen.lines) if screen.buffer[at][0].data != "▀")


SIZES = [(60, 18), (80, 24), (120, 40)]


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_the_tray_has_the_most_room_and_words_stand_beside_it(columns: int, rows: int) -> None:
    """Tray at the left, scores, dice and reading at the right of it; below request, buttons and keys."""
    screen = drawn(TABLE, columns, rows)
    wide, high = tray_size(screen)
    assert wide >= columns // 2
    assert 3 * wide == pytest.approx(8 * high, abs=8)  # the shape of the picture, where a cell is twice as high as wide
    beside = [line[wide:] for line in screen.display[:high]]
    assert any(re.search(r"> Ann +120", line) for line in beside)
    assert any(re.search(r"  Ben +95", line) for line in beside)
    assert any("[5] [5]" in line for line in beside)  # kept
    assert any("reads 3 5 ?" in line for line in beside)
    assert "Ann: keep which?" in screen.display[-4]
    assert "h HOLD: next     b BANK: keep 5 5" in screen.display[-2]
    for word in ("t throw", "1-6", "aside", "B undo", "H menu", "TAB", "? help", "q quit"):
        assert word in screen.display[-1]


def test_dice_are_large_enough_to_be_seen() -> None:
    """At 60x18 the die of the simulated tray is at least three cells wide and one high, at 80x24 five and two."""
    for columns, rows, least_wide, least_high in ((60, 18, 3, 1), (80, 24, 5, 2)):
        wide, high = tray_size(drawn(TABLE, columns, rows))
        assert SIZE_PX / 640 * wide >= least_wide - 0.5
        assert SIZE_PX / 480 * high >= least_high


def test_hold_stands_left_of_bank_everywhere() -> None:
    """As on the device: whatever is shown, in each language, at each size."""
    menu = MenuView("Game?", ("Pig", "Yahtzee"), 1)
    for snapshot in (TABLE, Snapshot(hold="next", bank="take", menu=menu), Snapshot(hold="a", bank="b", entry=ENTRY)):
        for columns, rows in SIZES:
            line = drawn(snapshot, columns, rows).display[-2]
            assert 0 <= line.index("h HOLD: ") < line.index("b BANK: ")
        assert told(snapshot).index("HOLD") < told(snapshot).index("BANK")


def test_a_label_without_a_meaning_is_a_dash() -> None:
    """A button that does nothing keeps its place and its key."""
    assert "h HOLD: -     b BANK: - " in drawn(replace(TABLE, hold="", bank="", offer=""), 80, 24).display[-2]


def test_a_press_fills_its_label() -> None:
    """While BANK is down its label has another colour; a long press fills it from the left."""
    backgrounds = []
    for held in (0.0, 0.5, 1.0):
        screen = drawn(replace(TABLE, pressed="bank", held=held), 80, 24)
        first = screen.display[-2].index("b BANK")
        last = screen.display[-2].index("5 5") + 2
        row = screen.buffer[23 - 1]
        backgrounds.append((row[first].bg, row[last].bg))
        assert row[1].bg not in backgrounds[-1][:1]  # HOLD is not pressed
    assert backgrounds[0][0] == backgrounds[0][1] == backgrounds[2][0] == backgrounds[2][1]
    assert backgrounds[1][0] == backgrounds[0][0] != backgrounds[1][1]


def test_a_wide_terminal_has_the_sheet_and_what_has_happened() -> None:
    """At 120x40 all thirteen boxes and the newest events stand beside or below the tray, newest last."""
    table = replace(TABLE, happened=tuple(f"Ann: throw {number}" for number in range(1, 6)))
    text = "\n".join(drawn(table, 120, 40).display)
    assert all(f"box {number} " in text for number in range(13))
    assert text.index("what has happened") < text.index("Ann: throw 4") < text.index("Ann: throw 5")


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_the_sheet_has_a_page_of_its_own(columns: int, rows: int) -> None:
    """Every box and both totals, whatever the size; the buttons stay."""
    screen = drawn(TABLE, columns, rows, part="sheet")
    text = "\n".join(screen.display)
    assert "▀" not in text
    assert all(re.search(rf"box {number} +{number}\b", text) for number in range(13))
    assert re.search(r"score +120 +95", text)
    assert "b BANK: keep 5 5" in screen.display[-2]


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (80, 50), (120, 40), (200, 60)])
def test_the_small_screen_is_drawn_dot_by_dot(columns: int, rows: int) -> None:
    """Every dot of the display, and nothing over it."""
    dots = dots_in(drawn(TABLE, columns, rows, part="screen"))
    assert dots == {(int(y), int(x)) for y, x in np.argwhere(DOTS)}


def test_a_list_stands_beside_the_tray() -> None:
    """All lines of a menu, the one stepped to marked, its note below; a list too long for the room shows that one."""
    menu = Snapshot(hold="next", bank="take", menu=MenuView("Game?", tuple(map(str, GAMES)), 20, "2 to 10 players"))
    for columns, rows in SIZES:
        screen = drawn(menu, columns, rows)
        assert any("> Game 20" in line for line in screen.display)
        assert any("Game?" in line for line in screen.display[:2])
        assert screen.display[-4].strip() == "2 to 10 players"


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_a_long_hint_is_shown_whole(columns: int, rows: int) -> None:
    """A hint longer than a row takes the row of the request too."""
    hint = "two dice lie on each other at the left: put them apart, then throw these two once more"
    screen = drawn(replace(TABLE, hint=hint), columns, rows)
    assert hint in " ".join(line.strip() for line in screen.display[-4:-2])


def test_a_remark_stands_in_place_of_the_hint() -> None:
    """What is said about a key is read where the hint is."""
    screen = drawn(replace(TABLE, hint="one die is missing"), 80, 24, remark="x does nothing here; ? shows the keys")
    assert screen.display[-3].strip() == "x does nothing here; ? shows the keys"


def test_the_crop_shows_tray_and_rail_alone() -> None:
    """The table around the tray is cut off; where something lies out there, all is shown."""
    lying = Reading(1.0, 640, 480, (Die(5, 320, 240, 56, 10, "white", 0.99),))
    crop = Crop(0.25, 0.25, 0.75, 0.75)
    screen = seen(compose(RAMP, lying, None, TABLE, Shown(80, 24, TRUE, crop=crop)), 80, 24)
    wide, high = tray_size(screen)
    assert int(screen.buffer[0][0].fg[4:], 16) == pytest.approx(255 / 4, abs=8)  # blue grows to the right
    assert screen.buffer[high // 2][wide // 2].data == "5"
    outside = replace(lying, dice=(Die(5, 20, 20, 56, 10, "white", 0.99),))
    screen = seen(compose(RAMP, outside, None, TABLE, Shown(80, 24, TRUE, crop=crop)), 80, 24)
    assert int(screen.buffer[0][0].fg[4:], 16) < 16


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


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_each_die_carries_its_reading_at_its_place(columns: int, rows: int) -> None:
    """In the tray: 5 at the upper left, ? in the middle, 3 at the lower right, the unsure one in another style."""
    screen = drawn(TABLE, columns, rows)
    wide, high = tray_size(screen)
    styles = {}
    for label, x, y in (("5", 100, 100), ("?", 320, 240), ("3", 500, 400)):
        cell = screen.buffer[int(y / 480 * high)][int(x / 640 * wide)]
        assert cell.data == label
        styles[label] = cell.bg
    assert styles["5"] == styles["3"] != styles["?"]


def test_a_die_that_cannot_be_read_is_framed() -> None:
    """A frame of one colour around it, that is around no other die."""
    screen = drawn(TABLE, 80, 24)
    wide, high = tray_size(screen)
    ring = screen.buffer[int(240 / 480 * high)][int(320 / 640 * wide)].bg

    def near(x: int, y: int) -> int:
        column, row = int(x / 640 * wide), int(y / 480 * high)
        cells = [screen.buffer[row + down][column + right] for down in (-2, -1, 1, 2) for right in range(-3, 4)]
        return sum(close(colour, ring) for cell in cells for colour in (cell.fg, cell.bg))

    assert near(320, 240) >= 8
    assert near(100, 100) == near(500, 400) == 0


def close(colour: str, other: str) -> bool:
    """Whether two colours differ by no more than the steps of the drawing."""
    if len(colour) != 6 or len(other) != 6:
        return False
    return all(abs(int(colour[at : at + 2], 16) - int(other[at : at + 2], 16)) <= 4 for at in (0, 2, 4))


def test_tab_leads_to_another_picture() -> None:
    """TAB goes round table, sheet and display; where the display finds no room it is left out."""
    parts: tuple[Part, ...] = ("table", "sheet", "screen")
    assert [next_part(Shown(80, 24, TRUE, part=part)) for part in parts] == ["sheet", "screen", "table"]
    for poor in (Shown(60, 18, TRUE), Shown(80, 24, TRUE, unicode=False)):
        assert [next_part(replace(poor, part=part)) for part in parts] == ["sheet", "table", "table"]


@pytest.mark.parametrize("columns", range(40, 120, 5))
@pytest.mark.parametrize("tray", [True, False])
def test_the_line_of_keys_fits(columns: int, *, tray: bool) -> None:
    """At every width undo, menu, help and q are named in one line that is not cut, from 60 columns on TAB too."""
    line = keys_line(columns, tray=tray)
    assert len(line) < columns
    assert {"B", "undo", "H", "menu", "?", "help", "q"} <= set(line.split())
    assert ("TAB" in line) >= (columns >= 60)
    assert ("throw" in line) is tray


@pytest.mark.parametrize(
    "felt", [(43, 90, 50), (40, 80, 45), (90, 40, 45), (45, 50, 95), (38, 72, 70), (110, 75, 45), (80, 40, 80)]
)
def test_with_256_colours_felt_keeps_its_colour(felt: tuple[int, int, int]) -> None:
    """The strongest of red, green and blue stays the strongest, the weakest the weakest; white dice stay white."""
    tray = np.full((480, 640, 3), felt[::-1], np.uint8)
    tray[200:280, 280:360] = 235
    screen = seen(compose(tray, None, None, TABLE, Shown(80, 24, 256)), 80, 24)
    wide, high = tray_size(screen)
    ground = [int(screen.buffer[0][0].fg[at : at + 2], 16) for at in (0, 2, 4)]
    assert ground[felt.index(max(felt))] == max(ground)
    assert ground[felt.index(min(felt))] == min(ground) < max(ground)
    die = [int(screen.buffer[high // 2][wide // 2].fg[at : at + 2], 16) for at in (0, 2, 4)]
    assert min(die) > 215
    assert max(die) - min(die) < 20


def test_few_colours_and_no_colours() -> None:
    """With 256 colours only their numbers are written; with fewer none at all; without Unicode only ASCII."""
    some = "".join(compose(RAMP, READING, DOTS, TABLE, Shown(80, 24, 256)))
    none = "".join(compose(RAMP, READING, DOTS, TABLE, Shown(80, 24, 0)))
    ascii_only = "".join(compose(RAMP, READING, DOTS, TABLE, Shown(80, 24, 0, unicode=False)))
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
    part=st.sampled_from(["table", "sheet", "screen"]),
    help_page=st.sampled_from([None, 0, 1, 9]),
    remark=st.sampled_from(["", "x does nothing"]),
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
    part: Part,
    help_page: int | None,
    remark: str,
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
        Shown(
            columns,
            rows,
            colours,
            unicode=unicode,
            part=part,
            tray_keys=tray_keys,
            remark=remark,
            help_page=help_page,
        ),
    )
    assert len(lines) == rows
    assert all(width(line) <= columns for line in lines)
    assert unicode or "".join(lines).isascii()


def test_a_tiny_terminal_gets_one_clear_line() -> None:
    """At 20 columns there is one line that says what to do; at 5 columns what fits of it."""
    assert compose(RAMP, READING, DOTS, TABLE, Shown(20, 24, TRUE)) == ["enlarge to 40x12"] + [""] * 23
    assert compose(RAMP, READING, DOTS, TABLE, Shown(5, 1, TRUE)) == ["enlar"]


def test_nothing_to_show_yet() -> None:
    """Before the first frame and before a match there is still a picture, and a menu is told in words."""
    empty = compose(None, None, None, Snapshot(), Shown(100, 30, TRUE))
    assert "no picture" in "".join(empty)
    menu = Snapshot(menu=MenuView("Game?", ("Pig", "Yahtzee"), 1, "2 to 10 players"))
    text = SGR.sub("", "\n".join(compose(None, None, None, menu, Shown(100, 30, TRUE))))
    assert "> Yahtzee" in text
    assert "2 to 10 players" in text
    over = Snapshot(players=("Ann", "Ben"), scores=(1, 2), winners=("Ben",), why="Ben has most")
    text = SGR.sub("", "\n".join(compose(None, None, None, over, Shown(100, 30, 0))))
    assert re.search(r"Ben wins *\nBen has most", text)


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
        ("?", None, Key("help")),
        ("\x1bOP", "KEY_F1", Key("help")),
        ("7", None, None),
        ("\x1b[A", "KEY_UP", None),
        ("", None, None),
    ],
)
def test_keys_have_names(text: str, name: str | None, key: Key | None) -> None:
    """The line of keys holds what it says; other keys mean nothing."""
    assert meaning(text, name) == key


def test_what_is_spelled_and_entered_stands_in_the_words() -> None:
    """The name so far with the letter stepped to, and the dice entered, stand beside the tray."""
    spelling = Snapshot(hold="next", bank="take", spelling=Spelling("Player 2", "Jo", ("done", "erase", "a"), 2))
    entry = Snapshot("Yahtzee", ("Ann",), (0,), hold="next", bank="take", entry=ENTRY)
    for snapshot, words in ((spelling, "Player 2: Jo_ [a]"), (entry, "Ann: 3 5 [4] 3/5")):
        screen = drawn(snapshot, 60, 18)
        assert words in screen.display[0]
        assert words in screen.display[-4]


# The help


@pytest.mark.parametrize(("columns", "rows"), [(40, 12), *SIZES])
@pytest.mark.parametrize("code", ["en", "de"])
def test_the_help_tells_everything_in_pages(columns: int, rows: int, code: str) -> None:
    """All keys, all requests and the whole rule text, no word lost between the pages, none cut."""
    language = load_language(code)
    table = translated(replace(TABLE, rules=load("yahtzee")[0].help), language)
    count = len(help_pages(table, columns, rows, tray=True))
    pages = []
    for page in range(count):
        screen = drawn(table, columns, rows, help_page=page)
        pages.append("\n".join(screen.display[:-1]))
        assert (f"{page + 2}" in screen.display[-1]) is (page + 1 < count)
    phrases = table.phrases
    words = set(" ".join(pages).split())
    for text in (*phrases.help_keys, *phrases.help_dice, *phrases.help_asks, table.rules):
        assert set(text.split()) <= words | {word for word in text.split() if len(word) > columns // 4 - 1}
    assert count == 1 or len(pages[0].split()) > 10


def test_the_help_without_simulated_dice_names_no_key_for_them() -> None:
    """Who throws real dice is told no keys that do nothing."""
    text = "\n".join(drawn(TABLE, 80, 24, help_page=0, tray_keys=False).display)
    assert "long HOLD" in text
    assert "nudge a die that" not in text


def test_every_rule_text_is_shown_whole() -> None:
    """The paragraphs of every game keep all their words, in order, and begin where the author began them."""
    for game_id in game_ids():
        rules = load(game_id)[0].help
        pages = help_pages(Snapshot(game="x", rules=rules), 80, 24, tray=True)
        lines = plain(line for page in pages for line in page)
        start = lines.index("The rules: x") + 1
        assert " ".join(" ".join(lines[start:]).split()) == " ".join(rules.split())
        assert any(line.startswith("The end:") for line in lines) == ("\nThe end:" in rules)
