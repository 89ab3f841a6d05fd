"""The small screen bit by bit: letters, figures, dice, labels under a finger, and the picture that moves."""

from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oled_snapshots import HEIGHTS_PX, LATIN, snapshots

from tabletop.core.ports import ButtonName
from tabletop.session.snapshotting import THROW_ONE
from tabletop.views.oled.boxes import Box, paint
from tabletop.views.oled.font import can_draw, letter_pixels
from tabletop.views.oled.screen import SHIFT_EVERY_S, draw, layout, page_at, pages, shift_at, unpressed
from tabletop.views.oled.text import SMALL, ink, shortened, wrapped
from tabletop.views.snapshot import Snapshot


@pytest.mark.parametrize("height", HEIGHTS_PX)
@settings(max_examples=40, deadline=None)
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
    calm = Snapshot("Pig", ("Ann",), (0,), "Ann", THROW_ONE, hold="pause", bank="take")
    box = next(box for box in layout(calm)[0] if box.text == "Pause")
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


def test_the_faces_have_their_pips() -> None:
    """A die drawn with dark ground has as many separate pips inside its outline as its face says."""
    for edge, pip in ((12, 2), (17, 3)):
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


def test_the_first_page_comes_back_after_each_other_one() -> None:
    """With three pages: first, second, first, third, first, second."""
    assert [page_at(second, 3) for second in (0, 5.9, 6, 8.9, 9, 15, 18, 24)] == [0, 0, 1, 1, 0, 2, 0, 1]
    assert {page_at(second, 1) for second in range(30)} == {0}
