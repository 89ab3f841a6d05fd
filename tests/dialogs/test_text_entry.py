"""Names put together with two buttons."""

from string import ascii_letters

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.core.ports import Press
from tabletop.dialogs.entries import ACCENTED, TextEntry, accents
from tabletop.rules.names import checked_name
from tabletop.views.oled.font import can_draw

HOLD, BANK, BACK = Press("hold"), Press("bank"), Press("bank", long=True)


def _taken(writing: TextEntry, letter: str) -> TextEntry | str:
    for _ in range(len(writing.letters)):
        if writing.letters[writing.at] == letter:
            after = writing.press(BANK)
            assert after is not None
            return after
        stepped = writing.press(HOLD)
        assert isinstance(stepped, TextEntry)
        writing = stepped
    raise AssertionError(f"{letter} is not offered: {writing.letters}")


def _spelled(writing: TextEntry, *letters: str) -> TextEntry:
    for letter in letters:
        after = _taken(writing, letter)
        assert isinstance(after, TextEntry)
        writing = after
    return writing


@pytest.mark.parametrize("name", ["Jo", "Anna-Lena", "Wilhelmina-A", "R2d2"])
def test_a_name_is_spelled_capitals_first(name: str) -> None:
    """A capital begins the name and what follows a hyphen; twelve letters are not too many."""
    assert _taken(_spelled(TextEntry("Player 1"), *name), "done") == name


@pytest.mark.parametrize(
    ("letters", "name"), [("Y accent Ý v e s", "Ýves"), ("J u e accent ë r g", "Juërg"), ("O accent Ö", "Ö")]
)
def test_accents_stand_behind_the_letter(letters: str, name: str) -> None:
    assert _taken(_spelled(TextEntry("Player 1"), *letters.split()), "done") == name


def test_a_letter_has_its_forms_in_european_languages() -> None:
    """Each can be drawn and stays a capital or none; the plain letter is among them, and 7 has none."""
    for letter in (*ascii_letters, *"".join(ACCENTED)):
        others = accents(letter)
        assert all(can_draw(other) and other.isupper() == letter.isupper() for other in others)
        assert letter in ascii_letters or set(others) & set(ascii_letters)
    assert (accents("u")[0], "ß" in accents("s"), "Ł" in accents("L"), accents("7")) == ("ü", True, True, ())


def _presses(name: str) -> int:
    writing, count = TextEntry("Player 1"), 0
    for letter in (*name, "done"):
        count += writing.letters.index(letter) + 1
        after = _taken(writing, letter)
        if isinstance(after, TextEntry):
            writing = after
    return count


@pytest.mark.parametrize(("name", "before"), [("Anna", 40), ("Peter", 77), ("Maria", 55), ("Ben", 28), ("Jo", 29)])
def test_a_likely_next_letter_is_close(name: str, before: int) -> None:
    """Names take fewer presses than where done, erase, accent and the alphabet stand before each letter."""
    assert _presses(name) < before


def test_a_letter_that_is_not_likely_stands_in_the_alphabet() -> None:
    """All letters are there in their order, whatever stands before them; "done" is first from the third letter on."""
    for text in ("A", "An", "Ann", "Annö", "Xy"):
        letters = TextEntry("Player 1", text).letters
        assert "".join(letters).endswith("abcdefghijklmnopqrstuvwxyz0123456789-")
        assert (letters[0] == "done") == (len(text) >= 3)
        assert letters.index("done") <= 3
        assert letters.index("erase") <= 4


def test_nothing_and_a_name_twice_cannot_be_done() -> None:
    """An empty name is not offered to be done; one that somebody has is said to be taken, and can be made longer."""
    assert "done" not in TextEntry("Player 2").letters
    twice = _spelled(TextEntry("Player 2", taken=("Ben",)), *"Ben")
    assert twice.letters[0] == "taken"
    assert "done" not in twice.letters
    assert twice.press(BANK) == twice
    assert _taken(_spelled(twice, "2"), "done") == "Ben2"


def test_letters_are_erased_one_by_one() -> None:
    writing = _spelled(TextEntry("Player 1"), *"Bob", "erase")
    assert writing.letters[writing.at] == "erase"
    for _ in range(2):
        erased = writing.press(BANK)
        assert isinstance(erased, TextEntry)
        writing = erased
    assert writing.text == ""
    assert writing.letters[0] == "A"


PRESSES = st.lists(
    st.builds(Press, st.sampled_from(["hold", "bank"]), st.sampled_from([False, False, False, True]), st.booleans()),
    max_size=300,
)


@given(PRESSES)
def test_any_presses_lead_to_a_name_that_the_rules_take(presses: list[Press]) -> None:
    writing: TextEntry | str | None = TextEntry("Player 1", taken=("A", "B"))
    for press in presses:
        if not isinstance(writing, TextEntry):
            break
        assert 0 <= writing.at < len(writing.letters)
        writing = writing.press(press)
    if isinstance(writing, str):
        assert checked_name(writing) not in ("A", "B")
