"""What stands where in the terminal at each size, judged by a terminal emulator that is not ours (pyte)."""

import re
from dataclasses import replace

import pytest
from terminal_pictures import ENTRY, GAMES, RAMP, READING, SGR, SHEET, SIZES, TABLE, TOP, TRUE, drawn, tray_size

from tabletop.dialogs.mistakes import TAKE_BACK
from tabletop.views.i18n.catalogue import ENGLISH_PHRASES
from tabletop.views.snapshot import DieInTray, MenuView, Snapshot, Spelling, TrayDrawing
from tabletop.views.terminal.layout import Shown, compose
from tabletop.views.terminal.panel import keys_line, told


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_the_tray_has_the_most_room_and_words_stand_beside_it(columns: int, rows: int) -> None:
    """The title above, the dice below the tray, the board beside both; below them request, buttons and keys."""
    screen = drawn(TABLE, columns, rows, address="http://here/#1234")
    wide, high = tray_size(screen)
    assert wide >= 18
    assert 3 * wide == pytest.approx(8 * high, abs=8)  # the shape of the picture, where a cell is twice as high as wide
    assert screen.display[0].split() == ["Yahtzee", "http://here/#1234"]
    beside = [line[wide:] for line in screen.display[TOP : rows - 4]]
    assert any(re.search(r">Ann +Ben", line) for line in beside)
    assert any(re.search(r"Score +120 +95", line) for line in beside)
    shown = sum(bool(re.search(rf"Box {number} +{number}\b", line)) for number in range(13) for line in beside)
    assert shown == (11 if rows == 18 else 13)
    brackets = screen.display[rows - 5]
    first, second = (screen.buffer[rows - 9][at].bg for at in (0, brackets.index("└")))
    assert brackets.count("└─") == brackets.count("─┘") == 2  # of the kept
    assert first == second  # ink
    assert screen.buffer[rows - 9][0].fg != screen.buffer[rows - 9][brackets.index("└")].fg
    assert "Ann: keep which?" in screen.display[-4]
    assert "h HOLD: Next     b BANK: Keep 5 5" in screen.display[-2]
    for word in ("t throw", "1-6", "aside", "B undo", "H menu", "TAB", "? help", "q quit"):
        assert word in screen.display[-1]


def test_the_address_is_a_link_where_the_terminal_knows_links() -> None:
    """OSC 8 around it, in the first line; on a terminal of few colours, and in a narrow one, there is none."""
    for colours, columns, linked in (
        (TRUE, 80, True),
        (256, 80, True),
        (8, 80, False),
        (TRUE, 40, True),
        (TRUE, 24, False),
    ):
        first = compose(RAMP, TABLE, Shown(columns, 24, colours, address="http://here/#1234"))[0]
        assert ("\x1b]8;;http://here/#1234\x1b\\" in first) is linked
        assert first.count("\x1b]8;;") == 2 * linked
        assert ("http://here/#1234" in first) is (columns > 24)


def test_hold_stands_left_of_bank_everywhere() -> None:
    """As on the device: whatever is shown, at each size. A button that does nothing keeps its place and its key."""
    menu = MenuView("Game?", ("Pig", "Yahtzee"), 1)
    for snapshot in (TABLE, Snapshot(hold="next", bank="take", menu=menu), Snapshot(hold="a", bank="b", entry=ENTRY)):
        for columns, rows in SIZES:
            line = drawn(snapshot, columns, rows).display[-2]
            assert 0 <= line.index("h HOLD: ") < line.index("b BANK: ")
        assert told(snapshot).index("HOLD") < told(snapshot).index("BANK")
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
    table = replace(TABLE, happened=tuple(f"Ann: throw {number}." for number in range(1, 25)))
    for sheet in (SHEET, (*SHEET, *SHEET[:10]), SHEET[:1]):
        text = "\n".join(drawn(replace(table, sheet=sheet), 120, 40).display)
        assert all(f"{row[0].capitalize()} " in text for row in sheet)
        assert text.index(ENGLISH_PHRASES.happened) < text.index("Ann: throw 23.") < text.index("Ann: throw 24.")


def test_names_of_wide_characters_keep_the_columns() -> None:
    """Scores of all players end in the same column, whatever their names are written in."""
    table = replace(TABLE, players=("李小龙", "Zoé", "Ben"), scores=(7, 12347, 97), sheet=(), thrown=())
    screen = drawn(table, 60, 18)
    wide, _ = tray_size(screen)
    cells = [[screen.buffer[row][column].data for column in range(wide, 60)] for row in range(14)]
    ends = [max(at for at, char in enumerate(row) if char == "7") for row in cells if "7" in row]
    assert len(ends) == len(table.players)
    assert len(set(ends)) == 1


def test_no_event_is_shown_in_part() -> None:
    """Events longer than a line are indented; the oldest that does not fit whole is left out."""
    table = replace(TABLE, sheet=(), happened=tuple(f"Ann: throw {n} 1 1 1 2 2 2 3 3 3 4 4 4 5" for n in range(1, 9)))
    screen = drawn(table, 60, 18)
    wide, _ = tray_size(screen)
    lines = [line[wide:].strip() for line in screen.display]
    after = lines[lines.index(ENGLISH_PHRASES.happened) + 1]
    assert after.startswith("Ann: throw")
    assert "throw 8 1" in " ".join(lines)


def test_the_drawing_of_the_tray_stands_where_the_picture_does_not_tell() -> None:
    """Which die is asked about is drawn, unless the picture has it framed already."""
    asked = replace(TABLE, sheet=(), tray=TrayDrawing(1.15, (DieInTray(0.5, 0.5, 3, asked=True),)))
    sure = replace(asked, reading=replace(READING, unsure=()))
    assert "[3]" in "\n".join(drawn(sure, 120, 40).display)
    assert "[3]" not in "\n".join(drawn(asked, 120, 40).display)


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_the_sheet_has_a_page_of_its_own(columns: int, rows: int) -> None:
    """Every box and both totals, whatever the size; the buttons stay."""
    screen = drawn(TABLE, columns, rows, sheet=True)
    text = "\n".join(screen.display)
    assert "▀" not in text
    assert all(re.search(rf"Box {number} +{number}\b", text) for number in range(13))
    assert re.search(r"Score +120 +95", text)
    assert "b BANK: Keep 5 5" in screen.display[-2]


def test_a_list_stands_beside_the_tray() -> None:
    """All lines of a menu, the one stepped to marked, its note below; a list too long for the room shows that one."""
    menu = Snapshot(hold="next", bank="take", menu=MenuView("Game?", tuple(map(str, GAMES)), 20, "2 to 10 players"))
    for columns, rows in SIZES:
        screen = drawn(menu, columns, rows)
        assert any("> Game 20" in line for line in screen.display)
        assert any("Game?" in line for line in screen.display[: TOP + 2])
        assert screen.display[-4].strip() == "2 to 10 players"


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_a_long_hint_is_shown_whole_unless_a_key_is_remarked_on(columns: int, rows: int) -> None:
    """A hint longer than a row takes the row of the request too; what is said about a key stands in its place."""
    hint = "two dice lie on each other at the left: put them apart, then throw these two once more"
    screen = drawn(replace(TABLE, hint=hint), columns, rows)
    assert hint in " ".join(line.strip() for line in screen.display[-4:-2])
    assert drawn(replace(TABLE, hint=hint), columns, rows, remark="no key").display[-3].strip() == "no key"


@pytest.mark.parametrize(("columns", "rows"), SIZES)
@pytest.mark.parametrize("at", [0, 1, 2])
def test_no_line_of_a_list_is_cut(columns: int, rows: int, at: int) -> None:
    """The longest names there are; the line stepped to is in sight, whole, and so is what BANK offers."""
    items = ("Last throw", "Wwwwwwwwwwww banked first, this throw is Mmmmmmmmmmmm's", "Somebody leaves the match")
    screen = drawn(replace(TABLE, menu=MenuView(TAKE_BACK, items, at)), columns, rows)
    wide, _ = tray_size(screen)
    words = " ".join(line[wide:].strip() for line in screen.display)
    assert items[at] in re.sub(" +", " ", words)
    offered = " ".join(line.strip() for line in drawn(replace(TABLE, offer=items[1], hint=""), columns, rows).display)
    assert items[1] in re.sub(" +", " ", offered)


@pytest.mark.parametrize("columns", range(40, 120, 5))
@pytest.mark.parametrize("tray", [True, False])
def test_the_line_of_keys_fits(columns: int, *, tray: bool) -> None:
    """At every width undo, menu, help and q are named in one line that is not cut, from 60 columns on TAB too."""
    line = keys_line(columns, tray=tray)
    assert len(line) < columns
    assert {"B", "undo", "H", "menu", "?", "help", "q"} <= set(line.split())
    assert ("TAB" in line) >= (columns >= 60)
    assert ("throw" in line) is tray


def test_a_tiny_terminal_gets_one_clear_line() -> None:
    """At 20 columns there is one line that says what to do; at 5 columns what fits of it."""
    assert compose(RAMP, TABLE, Shown(20, 24, TRUE)) == ["enlarge to 40x12"] + [""] * 23
    assert compose(RAMP, TABLE, Shown(5, 1, TRUE)) == ["enlar"]


def test_nothing_to_show_yet() -> None:
    """Before the first frame and before a match there is still a picture, and a menu is told in words."""
    empty = compose(None, Snapshot(), Shown(100, 30, TRUE))
    assert "no picture" in "".join(empty)
    menu = Snapshot(menu=MenuView("Game?", ("Pig", "Yahtzee"), 1, "2 to 10 players"))
    text = SGR.sub("", "\n".join(compose(None, menu, Shown(100, 30, TRUE))))
    assert "> Yahtzee" in text
    assert "2 to 10 players" in text
    over = Snapshot(players=("Ann", "Ben"), scores=(1, 2), winners=("Ben",), why="Ben has most")
    text = SGR.sub("", "\n".join(compose(None, over, Shown(100, 30, 0))))
    assert re.search(r"Ben wins *\nBen has most", text)


def test_what_is_spelled_and_entered_stands_in_the_words() -> None:
    """The name so far with the letter stepped to, and the dice entered, stand beside the tray."""
    spelling = Snapshot(hold="next", bank="take", spelling=Spelling("Player 2", "Jo", ("done", "erase", "a"), 2))
    entry = Snapshot("Yahtzee", ("Ann",), (0,), hold="next", bank="take", entry=ENTRY)
    for snapshot, words in ((spelling, "Player 2: Jo_ [a]"), (entry, "Ann: 3 5 [4] 3/5")):
        screen = drawn(snapshot, 60, 18)
        assert words in screen.display[TOP]
        assert words in screen.display[-4]
