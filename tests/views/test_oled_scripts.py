"""Names in other scripts on the small screen: letters drawn for it, those of the system's font, and their order."""

import os
import unicodedata
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from bitmap_font import cell, forget_letters, use_font
from hypothesis import given
from hypothesis import strategies as st
from oled_snapshots import LATIN, OTHER_SCRIPTS, SYSTEM_FONT, bare, texts

from tabletop.session.snapshotting import THROW_ONE
from tabletop.views.oled.font import (
    CAP_ROWS,
    DROP_ROWS,
    can_draw,
    in_drawing_order,
    letter_pixels,
    letters,
    unifont_letter,
)
from tabletop.views.oled.screen import layout
from tabletop.views.oled.text import BIG, SMALL, TALL, ink, wrapped
from tabletop.views.snapshot import Snapshot

# The alphabets as the languages' own spelling rules have them, in their order.
ALPHABETS = {
    "Russian": "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
    "Ukrainian": "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",
    "Belarusian": "абвгдеёжзійклмнопрстуўфхцчшыьэюя",
    "Bulgarian": "абвгдежзийклмнопрстуфхцчшщъьюя",
    "Serbian": "абвгдђежзијклљмнњопрстћуфхцчџш",
    "Macedonian": "абвгдѓежзѕијклљмнњопрстќуфхцчџш",
    "Greek": "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ",
    "Hebrew": "אבגדהוזחטיכךלמםנןסעפףצץקרשת",
}
CASED = sorted({letter for alphabet in ALPHABETS.values() for letter in alphabet + alphabet.upper()})
JAPANESE_NAME = "太郎"
REAL_FONT = Path("/usr/share/fonts/opentype/unifont/unifont.otf")

Font = Callable[[str], None]
"""Give the system a font with these letters, if any."""


@pytest.fixture
def font(tmp_path: Path) -> Iterator[Font]:
    with pytest.MonkeyPatch.context() as patch:
        yield partial(use_font, patch, tmp_path)
    forget_letters()


@pytest.mark.parametrize("language", ALPHABETS)
def test_every_letter_of_an_alphabet_is_drawn_and_no_two_alike(language: str) -> None:
    """Small letters and capitals; only what print has alike is alike here: ф and φ of two alphabets never meet."""
    alphabet = ALPHABETS[language]
    every = dict.fromkeys(alphabet + "".join(letter.upper() for letter in alphabet if len(letter.upper()) == 1))
    assert [letter for letter in every if not can_draw(letter)] == []
    pictures = {letter: (letter_pixels(letter)[0].tobytes(), letter_pixels(letter)[0].shape) for letter in every}
    assert [pair for pair in combinations(every, 2) if pictures[pair[0]] == pictures[pair[1]]] == []


def test_letters_keep_to_the_line() -> None:
    """Capitals fill seven rows down to the line, small letters five or seven; all have two rows below it."""
    for letter in CASED:
        base = unicodedata.normalize("NFD", letter)[0]
        pixels, above = letter_pixels(base)
        assert pixels.shape[0] == above + DROP_ROWS == CAP_ROWS + DROP_ROWS
        top = int(np.flatnonzero(pixels.any(axis=1))[0])
        assert top == 0 if base.isupper() else top in (0, 1, 2), letter
        assert pixels[CAP_ROWS - 1].any() or base == "י", letter


@pytest.mark.parametrize(
    ("other", "latin"), [("АВЕКМНОРСТХ", "ABEKMHOPCTX"), ("аеорсух", "aeopcyx"), ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX")]
)
def test_letters_that_look_like_latin_ones_are_drawn_like_them(other: str, latin: str) -> None:
    """As in every typeface."""
    for size in (SMALL, TALL, BIG):
        assert np.array_equal(ink(other, size).pixels, ink(latin, size).pixels)


@pytest.mark.parametrize(
    ("read", "drawn"),
    [
        ("אנה", "הנא"),
        ("Ann & אנה 43", "Ann & הנא 43"),  # a score stays at the right of its name
        ("אנה12: go", "12הנא: go"),  # UAX 9: a number after a letter from the right stands at its left
        ("12אנה", "12הנא"),
        ("אנ7ה", "ה7נא"),
        ("אנ…", "…נא"),  # what is cut off a name is its end
        ("(אנה)", "(הנא)"),
        ("אנה-לי", "יל-הנא"),
        ("אנ(ה)ב", "ב(ה)נא"),  # brackets are turned round with what they hold
        ("annאנהann", "annהנאann"),
        ("Ann", "Ann"),
    ],
)
def test_hebrew_runs_from_right_to_left(read: str, drawn: str) -> None:
    """What runs from right to left is turned round, word by word; figures are not."""
    assert "".join(in_drawing_order(read)) == drawn


def test_a_name_from_right_to_left_stands_so_in_a_sentence() -> None:
    """The first letter is at the right end of its name, which is where it would be without the rest of the sentence."""
    name, sentence = ink("אסתר").pixels, ink("אסתר wins").pixels
    assert np.array_equal(sentence[-name.shape[0] :, : name.shape[1]], name)
    first = ink("א").pixels
    assert np.array_equal(name[:, -first.shape[1] :], first)


@given(st.text(OTHER_SCRIPTS + LATIN + "12 ", max_size=20))
def test_drawing_order_loses_no_letter(text: str) -> None:
    """Whatever runs from right to left."""
    assert sorted(in_drawing_order(text)) == sorted(letters(text))


def test_marks_and_what_changes_an_emoji_belong_to_its_letter() -> None:
    """A mark without a letter of its own in Unicode, a shade of skin, a family of three: one letter each."""
    assert [len(letters(text)) for text in ("а\u0301", "👍🏽", "👨\u200d👩\u200d👧", "❤\ufe0f", "שָׁ")] == [1] * 5
    assert letters("Ann") == ("A", "n", "n")
    assert can_draw("ша\u0301")
    assert ink("🇩🇪").pixels.tobytes() == ink("DE").pixels.tobytes()
    assert ink("שָׁלוֹם").pixels.tobytes() == ink("שלום").pixels.tobytes()
    assert ink("a" + 40 * "\u0301").height <= ink("ế").height + 2


def test_letters_come_from_the_font_of_the_system(font: Font) -> None:
    """Bit by bit as the font has them, without blank columns at the sides; a letter that the font lacks is a box."""
    font(JAPANESE_NAME)
    assert can_draw(JAPANESE_NAME)
    for letter in JAPANESE_NAME:
        pixels, above = letter_pixels(letter)
        lit = cell(letter)
        lit = lit[np.flatnonzero(lit.any(axis=1))[0] :, lit.any(axis=0)]
        assert np.array_equal(pixels[:, pixels.any(axis=0)], lit)
        assert above + DROP_ROWS == pixels.shape[0]
    assert not can_draw("花")


def test_a_letter_that_joins_its_neighbours_is_not_drawn_alone(font: Font) -> None:
    """Arabic, Devanagari and Thai need more than a picture for each letter, even where the font has them."""
    names = ("سارة", "कमल", "สมชาย", "ܐܒܐ", "ꆈ")
    font("".join(names))
    assert [can_draw(name) for name in names] == [False, False, False, False, True]
    assert not can_draw("\u3164")  # a filler that is no blank for Unicode


def test_an_emoji_is_drawn_by_its_first_picture(font: Font) -> None:
    """A shade of skin, the request for a coloured picture and the rest of a family add nothing, and no boxes."""
    font("👍👨❤")
    for whole in ("👍🏽", "👨\u200d👩\u200d👧", "❤\ufe0f"):
        assert can_draw(whole)
        assert np.array_equal(ink(whole).pixels, ink(whole[0]).pixels)


def test_a_broken_font_is_none(font: Font, tmp_path: Path) -> None:
    """A file that is no font counts as if it were not there."""
    font("")
    (tmp_path / "fonts").mkdir()
    (tmp_path / "fonts" / "unifont.ttf").write_bytes(b"no font")
    assert not can_draw(JAPANESE_NAME)


def test_a_name_too_high_for_the_low_screen_is_told_by_its_seat(font: Font) -> None:
    """Letters of sixteen rows leave no room for what to do there; on the high screen the name stands as it is."""
    font(JAPANESE_NAME)
    table = Snapshot("Pig", ("Ann", JAPANESE_NAME), (3, 4), JAPANESE_NAME, THROW_ONE, hint=f"{JAPANESE_NAME} banks")
    assert {box.text for box in layout(table)[0]} >= {JAPANESE_NAME}
    low = {box.text for box in layout(table, height=32)[0]}
    assert {"player 2", "Player 2 banks"} <= low


def test_a_name_of_twelve_high_letters_is_told_in_full(font: Font) -> None:
    """On the score sheet, where it is higher than a page."""
    name = "444444Щააააა"
    font(SYSTEM_FONT)
    players = (*"abcdefgh", name)
    sheet = (("ones", *"00000000", "7"),)
    table = Snapshot("Pig", players, (0,) * 9, "", THROW_ONE, hold="pause", sheet=sheet)
    assert bare(f"{name}7") in texts(table, 64)


def test_a_word_is_broken_between_letters_only() -> None:
    """A mark never begins a line."""
    for line in wrapped("а\u0301" * 20, 40):
        assert line.startswith("а")


@pytest.mark.skipif(not REAL_FONT.exists() and "CI" not in os.environ, reason="needs the package fonts-unifont")
def test_the_real_font_is_read_bit_by_bit(font: Font, tmp_path: Path) -> None:
    """A is what GNU Unifont's own documentation gives as its example of a letter; names and emoji are there."""
    (tmp_path / "fonts").symlink_to(REAL_FONT.parent)
    font("")
    example = (
        "0000000018242442427E424242420000"  # rows of eight bits, https://unifoundry.com/unifont/unifont-utilities.html
    )
    whole = np.unpackbits(np.frombuffer(bytes.fromhex(example), np.uint8)).reshape(16, 8).astype(bool)
    pixels, above = unifont_letter("A") or (np.zeros(0), 0)
    assert np.array_equal(pixels, whole[14 - above :, 1:7])
    assert can_draw("太郎花子김민준Գառնիკა😀🎲" + SYSTEM_FONT)
    assert not can_draw("سارة")
