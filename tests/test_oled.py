"""The small screen: nothing cut off, nothing over another, everything said, the important things large."""

import unicodedata
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import Image

from tabletop.dice import Reading
from tabletop.ports import ButtonName
from tabletop.views import oled_sheet
from tabletop.views.oled import SHIFT_EVERY_S, draw, layout, page_at, pages, shift_at, unpressed
from tabletop.views.oled_box import CROSSED, Box, paint
from tabletop.views.oled_letters import can_draw, letter_pixels
from tabletop.views.oled_ranking import ranking
from tabletop.views.oled_text import (
    BIG,
    HUGE,
    NUMBER,
    SMALL,
    TALL,
    TRIM,
    WIDE_NUMBER,
    Size,
    extent,
    ink,
    shortened,
    wrapped,
)
from tabletop.views.snapshot import Entry, Menu, Snapshot, Spelling

PICTURES = dict(oled_sheet.pictures())
GOLDEN = Path(__file__).parent / "golden" / "oled"
HEIGHTS_PX = (64, 32)
LATIN = "".join(chr(code) for code in (*range(0x21, 0x7F), *range(0xC0, 0x180)) if chr(code) not in ",=")

names = st.one_of(
    st.text(LATIN, min_size=1, max_size=12),
    st.sampled_from(("Ann", "Jörg", "Bartholomew", "WWWWWWWWWWWW", "@@@@@@@@@@@@", "Śćgjpqy", "太郎")),
)
sentences = st.lists(st.text("abcdefghijklmnopqrstuvwxyz0123456789,;:", min_size=1, max_size=11), max_size=12).map(
    lambda words: " ".join(words)[:60].strip()
)
labels = st.text("abcdefghijklmnopqrstuvwxyz äöü", max_size=9).map(str.strip)
scores = st.integers(-99999, 99999)

cells = st.sampled_from(("", "0", "7", "25", "xx", "6/5", "3-6"))
sheet_labels = st.sampled_from(("ones", "three of a kind", "yahtzee bonus", "12", "round 10", "now", "claimed"))


@st.composite
def matches(draw_value: st.DrawFn) -> Snapshot:
    """Snapshots of matches, wider than any game makes them."""
    players = tuple(draw_value(st.lists(names, min_size=1, max_size=10, unique=True)))
    thrown = tuple(draw_value(st.lists(st.integers(1, 6), max_size=6)))
    return Snapshot(
        game="Pig",
        players=players,
        scores=tuple(draw_value(scores) for _ in players),
        asked=draw_value(st.sampled_from(("", *players))),
        ask=draw_value(st.sampled_from(("throw one die", "throw 6 dice", "keep which?", "roll or bank?", "choose"))),
        at_stake=draw_value(st.one_of(st.just(0), scores)),
        offer=draw_value(st.sampled_from(("", "keep 1 5, bank", "three of a kind 25", "keep 1 1 1 5 5 5, bank"))),
        thrown=thrown,
        kept=tuple(draw_value(st.booleans()) for _ in thrown),
        hint=draw_value(st.one_of(st.just(""), sentences)),
        hold=draw_value(labels),
        bank=draw_value(labels),
        paused=draw_value(st.booleans()),
        winners=tuple(draw_value(st.lists(st.sampled_from(players), max_size=3, unique=True))),
        why=draw_value(st.one_of(st.just(""), sentences)),
        thrower=draw_value(st.sampled_from(("", "", *players))),
        between=draw_value(st.booleans()),
        cursor=draw_value(st.one_of(st.none(), st.integers(0, len(thrown) - 1))) if thrown else None,
        sheet=tuple(
            (label, *(draw_value(cells) for _ in players)) for label in draw_value(st.lists(sheet_labels, max_size=7))
        ),
    )


@st.composite
def menus(draw_value: st.DrawFn) -> Snapshot:
    """Snapshots of menus."""
    items = tuple(
        draw_value(st.lists(sentences.filter(bool).map(lambda text: text[:48].strip()), min_size=1, max_size=34))
    )
    at = draw_value(st.integers(0, len(items) - 1))
    title = draw_value(sentences.filter(bool).map(lambda text: text[:30].strip()))
    return Snapshot(hold="next", bank="take", menu=Menu(title, items, at, draw_value(sentences)))


@st.composite
def askings(draw_value: st.DrawFn) -> Snapshot:
    """Snapshots of names being spelled and faces being told."""
    if draw_value(st.booleans()):
        letters = (*"ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜ -", "back", "done")
        at = draw_value(st.integers(0, len(letters) - 1))
        text = draw_value(st.one_of(st.just(""), names))
        return Snapshot(hold="next", bank="take", spelling=Spelling("New name", text, letters, at))
    due = draw_value(st.integers(1, 10))
    told = tuple(draw_value(st.lists(st.integers(0, 6), max_size=due - 1)))
    entry = Entry(draw_value(names), told, due, draw_value(st.integers(0, 6)))
    return Snapshot(hold="count up", bank="take", entry=entry)


snapshots = st.one_of(matches(), menus(), askings())
WIDEST = Snapshot("Pig", ("@" * 12, "Ann"), (-4320, 0), "@" * 12, "throw one die", hold="pause")


def texts(snapshot: Snapshot, height: int) -> str:
    """Return all that the pages say above their bottom line, without blanks, in the order in which it stands there."""
    bar = tuple(text for text in (snapshot.hold, snapshot.bank) if text)
    every = layout(snapshot, height=height)
    assert all(tuple(box.text for box in page[len(page) - len(bar) :]) == bar for page in every)
    return "".join(box.text for page in every for box in page[: len(page) - len(bar)]).replace(" ", "")


def told(snapshot: Snapshot, name: str) -> str:
    """Return what stands for a player's name: the seat, where a letter of it cannot be drawn."""
    return name if can_draw(name) else f"player {snapshot.players.index(name) + 1}"


def bare(text: str) -> str:
    """Return a text as it is drawn, without blanks."""
    return unicodedata.normalize("NFC", text).replace(" ", "")


def apart(one: Box, other: Box) -> bool:
    """Tell whether two boxes share no pixel."""
    beside = one.x + one.width <= other.x or other.x + other.width <= one.x
    return beside or one.y + one.height <= other.y or other.y + other.height <= one.y


@pytest.mark.parametrize("height", HEIGHTS_PX)
@settings(max_examples=120, deadline=None)
@given(snapshot=snapshots)
@example(snapshot=WIDEST)
def test_nothing_overlaps_or_is_cut_off(height: int, snapshot: Snapshot) -> None:
    """On every page all boxes lie on the screen and apart, and the ink of each has room in its box.

    Two columns stay free, and on the higher screen one row: as far as the picture is moved against burning in.
    """
    for page in layout(snapshot, height=height):
        for box in page:
            assert box.x >= 0
            assert box.y >= 0
            assert box.x + box.width <= 126
            assert box.y + box.height <= (63 if height == 64 else 32)
            if box.text:
                drawn = ink(box.text, box.size)
                assert box.inset[0] + drawn.width <= box.width
                assert box.inset[1] + drawn.height <= box.height
        assert all(apart(one, other) for one, other in combinations(page, 2))


@pytest.mark.parametrize("height", HEIGHTS_PX)
@settings(max_examples=120, deadline=None)
@given(snapshot=matches())
@example(snapshot=WIDEST)
def test_everything_is_said(height: int, snapshot: Snapshot) -> None:
    """Name, request, stake, hint, labels and all scores stand on the pages of a match in full."""
    said = texts(snapshot, height)
    for player, score in zip(snapshot.players, snapshot.scores, strict=True):
        assert bare(told(snapshot, player)) in said
        assert str(score) in said
    if snapshot.winners:
        assert bare(snapshot.why) in said
        return
    for row in (row for row in snapshot.sheet if snapshot.asked or any(row[1:])):
        assert bare(row[0]) in said
        assert all(cell in said for cell in row[1:])
    assert bare(snapshot.hint) in said
    if snapshot.at_stake:
        assert str(abs(snapshot.at_stake)) in said
    if snapshot.paused:
        assert "paused" in said
    elif not snapshot.hint and snapshot.thrower in {"", snapshot.asked}:
        assert bare(snapshot.offer or snapshot.ask) in said
    elif not snapshot.hint:
        assert bare(snapshot.ask) in said


@pytest.mark.parametrize("height", HEIGHTS_PX)
@settings(max_examples=60, deadline=None)
@given(snapshot=matches())
def test_the_first_page_says_whose_turn_it_is_or_holds_a_hint(height: int, snapshot: Snapshot) -> None:
    """Nobody has to wait for a page to turn in order to know what to do."""
    first = bare("".join(box.text for box in layout(snapshot, height=height)[0]))
    if snapshot.winners:
        return
    if snapshot.hint and not snapshot.paused:
        assert bare(snapshot.hint)[:20] in first
    elif snapshot.asked or not snapshot.paused:
        assert bare(told(snapshot, snapshot.asked) if snapshot.asked else snapshot.ask) in first
    if snapshot.thrower and not snapshot.hint and not snapshot.paused:
        room = 1 if height == 64 else 2  # pages: on two lines there may be no room for both
        said = bare("".join(box.text for page in layout(snapshot, height=height)[:room] for box in page))
        assert bare(told(snapshot, snapshot.thrower) + "threw") in said


@pytest.mark.parametrize("height", HEIGHTS_PX)
@settings(max_examples=60, deadline=None)
@given(snapshot=matches())
def test_dice_are_shown_as_thrown_and_kept_ones_are_lit(height: int, snapshot: Snapshot) -> None:
    """The dice of some page are the throw, in its order, each lit as it is kept."""
    if snapshot.winners:
        return
    expected = list(zip(snapshot.thrown, snapshot.kept, strict=True))
    shown = [[(box.face, box.inverse) for box in page if box.face] for page in layout(snapshot, height=height)]
    assert expected in shown
    assert all(faces in ([], expected) for faces in shown)


@pytest.mark.parametrize("height", HEIGHTS_PX)
@settings(max_examples=60, deadline=None)
@given(snapshot=menus())
def test_a_menu_shows_the_chosen_item_lit_and_its_note(height: int, snapshot: Snapshot) -> None:
    """The item that BANK would take begins the first page lit, and goes on lit where it is long; the note follows."""
    assert snapshot.menu is not None
    every = layout(snapshot, height=height)
    lit = "".join(box.text for page in every for box in page if box.inverse and box.text not in ("next", "take"))
    assert any(box.inverse and bare(lit).startswith(bare(box.text)) for box in every[0])
    assert bare(lit) == bare(snapshot.menu.items[snapshot.menu.at])
    assert bare(snapshot.menu.note) in texts(snapshot, height)


@settings(max_examples=30, deadline=None)
@given(snapshot=snapshots)
def test_a_picture_depends_on_the_snapshot_alone(snapshot: Snapshot) -> None:
    """Equal snapshots give equal pictures of the right shape, whatever the camera sees."""
    seen = replace(snapshot, reading=Reading(width=640, height=480, time_s=3.0))
    for height in HEIGHTS_PX:
        one, other = draw(snapshot, height=height), draw(seen, height=height)
        assert one.shape == (height, 128)
        assert one.dtype == np.bool_
        assert np.array_equal(one, other)


def rows_of(text: str, snapshot: Snapshot, height: int = 64) -> int:
    """Return how many rows the ink of a text takes on the first page."""
    (box,) = (box for box in layout(snapshot, height=height)[0] if box.text == text)
    lit = np.flatnonzero(paint([box], 128, height).any(axis=1))
    return int(lit[-1] - lit[0] + 1)


def test_name_and_stake_are_large() -> None:
    """Capitals of two millimetres and a half can be read at two metres (1 mm is 6 pixels of a 0.96 inch screen)."""
    turn = Snapshot("Pig", ("Ann", "Ben"), (0, 0), "Ann", "roll or bank?", 14, thrown=(6,), hold="roll", bank="bank")
    assert rows_of("Ann", turn) >= 21
    assert rows_of("+14", turn) >= 32
    keep = replace(oled_sheet.SCREENS["keep"], asked="Bartholomew")
    assert rows_of("Bartholomew", keep) >= 14
    assert rows_of("+350", keep) >= 32
    assert rows_of("Ann", turn, 32) >= 21


@settings(max_examples=120, deadline=None)
@given(snapshot=matches())
@example(snapshot=WIDEST)
def test_what_is_at_stake_is_32_rows_high_unless_there_is_news(snapshot: Snapshot) -> None:
    """So is the score where nothing is at stake, beside any name that fits one line of large letters."""
    calm = replace(snapshot, hint="", thrower="", cursor=None, winners=(), thrown=snapshot.thrown[:6], paused=False)
    if not calm.asked or not can_draw(calm.asked) or extent(calm.asked, TALL).width > 126:
        return
    if extent(calm.asked, TALL).height > 18:  # letters with something above and something below
        return
    number = f"{calm.at_stake:+d}" if calm.at_stake else str(calm.scores[calm.players.index(calm.asked)])
    first = layout(calm)[0]
    assert any(box.text == number and box.size in (NUMBER, WIDE_NUMBER) and box.height == 32 for box in first)
    assert any(box.text == calm.asked for box in first)


def test_who_threw_is_told_in_the_largest_letters() -> None:
    """The commonest slip is that BANK was forgotten: the name of who threw stands out, with what was thrown."""
    page = layout(oled_sheet.SCREENS["thrower"])[0]
    (name,) = (box for box in page if box.text == "Ann")
    assert name.height == max(box.height for box in page) == 28
    assert [box.face for box in page if box.face] == [6]


def test_between_turns_the_ranking_comes_by_itself() -> None:
    """First stands whose turn it is, then everybody with a place, those with equal scores sharing one."""
    first, *others = layout(oled_sheet.SCREENS["between"])
    assert "Bartholomew" in {box.text for box in first}
    ranks = [box.text for page in others for box in page if box.text[:1].isdigit()]
    assert ranks == ["1 Ann", "64", "1 Cid", "64", "3 Bartholomew", "61"]


def test_between_turns_the_fewest_lead_where_they_win() -> None:
    """In golf the ranking begins with the lowest total long before anybody has won."""
    golf = Snapshot("Golf", ("Ann", "Ben", "Cid"), (7, 5, 6), "Ann", "throw 3 dice", between=True, fewest_win=True)
    assert [name for _, name, _ in ranking(golf)] == ["Ben", "Cid", "Ann"]
    assert [name for _, name, _ in ranking(replace(golf, fewest_win=False))] == ["Ann", "Cid", "Ben"]


@pytest.mark.parametrize("height", HEIGHTS_PX)
@settings(max_examples=60, deadline=None)
@given(snapshot=snapshots, button=st.sampled_from(("hold", "bank")), held=st.floats(0, 1))
def test_a_press_changes_one_label_only(height: int, snapshot: Snapshot, button: ButtonName, held: float) -> None:
    """What changes lies in the last ten rows of its own half; without the press it is as if nothing had been."""
    pressed = replace(snapshot, pressed=button, held=held)
    for page in range(pages(snapshot, height=height)):
        before, after = draw(snapshot, height=height, page=page), draw(pressed, height=height, page=page)
        rows, columns = np.nonzero(before != after)
        label = snapshot.hold if button == "hold" else snapshot.bank
        assert rows.size or (label.strip() and held > 0.9)
        if rows.size:
            assert rows.min() >= height - 16
            assert (columns.max() < 64) if button == "hold" else (columns.min() >= 62)
    assert unpressed(pressed) == unpressed(snapshot)


def test_a_pressed_label_is_the_other_way_round_and_fills_while_it_is_held() -> None:
    """At first every pixel of the label changes, then ever fewer from the left, at a long press none."""
    calm = Snapshot("Pig", ("Ann",), (0,), "Ann", "throw one die", hold="pause", bank="take")
    box = next(box for box in layout(calm)[0] if box.text == "pause")
    changed = [
        int((draw(calm) != draw(replace(calm, pressed="hold", held=held))).sum())
        for held in (0.0, 0.25, 0.5, 0.75, 1.0)
    ]
    assert changed[0] == box.width * box.height
    assert changed == sorted(changed, reverse=True)
    assert changed[-1] == 0


@pytest.mark.parametrize("height", HEIGHTS_PX)
@settings(max_examples=30, deadline=None)
@given(snapshot=snapshots, now_s=st.floats(0, 1e6))
def test_the_picture_moves_and_loses_nothing(height: int, snapshot: Snapshot, now_s: float) -> None:
    """It has the same pixels at any time, up to two columns and a row away, and none of them leaves the screen."""
    still, moved = draw(snapshot, height=height), draw(snapshot, height=height, shift=shift_at(now_s))
    assert moved.sum() == still.sum()
    right, down = shift_at(now_s)
    if height == 32:
        down = 0
    assert np.array_equal(moved, np.roll(still, (down, right), axis=(0, 1)))


def test_the_picture_moves_a_pixel_every_few_minutes() -> None:
    """In twenty minutes it has been in six places, each one step from the last."""
    places = [shift_at(n * SHIFT_EVERY_S) for n in range(7)]
    assert len(set(places)) == 6
    assert places[0] == places[6]
    assert all(abs(x - u) + abs(y - v) == 1 for (x, y), (u, v) in pairwise(places))
    assert 60 <= SHIFT_EVERY_S <= 600


def test_the_die_that_is_asked_about_has_an_arrow_below_it() -> None:
    """One arrow, right below that die, in the middle of it."""
    asked = oled_sheet.SCREENS["die-by-die"]
    for height in HEIGHTS_PX:
        page = next(page for page in layout(asked, height=height) if any(box.face for box in page))
        dice = [box for box in page if box.face]
        (arrow,) = (box for box in page if box.arrow)
        die = dice[4]
        assert 0 < arrow.y - (die.y + die.height) <= 2
        assert abs(2 * arrow.x + arrow.width - 2 * die.x - die.width) <= 1


@pytest.mark.parametrize("height", HEIGHTS_PX)
@settings(max_examples=60, deadline=None)
@given(snapshot=askings())
def test_what_is_spelled_or_told_stands_there(height: int, snapshot: Snapshot) -> None:
    """The letter stepped to is lit and larger than its neighbours; the face told is a large die, the others small."""
    first, *_ = every = layout(snapshot, height=height)
    if snapshot.spelling is not None:
        spelling = snapshot.spelling
        (lit,) = (box for box in first if box.inverse and box.text not in ("next", "take"))
        assert lit.text == spelling.letters[spelling.at].replace(" ", "␣")
        assert lit.height > max((box.height for box in first if box.text == "A" and not box.inverse), default=9)
        assert bare(spelling.text) in texts(snapshot, height)
        return
    entry = snapshot.entry
    assert entry is not None
    said = texts(snapshot, height)
    assert bare(entry.who) in said
    assert (bare(f"die {len(entry.faces) + 1} of {entry.due}") in said) == (entry.due > 1)
    die = max((box for page in every for box in page if box.face), key=lambda box: box.width)
    assert die.face == (entry.face or CROSSED)
    assert die.width >= (25 if height == 64 else 17)


def test_labels_stand_at_their_buttons() -> None:
    """HOLD is the left button and BANK the right one, and so are their lit labels at the very bottom."""
    *_, left, right = layout(Snapshot("Pig", ("Ann",), (0,), "Ann", "roll or bank?", hold="roll", bank="bank"))[0]
    assert (left.text, left.x, left.y + left.height, left.inverse) == ("roll", 0, 63, True)
    assert (right.text, right.x + right.width, right.y + right.height, right.inverse) == ("bank", 126, 63, True)


def test_the_faces_have_their_pips() -> None:
    """A die drawn with dark ground has as many separate pips inside its outline as its face says."""
    for edge, pip in ((9, 1), (12, 2), (17, 3)):
        for face in range(1, 7):
            inside = paint([Box(0, 0, edge, edge, face=face)], edge, edge)[1:-1, 1:-1]
            assert inside.sum() == face * pip * pip
            lit = paint([Box(0, 0, edge, edge, face=face, inverse=True)], edge, edge)[1:-1, 1:-1]
            assert np.array_equal(lit, ~inside)


def test_what_is_no_die_is_crossed_out() -> None:
    """Both diagonals inside the outline, and nothing else."""
    for edge in (9, 12, 51):
        inside = paint([Box(0, 0, edge, edge, face=CROSSED)], edge, edge)[2:-2, 2:-2]
        side = np.arange(edge - 4)
        assert np.array_equal(np.argwhere(inside), np.argwhere((side == side[:, None]) | (side == side[::-1, None])))


def test_all_latin_letters_differ() -> None:
    """Every letter of Latin-1 and Latin Extended-A has a picture, and no two letters have the same one."""
    left_out = "\u0132\u0133\u0138\u013f\u0140\u0149\u017f\u00d7\u00f7"  # ligatures, old letters, signs: in no name
    letters = [letter for letter in LATIN if letter not in left_out]
    assert [letter for letter in letters if not can_draw(letter)] == []
    same = {("Ð", "Đ"), ("ð", "đ"), ("0", "O")}  # as on many a typewriter
    pictures = {letter: (letter_pixels(letter)[0].shape, letter_pixels(letter)[0].tobytes()) for letter in letters}
    assert {(one, two) for one, two in combinations(letters, 2) if pictures[one] == pictures[two]} <= same


def test_another_script_is_a_box_a_letter() -> None:
    """What cannot be drawn is seen to be missing."""
    assert not can_draw("太郎")
    assert ink("太郎").width == 2 * 5 + 1


def test_a_name_in_another_script_is_told_by_its_seat() -> None:
    """Large and clear, in hints as well, rather than boxes that nobody can tell apart."""
    table = Snapshot("Pig", ("太郎", "Ann", "花子"), (3, 4, 5), "花子", "throw one die", hint="waiting for 花子")
    first = layout(table)[0]
    assert {"player 3", "waiting for player 3"} <= {box.text for box in first}
    assert not any(ord(letter) > 0x2FFF for page in layout(table) for box in page for letter in box.text)


@given(st.text(LATIN + " ", max_size=20), st.sampled_from((SMALL, TALL, TRIM, BIG, HUGE)))
def test_room_is_known_before_anything_is_drawn(text: str, size: Size) -> None:
    """What a text takes as reckoned is what its ink takes."""
    drawn, room = ink(text, size), extent(text, size)
    assert (room.width, room.height, room.above) == (drawn.width, drawn.height, drawn.above)


@given(st.integers(-99999, 99999), st.sampled_from((NUMBER, WIDE_NUMBER)))
def test_large_figures_take_the_room_that_was_reckoned(number: int, size: Size) -> None:
    """32 rows, and columns as reckoned."""
    drawn, room = ink(f"{number:+d}", size), extent(f"{number:+d}", size)
    assert (room.width, room.height) == (drawn.width, drawn.height)
    assert drawn.height == 32


def test_winners_are_first_and_equal_scores_share_a_place() -> None:
    """Two share the first place, so the next is third; after golf's 70 comes 72; tied losers share theirs."""
    tie = Snapshot("Pig", ("Ann", "Ben", "Cid"), (100, 61, 100), winners=("Ann", "Cid"))
    assert ranking(tie) == ((1, "Ann", 100), (1, "Cid", 100), (3, "Ben", 61))
    golf = Snapshot("Golf", ("Ann", "Ben", "Cid", "Dora"), (75, 70, 81, 72), winners=("Ben",))
    assert [name for _, name, _ in ranking(golf)] == ["Ben", "Dora", "Ann", "Cid"]
    losers = Snapshot("Pig", ("Ann", "Ben", "Cid", "Dora"), (10, 100, 10, 5), winners=("Ben",))
    assert ranking(losers) == ((1, "Ben", 100), (2, "Ann", 10), (2, "Cid", 10), (4, "Dora", 5))


def test_the_first_page_comes_back_after_each_other_one() -> None:
    """With three pages: first, second, first, third, first, second."""
    assert [page_at(second, 3) for second in (0, 5.9, 6, 8.9, 9, 15, 18, 24)] == [0, 0, 1, 1, 0, 2, 0, 1]
    assert {page_at(second, 1) for second in range(30)} == {0}


def test_pages_go_round() -> None:
    """After the last page comes the first again."""
    ten = oled_sheet.SCREENS["ten-players"]
    assert pages(ten) == 2
    assert np.array_equal(draw(ten, page=2), draw(ten))
    assert not np.array_equal(draw(ten, page=1), draw(ten))


@given(st.text("abc W", max_size=60), st.integers(8, 128))
def test_wrapping_loses_nothing(text: str, width: int) -> None:
    """Lines are no wider than asked and hold all words in their order."""
    lines = wrapped(text, width)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(ink(line, SMALL).width <= width for line in lines)


def test_a_text_that_fits_is_not_shortened() -> None:
    """An ellipsis says that something is missing, and only then."""
    assert shortened("bank", 60) == "bank"
    assert shortened("bank everything now", 60).endswith("…")


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_those_that_were_looked_at(name: str) -> None:
    """After a wanted change: `python -m tabletop.views.oled_sheet tests/golden/oled`, and look at what changed."""
    with Image.open(GOLDEN / f"{name}.png") as golden:
        assert np.array_equal(np.asarray(golden), np.asarray(PICTURES[name]))


def test_every_golden_picture_has_its_screen() -> None:
    """No file is left over from a screen that is gone."""
    assert {file.stem for file in GOLDEN.glob("*.png")} == set(PICTURES)


def test_the_sheet_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One command writes the contact sheet or the single pictures; a wrong call is told in one line."""
    assert oled_sheet.main([str(tmp_path / "all.png")]) == 0
    with Image.open(tmp_path / "all.png") as sheet:
        assert sheet.width > 4 * 3 * 128
    assert oled_sheet.main([str(tmp_path / "one")]) == 0
    assert len(list((tmp_path / "one").glob("*.png"))) == len(PICTURES)
    assert oled_sheet.main([]) == 2
    assert "expected one file" in capsys.readouterr().err
