"""The small screen: nothing cut off, nothing over another, everything said, the important things large."""

import unicodedata
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from tabletop.dice import Reading
from tabletop.views import oled_sheet
from tabletop.views.oled import draw, layout, page_at, pages
from tabletop.views.oled_box import Box, paint
from tabletop.views.oled_letters import can_draw, letter_pixels
from tabletop.views.oled_ranking import ranking
from tabletop.views.oled_text import SMALL, ink, shortened, wrapped
from tabletop.views.snapshot import Menu, Snapshot

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
    )


@st.composite
def menus(draw_value: st.DrawFn) -> Snapshot:
    """Snapshots of menus."""
    items = tuple(
        draw_value(st.lists(sentences.filter(bool).map(lambda text: text[:26].strip()), min_size=1, max_size=34))
    )
    at = draw_value(st.integers(0, len(items) - 1))
    title = draw_value(sentences.filter(bool).map(lambda text: text[:20].strip()))
    return Snapshot(hold="next", bank="take", menu=Menu(title, items, at, draw_value(sentences)))


snapshots = st.one_of(matches(), menus())


def texts(snapshot: Snapshot, height: int) -> str:
    """Return all that the pages say above their bottom line, without blanks, in the order in which it stands there."""
    bar = tuple(text for text in (snapshot.hold, snapshot.bank) if text)
    every = layout(snapshot, height=height)
    assert all(tuple(box.text for box in page[len(page) - len(bar) :]) == bar for page in every)
    return "".join(box.text for page in every for box in page[: len(page) - len(bar)]).replace(" ", "")


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
def test_nothing_overlaps_or_is_cut_off(height: int, snapshot: Snapshot) -> None:
    """On every page all boxes lie on the screen and apart, and the ink of each has room in its box."""
    for page in layout(snapshot, height=height):
        for box in page:
            assert box.x >= 0
            assert box.y >= 0
            assert box.x + box.width <= 128
            assert box.y + box.height <= height
            if box.text:
                drawn = ink(box.text, box.size)
                assert box.inset[0] + drawn.width <= box.width
                assert box.inset[1] + drawn.height <= box.height
        assert all(apart(one, other) for one, other in combinations(page, 2))


@pytest.mark.parametrize("height", HEIGHTS_PX)
@settings(max_examples=120, deadline=None)
@given(snapshot=matches())
def test_everything_is_said(height: int, snapshot: Snapshot) -> None:
    """Name, request, stake, hint, labels and all scores stand on the pages of a match in full."""
    said = texts(snapshot, height)
    for player, score in zip(snapshot.players, snapshot.scores, strict=True):
        assert bare(player) in said
        assert str(score) in said
    if snapshot.winners:
        return
    assert bare(snapshot.hint) in said
    if snapshot.at_stake:
        assert str(abs(snapshot.at_stake)) in said
    if snapshot.paused:
        assert "paused" in said
    elif not snapshot.hint:
        assert bare(snapshot.offer or snapshot.ask) in said


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
    else:
        assert bare(snapshot.asked or snapshot.ask) in first


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
    """The item that BANK would take stands in full in a lit box of the first page, the note in full on the pages."""
    assert snapshot.menu is not None
    first = layout(snapshot, height=height)[0]
    lit = "".join(box.text for box in first if box.inverse and box.text not in ("next", "take"))
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
    assert rows_of("+14", turn) >= 28
    keep = replace(oled_sheet.SCREENS["keep"], asked="Bartholomew")
    assert rows_of("Bartholomew", keep) >= 14
    assert rows_of("+350", keep) >= 21
    assert rows_of("Ann", turn, 32) >= 21


def test_labels_stand_at_their_buttons() -> None:
    """HOLD is the left button and BANK the right one, and so are their lit labels at the very bottom."""
    *_, left, right = layout(Snapshot("Pig", ("Ann",), (0,), "Ann", "roll or bank?", hold="roll", bank="bank"))[0]
    assert (left.text, left.x, left.y + left.height, left.inverse) == ("roll", 0, 64, True)
    assert (right.text, right.x + right.width, right.y + right.height, right.inverse) == ("bank", 128, 64, True)


def test_the_faces_have_their_pips() -> None:
    """A die drawn with dark ground has as many separate pips inside its outline as its face says."""
    for edge, pip in ((9, 1), (12, 2), (17, 3)):
        for face in range(1, 7):
            inside = paint([Box(0, 0, edge, edge, face=face)], edge, edge)[1:-1, 1:-1]
            assert inside.sum() == face * pip * pip
            lit = paint([Box(0, 0, edge, edge, face=face, inverse=True)], edge, edge)[1:-1, 1:-1]
            assert np.array_equal(lit, ~inside)


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
